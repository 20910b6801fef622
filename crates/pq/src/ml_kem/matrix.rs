//! Â from its seed (FIPS 203, 5.1, lines 3 to 7 of algorithm 13), for `N` keys side by side.

use super::keys::Public;
use super::poly::{Backend, Poly};
use crate::sponge::{Fill, Job, SHAKE128, Sink, run_to};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// A polynomial of Â in the making.
pub(super) struct Uniform {
    /// The number of its key among those at hand, and its own in the matrix.
    pub(super) key: usize,
    pub(super) at: usize,
    /// How many coefficients are known.
    count: usize,
}

impl Uniform {
    /// Takes bytes of SHAKE128; whether these are enough.
    #[inline]
    pub(super) fn take(&mut self, backend: Backend, a: &mut [Poly], block: &[u8]) -> bool {
        self.count = backend.sample_ntt(&mut a[self.at], self.count, block);
        self.count == 256
    }
}

/// Algorithm 13, lines 3 to 7, for the polynomials `places` of Â: the jobs.
pub(super) fn matrix_jobs<'a, const K: usize, T>(
    rho: &'a [u8; 32],
    key: usize,
    places: Range<usize>,
    wrap: impl Fn(Uniform) -> T,
) -> impl Iterator<Item = Job<'a, T>> {
    places.map(move |at| {
        let place = Uniform { key, at, count: 0 };
        Job::to(SHAKE128, [rho], wrap(place)).tail([(at % K) as u8, (at / K) as u8])
    })
}

/// Where matrices go, and other outputs meanwhile.
struct Matrices<'m, const N: usize> {
    backend: Backend,
    a: [&'m mut [Poly]; N],
}

/// A place of these.
enum Place<'a> {
    Uniform(Uniform),
    Bytes(&'a mut [u8]),
}

impl<const N: usize> Sink<Place<'_>> for Matrices<'_, N> {
    #[inline]
    fn take(&mut self, place: &mut Place, block: &[u8]) -> bool {
        match place {
            Place::Uniform(poly) => poly.take(self.backend, self.a[poly.key], block),
            Place::Bytes(out) => Fill.take(out, block),
        }
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
    let others = others.map(|job| job.map(Place::Bytes));
    let lacking = keys.iter().enumerate();
    let lacking = lacking.filter(|(_, key)| key.kept.is_empty());
    let jobs =
        lacking.flat_map(|(n, key)| matrix_jobs::<K, _>(&key.rho, n, 0..K * K, Place::Uniform));
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
