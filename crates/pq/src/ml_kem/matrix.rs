//! Â from its seed (FIPS 203, 5.1, lines 3 to 7 of algorithm 13), for many keys side by side.

use super::arithmetic::Backend;
use super::keys::MAX_K;
use super::poly::Poly;
use crate::list::List;
use crate::sponge::{Drawn, Job, Kind, SHAKE128};

/// Takes bytes of SHAKE128 for a polynomial of Â; whether these are enough.
#[inline]
pub(super) fn take(drawn: &mut Drawn, backend: Backend, a: &mut [Poly], block: &[u8]) -> bool {
    drawn.count = backend.sample_ntt(&mut a[drawn.at], drawn.count, block);
    drawn.count == 256
}

/// Algorithm 13, lines 3 to 7, for the polynomial `at` of Â of `k` rows: the job.
pub(super) fn matrix_job(k: usize, rho: &[u8; 32], key: usize, at: usize) -> Job<'_> {
    Job::draw(SHAKE128, [rho], Kind::Uniform, key, at).tail([(at % k) as u8, (at / k) as u8])
}

/// Polynomials of Â and t̂.
pub(super) const fn polys(k: usize) -> usize {
    k * k + k
}

/// Â by rows, and t̂ after it.
pub(super) type Matrix = List<Poly, { polys(MAX_K) }>;
