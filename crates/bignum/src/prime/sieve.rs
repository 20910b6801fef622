//! The sieve: which numbers of a window no small prime divides, without a sign of where they lie.

use super::fill;
use crate::{Number, limbs};
use adamant_base::ct::Choice;
use adamant_base::{Error, Rng, Secret};

/// Primes below this are sieved with.
const BOUND: usize = 1 << 16;
/// How many odd ones there are.
const PRIMES: usize = 6541;
/// Candidates of a window.
const WINDOW: usize = 1024;
/// This many of the first primes are sieved with over the whole window, the others candidate by
/// candidate: those below 1024.
const FIRST: usize = 171;
/// Candidates that the others are tried on at once.
const CHUNK: usize = 64;
/// Chunks of a window: of its candidates, 166 on average are left by the first primes.
const CHUNKS: usize = 3;
/// Starts that are drawn before the generator is taken to be broken.
const MAX_STARTS: usize = 1000;

/// The odd primes below [`BOUND`].
static SMALL: [u16; PRIMES] = {
    let mut composite = [false; BOUND / 2];
    let mut i = 3;
    while i * i < BOUND {
        if !composite[i / 2] {
            let mut multiple = i * i;
            while multiple < BOUND {
                composite[multiple / 2] = true;
                multiple += 2 * i;
            }
        }
        i += 2;
    }
    let (mut primes, mut count) = ([0; PRIMES], 0);
    let mut i = 3;
    while i < BOUND {
        if !composite[i / 2] {
            primes[count] = i as u16;
            count += 1;
        }
        i += 2;
    }
    assert!(count == PRIMES && primes[FIRST - 1] < 1024 && primes[FIRST] > 1024);
    primes
};

/// Residues that are computed side by side, as each waits for itself.
const SIDE_BY_SIDE: usize = 4;

/// The residues of a secret number modulo the odd primes below [`BOUND`], one by one: `with` gets
/// the prime, its [`Reciprocal`] and the residue.
pub(super) fn residues(number: &[u64], mut with: impl FnMut(u16, Reciprocal, u64)) {
    // Four primes fit into a limb.
    for primes in SMALL.chunks(4 * SIDE_BY_SIDE) {
        let mut products = [1; SIDE_BY_SIDE];
        for (product, primes) in products.iter_mut().zip(primes.chunks(4)) {
            *product = primes.iter().map(|p| u64::from(*p)).product();
        }
        let residues = Secret::new(residues_of(number, products));
        for (residue, primes) in residues.iter().zip(primes.chunks(4)) {
            for prime in primes {
                let reciprocal = Reciprocal::new(*prime);
                with(*prime, reciprocal, reciprocal.remainder(*residue));
            }
        }
    }
}

/// What divides by a small public prime without a division.
#[derive(Clone, Copy)]
pub(super) struct Reciprocal {
    prime: u64,
    /// 2^64 / prime, rounded down.
    inverse: u64,
}

impl Reciprocal {
    fn new(prime: u16) -> Self {
        let prime = u64::from(prime);
        Reciprocal {
            prime,
            inverse: u64::MAX / prime,
        }
    }

    /// `a` modulo the prime: the quotient's estimate is too small by one at most.
    #[inline(always)]
    fn remainder(self, a: u64) -> u64 {
        let quotient = ((u128::from(a) * u128::from(self.inverse)) >> 64) as u64;
        let rest = a - quotient * self.prime;
        // Both are small: the sign of the difference is its highest bit.
        let less = rest.wrapping_sub(self.prime);
        less.wrapping_add(mask(less >> 63) & self.prime)
    }
}

/// Numbers congruent to a secret one modulo public `moduli`: long division by a modulus with its
/// highest bit moved to the top, limb by limb (Möller and Granlund 2011, algorithm 4).
fn residues_of<const N: usize>(number: &[u64], moduli: [u64; N]) -> [u64; N] {
    let moduli = moduli.map(|modulus| modulus << modulus.leading_zeros());
    // Without the highest bit, 2^64.
    let reciprocals = moduli.map(|d| (u128::MAX / u128::from(d)) as u64);
    let mut rests = [0; N];
    for limb in number.iter().rev() {
        for ((rest, d), reciprocal) in rests.iter_mut().zip(moduli).zip(reciprocals) {
            let q = u128::from(reciprocal) * u128::from(*rest)
                + (u128::from(*rest) << 64 | u128::from(*limb));
            let (high, low) = (((q >> 64) as u64).wrapping_add(1), q as u64);
            let t = limb.wrapping_sub(high.wrapping_mul(d));
            // The borrows of both comparisons.
            let (_, below) = limbs::sub_borrow(low, t, 0);
            let t = t.wrapping_add(mask(below) & d);
            let (less, below) = limbs::sub_borrow(t, d, 0);
            *rest = less.wrapping_add(mask(below) & d);
        }
    }
    rests
}

