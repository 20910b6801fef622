//! Primes: the test of Miller and Rabin, and the search for secret ones.
//!
//! **The search** (after FIPS 186-5, A.1.3) starts at a random number that is 3 modulo 4 and looks
//! at every fourth from there on; for such p, Miller and Rabin's test of a base is one
//! exponentiation: a^((p - 1)/2) = ±1. Neither the start nor the way from there to the prime may
//! be seen by anybody, as both give the prime's residues modulo small primes away:
//!
//! 1. The residues of the start come from multiplications, without a division.
//! 2. The sieve compares every place of the window with the residue, instead of writing to the
//!    places that it names.
//! 3. The next eight candidates that are left are collected by masks over the whole window.
//! 4. Of the eight, the first that passes is chosen by masks. How often eight were tried is public.

use crate::modulus::{montgomery_residue, negative_inverse};
use crate::{Backend, MAX_LIMBS, Modulus, Number, Task, limbs};
use adamant_base::ct::Choice;
use adamant_base::{Error, Rng, Secret};

/// Candidates of a window.
const WINDOW: usize = 1024;
/// Candidates tested at once.
const AT_ONCE: usize = 8;
/// Primes below this are sieved with.
const SIEVE_BOUND: usize = 1 << 15;
/// Windows that are looked at before the generator is taken to be broken.
const MAX_WINDOWS: usize = 1000;
/// Rounds for numbers that somebody else chose: a composite passes with probability 2^-128.
const ROUNDS: usize = 64;

/// Whether an odd number is composite, for the odd numbers below [`SIEVE_BOUND`].
static COMPOSITE: [bool; SIEVE_BOUND / 2] = {
    let mut composite = [false; SIEVE_BOUND / 2];
    composite[0] = true;
    let mut i = 3;
    while i * i < SIEVE_BOUND {
        if !composite[i / 2] {
            let mut multiple = i * i;
            while multiple < SIEVE_BOUND {
                composite[multiple / 2] = true;
                multiple += 2 * i;
            }
        }
        i += 2;
    }
    composite
};

/// The odd primes below [`SIEVE_BOUND`].
fn small_primes() -> impl Iterator<Item = u64> {
    let numbers = (1u64..).step_by(2).zip(&COMPOSITE);
    numbers
        .filter(|(_, composite)| !**composite)
        .map(|(n, _)| n)
}

/// Whether a public number is prime: trial division, then 64 rounds of Miller and Rabin with
/// random bases, whatever the number was made for.
///
/// ```
/// use adamant_bignum::{Backend, prime};
/// # let mut rng = adamant_testkit::TestRng::new(1);
/// let mersenne = [u64::MAX, u64::MAX >> 1]; // 2^127 - 1
/// assert!(prime::is_prime_vartime(Backend::best(), &mersenne, &mut rng).unwrap());
/// ```
///
/// # Errors
/// [`Error::NoEntropy`] from the generator; [`Error::BadLength`] for more limbs than a number has.
pub fn is_prime_vartime(
    backend: Backend,
    number: &[u64],
    rng: &mut impl Rng,
) -> Result<bool, Error> {
    let bits = limbs::bits_vartime(number);
    let number = &number[..bits.div_ceil(64)];
    if number.len() > MAX_LIMBS {
        return Err(Error::BadLength {
            expected: MAX_LIMBS,
            actual: number.len(),
        });
    }
    if bits < 2 || number[0] & 1 == 0 {
        return Ok(bits == 2 && number[0] == 2);
    }
    for prime in small_primes() {
        let mut rest = [0];
        limbs::remainder(number, &[prime], &mut rest);
        if rest == [0] {
            return Ok(bits <= 64 && number[0] == prime);
        }
    }
    let Some(modulus) = Modulus::new(number) else {
        return Ok(false);
    };
    // n - 1 = 2^twos odd
    let mut minus_one = Number::from_limbs(number);
    minus_one[0] -= 1;
    let mut odd = minus_one.clone();
    let mut twos = 0;
    while odd[0] & 1 == 0 {
        limbs::shift_right(&mut odd, 0);
        twos += 1;
    }
    // One round weeds out almost every composite, then they come eight at once.
    let mut done = 0;
    while done < ROUNDS {
        let count = if done == 0 { 1 } else { AT_ONCE };
        let mut bases: [Number; AT_ONCE] = core::array::from_fn(|_| Number::zero(number.len()));
        for base in &mut bases[..count] {
            *base = random_base(&modulus, rng)?;
        }
        let mut powers = bases.clone();
        let [a, b, c, d, e, f, g, h] = &mut powers;
        let mut each = bases.iter();
        let mut tasks = [a, b, c, d, e, f, g, h].map(|out| Task {
            modulus: &modulus,
            base: each.next().map_or(&[], |base| base),
            exponent: &odd,
            out,
        });
        backend.power(&mut tasks[..count]);
        for x in &mut powers[..count] {
            if !passes(&modulus, x, &minus_one, twos) {
                return Ok(false);
            }
        }
        done += count;
    }
    Ok(true)
}

