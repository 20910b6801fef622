//! Â from its seed (FIPS 204, 7.3, algorithm 32).

use super::poly::{Backend, Poly};
use crate::sponge::{Fill, Job, SHAKE128, Sink, run_to};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// A polynomial drawn by rejection, in the making.
pub(super) struct Drawn {
    /// The number of its key among those at hand, and its own: in the matrix, or of s₁ and behind
    /// these of s₂.
    pub(super) key: usize,
    pub(super) at: usize,
    /// How many coefficients are known.
    pub(super) count: usize,
}

/// Algorithm 32 (ExpandA) for the polynomials `places` of Â: the jobs.
pub(super) fn matrix_jobs<'a, const L: usize, T>(
    rho: &'a [u8; 32],
    key: usize,
    places: Range<usize>,
    wrap: impl Fn(Drawn) -> T,
) -> impl Iterator<Item = Job<'a, T>> {
    places.map(move |at| {
        let place = Drawn { key, at, count: 0 };
        Job::to(SHAKE128, [rho], wrap(place)).tail([(at % L) as u8, (at / L) as u8])
    })
}

/// Where a matrix goes, and another output meanwhile.
struct Matrix<'m>(Backend, &'m mut [Poly]);

/// A place of these.
enum Place<'a> {
    Uniform(Drawn),
    Bytes(&'a mut [u8]),
}

impl Sink<Place<'_>> for Matrix<'_> {
    #[inline]
    fn take(&mut self, place: &mut Place, block: &[u8]) -> bool {
        match place {
            Place::Uniform(poly) => {
                poly.count = self.0.rej_ntt_poly(&mut self.1[poly.at], poly.count, block);
                poly.count == 256
            }
            Place::Bytes(out) => Fill.take(out, block),
        }
    }
}

/// Â of a seed; another hash is done on the way.
pub(super) fn matrix<const K: usize, const L: usize>(
    backend: Backend,
    rho: &[u8; 32],
    other: Option<Job>,
) -> Vec<Poly> {
    let mut a = vec![Poly::ZERO; K * L];
    let jobs = matrix_jobs::<L, _>(rho, 0, 0..K * L, Place::Uniform);
    fn shorter<'s, 'l: 's>(job: Job<'l>) -> Job<'s, Place<'s>> {
        job.map(Place::Bytes)
    }
    let other = other.into_iter().map(shorter);
    run_to(
        backend.keccak(),
        other.chain(jobs),
        &mut Matrix(backend, &mut a),
    );
    a
}
