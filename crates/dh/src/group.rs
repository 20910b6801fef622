//! Groups: the squares modulo a safe prime p = 2 q + 1, whose order q is a prime.

use crate::constants::{self, E, PI};
use crate::{MAX_BITS, MIN_BITS};
use adamant_base::shared::Shared;
use adamant_base::{Error, Rng};
use adamant_bignum::{Modulus, Number, hazmat::Backend, limbs, prime};
use core::fmt;

/// The groups that standards name, all with the generator 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The standards' names.
pub enum Named {
    /// RFC 7919.
    Ffdhe2048,
    Ffdhe3072,
    Ffdhe4096,
    Ffdhe6144,
    Ffdhe8192,
    /// RFC 3526.
    Modp2048,
    Modp3072,
    Modp4096,
    Modp6144,
    Modp8192,
    /// RFC 3526, legacy: too short for new uses, as are the next two.
    Modp1536,
    /// RFC 2409, the second group of Oakley: legacy.
    Modp1024,
    /// RFC 2409, the first group of Oakley: broken by anybody who wants to.
    Modp768,
}

impl Named {
    /// All of them.
    pub const ALL: [Named; 13] = [
        Named::Ffdhe2048,
        Named::Ffdhe3072,
        Named::Ffdhe4096,
        Named::Ffdhe6144,
        Named::Ffdhe8192,
        Named::Modp2048,
        Named::Modp3072,
        Named::Modp4096,
        Named::Modp6144,
        Named::Modp8192,
        Named::Modp1536,
        Named::Modp1024,
        Named::Modp768,
    ];

    /// The group's name.
    ///
    /// ```
    /// assert_eq!(adamant_dh::Named::Ffdhe2048.name(), "ffdhe2048");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Bits of the prime.
    #[must_use]
    pub fn bits(self) -> usize {
        self.row().2
    }

    /// Whether the group is too short for new uses.
    #[must_use]
    pub fn is_legacy(self) -> bool {
        self.bits() < MIN_BITS
    }

    /// Name, digits, bits and X of the definition.
    pub(crate) fn row(self) -> (&'static str, &'static [u64; constants::MOST], usize, u64) {
        match self {
            Named::Ffdhe2048 => ("ffdhe2048", &E, 2048, 560_316),
            Named::Ffdhe3072 => ("ffdhe3072", &E, 3072, 2_625_351),
            Named::Ffdhe4096 => ("ffdhe4096", &E, 4096, 5_736_041),
            Named::Ffdhe6144 => ("ffdhe6144", &E, 6144, 15_705_020),
            Named::Ffdhe8192 => ("ffdhe8192", &E, 8192, 10_965_728),
            Named::Modp768 => ("modp768", &PI, 768, 149_686),
            Named::Modp1024 => ("modp1024", &PI, 1024, 129_093),
            Named::Modp1536 => ("modp1536", &PI, 1536, 741_804),
            Named::Modp2048 => ("modp2048", &PI, 2048, 124_476),
            Named::Modp3072 => ("modp3072", &PI, 3072, 1_690_314),
            Named::Modp4096 => ("modp4096", &PI, 4096, 240_904),
            Named::Modp6144 => ("modp6144", &PI, 6144, 929_484),
            Named::Modp8192 => ("modp8192", &PI, 8192, 4_743_158),
        }
    }
}

/// Bits of a private key for a prime of this many bits: at least twice the strength of the group
/// (RFC 7919, 5.2 and appendix A).
fn exponent_bits(bits: usize) -> usize {
    match bits {
        ..3072 => 225,
        3072..4096 => 275,
        4096..6144 => 325,
        6144..8192 => 375,
        8192.. => 400,
    }
}

/// A group: a safe prime and a generator of the squares modulo it. A clone shares what the group
/// holds.
#[derive(Clone)]
pub struct Group {
    inner: Shared<Inner>,
    backend: Backend,
}

#[derive(Clone)]
struct Inner {
    modulus: Modulus,
    /// (p - 1) / 2
    order: Number,
    generator: Number,
    named: Option<Named>,
}

impl Group {
    /// A group of the standards.
    ///
    /// # Panics
    /// Never: all of the primes are odd.
    #[must_use]
    pub fn named(named: Named) -> Self {
        let (_, digits, bits, x) = named.row();
        let p = constants::prime(digits, bits, x);
        match Modulus::new(&p) {
            Some(modulus) => Self::of(modulus, &[2], Some(named)),
            None => unreachable!("the primes are odd"),
        }
    }

