//! ML-DSA's private keys (FIPS 204, 7.2).

use super::arithmetic::Backend;
use super::keys::Public;
use super::parameters::Parameters;
use super::poly::{D, Poly};
use adamant_base::shared::Shared;
use adamant_base::{Secret, SecretBytes, SecretVec, Wipe, ct};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Bytes of a polynomial of t₀, of 13 bits.
pub(super) const T0_LEN: usize = 416;

/// A private key. Its parts stay where they were made: what is secret is never moved, and the
/// public key is shared with those who ask for it.
pub(super) struct Private {
    pub(super) secret: Box<Secret<Secrets>>,
    /// The encodings of s₁, s₂ and t₀ in a row.
    pub(super) encoded: SecretBytes,
    /// NTT(s₁), NTT(s₂) and NTT(t₀) in a row: none where they are not kept, as the matrix then.
    pub(super) vectors: SecretVec<Poly>,
    pub(super) public: Shared<Public>,
}

impl Clone for Private {
    fn clone(&self) -> Self {
        Private {
            secret: self.secret.clone(),
            encoded: self.encoded.to_vec().into(),
            vectors: self.vectors.to_vec().into(),
            public: self.public.clone(),
        }
    }
}

/// What of a private key is secret, beside its vectors.
#[derive(Clone)]
pub(super) struct Secrets {
    /// K.
    pub(super) key: [u8; 32],
    /// ξ, if it is known.
    pub(super) seed: [u8; 32],
    pub(super) has_seed: bool,
}

impl Wipe for Secrets {
    fn wipe(&mut self) {
        self.key.wipe();
        self.seed.wipe();
    }
}

impl Parameters {
    /// Room for s₁, s₂ and t₀.
    pub(super) fn vectors(&self) -> SecretVec<Poly> {
        vec![Poly::ZERO; self.l + 2 * self.k].into()
    }

    /// Where s₁ and s₂ end and t₀ begins among their encodings.
    pub(super) const fn s_end(&self) -> usize {
        self.s_len() * (self.k + self.l)
    }

    /// Bytes of a private key.
    pub(super) const fn private_len(&self) -> usize {
        128 + self.s_end() + T0_LEN * self.k
    }
}

impl Private {
    /// Room for a key.
    pub(super) fn room(p: &'static Parameters, backend: Backend) -> Self {
        Private {
            vectors: Vec::new().into(),
            encoded: SecretBytes::zeros(p.private_len() - 128),
            secret: Box::new(Secret::new(Secrets {
                key: [0; 32],
                seed: [0; 32],
                has_seed: false,
            })),
            public: Public::room(p, backend),
        }
    }

    /// NTT(s₁), NTT(s₂) and NTT(t₀), where they are kept.
    pub(super) fn vectors(&self) -> Option<[&[Poly]; 3]> {
        let p = self.public.p;
        let (s1, rest) = self.vectors.split_at_checked(p.l)?;
        let (s2, t0) = rest.split_at(p.k);
        Some([s1, s2, t0])
    }

    /// s₁ and s₂ from their bytes; whether all coefficients lie between −η and η.
    pub(super) fn unpack(&self, to: &mut [Poly]) -> ct::Choice {
        let Public { p, backend, .. } = *self.public;
        let s = &mut to[..p.l + p.k];
        for (s, bytes) in s.iter_mut().zip(self.encoded.chunks_exact(p.s_len())) {
            backend.bit_unpack(s, bytes, p.eta);
        }
        ct::Choice::lt_u64(backend.norm(s) as u64, p.eta as u64 + 1)
    }

    /// The same key with its matrix and its vectors kept.
    pub(super) fn expanded(&self) -> Self {
        let mut key = self.clone();
        key.public = Public::expanded(&self.public);
        if key.vectors.is_empty() {
            let Public { p, backend, .. } = *self.public;
            let mut vectors = p.vectors();
            let _ = self.unpack(&mut vectors); // They were in range before.
            let t0 = self.encoded[p.s_end()..].chunks_exact(T0_LEN);
            for (t, bytes) in vectors[p.l + p.k..].iter_mut().zip(t0) {
                backend.bit_unpack(t, bytes, 1 << (D - 1));
            }
            backend.ntt(&mut vectors);
            key.vectors = vectors;
        }
        key
    }

    /// ξ, where the key came from it.
    pub(super) fn seed(&self) -> Option<Secret<[u8; 32]>> {
        self.secret.has_seed.then(|| Secret::new(self.secret.seed))
    }

    /// Algorithm 24 (skEncode).
    pub(super) fn write(&self, to: &mut [u8]) {
        let (rho, rest) = to.split_at_mut(32);
        let (key, rest) = rest.split_at_mut(32);
        let (tr, encoded) = rest.split_at_mut(64);
        rho.copy_from_slice(&self.public.rho);
        key.copy_from_slice(&self.secret.key);
        tr.copy_from_slice(&self.public.tr);
        encoded.copy_from_slice(&self.encoded);
    }
}