/// All ones for 1.
#[inline(always)]
fn mask(bit: u64) -> u64 {
    adamant_base::ct::barrier(0u64.wrapping_sub(bit))
}

/// A window of candidates, `start + 4 i`.
pub(super) struct Window {
    start: Number,
    /// For each prime, where it divides a candidate for the first time.
    places: Secret<[u16; PRIMES]>,
    /// The places of those that no prime of the first ones divides, [`NONE`] after them.
    left: Secret<[u16; WINDOW]>,
    /// Chunks that have been looked at.
    looked: usize,
    /// The same of the current chunk, for all primes.
    chunk: Secret<[u16; CHUNK]>,
    /// How many there are, which is public, and how many have been taken.
    count: usize,
    taken: usize,
}

/// No place.
const NONE: u16 = u16::MAX;

impl Window {
    /// From a random start of this many bits, above sqrt(2) 2^(bits - 1) (FIPS 186-5, A.1.3).
    pub(super) fn new(bits: usize, rng: &mut impl Rng) -> Result<Self, Error> {
        let start = random_start(bits, rng)?;
        let mut places = Secret::new([0; PRIMES]);
        let mut next = places.iter_mut();
        residues(&start, |prime, reciprocal, residue| {
            if let Some(place) = next.next() {
                // start + 4 i = 0 for i = -start/4.
                let prime = u64::from(prime);
                let factor = match prime % 4 {
                    1 => (prime - 1) / 4,
                    _ => (3 * prime - 1) / 4,
                };
                *place = reciprocal.remainder(residue * factor) as u16;
            }
        });
        let mut left = Secret::new([0; WINDOW]);
        for (i, place) in (0..).zip(left.iter_mut()) {
            *place = i;
        }
        for (prime, place) in SMALL[..FIRST].iter().zip(&*places) {
            for period in left.chunks_mut(usize::from(*prime)) {
                for (i, candidate) in (0u16..).zip(period) {
                    *candidate |= equal(i, *place);
                }
            }
        }
        compact(&mut left);
        Ok(Window {
            start,
            places,
            left,
            looked: 0,
            chunk: Secret::new([NONE; CHUNK]),
            count: 0,
            taken: 0,
        })
    }

    /// The next candidate; `None` at the end of the window.
    pub(super) fn next(&mut self) -> Option<Number> {
        while self.taken == self.count {
            if self.looked == CHUNKS {
                return None;
            }
            self.look();
        }
        let mut offset = self.chunk[self.taken];
        self.taken += 1;
        let mut candidate = self.start.clone();
        limbs::add(&mut candidate, &[4 * u64::from(offset)]);
        adamant_base::Wipe::wipe(&mut offset);
        Some(candidate)
    }

    /// Tries the other primes on the next chunk.
    fn look(&mut self) {
        let from = self.looked * CHUNK;
        self.chunk.copy_from_slice(&self.left[from..from + CHUNK]);
        self.looked += 1;
        let mut count = 0;
        for candidate in self.chunk.iter_mut() {
            *candidate |= is_among(*candidate, &self.places[FIRST..]);
            count += u64::from(!equal(*candidate, NONE) & 1);
        }
        compact(&mut self.chunk);
        adamant_base::ct::mark_public_value(&mut count);
        (self.count, self.taken) = (count as usize, 0);
    }
}

/// A random number of this many bits, 64 or more, 3 modulo 4.
fn random_start(bits: usize, rng: &mut impl Rng) -> Result<Number, Error> {
    /// The highest 64 bits of sqrt(2) 2^(bits - 1), and one.
    const LOWEST: u64 = 0xb504_f333_f9de_6485;
    assert!(bits >= 64);
    let len = bits.div_ceil(64);
    let unused = 64 * len - bits;
    let mut start = Number::zero(len);
    for _ in 0..MAX_STARTS {
        fill(&mut start, rng)?;
        start[len - 1] = (start[len - 1] | 1 << 63) >> unused;
        start[0] |= 3;
        let top = limbs::window(&start, bits - 32, 32) << 32 | limbs::window(&start, bits - 64, 32);
        // The last 2^-64 of the range are left out, so that the window stays in it.
        let low = Choice::lt_u64(top, LOWEST).or(Choice::eq_u64(top, u64::MAX));
        // A start that is refused is used for nothing else.
        if !low.declassify() {
            return Ok(start);
        }
    }
    Err(Error::NoEntropy)
}

