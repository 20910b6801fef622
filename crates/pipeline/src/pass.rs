//! What one pass through the stages carries from one to the next.

use std::time::{SystemTime, UNIX_EPOCH};

use adamant::der::Time;
use adamant::x509::{Certificate, PublicKey};

use crate::store::{Kind, Number, Store, Synchronous};
use crate::toolkit::{Blobs, Toolkit};
use crate::{Algorithm, Error, Keys, Result};
use crate::{parallel, profile};

/// How a stage is run.
#[derive(Clone, Copy)]
pub(crate) struct Variant {
    pub(crate) keys: Keys,
    pub(crate) synchronous: Synchronous,
}

/// Certificates of a batch, and how many subscriber keys are made for them, all if as many.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) batch: usize,
    pub(crate) keys: usize,
}

impl Size {
    /// With a key for each certificate.
    pub(crate) fn whole(batch: usize) -> Self {
        Size { batch, keys: batch }
    }
}

/// A fresh CA.
pub(crate) struct Ca<T: Toolkit> {
    pub(crate) authority: T::Authority,
    /// Its public key as SubjectPublicKeyInfo.
    pub(crate) spki: Vec<u8>,
    /// The public key as this project reads it, once the certificate was checked.
    pub(crate) public_key: Option<PublicKey>,
    pub(crate) certificate: Vec<u8>,
}

impl<T: Toolkit> Ca<T> {
    pub(crate) fn public_key(&self) -> Result<&PublicKey> {
        let key = self.public_key.as_ref();
        key.ok_or_else(|| wrong("ca_self_sign", 0, "the CA has no certificate"))
    }
}

/// The outputs of one kind.
#[derive(Default)]
pub(crate) struct Made {
    /// The parts that are signed.
    pub(crate) tbs: Blobs,
    /// The whole items.
    pub(crate) der: Blobs,
    /// What the store gave back.
    pub(crate) read: Blobs,
}

/// What all threads see of a pass.
pub(crate) struct Scene<'a, T: Toolkit> {
    pub(crate) toolkit: &'a T,
    pub(crate) algorithm: Algorithm,
    pub(crate) batch: usize,
    /// Whether all signatures are to be verified once more, by `adamant::x509`.
    pub(crate) thorough: bool,
    pub(crate) now: Time,
    pub(crate) ca: Ca<T>,
    /// How many keys subscribers have: the certificates go through them again and again.
    pub(crate) key_count: usize,
    /// How many certificates are issued: one for each key where these are counted.
    pub(crate) wanted: usize,
    /// The subscribers' keys, where they are there beforehand.
    pub(crate) keys: Option<Vec<T::Key>>,
}

/// One pass: its scene, the store, and what the stages have made so far.
pub(crate) struct Pass<'a, T: Toolkit> {
    pub(crate) scene: Scene<'a, T>,
    pub(crate) store: &'a mut (dyn Store + Send),
    pub(crate) certificates: Made,
    pub(crate) crl: Made,
    pub(crate) ocsp: Made,
}

impl<'a, T: Toolkit> Pass<'a, T> {
    pub(crate) fn new(
        toolkit: &'a T,
        store: &'a mut (dyn Store + Send),
        algorithm: Algorithm,
        size: Size,
        thorough: bool,
    ) -> Result<Self> {
        let made = toolkit.generate(algorithm, 1)?.pop();
        let key = made.ok_or_else(|| wrong("ca_self_sign", 0, "the provider gave no key"))?;
        let spki = toolkit.spki(&key)?;
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = since_1970.map_or(0, |time| time.as_secs());
        let now = Time::from_unix(seconds as i64).unwrap_or(Time::MAX);
        let scene = Scene {
            toolkit,
            algorithm,
            batch: size.batch,
            key_count: size.keys,
            wanted: size.batch,
            thorough,
            now,
            ca: Ca {
                authority: toolkit.authority(algorithm, key, now)?,
                spki,
                public_key: None,
                certificate: Vec::new(),
            },
            keys: None,
        };
        Ok(Pass {
            scene,
            store,
            certificates: Made::default(),
            crl: Made::default(),
            ocsp: Made::default(),
        })
    }

    /// The outputs of a kind.
    pub(crate) fn of(&self, kind: Kind) -> &Made {
        match kind {
            Kind::Certificate => &self.certificates,
            Kind::Crl => &self.crl,
            Kind::OcspResponse => &self.ocsp,
        }
    }

    /// The outputs of a kind, to be changed, and the store.
    pub(crate) fn made(&mut self, kind: Kind) -> (&mut Made, &mut (dyn Store + Send)) {
        let made = match kind {
            Kind::Certificate => &mut self.certificates,
            Kind::Crl => &mut self.crl,
            Kind::OcspResponse => &mut self.ocsp,
        };
        (made, self.store)
    }
}

/// Verifies the signatures of all items of a kind under the CA's key.
pub(crate) fn verify<T: Toolkit>(
    pass: &mut Pass<'_, T>,
    kind: Kind,
    stage: &'static str,
) -> Result<()> {
    let items = &pass.of(kind).der;
    let scene = &pass.scene;
    let ca = Certificate::from_der(&scene.ca.certificate)?;
    let verifier = scene.toolkit.verifier(scene.algorithm, ca.spki_der())?;
    parallel::look(
        items,
        &|first, items| match scene.toolkit.verify(&verifier, kind, items)? {
            Some((i, what)) => Err(wrong(stage, first + i, what)),
            None => Ok(()),
        },
    )
}

/// An item's number in the store.
pub(crate) fn number(item: usize) -> Number {
    Number::from(profile::number(item))
}

/// An item that is not what it must be.
pub(crate) fn wrong(stage: &'static str, item: usize, what: &'static str) -> Error {
    Error::Check { stage, item, what }
}

/// [`wrong`], unless it is right.
pub(crate) fn ensure(
    right: bool,
    stage: &'static str,
    item: usize,
    what: &'static str,
) -> Result<()> {
    if right {
        Ok(())
    } else {
        Err(wrong(stage, item, what))
    }
}

/// The mean length, rounded.
pub(crate) fn mean_len(items: &[Vec<u8>]) -> usize {
    let sum: usize = items.iter().map(Vec::len).sum();
    (sum + items.len() / 2) / items.len().max(1)
}
