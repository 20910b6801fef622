//! Â from its seed (FIPS 203, 5.1, lines 3 to 7 of algorithm 13), for `N` keys side by side.

use super::keys::Public;
use super::poly::{Backend, Poly};
use crate::sponge::{Drawn, Job, Kind, SHAKE128, Sink, run_to};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Takes bytes of SHAKE128 for a polynomial of Â; whether these are enough.
#[inline]
pub(super) fn take(drawn: &mut Drawn, backend: Backend, a: &mut [Poly], block: &[u8]) -> bool {
    drawn.count = backend.sample_ntt(&mut a[drawn.at], drawn.count, block);
    drawn.count == 256
}

/// Algorithm 13, lines 3 to 7, for the polynomials `places` of Â: the jobs.
pub(super) fn matrix_jobs<const K: usize>(
    rho: &[u8; 32],
    key: usize,
    places: Range<usize>,
) -> impl Iterator<Item = Job<'_>> {
    places.map(move |at| {
        Job::draw(SHAKE128, [rho], Kind::Uniform, key, at).tail([(at % K) as u8, (at / K) as u8])
    })
}

/// Where matrices go.
struct Matrices<'m, const N: usize> {
    backend: Backend,
    a: [&'m mut [Poly]; N],
}

impl<const N: usize> Sink for Matrices<'_, N> {
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        take(drawn, self.backend, self.a[drawn.key], block)
    }
}

/// A job beside those of another lifetime.
pub(super) fn shorter<'s, 'l: 's>(job: Job<'l>) -> Job<'s> {
    job
}

/// Â and t̂ of the keys that do not keep them, to `own`; `good` where all numbers of t̂ are below q.
/// Other hashes are done on the way, if there is any such key.
pub(super) fn expand<'a, const K: usize, const N: usize>(
    keys: [&Public<K>; N],
    own: &mut [Vec<Poly>; N],
    good: &mut [bool; N],
    others: impl Iterator<Item = Job<'a>>,
) {
    let Some(Public { backend, .. }) = keys.iter().find(|key| key.kept.is_empty()) else {
        return;
    };
    for n in 0..N {
        if !keys[n].kept.is_empty() {
            continue;
        }
        own[n] = polys::<K, 1>();
        for (t, bytes) in own[n][K * K..].iter_mut().zip(&keys[n].t_bytes) {
            good[n] &= backend.decode_ntt(t, bytes).declassify(); // The key is public.
        }
    }
    let others = others.map(shorter);
    let lacking = keys.iter().enumerate();
    let lacking = lacking.filter(|(_, key)| key.kept.is_empty());
    let jobs = lacking.flat_map(|(n, key)| matrix_jobs::<K>(&key.rho, n, 0..K * K));
    let mut matrices = Matrices {
        backend: *backend,
        a: own.each_mut().map(|polys| &mut polys[..]),
    };
    run_to(backend.keccak(), others.chain(jobs), &mut matrices);
}

/// Room for Â and t̂ of `N` keys.
pub(super) fn polys<const K: usize, const N: usize>() -> Vec<Poly> {
    vec![Poly::ZERO; N * (K * K + K)]
}
