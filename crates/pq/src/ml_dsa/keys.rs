//! ML-DSA's parameters and keys (FIPS 204, 4 and 7.2) for a matrix of `K` rows and `L` columns.

use super::keygen::Parts;
use super::matrix::matrix;
use super::poly::{Backend, D, Poly, Q};
use crate::sponge::{Job, SHAKE256, run};
use adamant_base::{Error, Secret, Wipe, ct};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Numbers of a parameter set (FIPS 204, 4, table 1), told by its rows.
#[derive(Clone, Copy)]
pub(super) struct Parameters {
    pub(super) eta: i32,
    pub(super) tau: usize,
    pub(super) gamma1: i32,
    pub(super) gamma2: i32,
    pub(super) omega: usize,
    /// Bytes of c̃: λ/4.
    pub(super) c_len: usize,
}

pub(super) const fn parameters(k: usize) -> Parameters {
    let (eta, tau, gamma1, gamma2, omega, c_len) = match k {
        4 => (2, 39, 1 << 17, (Q - 1) / 88, 80, 32),
        6 => (4, 49, 1 << 19, (Q - 1) / 32, 55, 48),
        _ => (2, 60, 1 << 19, (Q - 1) / 32, 75, 64),
    };
    Parameters {
        eta,
        tau,
        gamma1,
        gamma2,
        omega,
        c_len,
    }
}

impl Parameters {
    /// τ·η.
    pub(super) const fn beta(self) -> i32 {
        self.tau as i32 * self.eta
    }
    /// Bytes of a polynomial of s₁ or s₂.
    pub(super) const fn s_len(self) -> usize {
        if self.eta == 2 { 32 * 3 } else { 32 * 4 }
    }
    /// Bytes of a polynomial of z.
    pub(super) const fn z_len(self) -> usize {
        if self.gamma1 == 1 << 17 {
            32 * 18
        } else {
            32 * 20
        }
    }
    /// Bytes of a polynomial of w₁.
    pub(super) const fn w1_len(self) -> usize {
        if self.gamma2 == (Q - 1) / 88 {
            32 * 6
        } else {
            32 * 4
        }
    }
}

/// Bytes of a polynomial of t₁, of 10 bits.
pub(super) const T1_LEN: usize = 320;
/// Bytes of a polynomial of t₀, of 13 bits.
pub(super) const T0_LEN: usize = 416;

/// A public key.
#[derive(Clone)]
pub(super) struct Public<const K: usize, const L: usize> {
    pub(super) backend: Backend,
    /// Â, by rows: K·L polynomials, or none where it is not kept.
    pub(super) a: Vec<Poly>,
    pub(super) rho: [u8; 32],
    pub(super) t1_bytes: [[u8; T1_LEN]; K],
    /// H(pk).
    pub(super) tr: [u8; 64],
}

/// A public key with what verification needs beside its matrix.
#[derive(Clone)]
pub(super) struct Verifier<const K: usize, const L: usize> {
    pub(super) public: Arc<Public<K, L>>,
    /// NTT(t₁ · 2^d).
    pub(super) t1: Arc<[Poly; K]>,
}

impl<const K: usize, const L: usize> Verifier<K, L> {
    pub(super) fn new(public: Arc<Public<K, L>>) -> Self {
        let backend = public.backend;
        let mut t1 = [Poly::ZERO; K];
        for (t, bytes) in t1.iter_mut().zip(&public.t1_bytes) {
            backend.simple_bit_unpack(t, bytes);
            for x in &mut t.0 {
                *x <<= D;
            }
        }
        backend.ntt(&mut t1);
        let t1 = Arc::new(t1);
        Verifier { public, t1 }
    }
}

/// A private key. Its parts stay where they were made: what is secret is never moved, and the
/// public key is shared with those who ask for it.
#[derive(Clone)]
pub(super) struct Private<const K: usize, const L: usize> {
    pub(super) secret: Box<Secret<Secrets<K, L>>>,
    /// None where they are not kept, as the matrix then.
    pub(super) vectors: Option<Box<Secret<Vectors<K, L>>>>,
    pub(super) public: Arc<Public<K, L>>,
}

/// NTT(s₁), NTT(s₂) and NTT(t₀).
#[derive(Clone)]
pub(super) struct Vectors<const K: usize, const L: usize> {
    pub(super) s1: [Poly; L],
    pub(super) s2: [Poly; K],
    pub(super) t0: [Poly; K],
}

