//! Key generation (FIPS 186-5, A.1.3): two random probable primes.
//!
//! Both primes are 3 modulo 4, found among every fourth number from a random one on
//! ([`adamant_bignum::prime`]). Whether a prime is far enough from the other, and p - 1 prime to e,
//! is found out by masks; that a prime was refused is public, as it is used for nothing else.

use crate::key::{EXPONENT_LIMBS, Inner};
use crate::{MAX_BITS, MIN_BITS, PrivateKey, PublicKey};
use adamant_base::ct::Choice;
use adamant_base::{Error, Rng, SecretVec};
use adamant_bignum::{Modulus, Number, hazmat::Backend, invert, limbs, prime};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Rounds of Miller and Rabin for random primes of this many bits, at least as many as FIPS 186-5,
/// B.1, wants.
const fn rounds(bits: usize) -> usize {
    if bits < 1536 { 5 } else { 4 }
}

impl PrivateKey {
    /// A new key with a modulus of `bits` bits, a multiple of 8 from 2048 to 8192 (of 128, a key
    /// is found twice as fast), and the public exponent 65537; its first prime is the larger one, as
    /// many libraries expect.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator; [`Error::BadParameter`] for other lengths.
    pub fn generate(bits: usize, rng: &mut impl Rng) -> Result<Self, Error> {
        generate_on(bits, &[1, 0, 1], rng, Backend::best())
    }

    /// `count` new keys, as [`PrivateKey::generate`] makes them; their primes are looked for
    /// together.
    ///
    /// # Errors
    /// As there.
    pub fn generate_batch(
        count: usize,
        bits: usize,
        rng: &mut impl Rng,
    ) -> Result<Vec<Self>, Error> {
        let backend = Backend::best();
        check_bits(bits)?;
        let mut keys = Vec::with_capacity(count);
        while keys.len() < count {
            let some = (count - keys.len()).min(AT_ONCE);
            keys.extend(generate(some, bits / 2, &[0x1_0001], rng, backend)?);
        }
        Ok(keys)
    }
}

/// As [`PrivateKey::generate`], with the public exponent `e` in big-endian bytes, an odd number
/// between 2^16 and 2^256, on the given implementation.
///
/// # Errors
/// As there, and [`Error::BadParameter`] for other exponents.
pub fn generate_on(
    bits: usize,
    e: &[u8],
    rng: &mut impl Rng,
    backend: Backend,
) -> Result<PrivateKey, Error> {
    check_bits(bits)?;
    let mut exponent = [0; EXPONENT_LIMBS];
    let fits = limbs::from_be_bytes(e, &mut exponent).declassify();
    if !fits || exponent[0] & 1 == 0 || limbs::bits_vartime(&exponent) < 17 {
        return Err(Error::BadParameter("e"));
    }
    let e = &exponent[..limbs::bits_vartime(&exponent).div_ceil(64)];
    let key = generate(1, bits / 2, e, rng, backend)?.pop();
    key.ok_or(Error::NoEntropy)
}

/// Keys that are made at once.
const AT_ONCE: usize = 16;

/// Whether keys of this many bits are made.
fn check_bits(bits: usize) -> Result<(), Error> {
    match (MIN_BITS..=MAX_BITS).contains(&bits) && bits.is_multiple_of(8) {
        true => Ok(()),
        false => Err(Error::BadParameter("bits")),
    }
}

/// This many keys with primes of `bits` bits.
fn generate(
    count: usize,
    bits: usize,
    e: &[u64],
    rng: &mut impl Rng,
    backend: Backend,
) -> Result<Vec<PrivateKey>, Error> {
    let accept = |p: &[u64]| is_prime_to(p, e);
    let mut keys = Vec::with_capacity(count);
    // All of them at the first time, unless two primes are too close, or an exponent too small.
    while keys.len() < count {
        let mut primes = alloc::vec![None; 2 * (count - keys.len())];
        prime::search_many(backend, bits, rounds(bits), accept, &mut primes, rng)?;
        let mut primes = primes.into_iter();
        while let (Some(Some(p)), Some(Some(q))) = (primes.next(), primes.next()) {
            // A pair that is refused is used for nothing else.
            if far_apart(bits, p.limbs(), q.limbs()).declassify() {
                // The larger one is p: there are libraries that take the difference of the halves
                // of a private operation for one that is above -p. Which of two random primes was
                // found first says nothing of them.
                let ascending = limbs::less(p.limbs(), q.limbs()).declassify();
                let (p, q) = if ascending { (q, p) } else { (p, q) };
                keys.extend(assemble(p, q, e, backend));
            }
        }
    }
    Ok(keys)
}

