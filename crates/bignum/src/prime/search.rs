//! The search for secret primes (after FIPS 186-5, A.1.3).
//!
//! It starts at a random number that is 3 modulo 4 and looks at every fourth from there on; for
//! such p, Miller and Rabin's test of a base is one exponentiation: a^((p - 1)/2) = 1 or -1.
//! Neither the start nor the way from there to the prime may be seen by anybody, as both give the
//! prime's residues modulo small primes away:
//!
//! 1. The residues of the start come from multiplications, without a division.
//! 2. The sieve compares every place of the window with those that small primes divide, instead of
//!    writing to them. First with the smallest primes, the window over; the few that are left are
//!    brought together by masks, and then compared with the places of all the other primes.
//! 3. The rest goes through a first round with base 2, which takes only squarings and doublings.
//!    The lanes of a pass are shared by all primes that are looked for, each in a window of its
//!    own.
//! 4. Of a window's candidates, the first that passes is chosen by masks.
//! 5. Then come the rounds of the standard, with random bases: many of them at once.
//!
//! Public are the number of candidates in each part of a window, and in which pass a prime was
//! found.

use super::sieve::Window;
use super::{AT_ONCE, random_base};
use crate::power::strong;
use crate::{Backend, Modulus, Number, Task, limbs};
use adamant_base::ct::Choice;
use adamant_base::{Error, Rng};

/// Passes for each prime before the generator is taken to be broken.
const MAX_PASSES: usize = 10_000;

/// A random prime of this many bits, secret, 3 modulo 4 and above sqrt(2) 2^(bits - 1), for which
/// `accept` says yes; it has passed `rounds` rounds of Miller and Rabin with random bases, after
/// one with base 2.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator, or where it gives nothing usable.
///
/// # Panics
/// For fewer than 64 bits, and more than [`MAX_BITS`](crate::MAX_BITS).
pub fn search(
    backend: Backend,
    bits: usize,
    rounds: usize,
    accept: impl Fn(&[u64]) -> Choice,
    rng: &mut impl Rng,
) -> Result<Modulus, Error> {
    let mut place = [None];
    search_many(backend, bits, rounds, accept, &mut place, rng)?;
    let [prime] = place;
    prime.ok_or(Error::NoEntropy)
}

/// A prime in each of the places, as [`search`] finds them, from starts of their own.
///
/// ```
/// use adamant_base::ct::Choice;
/// use adamant_bignum::{hazmat::Backend, prime};
/// # let mut rng = adamant_testkit::TestRng::new(1);
/// let mut primes = [None, None];
/// prime::search_many(Backend::best(), 256, 5, |_| Choice::TRUE, &mut primes, &mut rng)?;
/// assert!(primes.iter().flatten().all(|p| p.bits() == 256));
/// # Ok::<(), adamant_base::Error>(())
/// ```
///
/// # Errors
/// As there.
///
/// # Panics
/// As there.
pub fn search_many(
    backend: Backend,
    bits: usize,
    rounds: usize,
    accept: impl Fn(&[u64]) -> Choice,
    places: &mut [Option<Modulus>],
    rng: &mut impl Rng,
) -> Result<(), Error> {
    places.fill(None);
    loop {
        probable(backend, bits, &accept, places, rng)?;
        match confirm(backend, rounds, places, rng)? {
            // Once in the age of the universe.
            Some(composite) => places[composite] = None,
            None => return Ok(()),
        }
    }
}