impl<const K: usize, const L: usize> Vectors<K, L> {
    pub(super) const ZERO: Self = Vectors {
        s1: [Poly::ZERO; L],
        s2: [Poly::ZERO; K],
        t0: [Poly::ZERO; K],
    };

    pub(super) fn room() -> Box<Secret<Self>> {
        Box::new(Secret::new(Self::ZERO))
    }

    /// What is left to enter the NTT domain behind the last row.
    pub(super) fn transform(&mut self, backend: Backend) {
        backend.ntt(&mut self.s2);
        backend.ntt(&mut self.t0);
    }
}

impl<const K: usize, const L: usize> Wipe for Vectors<K, L> {
    fn wipe(&mut self) {
        self.s1.wipe();
        self.s2.wipe();
        self.t0.wipe();
    }
}

/// What of a private key is secret.
#[derive(Clone)]
pub(super) struct Secrets<const K: usize, const L: usize> {
    /// K.
    pub(super) key: [u8; 32],
    /// The encodings of s₁, s₂ and t₀.
    pub(super) s1_bytes: [[u8; 128]; L],
    pub(super) s2_bytes: [[u8; 128]; K],
    pub(super) t0_bytes: [[u8; T0_LEN]; K],
    /// ξ, if it is known.
    pub(super) seed: [u8; 32],
    pub(super) has_seed: bool,
}

impl<const K: usize, const L: usize> Wipe for Secrets<K, L> {
    fn wipe(&mut self) {
        self.key.wipe();
        self.s1_bytes.wipe();
        self.s2_bytes.wipe();
        self.t0_bytes.wipe();
        self.seed.wipe();
    }
}

/// What a room for a key leads to before it is shared.
pub(super) fn inside<T>(room: &mut Arc<T>) -> &mut T {
    Arc::get_mut(room).expect("not shared yet")
}

impl<const K: usize, const L: usize> Public<K, L> {
    /// Room for a key.
    pub(super) fn room(backend: Backend) -> Arc<Self> {
        Arc::new(Public {
            backend,
            a: Vec::new(),
            rho: [0; 32],
            t1_bytes: [[0; T1_LEN]; K],
            tr: [0; 64],
        })
    }

    /// The same key with its matrix kept.
    pub(super) fn expanded(this: &Arc<Self>) -> Arc<Self> {
        if !this.a.is_empty() {
            return Arc::clone(this);
        }
        let mut public = Self::clone(this);
        public.a = matrix((K, L), public.backend, &public.rho, None);
        Arc::new(public)
    }

    /// The job of tr = H(pk).
    pub(super) fn tr_job(&mut self) -> Job<'_> {
        let parts = [&self.rho[..], self.t1_bytes.as_flattened()];
        Job::new(SHAKE256, parts, &mut self.tr)
    }

    /// Algorithm 23 (pkDecode): every string of the right length is a key.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Arc<Self>, Error> {
        let bad = Error::BadPublicKey;
        let (rho, t1) = bytes.split_first_chunk().ok_or(bad)?;
        let (t1, []) = t1.as_chunks() else {
            return Err(bad);
        };
        if t1.len() != K {
            return Err(bad);
        }
        let mut room = Self::room(backend);
        let public = inside(&mut room);
        public.rho = *rho;
        public.t1_bytes.copy_from_slice(t1);
        public.a = matrix((K, L), backend, rho, Some(public.tr_job()));
        Ok(room)
    }

    /// Algorithm 22 (pkEncode).
    pub(super) fn write(&self, to: &mut [u8]) {
        let (rho, t1) = to.split_at_mut(32);
        rho.copy_from_slice(&self.rho);
        t1.copy_from_slice(self.t1_bytes.as_flattened());
    }
}

impl<const K: usize, const L: usize> Secrets<K, L> {
    const P: Parameters = parameters(K);

    /// s₁ and s₂ from their bytes; whether all coefficients lie between −η and η.
    fn unpack(&self, backend: Backend, to: &mut Vectors<K, L>) -> ct::Choice {
        let Parameters { eta, .. } = Self::P;
        let s1 = to.s1.iter_mut().zip(&self.s1_bytes);
        let s2 = to.s2.iter_mut().zip(&self.s2_bytes);
        for (s, bytes) in s1.chain(s2) {
            backend.bit_unpack(s, &bytes[..Self::P.s_len()], eta);
        }
        let norm = backend.norm(&to.s1).max(backend.norm(&to.s2));
        ct::Choice::lt_u64(norm as u64, eta as u64 + 1)
    }
}

