//! Parameters and keys of ML-KEM (FIPS 203, 7.1 to 7.3 and 8) for a matrix of `K` rows.

use super::matrix::{expand, shorter};
use super::poly::{Backend, Poly};
use crate::sponge::{Job, SHA3_256};
use adamant_base::{Error, Secret, Wipe};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// η₁ of a parameter set (FIPS 203, 8, table 2).
pub(super) const fn eta1(k: usize) -> usize {
    if k == 2 { 3 } else { 2 }
}

/// η₂ of every parameter set.
pub(super) const ETA2: usize = 2;

/// An encapsulation key.
#[derive(Clone)]
pub(super) struct Public<const K: usize> {
    pub(super) backend: Backend,
    /// Â by rows, and t̂ behind it: K·K + K polynomials, or none where these are not kept.
    pub(super) kept: Vec<Poly>,
    pub(super) t_bytes: [[u8; 384]; K],
    pub(super) rho: [u8; 32],
    /// H(ek).
    pub(super) h: [u8; 32],
}

/// A decapsulation key. Its parts stay where they were made: what is secret is never moved, and
/// the encapsulation key is shared with those who ask for it.
#[derive(Clone)]
pub(super) struct Private<const K: usize> {
    pub(super) secret: Box<Secret<Secrets<K>>>,
    pub(super) public: Arc<Public<K>>,
}

/// What of a decapsulation key is secret.
#[derive(Clone)]
pub(super) struct Secrets<const K: usize> {
    /// ŝ.
    pub(super) s: [Poly; K],
    /// d, and z: what is given out for a wrong ciphertext comes from the latter.
    pub(super) seed: [u8; 64],
    /// Whether d is known: where the key came from it.
    pub(super) has_d: bool,
}

impl<const K: usize> Secrets<K> {
    pub(super) fn z(&self) -> &[u8; 32] {
        &halves(&self.seed)[1]
    }
}

impl<const K: usize> Wipe for Secrets<K> {
    fn wipe(&mut self) {
        self.s.wipe();
        self.seed.wipe();
    }
}

impl<const K: usize> Private<K> {
    /// Room for a key.
    pub(super) fn room(backend: Backend) -> Self {
        Private {
            secret: Box::new(Secret::new(Secrets {
                s: [Poly::ZERO; K],
                seed: [0; 64],
                has_d: false,
            })),
            public: Public::room(backend),
        }
    }

    /// d and z, where the key came from them.
    pub(super) fn seed(&self) -> Option<Secret<[u8; 64]>> {
        self.secret.has_d.then(|| Secret::new(self.secret.seed))
    }
}

impl<const K: usize> Public<K> {
    /// Room for a key.
    pub(super) fn room(backend: Backend) -> Arc<Self> {
        Arc::new(Public {
            backend,
            kept: Vec::new(),
            t_bytes: [[0; 384]; K],
            rho: [0; 32],
            h: [0; 32],
        })
    }
}

/// What a room for a key leads to before it is shared.
pub(super) fn inside<T>(room: &mut Arc<T>) -> &mut T {
    Arc::get_mut(room).expect("not shared yet")
}

/// The halves of what G gives.
pub(super) fn halves(g: &[u8; 64]) -> &[[u8; 32]; 2] {
    g.as_chunks().0.try_into().expect("64 bytes")
}