/// Whether a base's power x = a^odd is 1, or one of its first squares is -1.
fn passes(modulus: &Modulus, x: &mut Number, minus_one: &[u64], twos: usize) -> bool {
    if limbs::equal(x, &[1]).declassify() {
        return true;
    }
    for _ in 0..twos {
        if x[..] == *minus_one {
            return true;
        }
        *x = modulus.multiply_plain(x, x);
    }
    false
}

/// A random number from 2 to half the modulus, near enough; the modulus is above 16.
fn random_base(modulus: &Modulus, rng: &mut impl Rng) -> Result<Number, Error> {
    let mut base = Number::zero(modulus.len());
    loop {
        fill(&mut base, rng)?;
        let top = modulus.bits() - 1;
        base[top / 64] &= (1 << (top % 64)) - 1;
        let small = limbs::is_zero(&base).or(limbs::equal(&base, &[1]));
        // One that is refused is used for nothing else.
        if !small.declassify() {
            return Ok(base);
        }
    }
}

/// Random limbs.
fn fill(limbs: &mut [u64], rng: &mut impl Rng) -> Result<(), Error> {
    let mut bytes = Secret::new([0; 8 * MAX_LIMBS]);
    let bytes = &mut bytes[..8 * limbs.len()];
    rng.fill(bytes)?;
    for (limb, bytes) in limbs.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *limb = u64::from_le_bytes(*bytes);
    }
    Ok(())
}

/// A window of candidates: `start + 4 i`.
struct Window {
    start: Number,
    /// All ones where a small prime divides the candidate, or where it was taken before.
    gone: Secret<[u16; WINDOW]>,
}

impl Window {
    /// From a random start of `64 len` bits, above sqrt(2) 2^(64 len - 1) (FIPS 186-5, A.1.3).
    fn new(len: usize, rng: &mut impl Rng) -> Result<Self, Error> {
        /// The highest limb of sqrt(2) 2^(64 len - 1), and one.
        const LOWEST: u64 = 0xb504_f333_f9de_6485;
        let mut start = Number::zero(len);
        loop {
            fill(&mut start, rng)?;
            start[len - 1] |= 1 << 63;
            start[0] |= 3;
            let top = start[len - 1];
            // The last 2^-64 of the range are left out, so that the window stays in it.
            let low = Choice::lt_u64(top, LOWEST).or(Choice::eq_u64(top, u64::MAX));
            // A start that is refused is used for nothing else.
            if !low.declassify() {
                break;
            }
        }
        let mut gone = Secret::new([0; WINDOW]);
        for prime in small_primes() {
            sieve(&start, prime, &mut gone);
        }
        Ok(Window { start, gone })
    }

    /// The next candidates, and takes them out; how many there are is public.
    fn next(&mut self) -> ([Number; AT_ONCE], usize) {
        let mut offsets = Secret::new([0u16; AT_ONCE]);
        let mut rank = 0u16;
        for (i, gone) in (0u16..).zip(self.gone.iter_mut()) {
            // 1 for those that are left.
            let left = adamant_base::ct::barrier(u64::from(!*gone)) as u16;
            for (k, offset) in (0u16..).zip(offsets.iter_mut()) {
                let difference = rank ^ k;
                // All ones where the rank is k.
                let here = (((u32::from(difference)).wrapping_sub(1)) >> 16) as u16;
                *offset |= i & here & left;
            }
            let below = ((u32::from(rank).wrapping_sub(AT_ONCE as u32)) >> 16) as u16;
            *gone |= left & below;
            rank += left & below & 1;
        }
        let mut count = rank;
        adamant_base::ct::mark_public_value(&mut count);
        let candidates = offsets.map(|offset| {
            let mut candidate = self.start.clone();
            limbs::add(&mut candidate, &[4 * u64::from(offset)]);
            candidate
        });
        (candidates, usize::from(count))
    }
}

/// Marks the places `i` where the prime divides `start + 4 i`: i = -start/4 modulo the prime, and
/// from there on in steps of the prime.
fn sieve(start: &[u64], prime: u64, gone: &mut [u16; WINDOW]) {
    let negative = negative_inverse(prime);
    // start 2^(-64 n) times 2^(64 n)/-4, modulo the prime: what does not depend on the start is
    // public.
    let factor = power_vartime(2, 64 * start.len() as u64 - 2, prime);
    let residue = montgomery_residue(start, prime, negative);
    let place = remainder_small(residue * (prime - factor), prime) as u16;
    for period in gone.chunks_mut(prime as usize) {
        for (i, gone) in (0u16..).zip(period) {
            let difference = i ^ place;
            *gone |= ((u32::from(difference).wrapping_sub(1)) >> 16) as u16;
        }
    }
}

