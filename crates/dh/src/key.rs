//! Keys and the shared secret (SP 800-56A Rev. 3, 5.6 and 5.7.1.1).

use crate::{Group, MAX_BITS};
use adamant_base::ct::Choice;
use adamant_base::{Error, Rng, Secret, same_length};
use adamant_bignum::{Number, hazmat::Task, limbs};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

/// A public key: a number y from 2 to p - 2.
#[derive(Clone)]
pub struct PublicKey {
    group: Group,
    /// As long as the prime.
    y: Number,
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.group == other.group && self.y[..] == other.y[..]
    }
}

impl Eq for PublicKey {}

impl PublicKey {
    /// The key of big-endian bytes, at most as many as the prime has.
    ///
    /// ```
    /// use adamant_dh::{Group, Named, PublicKey};
    /// let group = Group::named(Named::Ffdhe3072);
    /// assert!(PublicKey::from_bytes(&group, &[2]).is_ok());
    /// assert!(PublicKey::from_bytes(&group, &[1]).is_err());
    /// assert!(PublicKey::from_bytes(&group, &group.p()).is_err());
    /// ```
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for a number that is not between 2 and p - 2, or for more bytes.
    pub fn from_bytes(group: &Group, bytes: &[u8]) -> Result<Self, Error> {
        let y = Number::from_be_bytes(bytes, group.modulus().len()).ok_or(Error::BadPublicKey)?;
        if bytes.len() > group.size() || !group.is_element(&y) {
            return Err(Error::BadPublicKey);
        }
        Ok(PublicKey {
            group: group.clone(),
            y,
        })
    }

    /// The key in as many big-endian bytes as the prime has.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        bytes(&self.y, self.group.size())
    }

    /// The full check (SP 800-56A Rev. 3, 5.6.2.3.1): whether y^q = 1. As p is a safe prime, a key
    /// that fails it tells the lowest bit of the private key that it is agreed with, and no more.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`].
    pub fn check_subgroup(&self) -> Result<(), Error> {
        match self.group.is_square(&self.y) {
            true => Ok(()),
            false => Err(Error::BadPublicKey),
        }
    }

    /// Its group.
    #[must_use]
    pub fn group(&self) -> &Group {
        &self.group
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dh::PublicKey({:?})", self.group)
    }
}

/// A private key: a number x from 1 to q - 1, and its public key.
#[derive(Clone)]
pub struct PrivateKey {
    /// In as many limbs as a generated key, or as the prime.
    x: Number,
    pub(crate) public: PublicKey,
}

impl PrivateKey {
    /// A new key of [`Group::exponent_bits`] bits.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn generate(group: &Group, rng: &mut impl Rng) -> Result<Self, Error> {
        let mut key = generate_batch(1, group, rng)?;
        key.pop().ok_or(Error::NoEntropy)
    }

    /// The key of big-endian bytes; computes the public key. Whether the number is longer than a
    /// generated key is public.
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] for a number that is not between 1 and q - 1.
    pub fn from_bytes(group: &Group, bytes: &[u8]) -> Result<Self, Error> {
        let x = Number::from_be_bytes(bytes, group.modulus().len()).ok_or(Error::BadPrivateKey)?;
        // Which keys are refused is public.
        let good = limbs::less(&x, group.order()).and(!limbs::is_zero(&x));
        if !good.declassify() {
            return Err(Error::BadPrivateKey);
        }
        let short = group.exponent_bits().div_ceil(64);
        let x = match limbs::is_zero(&x[short..]).declassify() {
            true => x.resized(short),
            false => x,
        };
        let mut keys = with_public(group, vec![x]);
        keys.pop().ok_or(Error::BadPrivateKey)
    }

    /// The number x in as many big-endian bytes as the prime has.
    #[must_use]
    pub fn to_bytes(&self) -> SharedSecret {
        SharedSecret::new(&self.x, self.group().size())
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.public.clone()
    }

    /// Its group.
    #[must_use]
    pub fn group(&self) -> &Group {
        &self.public.group
    }

    /// The secret that is shared with the owner of `peer`, as long as the prime.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for a key of another group; [`Error::WeakSharedSecret`] where the
    /// result is 1 or p - 1.
    pub fn agree(&self, peer: &PublicKey) -> Result<SharedSecret, Error> {
        let mut out = [Err(Error::BadPublicKey)];
        agree_batch_into(&[(self, peer)], &mut out)?;
        let [secret] = out;
        secret
    }

    /// The pair-wise consistency test: computes the public key anew (SP 800-56A Rev. 3,
    /// 5.6.2.1.4).
    ///
    /// ```
    /// use adamant_dh::{Group, Named, PrivateKey};
    /// let key = PrivateKey::from_bytes(&Group::named(Named::Ffdhe2048), &[7; 32])?;
    /// assert!(key.check_pair().is_ok());
    /// # Ok::<(), adamant_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] where it is another one.
    pub fn check_pair(&self) -> Result<(), Error> {
        let again = with_public(self.group(), vec![self.x.clone()]);
        if again.iter().all(|key| key.public == self.public) {
            Ok(())
        } else {
            Err(Error::BadPrivateKey)
        }
    }
}