/// Whether p - 1 has no factor in common with e.
fn is_prime_to(p: &[u64], e: &[u64]) -> Choice {
    let mut order = Number::from_limbs(p);
    order[0] -= 1;
    let mut rest = Number::zero(e.len());
    limbs::remainder(&order, e, &mut rest);
    invert::invert(&rest, e).1
}

/// Whether |p - q| > 2^(bits - 100) (FIPS 186-5, A.1.3, step 5.4), up to the last bit of that, for
/// primes of this many bits.
pub(crate) fn far_apart(bits: usize, p: &[u64], q: &[u64]) -> Choice {
    let mut difference = Number::from_limbs(p);
    let borrow = limbs::sub(&mut difference, q);
    // The upper 100 bits of p - q or q - p, and one more.
    let negative = Choice::from_bit(borrow).mask();
    let first = bits - 101;
    let mut rest = difference[first / 64..].iter().map(|limb| limb ^ negative);
    let low = rest.next().unwrap_or(0) >> (first % 64);
    Choice::nonzero(rest.fold(low, |any, limb| any | limb))
}

/// The key of two primes that are 3 modulo 4; `None` where the private exponent is too small
/// (FIPS 186-5, A.1.1), which happens once in 2^(bits / 2).
pub(crate) fn assemble(p: Modulus, q: Modulus, e: &[u64], backend: Backend) -> Option<PrivateKey> {
    let len = p.len();
    let mut n = Number::zero(2 * len);
    backend.mul(&mut n, p.limbs(), q.limbs());
    // lcm(p - 1, q - 1), by the halves of both, which are odd.
    let half = |p: &Modulus| {
        let mut half = Number::from_limbs(p.limbs());
        limbs::shift_right(&mut half, 0);
        half
    };
    let (half_p, half_q) = (half(&p), half(&q));
    let order = |half: &Number| {
        let mut order = half.clone();
        limbs::shift_left(&mut order, 0);
        order
    };
    let (order_p, order_q) = (order(&half_p), order(&half_q));
    // gcd of both, the smaller one first.
    let swap = limbs::less(&half_p, &half_q);
    let (mut small, mut large) = (half_q.clone(), half_p.clone());
    limbs::assign_if(swap, &mut small, &half_p);
    limbs::assign_if(swap, &mut large, &half_q);
    let gcd = invert::gcd(&small, &large);
    let mut product = Number::zero(2 * len);
    backend.mul(&mut product, &order_p, &half_q);
    let (mut lambda, mut rest) = (Number::zero(2 * len), Number::zero(len));
    limbs::divide(&product, &gcd, &mut lambda, &mut rest);
    let d = inverse_modulo(&lambda, e, backend);
    // That a key is refused is public.
    if limbs::is_zero(&d[len..]).declassify() {
        return None;
    }
    // As d is, modulo p - 1 and q - 1.
    let d_p = inverse_modulo(&order_p, e, backend);
    let d_q = inverse_modulo(&order_q, e, backend);
    let q_inv = invert::invert_fermat(backend, &p.reduce(q.limbs()), &p);
    // The modulus is public.
    let mut n = n.resized((p.bits() + q.bits()).div_ceil(64));
    for limb in n.iter_mut() {
        adamant_base::ct::mark_public_value(limb);
    }
    let mut exponent = [0; EXPONENT_LIMBS];
    exponent[..e.len()].copy_from_slice(e);
    let public = PublicKey {
        n: Modulus::new(&n)?,
        e: exponent,
        backend,
    };
    let inner = Box::new(Inner {
        d: d.resized(public.n.len()),
        public,
        p,
        q,
        d_p,
        d_q,
        q_inv,
    });
    Some(PrivateKey { inner })
}

/// 1/e modulo `order`, which is prime to it: (1 + k order) / e for k = -1/order modulo e.
fn inverse_modulo(order: &[u64], e: &[u64], backend: Backend) -> Number {
    let len = order.len() + e.len();
    let mut rest = Number::zero(e.len());
    limbs::remainder(order, e, &mut rest);
    let (inverse, _) = invert::invert(&rest, e);
    let mut k = Number::from_limbs(e);
    limbs::sub(&mut k, &inverse);
    let mut numerator = SecretVec::<u64>::zeros(len);
    backend.mul(&mut numerator, order, &k);
    limbs::add(&mut numerator, &[1]);
    let mut quotient = SecretVec::<u64>::zeros(len);
    limbs::divide(&numerator, e, &mut quotient, &mut rest);
    Number::from_limbs(&quotient[..order.len()])
}