/// Fills the empty places with what passes the test with base 2.
fn probable(
    backend: Backend,
    bits: usize,
    accept: &impl Fn(&[u64]) -> Choice,
    places: &mut [Option<Modulus>],
    rng: &mut impl Rng,
) -> Result<(), Error> {
    let len = bits.div_ceil(64);
    let mut windows: [Option<Window>; AT_ONCE] = [const { None }; AT_ONCE];
    for _ in 0..MAX_PASSES * places.len() {
        // The first places that are empty; a window stays with its place.
        let mut empty = [0; AT_ONCE];
        let mut count = 0;
        for (i, _) in (0..).zip(&*places).filter(|(_, place)| place.is_none()) {
            if count < AT_ONCE {
                (empty[count], count) = (i, count + 1);
            }
        }
        if count == 0 {
            return Ok(());
        }
        let mut candidates: [Number; AT_ONCE] = core::array::from_fn(|_| Number::zero(len));
        for (lane, candidate) in candidates.iter_mut().enumerate() {
            let window = &mut windows[lane % count];
            *candidate = loop {
                match window.as_mut().and_then(Window::next) {
                    Some(candidate) => break candidate,
                    None => *window = Some(Window::new(bits, rng)?),
                }
            };
        }
        let mut passed = [Choice::FALSE; AT_ONCE];
        let numbers = candidates.each_ref().map(|candidate| &candidate[..]);
        if bits.is_multiple_of(64) {
            backend.strong_to_two(&numbers, &mut passed);
        } else {
            strong::by_power(&numbers, &mut passed, |tasks| backend.power(tasks));
        }
        let mut kept = 0;
        for (of, place) in empty[..count].iter().enumerate() {
            let mut found = Choice::FALSE;
            let mut chosen = Number::zero(len);
            let lanes = candidates.iter().zip(&passed).skip(of).step_by(count);
            for (candidate, passed) in lanes {
                let first = passed.and(!found);
                limbs::assign_if(first, &mut chosen, candidate);
                found = found.or(first);
            }
            // In which pass a prime was found is public, and that it was refused: then it is used
            // for nothing else.
            if found.declassify() && accept(&chosen).declassify() {
                places[*place] = Modulus::new(&chosen);
                windows[of] = None;
            } else {
                // Places move up to where others were filled, and their windows with them.
                windows.swap(kept, of);
                kept += 1;
            }
        }
    }
    Err(Error::NoEntropy)
}

/// Rounds of Miller and Rabin with random bases for all of the primes, eight at once; which one
/// failed first.
fn confirm(
    backend: Backend,
    rounds: usize,
    places: &[Option<Modulus>],
    rng: &mut impl Rng,
) -> Result<Option<usize>, Error> {
    let mut all = (0..rounds)
        .flat_map(|_| places.iter().enumerate())
        .peekable();
    while all.peek().is_some() {
        let mut which = [None; AT_ONCE];
        let mut bases: [Number; AT_ONCE] = core::array::from_fn(|_| Number::zero(0));
        let mut exponents = bases.clone();
        let mut outs = bases.clone();
        let mut count = 0;
        for (i, place) in all.by_ref().take(AT_ONCE) {
            let modulus = place.as_ref().ok_or(Error::NoEntropy)?;
            which[count] = Some((i, modulus));
            bases[count] = random_base(modulus, rng)?;
            exponents[count] = strong::exponents(modulus.limbs()).0;
            outs[count] = Number::zero(modulus.len());
            count += 1;
        }
        let Some((_, first)) = which[0] else {
            return Ok(None);
        };
        let mut places = outs.iter_mut();
        let mut tasks: [Task<'_>; AT_ONCE] = core::array::from_fn(|k| Task {
            modulus: which[k].map_or(first, |(_, modulus)| modulus),
            base: &bases[k],
            exponent: &exponents[k],
            out: places.next().map_or(&mut [], |out| &mut out[..]),
        });
        backend.power(&mut tasks[..count]);
        for ((i, modulus), out) in which.iter().flatten().zip(&outs) {
            let (_, minus_one) = strong::exponents(modulus.limbs());
            let passed = limbs::equal(out, &[1]).or(limbs::equal(out, &minus_one));
            // Candidates that do not pass are used for nothing else.
            if !passed.declassify() {
                return Ok(Some(*i));
            }
        }
    }
    Ok(None)
}
