//! Â from its seed (FIPS 203, 5.1, lines 3 to 7 of algorithm 13), for many keys side by side.

use super::keys::Public;
use super::poly::{Backend, Poly};
use crate::sponge::{Drawn, Job, Kind, SHAKE128, Sink, run_to};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

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

/// Where matrices go.
struct Matrices<'m> {
    backend: Backend,
    a: &'m mut [Vec<Poly>],
}

impl Sink for Matrices<'_> {
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        take(drawn, self.backend, &mut self.a[drawn.key], block)
    }
}

/// A job beside those of another lifetime.
pub(super) fn shorter<'s, 'l: 's>(job: Job<'l>) -> Job<'s> {
    job
}

/// Â and t̂ of the keys that do not keep them, to `own`; `good` where all numbers of t̂ are below q.
/// Other hashes are done on the way, if there is any such key.
pub(super) fn expand<'a>(
    keys: &[&Arc<Public>],
    own: &mut [Vec<Poly>],
    good: &mut [bool],
    others: &mut dyn Iterator<Item = Job<'a>>,
) {
    let Some(backend) = keys.iter().find(|key| key.kept.is_empty()) else {
        return;
    };
    let backend = backend.backend;
    let lacking = || {
        keys.iter()
            .enumerate()
            .filter(|(_, key)| key.kept.is_empty())
    };
    for (n, key) in lacking() {
        let k = key.k();
        own[n] = polys(k, 1);
        for (t, bytes) in own[n][k * k..].iter_mut().zip(&key.t_bytes) {
            good[n] &= backend.decode_ntt(t, bytes).declassify(); // The key is public.
        }
    }
    let jobs = lacking().flat_map(|(n, key)| {
        let k = key.k();
        (0..k * k).map(move |at| matrix_job(k, &key.rho, n, at))
    });
    let mut matrices = Matrices { backend, a: own };
    let jobs = others.map(shorter).chain(jobs);
    run_to(backend.keccak(), jobs, &mut matrices);
}

/// Room for Â and t̂ of so many keys.
pub(super) fn polys(k: usize, keys: usize) -> Vec<Poly> {
    vec![Poly::ZERO; keys * (k * k + k)]
}
