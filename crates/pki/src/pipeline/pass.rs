//! What one pass through the stages carries from one to the next.

use std::time::{SystemTime, UNIX_EPOCH};

use adamant::der::{Oid, Time};
use adamant::x509::{Certificate, DistinguishedName, PublicKey, SerialNumber};

use super::parallel;
use crate::store::{Kind, Number, Store};
use crate::{Algorithm, Error, Provider, Result};

/// Items as DER.
pub(super) type Blobs = Vec<Vec<u8>>;

/// A fresh CA.
pub(super) struct Ca<P: Provider> {
    pub(super) key: P::Key,
    pub(super) public_key: PublicKey,
    pub(super) key_id: [u8; 20],
    pub(super) name: DistinguishedName,
    pub(super) certificate: Vec<u8>,
}

/// The outputs of one kind.
#[derive(Default)]
pub(super) struct Made {
    /// The parts that are signed.
    pub(super) tbs: Blobs,
    /// The whole items.
    pub(super) der: Blobs,
    /// What the store gave back.
    pub(super) read: Blobs,
}

/// What all threads see of a pass.
pub(super) struct Scene<'a, P: Provider> {
    pub(super) provider: &'a P,
    pub(super) algorithm: Algorithm,
    pub(super) batch: usize,
    /// Whether all signatures are to be verified once more, by `adamant::x509`.
    pub(super) thorough: bool,
    pub(super) now: Time,
    pub(super) ca: Ca<P>,
    /// The subscribers' keys, where they are made beforehand.
    pub(super) keys: Option<Vec<P::Key>>,
}

/// One pass: its scene, the store, and what the stages have made so far.
pub(super) struct Pass<'a, P: Provider> {
    pub(super) scene: Scene<'a, P>,
    pub(super) store: &'a mut (dyn Store + Send),
    pub(super) certificates: Made,
    pub(super) crl: Made,
    pub(super) ocsp: Made,
}

impl<'a, P: Provider> Pass<'a, P> {
    pub(super) fn new(
        provider: &'a P,
        store: &'a mut (dyn Store + Send),
        algorithm: Algorithm,
        batch: usize,
        thorough: bool,
    ) -> Result<Self> {
        let made = provider.generate_batch(algorithm, 1)?.pop();
        let key = made.ok_or_else(|| wrong("ca_self_sign", 0, "the provider gave no key"))?;
        let public_key = provider.public_key(&key);
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = since_1970.map_or(0, |time| time.as_secs());
        let scene = Scene {
            provider,
            algorithm,
            batch,
            thorough,
            now: Time::from_unix(seconds as i64).unwrap_or(Time::MAX),
            ca: Ca {
                key_id: public_key.key_id(),
                name: DistinguishedName::new()
                    .organization("Adamant")
                    .common_name("Pipeline CA"),
                certificate: Vec::new(),
                key,
                public_key,
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

    /// The outputs of a kind, and the store.
    pub(super) fn made(&mut self, kind: Kind) -> (&mut Made, &mut (dyn Store + Send)) {
        let made = match kind {
            Kind::Certificate => &mut self.certificates,
            Kind::Crl => &mut self.crl,
            Kind::OcspResponse => &mut self.ocsp,
        };
        (made, self.store)
    }
}

impl<P: Provider> Scene<'_, P> {
    /// Signs parts with the CA's key.
    pub(super) fn sign(&self, stage: &'static str, tbs: &[Vec<u8>]) -> Result<Blobs> {
        let messages: Vec<_> = tbs.iter().map(Vec::as_slice).collect();
        let signatures = self.provider.sign_batch(&self.ca.key, &messages)?;
        let complete = signatures.len() == tbs.len();
        ensure(complete, stage, 0, "the provider lost signatures")?;
        Ok(signatures)
    }

    /// Verifies signatures under the CA's key; `parse` finds an item's algorithm, signed part
    /// and signature.
    pub(super) fn verify(
        &self,
        stage: &'static str,
        items: &[Vec<u8>],
        parse: impl for<'d> Fn(&'d [u8]) -> Result<(Oid, &'d [u8], &'d [u8])> + Sync,
    ) -> Result<()> {
        let ca = Certificate::parse(&self.ca.certificate)?;
        let verifier = self.provider.verifier(ca.spki_der())?;
        let expected = self.algorithm.signature().oid();
        parallel::look(items, |first, items| {
            let mut signed = Vec::with_capacity(items.len());
            for (i, der) in items.iter().enumerate() {
                let (algorithm, tbs, signature) = parse(der)?;
                if algorithm != expected {
                    return Err(wrong(stage, first + i, "another signature algorithm"));
                }
                signed.push((tbs, signature));
            }
            let mut verdicts = vec![Err(adamant::Error::BadSignature); signed.len()];
            self.provider
                .verify_batch(&verifier, &signed, &mut verdicts)?;
            match verdicts.iter().position(Result::is_err) {
                Some(i) => Err(wrong(stage, first + i, "the signature does not verify")),
                None => Ok(()),
            }
        })
    }
}

/// The serial number of an item of the batch, from 1.
pub(super) fn serial(item: usize) -> SerialNumber {
    SerialNumber::from(item as u64 + 1)
}

/// An item's number in the store.
pub(super) fn number(item: usize) -> Number {
    Number::from(item as u64 + 1)
}

/// An item that is not what it must be.
pub(super) fn wrong(stage: &'static str, item: usize, what: &'static str) -> Error {
    Error::Check { stage, item, what }
}

/// [`wrong`], unless it is right.
pub(super) fn ensure(
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
pub(super) fn mean_len(items: &[Vec<u8>]) -> usize {
    let sum: usize = items.iter().map(Vec::len).sum();
    (sum + items.len() / 2) / items.len().max(1)
}
