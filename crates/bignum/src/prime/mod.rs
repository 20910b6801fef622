//! Primes: the test of Miller and Rabin, and the search for secret ones.

mod search;
mod sieve;
#[cfg(test)]
mod tests;

use crate::{Backend, MAX_LIMBS, Modulus, Number, Task, limbs};
use adamant_base::{Error, Rng, Secret};

pub use search::{search, search_many};

/// Tested at once.
const AT_ONCE: usize = 8;
/// Rounds for numbers that somebody else chose: a composite passes with probability 2^-128.
const ROUNDS: usize = 64;

/// Whether a public number is prime: trial division, then 64 rounds of Miller and Rabin with
/// random bases, whatever the number was made for.
///
/// ```
/// use adamant_bignum::{hazmat::Backend, prime};
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
    let (mut divided, mut itself) = (false, false);
    sieve::residues(number, |prime, _, residue| {
        divided |= residue == 0;
        itself |= number == [u64::from(prime)];
    });
    if divided {
        return Ok(itself);
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
