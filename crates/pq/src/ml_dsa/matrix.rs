//! Â from its seed (FIPS 204, 7.3, algorithm 32).

use super::poly::{Backend, Poly};
use crate::sponge::{Drawn, Job, Kind, SHAKE128, Sink, run_to};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Algorithm 32 (ExpandA) for the polynomials `places` of Â: the jobs.
pub(super) fn matrix_jobs(
    l: usize,
    rho: &[u8; 32],
    key: usize,
    places: Range<usize>,
) -> impl Iterator<Item = Job<'_>> {
    places.map(move |at| {
        Job::draw(SHAKE128, [rho], Kind::Uniform, key, at).tail([(at % l) as u8, (at / l) as u8])
    })
}

/// Where a matrix goes.
struct Matrix<'m>(Backend, &'m mut [Poly]);

impl Sink for Matrix<'_> {
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        let to = &mut self.1[drawn.at];
        drawn.count = self.0.rej_ntt_poly(to, drawn.count, block);
        drawn.count == 256
    }
}

/// Â of a seed; another hash is done on the way.
pub(super) fn matrix(
    (k, l): (usize, usize),
    backend: Backend,
    rho: &[u8; 32],
    other: Option<Job>,
) -> Vec<Poly> {
    let mut a = vec![Poly::ZERO; k * l];
    let jobs = matrix_jobs(l, rho, 0, 0..k * l);
    fn shorter<'s, 'l: 's>(job: Job<'l>) -> Job<'s> {
        job
    }
    let other = other.into_iter().map(shorter);
    run_to(
        backend.keccak(),
        other.chain(jobs),
        &mut Matrix(backend, &mut a),
    );
    a
}