impl<const K: usize> Public<K> {
    /// Reads t̂ and ρ of each key, with the modulus check of 7.2. Other hashes are done on the way.
    ///
    /// # Panics
    /// Where a key has another length than t̂ and ρ.
    pub(super) fn read<'a, const N: usize>(
        keys: [&'a [u8]; N],
        backend: Backend,
        others: impl Iterator<Item = Job<'a>>,
    ) -> [Result<Arc<Self>, Error>; N] {
        let read = keys.map(|bytes| {
            let mut room = Self::room(backend);
            let public = inside(&mut room);
            let (t_bytes, rho) = bytes.as_chunks::<384>();
            public.t_bytes.copy_from_slice(t_bytes);
            public.rho.copy_from_slice(rho);
            room
        });
        let mut good = [true; N];
        let mut kept = [const { Vec::new() }; N];
        let mut hashed = [[0; 32]; N];
        let hashes = keys.iter().zip(&mut hashed);
        let hashes = hashes.map(|(bytes, h)| Job::new(SHA3_256, [bytes], h));
        expand(
            read.each_ref().map(|room| &**room),
            &mut kept,
            &mut good,
            hashes.chain(others.map(shorter)),
        );
        let mut parts = good.into_iter().zip(kept).zip(hashed);
        read.map(|mut room| {
            let ((good, kept), h) = parts.next().expect("those of each key");
            let public = inside(&mut room);
            (public.kept, public.h) = (kept, h);
            good.then_some(room).ok_or(Error::BadPublicKey)
        })
    }

    /// Reads a key.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Arc<Self>, Error> {
        let [key] = Self::read([bytes], backend, core::iter::empty());
        key
    }
}

impl<const K: usize> Private<K> {
    /// Reads ŝ, ek, H(ek) and z of each key, with the checks of 7.3 and of the keys inside. Other
    /// hashes are done on the way.
    ///
    /// # Panics
    /// Where a key has another length than these.
    pub(super) fn read<'a, const N: usize>(
        keys: [&'a [u8]; N],
        backend: Backend,
        others: impl Iterator<Item = Job<'a>>,
    ) -> [Result<Self, Error>; N] {
        let parts = keys.map(|bytes| {
            let (s, rest) = bytes.split_at(384 * K);
            let (public, rest) = rest.split_at(384 * K + 32);
            let (h, z) = rest.split_at(32);
            (s, public, h, z)
        });
        let publics = Public::read(parts.map(|(_, public, ..)| public), backend, others);
        let mut parts = parts.into_iter();
        publics.map(|public| {
            let (s_bytes, _, h, z) = parts.next().expect("one for each key");
            let public = public.ok().filter(|public| public.h == *h);
            let mut key = Private::room(backend);
            key.public = public.ok_or(Error::BadPrivateKey)?;
            let secret = &mut **key.secret;
            for (s, bytes) in secret.s.iter_mut().zip(s_bytes.as_chunks().0) {
                let _ = backend.decode_ntt(s, bytes); // The standard reduces.
            }
            secret.seed[32..].copy_from_slice(z);
            Ok(key)
        })
    }

    /// Reads a key.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        let [key] = Self::read([bytes], backend, core::iter::empty());
        key
    }

    /// ŝ, ek, H(ek) and z in a row.
    pub(super) fn write(&self, to: &mut [u8]) {
        let (s, rest) = to.split_at_mut(384 * K);
        for (bytes, s) in s.as_chunks_mut().0.iter_mut().zip(&self.secret.s) {
            self.public.backend.encode_ntt(bytes, s);
        }
        let (public, rest) = rest.split_at_mut(384 * K + 32);
        self.public.write(public);
        rest[..32].copy_from_slice(&self.public.h);
        rest[32..].copy_from_slice(self.secret.z());
    }
}

impl<const K: usize> Public<K> {
    /// The same key with its matrix kept.
    pub(super) fn expanded(this: &Arc<Self>) -> Arc<Self> {
        if !this.kept.is_empty() {
            return Arc::clone(this);
        }
        let mut own = [Vec::new()];
        expand([this], &mut own, &mut [true], core::iter::empty());
        let mut public = Self::clone(this);
        [public.kept] = own;
        Arc::new(public)
    }

    /// t̂ and ρ in a row.
    pub(super) fn write(&self, to: &mut [u8]) {
        let (t, rho) = to.split_at_mut(384 * K);
        t.copy_from_slice(self.t_bytes.as_flattened());
        rho.copy_from_slice(&self.rho);
    }
}
