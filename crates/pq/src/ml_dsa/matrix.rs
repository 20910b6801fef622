//! Â from its seed (FIPS 204, 7.3, algorithm 32).

use super::arithmetic::Backend;
use super::parameters::Parameters;
use super::poly::Poly;
use crate::sponge::{Drawn, Job, Kind, SHAKE128, Sink, run_to};
use alloc::vec;
use alloc::vec::Vec;

/// Algorithm 32 (ExpandA) for the polynomial `at` of Â: the job.
pub(super) fn matrix_job<'a>(p: &Parameters, rho: &'a [u8; 32], key: usize, at: usize) -> Job<'a> {
    let tail = [(at % p.l) as u8, (at / p.l) as u8];
    Job::draw(SHAKE128, [rho], Kind::Uniform, key, at).tail(tail)
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
    p: &Parameters,
    backend: Backend,
    rho: &[u8; 32],
    other: Option<Job>,
) -> Vec<Poly> {
    let mut a = vec![Poly::ZERO; p.k * p.l];
    let jobs = (0..p.k * p.l).map(|at| matrix_job(p, rho, 0, at));
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