/// All ones where both are equal: in 32 bits, where the compiler sees no comparison to branch on.
#[inline(always)]
fn equal(a: u16, b: u16) -> u16 {
    ((u32::from(a ^ b)).wrapping_sub(1) >> 16) as u16
}

/// Whether a place is among others: all ones if so.
#[inline(always)]
fn is_among(place: u16, others: &[u16]) -> u16 {
    // Such sums become vectors.
    let mut found = 0;
    for other in others {
        let x = place ^ other;
        found |= ((x | x.wrapping_neg()) >> 15).wrapping_sub(1);
    }
    adamant_base::ct::barrier(found.into()) as u16
}

/// Brings what is not [`NONE`] to the front, in its order: in each round, what has an odd number of
/// gaps before it, counted in the round's power of two, moves down by that.
fn compact<const N: usize>(places: &mut [u16; N]) {
    const { assert!(N.is_power_of_two()) }
    let mut gaps = Secret::new([0u16; N]);
    let mut count = 0;
    for (gap, place) in gaps.iter_mut().zip(&*places) {
        let none = equal(*place, NONE);
        *gap = count & !none;
        count += none & 1;
    }
    for round in 0..N.ilog2() {
        let step = 1 << round;
        // All ones where a place moves.
        let moves = |gaps: u16| 0u16.wrapping_sub(gaps >> round & 1);
        for i in 0..N - step {
            let (here, above) = (moves(gaps[i]), moves(gaps[i + step]));
            places[i] = (places[i] | here) & !above | places[i + step] & above;
            gaps[i] = gaps[i] & !here & !above | gaps[i + step] & above;
        }
        for i in N - step..N {
            let here = moves(gaps[i]);
            places[i] |= here;
            gaps[i] &= !here;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_testkit::TestRng;

    #[test]
    fn residues_are_those_of_long_division() {
        let mut rng = TestRng::new(1);
        for len in [1, 2, 5, 16] {
            for _ in 0..3 {
                let number: Vec<u64> = (0..len).map(|_| rng.words::<1>()[0]).collect();
                let mut count = 0;
                residues(&number, |prime, _, residue| {
                    count += 1;
                    if count % 50 < 3 {
                        let mut rest = [0];
                        limbs::remainder(&number, &[prime.into()], &mut rest);
                        assert_eq!(rest, [residue], "{prime}");
                    }
                });
                assert_eq!(count, PRIMES);
            }
        }
        for _ in 0..10_000 {
            let prime = SMALL[rng.below(PRIMES)];
            let a = rng.words::<1>()[0];
            let reciprocal = Reciprocal::new(prime);
            assert_eq!(reciprocal.remainder(a), a % u64::from(prime));
        }
    }

    #[test]
    fn gaps_are_closed() {
        let mut rng = TestRng::new(2);
        for round in 0..200 {
            let mut places: [u16; 64] = core::array::from_fn(|i| match rng.below(8) < round % 9 {
                true => i as u16,
                false => NONE,
            });
            let expected: Vec<_> = places.into_iter().filter(|p| *p != NONE).collect();
            compact(&mut places);
            assert_eq!(places[..expected.len()], expected);
            assert!(places[expected.len()..].iter().all(|p| *p == NONE));
        }
    }

    /// The window's candidates are those that trial division leaves, as far as it is looked through.
    #[test]
    fn candidates_have_no_small_factor() {
        let mut rng = TestRng::new(3);
        for bits in [128, 250, 256] {
            let mut window = Window::new(bits, &mut rng).unwrap();
            let mut left = 0;
            for i in 0..WINDOW as u64 {
                let mut number = window.start.clone();
                limbs::add(&mut number, &[4 * i]);
                let mut divided = Vec::new();
                residues(&number, |_, _, residue| divided.push(residue == 0));
                left += usize::from(!divided[..FIRST].contains(&true));
                if left <= CHUNKS * CHUNK && !divided.contains(&true) {
                    assert_eq!(window.next().as_deref(), Some(&number[..]));
                }
            }
            assert!(window.next().is_none());
        }
    }
}