impl<const K: usize, const L: usize> Private<K, L> {
    /// Room for a key.
    pub(super) fn room(backend: Backend) -> Self {
        Private {
            vectors: None,
            secret: Box::new(Secret::new(Secrets {
                key: [0; 32],
                s1_bytes: [[0; 128]; L],
                s2_bytes: [[0; 128]; K],
                t0_bytes: [[0; T0_LEN]; K],
                seed: [0; 32],
                has_seed: false,
            })),
            public: Public::room(backend),
        }
    }

    /// What signing needs, where it is kept.
    pub(super) fn vectors(&self) -> Option<&Vectors<K, L>> {
        self.vectors.as_ref().map(|vectors| &***vectors)
    }

    /// The same key with its matrix and its vectors kept.
    pub(super) fn expanded(&self) -> Self {
        let mut key = self.clone();
        key.public = Public::expanded(&self.public);
        let backend = self.public.backend;
        key.vectors.get_or_insert_with(|| {
            let mut vectors = Vectors::room();
            let _ = self.secret.unpack(backend, &mut vectors); // They were in range before.
            for (t, bytes) in vectors.t0.iter_mut().zip(&self.secret.t0_bytes) {
                backend.bit_unpack(t, bytes, 1 << (D - 1));
            }
            backend.ntt(&mut vectors.s1);
            vectors.transform(backend);
            vectors
        });
        key
    }

    /// ξ, where the key came from it.
    pub(super) fn seed(&self) -> Option<Secret<[u8; 32]>> {
        self.secret.has_seed.then(|| Secret::new(self.secret.seed))
    }

    /// Algorithm 25 (skDecode). The public key is computed again: t₀ and tr must be those that
    /// follow from the rest.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        let bad = Error::BadPrivateKey;
        let s_len = parameters(K).s_len();
        if bytes.len() != 128 + s_len * (K + L) + T0_LEN * K {
            return Err(bad);
        }
        let mut private = Self::room(backend);
        let public = inside(&mut private.public);
        let secret = &mut **private.secret;
        let (rho, rest) = bytes.split_first_chunk().ok_or(bad)?;
        let (key, rest) = rest.split_first_chunk().ok_or(bad)?;
        let (tr, rest) = rest.split_first_chunk::<64>().ok_or(bad)?;
        let (s, t0) = rest.split_at(s_len * (K + L));
        public.rho = *rho;
        secret.key = *key;
        let places = secret.s1_bytes.iter_mut().chain(&mut secret.s2_bytes);
        for (to, from) in places.zip(s.chunks_exact(s_len)) {
            to[..s_len].copy_from_slice(from);
        }
        // Whether a key is broken is told openly.
        let mut vectors = Vectors::room();
        if !secret.unpack(backend, &mut vectors).declassify() {
            return Err(bad);
        }
        let mut a = matrix((K, L), backend, rho, None);
        backend.ntt(&mut vectors.s1);
        let mut parts = Parts {
            a: &mut a,
            public,
            secret,
            vectors: &mut vectors,
        };
        parts.rows(0..K, |_| {});
        vectors.transform(backend);
        public.a = a;
        run(backend.keccak(), [public.tr_job()]);
        let same = ct::eq(t0, secret.t0_bytes.as_flattened()).and(ct::eq(tr, &public.tr));
        private.vectors = Some(vectors);
        if same.declassify() {
            Ok(private)
        } else {
            Err(bad)
        }
    }

    /// Algorithm 24 (skEncode).
    pub(super) fn write(&self, to: &mut [u8]) {
        let secret = &*self.secret;
        let s_len = parameters(K).s_len();
        let (rho, rest) = to.split_at_mut(32);
        let (key, rest) = rest.split_at_mut(32);
        let (tr, rest) = rest.split_at_mut(64);
        let (s, t0) = rest.split_at_mut(s_len * (K + L));
        rho.copy_from_slice(&self.public.rho);
        key.copy_from_slice(&secret.key);
        tr.copy_from_slice(&self.public.tr);
        let polys = secret.s1_bytes.iter().chain(&secret.s2_bytes);
        for (to, from) in s.chunks_exact_mut(s_len).zip(polys) {
            to.copy_from_slice(&from[..s_len]);
        }
        t0.copy_from_slice(secret.t0_bytes.as_flattened());
    }
}