/// `base^exponent` modulo a small number.
fn power_vartime(base: u64, exponent: u64, modulus: u64) -> u64 {
    let (mut result, mut square, mut left) = (1, base % modulus, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        left >>= 1;
    }
    result
}

/// `a` modulo a small public prime: the quotient's estimate is too small by one at most.
fn remainder_small(a: u64, prime: u64) -> u64 {
    let reciprocal = u64::MAX / prime;
    let quotient = ((u128::from(a) * u128::from(reciprocal)) >> 64) as u64;
    let rest = a - quotient * prime;
    Choice::lt_u64(rest, prime).select_u64(rest, rest.wrapping_sub(prime))
}

/// One round of Miller and Rabin on each number, all of them 3 modulo 4.
fn round(
    backend: Backend,
    moduli: &[&Modulus; AT_ONCE],
    rng: &mut impl Rng,
) -> Result<[Choice; AT_ONCE], Error> {
    let len = moduli[0].len();
    let mut outs: [Number; AT_ONCE] = core::array::from_fn(|_| Number::zero(len));
    let mut bases: [Number; AT_ONCE] = core::array::from_fn(|_| Number::zero(len));
    let mut exponents: [Number; AT_ONCE] = core::array::from_fn(|_| Number::zero(len));
    for ((modulus, base), exponent) in moduli.iter().zip(&mut bases).zip(&mut exponents) {
        *base = random_base(modulus, rng)?;
        // (p - 1) / 2
        exponent.copy_from_slice(modulus.limbs());
        limbs::shift_right(exponent, 0);
    }
    let [a, b, c, d, e, f, g, h] = &mut outs;
    let mut i = 0..AT_ONCE;
    backend.power(&mut [a, b, c, d, e, f, g, h].map(|out| {
        let i = i.next().unwrap_or(0);
        Task {
            modulus: moduli[i],
            base: &bases[i],
            exponent: &exponents[i],
            out,
        }
    }));
    let mut passed = [Choice::FALSE; AT_ONCE];
    for ((passed, out), modulus) in passed.iter_mut().zip(&outs).zip(moduli) {
        let mut minus_one = Number::from_limbs(modulus.limbs());
        minus_one[0] -= 1;
        *passed = limbs::equal(out, &[1]).or(limbs::equal(out, &minus_one));
    }
    Ok(passed)
}

/// A random prime of `64 len` bits, secret, 3 modulo 4 and above sqrt(2) 2^(64 len - 1), for which
/// `accept` says yes; it has passed at least `rounds` rounds of Miller and Rabin.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator, or where it gives nothing usable.
///
/// # Panics
/// When `len` is 0 or more than [`MAX_LIMBS`].
pub fn search(
    backend: Backend,
    len: usize,
    rounds: usize,
    accept: impl Fn(&[u64]) -> Choice,
    rng: &mut impl Rng,
) -> Result<Modulus, Error> {
    for _ in 0..MAX_WINDOWS {
        let mut window = Window::new(len, rng)?;
        loop {
            let (candidates, count) = window.next();
            // The last few of a window are left.
            if count < AT_ONCE {
                break;
            }
            let moduli = candidates.each_ref().map(|c| Modulus::new(c));
            let [
                Some(a),
                Some(b),
                Some(c),
                Some(d),
                Some(e),
                Some(f),
                Some(g),
                Some(h),
            ] = &moduli
            else {
                return Err(Error::NoEntropy);
            };
            let passed = round(backend, &[a, b, c, d, e, f, g, h], rng)?;
            let mut found = Choice::FALSE;
            let mut chosen = Number::zero(len);
            for (candidate, passed) in candidates.iter().zip(passed) {
                let first = passed.and(!found).and(accept(candidate));
                limbs::assign_if(first, &mut chosen, candidate);
                found = found.or(first);
            }
            // How often eight were tried is public.
            if !found.declassify() {
                continue;
            }
            let Some(prime) = Modulus::new(&chosen) else {
                return Err(Error::NoEntropy);
            };
            let mut done = 1;
            let mut good = Choice::TRUE;
            while done < rounds {
                for passed in round(backend, &[&prime; AT_ONCE], rng)? {
                    good = good.and(passed);
                }
                done += AT_ONCE;
            }
            if good.declassify() {
                return Ok(prime);
            }
        }
    }
    Err(Error::NoEntropy)
}