    /// The group of these big-endian numbers: a safe prime p of 2048 to 8192 bits and a generator g
    /// of order q = (p - 1)/2. Both primes are tested with 64 rounds of Miller and Rabin, which
    /// takes a while.
    ///
    /// # Errors
    /// [`Error::BadParameter`] with "p" or "g"; [`Error::NoEntropy`] from the generator.
    pub fn new(p: &[u8], g: &[u8], rng: &mut impl Rng) -> Result<Self, Error> {
        let bad = Error::BadParameter("p");
        let number = Number::from_be_bytes(p, MAX_BITS / 64).ok_or(bad)?;
        let bits = limbs::bits_vartime(&number);
        if bits < MIN_BITS {
            return Err(bad);
        }
        let modulus = Modulus::new(&number[..bits.div_ceil(64)]).ok_or(bad)?;
        let generator = Number::from_be_bytes(g, modulus.len());
        let generator = generator.ok_or(Error::BadParameter("g"))?;
        let group = Self::of(modulus, &generator, None);
        let (p, q) = (group.modulus().limbs(), group.order());
        if !prime::is_prime_vartime(group.backend, p, rng)?
            || !prime::is_prime_vartime(group.backend, q, rng)?
        {
            return Err(bad);
        }
        if !group.is_element(&generator) || !group.is_square(&generator) {
            return Err(Error::BadParameter("g"));
        }
        Ok(group)
    }

    fn of(modulus: Modulus, generator: &[u64], named: Option<Named>) -> Self {
        let mut order = Number::from_limbs(modulus.limbs());
        limbs::shift_right(&mut order, 0);
        let generator = Number::from_limbs(generator).resized(modulus.len());
        Group {
            inner: Shared::new(Inner {
                modulus,
                order,
                generator,
                named,
            }),
            backend: Backend::best(),
        }
    }

    /// Which of the standards' groups this is.
    #[must_use]
    pub fn name(&self) -> Option<Named> {
        self.inner.named
    }

    /// Bits of the prime.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.inner.modulus.bits()
    }

    /// Bytes of the prime, and so of a public key and of a shared secret.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bits().div_ceil(8)
    }

    /// Bits of the private keys that are generated.
    #[must_use]
    pub fn exponent_bits(&self) -> usize {
        exponent_bits(self.bits())
    }

    /// The prime in [`Group::size`] big-endian bytes.
    #[must_use]
    pub fn p(&self) -> alloc::vec::Vec<u8> {
        crate::key::bytes(self.modulus().limbs(), self.size())
    }

    /// The generator in [`Group::size`] big-endian bytes.
    #[must_use]
    pub fn g(&self) -> alloc::vec::Vec<u8> {
        crate::key::bytes(self.generator(), self.size())
    }

    /// The group on another implementation, and with it the keys that are made of it.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    pub(crate) fn backend(&self) -> Backend {
        self.backend
    }

    pub(crate) fn modulus(&self) -> &Modulus {
        &self.inner.modulus
    }

    pub(crate) fn generator(&self) -> &[u64] {
        &self.inner.generator
    }

    /// (p - 1) / 2
    pub(crate) fn order(&self) -> &[u64] {
        &self.inner.order
    }

    /// Whether a public number lies between 2 and p - 2.
    pub(crate) fn is_element(&self, y: &[u64]) -> bool {
        // p - 1 is all of p but its lowest bit.
        let p = self.modulus().limbs();
        let last = y[0] == p[0] - 1 && y[1..] == p[1..];
        let below = limbs::less(y, p).declassify();
        below && !last && limbs::bits_vartime(y) > 1
    }

    /// Whether a public number is a square modulo p, and so of order q.
    pub(crate) fn is_square(&self, y: &[u64]) -> bool {
        adamant_bignum::jacobi_vartime(y, self.modulus()) == 1
    }
}

impl PartialEq for Group {
    /// Whether both have the same numbers.
    fn eq(&self, other: &Self) -> bool {
        Shared::ptr_eq(&self.inner, &other.inner)
            || self.modulus().limbs() == other.modulus().limbs()
                && self.generator() == other.generator()
    }
}

impl Eq for Group {}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(named) => write!(f, "dh::Group({})", named.name()),
            None => write!(f, "dh::Group({} bits)", self.bits()),
        }
    }
}
