//! Â from its seed (FIPS 204, 7.3, algorithm 32).

use super::arithmetic::Backend;
#[cfg(feature = "alloc")]
use super::keys::Kept;
use super::keys::Public;
use super::parameters::Parameters;
use super::poly::Poly;
#[cfg(feature = "alloc")]
use crate::list::List;
use crate::sponge::{Drawn, Job, Kind, SHAKE128, Sink, run_to};
#[cfg(not(feature = "alloc"))]
use core::slice::from_mut;

/// Algorithm 32 (ExpandA) for the polynomial `at` of Â: the job.
pub(super) fn matrix_job<'a>(p: &Parameters, rho: &'a [u8; 32], key: usize, at: usize) -> Job<'a> {
    let tail = [(at % p.l) as u8, (at / p.l) as u8];
    Job::draw(SHAKE128, [rho], Kind::Uniform, key, at).tail(tail)
}

/// Where a matrix goes, or its polynomials from the first one on.
struct Matrix<'m> {
    backend: Backend,
    first: usize,
    to: &'m mut [Poly],
}

impl Sink for Matrix<'_> {
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        let to = &mut self.to[drawn.at - self.first];
        drawn.count = self.backend.rej_ntt_poly(to, drawn.count, block);
        drawn.count == 256
    }
}

/// `to` = Â ∘ b, of the matrix of a seed.
#[cfg(feature = "alloc")]
pub(super) fn multiply(public: &Public, to: &mut [Poly], b: &[Poly], _: &mut [Poly]) {
    let Public { p, backend, .. } = *public;
    backend.multiply(to, &matrix(p, backend, &public.rho, None), b);
}

/// `to` = Â ∘ b, of the matrix of a seed, with room for a row of it.
#[cfg(not(feature = "alloc"))]
pub(super) fn multiply(public: &Public, to: &mut [Poly], b: &[Poly], room: &mut [Poly]) {
    let Public { p, backend, .. } = *public;
    for (to, first) in to.iter_mut().zip((0..).step_by(p.l)) {
        let row = &mut room[..p.l];
        let jobs = (first..first + p.l).map(|at| matrix_job(p, &public.rho, 0, at));
        let mut matrix = Matrix {
            backend,
            first,
            to: row,
        };
        run_to(backend.keccak(), jobs, &mut matrix);
        backend.multiply(from_mut(to), row, b);
    }
}

/// Â of a seed; another hash is done on the way.
#[cfg(feature = "alloc")]
pub(super) fn matrix(p: &Parameters, backend: Backend, rho: &[u8; 32], other: Option<Job>) -> Kept {
    let mut a = List::zeros(p.k * p.l);
    let jobs = (0..p.k * p.l).map(|at| matrix_job(p, rho, 0, at));
    fn shorter<'s, 'l: 's>(job: Job<'l>) -> Job<'s> {
        job
    }
    let other = other.into_iter().map(shorter);
    run_to(
        backend.keccak(),
        other.chain(jobs),
        &mut Matrix {
            backend,
            first: 0,
            to: &mut a,
        },
    );
    a
}
