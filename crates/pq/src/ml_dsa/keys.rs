//! ML-DSA's public keys (FIPS 204, 7.2).

use super::arithmetic::Backend;
#[cfg(feature = "alloc")]
use super::matrix::matrix;
use super::parameters::{MAX_K, MAX_L, Parameters};
use super::poly::{D, Poly};
use crate::list::{List, kept};
#[cfg(not(feature = "alloc"))]
use crate::sponge::run;
use crate::sponge::{Job, SHAKE256};
use adamant_base::shared::Shared;
use core::slice::from_mut;

/// Bytes of a polynomial of t₁, of 10 bits.
pub(super) const T1_LEN: usize = 320;

/// Â, or nothing.
pub(super) type Kept = List<Poly, { kept(MAX_K * MAX_L) }>;

/// A public key.
#[derive(Clone)]
pub(super) struct Public {
    pub(super) p: &'static Parameters,
    pub(super) backend: Backend,
    /// Â, by rows: k·l polynomials, or none where it is not kept.
    pub(super) a: Kept,
    pub(super) rho: [u8; 32],
    pub(super) t1_bytes: List<[u8; T1_LEN], MAX_K>,
    /// H(pk).
    pub(super) tr: [u8; 64],
}

/// A public key with what verification needs beside its matrix.
#[derive(Clone)]
pub(super) struct Verifier {
    pub(super) public: Shared<Public>,
    /// NTT(t₁ · 2^d), or nothing.
    t1: Shared<List<Poly, { kept(MAX_K) }>>,
}

impl Verifier {
    pub(super) fn new(public: Shared<Public>) -> Self {
        let mut t1 = List::zeros(kept(public.p.k));
        public.t1(0, &mut t1);
        let t1 = Shared::new(t1);
        Verifier { public, t1 }
    }

    /// c · NTT(t₁ · 2^d).
    pub(super) fn scaled_t1(&self, to: &mut [Poly], c: &Poly) {
        let backend = self.public.backend;
        if !self.t1.is_empty() {
            return backend.scale(to, c, &self.t1);
        }
        for (row, to) in to.iter_mut().enumerate() {
            let mut t1 = [Poly::ZERO];
            self.public.t1(row, &mut t1);
            backend.scale(from_mut(to), c, &t1);
        }
    }
}

/// What a room for a key leads to before it is shared.
pub(super) fn inside<T>(room: &mut Shared<T>) -> &mut T {
    Shared::get_mut(room).expect("not shared yet")
}

impl Public {
    /// Room for a key.
    pub(super) fn room(p: &'static Parameters, backend: Backend) -> Shared<Self> {
        Shared::new(Public {
            p,
            backend,
            a: List::none(),
            rho: [0; 32],
            t1_bytes: List::zeros(p.k),
            tr: [0; 64],
        })
    }

    /// Rows of NTT(t₁ · 2^d), from the first one on.
    fn t1(&self, first: usize, to: &mut [Poly]) {
        for (t, bytes) in to.iter_mut().zip(&self.t1_bytes[first..]) {
            self.backend.simple_bit_unpack(t, bytes);
            for x in &mut t.0 {
                *x <<= D;
            }
        }
        self.backend.ntt(to);
    }

    /// The same key with its matrix kept.
    #[cfg(feature = "alloc")]
    pub(super) fn expanded(this: &Shared<Self>) -> Shared<Self> {
        if !this.a.is_empty() {
            return Shared::clone(this);
        }
        let mut public = Self::clone(this);
        public.a = matrix(public.p, public.backend, &public.rho, None);
        Shared::new(public)
    }

    /// The job of tr = H(pk).
    pub(super) fn tr_job(&mut self) -> Job<'_> {
        let parts = [&self.rho[..], self.t1_bytes.as_flattened()];
        Job::new(SHAKE256, parts, &mut self.tr)
    }

    /// Algorithm 23 (pkDecode): every string of the right length is a key.
    ///
    /// # Panics
    /// For another length.
    pub(super) fn from_bytes(
        p: &'static Parameters,
        bytes: &[u8],
        backend: Backend,
    ) -> Shared<Self> {
        let (rho, t1) = bytes.split_first_chunk().expect("a whole key");
        let mut room = Self::room(p, backend);
        let public = inside(&mut room);
        public.rho = *rho;
        public.t1_bytes.copy_from_slice(t1.as_chunks().0);
        #[cfg(feature = "alloc")]
        {
            public.a = matrix(p, backend, rho, Some(public.tr_job()));
        }
        #[cfg(not(feature = "alloc"))]
        run(backend.keccak(), [public.tr_job()]);
        room
    }

    /// Algorithm 22 (pkEncode).
    pub(super) fn write(&self, to: &mut [u8]) {
        let (rho, t1) = to.split_at_mut(32);
        rho.copy_from_slice(&self.rho);
        t1.copy_from_slice(self.t1_bytes.as_flattened());
    }
}