/// A secret number in big-endian bytes, wiped when dropped; no `Debug`, no `==`.
pub struct SharedSecret {
    bytes: Secret<[u8; MAX_BITS / 8]>,
    len: usize,
}

impl SharedSecret {
    fn new(number: &[u64], len: usize) -> Self {
        let mut bytes = Secret::new([0; MAX_BITS / 8]);
        limbs::to_be_bytes(number, &mut bytes[..len]);
        SharedSecret { bytes, len }
    }
}

impl Deref for SharedSecret {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// `count` new keys, as [`PrivateKey::generate`] makes them.
///
/// ```
/// use adamant_dh::{Group, Named, generate_batch};
/// # let mut rng = adamant_testkit::TestRng::new(1);
/// let keys = generate_batch(3, &Group::named(Named::Ffdhe2048), &mut rng)?;
/// assert_eq!(keys.len(), 3);
/// # Ok::<(), adamant_base::Error>(())
/// ```
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
pub fn generate_batch(
    count: usize,
    group: &Group,
    rng: &mut impl Rng,
) -> Result<Vec<PrivateKey>, Error> {
    let exponents = (0..count).map(|_| exponent(group, rng));
    Ok(with_public(group, exponents.collect::<Result<_, _>>()?))
}

/// A random number from 1 to 2^N - 1 for the group's N (SP 800-56A Rev. 3, 5.6.1.1.4).
fn exponent(group: &Group, rng: &mut impl Rng) -> Result<Number, Error> {
    let bits = group.exponent_bits();
    let mut random = Secret::new([0; 64]);
    let random = &mut random[..bits.div_ceil(8)];
    loop {
        rng.fill(random)?;
        random[0] &= 0xff >> (8 * random.len() - bits);
        let number = Number::from_be_bytes(random, bits.div_ceil(64));
        let number = number.ok_or(Error::BadPrivateKey)?;
        // One that is refused is used for nothing else.
        if !limbs::is_zero(&number).declassify() {
            return Ok(number);
        }
    }
}

/// The keys of these numbers.
fn with_public(group: &Group, exponents: Vec<Number>) -> Vec<PrivateKey> {
    let mut values: Vec<_> = (exponents.iter())
        .map(|_| Number::zero(group.modulus().len()))
        .collect();
    let mut tasks: Vec<_> = (exponents.iter().zip(&mut values))
        .map(|(exponent, out)| Task {
            modulus: group.modulus(),
            base: group.generator(),
            exponent,
            out,
        })
        .collect();
    group.backend().power(&mut tasks);
    let keys = exponents.into_iter().zip(values).map(|(x, mut y)| {
        for limb in y.iter_mut() {
            adamant_base::ct::mark_public_value(limb);
        }
        let group = group.clone();
        PrivateKey {
            x,
            public: PublicKey { group, y },
        }
    });
    keys.collect()
}

/// The shared secret of each pair, as [`PrivateKey::agree`] gives it, many at once. The
/// implementation is that of the first key; pairs of one group belong side by side.
#[must_use]
pub fn agree_batch(items: &[(&PrivateKey, &PublicKey)]) -> Vec<Result<SharedSecret, Error>> {
    let mut out: Vec<_> = items.iter().map(|_| Err(Error::BadPublicKey)).collect();
    agree_batch_into(items, &mut out).expect("as many places");
    out
}

/// As [`agree_batch`], to memory of the caller's.
///
/// # Errors
/// [`Error::BadLength`] when `out` has another length.
pub fn agree_batch_into(
    items: &[(&PrivateKey, &PublicKey)],
    out: &mut [Result<SharedSecret, Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    let Some((first, _)) = items.first() else {
        return Ok(());
    };
    // A key of another group is put through the same, and refused at the end: its place is
    // taken by the generator.
    let same = |(key, peer): &(&PrivateKey, &PublicKey)| *key.group() == peer.group;
    let mut powers: Vec<_> = (items.iter())
        .map(|(key, _)| Number::zero(key.group().modulus().len()))
        .collect();
    let mut tasks: Vec<_> = (items.iter().zip(&mut powers))
        .map(|(item, out)| Task {
            modulus: item.0.group().modulus(),
            base: match same(item) {
                true => &item.1.y,
                false => item.0.group().generator(),
            },
            exponent: &item.0.x,
            out,
        })
        .collect();
    first.group().backend().power(&mut tasks);
    drop(tasks);
    for ((item, power), out) in items.iter().zip(&powers).zip(out) {
        *out = match same(item) {
            true => secret(item.0.group(), power),
            false => Err(Error::BadPublicKey),
        };
    }
    Ok(())
}

/// The secret, if it is neither 1 nor p - 1.
pub(crate) fn secret(group: &Group, power: &Number) -> Result<SharedSecret, Error> {
    let p = group.modulus().limbs();
    let minus_one = limbs::equal(&power[1..], &p[1..]).and(Choice::eq_u64(power[0], p[0] - 1));
    let weak = minus_one.or(limbs::equal(power, &[1]));
    // That there is no secret is public.
    match weak.declassify() {
        true => Err(Error::WeakSharedSecret),
        false => Ok(SharedSecret::new(power, group.size())),
    }
}

/// A public number in `len` big-endian bytes.
pub(crate) fn bytes(number: &[u64], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    limbs::to_be_bytes(number, &mut out);
    out
}
