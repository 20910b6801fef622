//! X-Wing: X25519 and ML-KEM-768 as one KEM (draft-connolly-cfrg-xwing-kem).
//!
//! ```
//! use adamant_hybrid::x_wing::{DecapsulationKey, EncapsulationKey};
//! # use adamant_testkit::TestRng;
//! # let mut rng = TestRng::new(1); // SystemRng or FastRng in a program
//! let key = DecapsulationKey::generate(&mut rng)?;
//! let public = EncapsulationKey::from_bytes(&key.encapsulation_key().to_bytes())?;
//! let (ciphertext, secret) = public.encapsulate(&mut rng)?;
//! assert_eq!(key.decapsulate(&ciphertext).as_bytes(), secret.as_bytes());
//! # Ok::<(), adamant_base::Error>(())
//! ```
//!
//! A ciphertext that was tampered with gives another secret, never an error. Time depends on
//! nothing secret.

use adamant_base::family::{Kem, Xof};
use adamant_base::{Error, Rng, Secret, exactly, same_length};
use adamant_ec::x25519;
use adamant_hash::{Sha3_256, Shake256};
use adamant_pq::ml_kem_768 as ml_kem;
use alloc::vec::Vec;

/// Bytes of a decapsulation key: its seed.
pub const DECAPSULATION_KEY_LEN: usize = 32;
/// Bytes of an encapsulation key.
pub const ENCAPSULATION_KEY_LEN: usize = ml_kem::ENCAPSULATION_KEY_LEN + 32;
/// Bytes of a ciphertext.
pub const CIPHERTEXT_LEN: usize = ml_kem::CIPHERTEXT_LEN + 32;

/// A ciphertext: ML-KEM's, then the X25519 public key.
pub type Ciphertext = [u8; CIPHERTEXT_LEN];

/// The secret that both sides share: 32 uniform bytes.
#[derive(Clone)]
pub struct SharedSecret(Secret<[u8; 32]>);

impl SharedSecret {
    /// All zeros: a place for a batch to write to.
    #[must_use]
    pub fn zero() -> Self {
        SharedSecret(Secret::new([0; 32]))
    }

    /// The 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl AsRef<[u8]> for SharedSecret {
    fn as_ref(&self) -> &[u8] {
        &*self.0
    }
}

/// Separates X-Wing from other uses of its parts.
const LABEL: &[u8; 6] = br"\.//^\";

/// A decapsulation key, expanded from its seed.
#[derive(Clone)]
pub struct DecapsulationKey {
    seed: Secret<[u8; 32]>,
    lattice: ml_kem::DecapsulationKey,
    classic: x25519::PrivateKey,
}

/// An encapsulation key, which is public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncapsulationKey {
    lattice: ml_kem::EncapsulationKey,
    classic: x25519::PublicKey,
}

adamant_base::try_from_slice!(EncapsulationKey, DecapsulationKey(all));

/// X-Wing as a [`Kem`].
#[derive(Clone, Copy, Debug)]
pub struct XWing;

/// X25519, where the secret of a key of small order is zeros as any other.
fn agree(key: &x25519::PrivateKey, peer: &x25519::PublicKey) -> Secret<[u8; 32]> {
    key.agree(peer).unwrap_or_else(|_| Secret::new([0; 32]))
}

/// The shared secret of both (the draft's Combiner).
fn combine(
    lattice: &[u8],
    classic: &[u8; 32],
    ciphertext: &x25519::PublicKey,
    key: &x25519::PublicKey,
) -> SharedSecret {
    use adamant_base::family::Hash;
    let mut hash = <Sha3_256 as Hash>::new();
    let public = [ciphertext.to_bytes(), key.to_bytes()];
    for part in [lattice, classic, public.as_flattened(), LABEL] {
        Hash::update(&mut hash, part);
    }
    SharedSecret(Secret::new(Hash::finalize(hash)))
}

/// ML-KEM's ciphertext and the public key of X25519.
fn parts(ciphertext: &Ciphertext) -> (&ml_kem::Ciphertext, x25519::PublicKey) {
    let Some((lattice, classic)) = ciphertext.split_first_chunk() else {
        unreachable!("a ciphertext begins with that of ML-KEM")
    };
    let Ok(classic) = x25519::PublicKey::try_from(classic) else {
        unreachable!("a ciphertext ends with the 32 bytes of a public key")
    };
    (lattice, classic)
}

impl DecapsulationKey {
    /// A new key.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
        let mut seed = Secret::new([0; 32]);
        rng.fill(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// The key of a seed; all seeds are good.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let mut expanded = Secret::new([0; 96]);
        <Shake256 as Xof>::digest(seed, &mut *expanded);
        let (lattice, classic) = expanded.split_at(64);
        let mut halves = (Secret::new([0; 64]), Secret::new([0; 32]));
        halves.0.copy_from_slice(lattice);
        halves.1.copy_from_slice(classic);
        DecapsulationKey {
            seed: Secret::new(*seed),
            lattice: ml_kem::DecapsulationKey::from_seed(&halves.0),
            classic: x25519::PrivateKey::from_bytes(&halves.1),
        }
    }

    /// Reads a key, of which the encoding is its seed.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; DECAPSULATION_KEY_LEN]) -> Self {
        Self::from_seed(bytes)
    }

    /// The encoding of the key: its seed.
    #[must_use]
    pub fn to_bytes(&self) -> Secret<[u8; DECAPSULATION_KEY_LEN]> {
        self.seed()
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> Secret<[u8; 32]> {
        self.seed.clone()
    }

    /// The encapsulation key.
    #[must_use]
    pub fn encapsulation_key(&self) -> EncapsulationKey {
        EncapsulationKey {
            lattice: self.lattice.encapsulation_key(),
            classic: self.classic.public_key(),
        }
    }

    /// The shared secret of a ciphertext.
    #[must_use]
    pub fn decapsulate(&self, ciphertext: &Ciphertext) -> SharedSecret {
        let (lattice, classic) = parts(ciphertext);
        let secret = self.lattice.decapsulate(lattice);
        let agreed = agree(&self.classic, &classic);
        combine(
            secret.as_ref(),
            &agreed,
            &classic,
            &self.classic.public_key(),
        )
    }

    /// The pair-wise consistency tests of both halves.
    ///
    /// ```
    /// use adamant_hybrid::x_wing::DecapsulationKey;
    /// assert!(DecapsulationKey::from_seed(&[7; 32]).check_pair().is_ok());
    /// ```
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`] where private and public key do not fit.
    pub fn check_pair(&self) -> Result<(), Error> {
        self.lattice.check_pair()?;
        self.classic.check_pair()
    }
}

impl EncapsulationKey {
    /// Reads a key.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for a key that ML-KEM refuses.
    pub fn from_bytes(bytes: &[u8; ENCAPSULATION_KEY_LEN]) -> Result<Self, Error> {
        let (lattice, classic) = bytes.split_at(ml_kem::ENCAPSULATION_KEY_LEN);
        Ok(EncapsulationKey {
            classic: classic.try_into()?,
            lattice: lattice.try_into()?,
        })
    }

    /// The bytes of the key: ML-KEM's, then X25519's.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; ENCAPSULATION_KEY_LEN] {
        let mut bytes = [0; ENCAPSULATION_KEY_LEN];
        let (lattice, classic) = bytes.split_at_mut(ml_kem::ENCAPSULATION_KEY_LEN);
        lattice.copy_from_slice(&self.lattice.to_bytes());
        classic.copy_from_slice(&self.classic.to_bytes());
        bytes
    }

    /// A fresh shared secret and its ciphertext.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    pub fn encapsulate(&self, rng: &mut impl Rng) -> Result<(Ciphertext, SharedSecret), Error> {
        let mut seed = Secret::new([0; 64]);
        rng.fill(&mut *seed)?;
        Ok(self.encapsulate_deterministic(&seed))
    }

    /// The shared secret and ciphertext that 64 random bytes give. The bytes must be fresh, random
    /// and secret: this is for tests, and for protocols that bring their own randomness.
    #[must_use]
    pub fn encapsulate_deterministic(&self, seed: &[u8; 64]) -> (Ciphertext, SharedSecret) {
        let mut halves = Secret::new([[0; 32]; 2]);
        halves.as_flattened_mut().copy_from_slice(seed);
        let (lattice, secret) = self.lattice.encapsulate_deterministic(&halves[0]);
        let ephemeral = x25519::PrivateKey::from_bytes(&halves[1]);
        let public = ephemeral.public_key();
        let agreed = agree(&ephemeral, &self.classic);
        let mut ciphertext = [0; CIPHERTEXT_LEN];
        let (first, second) = ciphertext.split_at_mut(ml_kem::CIPHERTEXT_LEN);
        first.copy_from_slice(&lattice);
        second.copy_from_slice(&public.to_bytes());
        let shared = combine(secret.as_ref(), &agreed, &public, &self.classic);
        (ciphertext, shared)
    }
}

/// Makes `count` keys.
///
/// # Errors
/// [`Error::NoEntropy`] from the generator.
pub fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<DecapsulationKey>, Error> {
    (0..count)
        .map(|_| DecapsulationKey::generate(rng))
        .collect()
}

/// The secrets of many pairs, with zeros for keys of small order.
#[inline]
fn agree_batch(pairs: &[(&x25519::PrivateKey, &x25519::PublicKey)]) -> Vec<Secret<[u8; 32]>> {
    let zeros = |agreed: Result<_, Error>| agreed.unwrap_or_else(|_| Secret::new([0; 32]));
    let agreed = x25519::agree_batch(pairs).into_iter();
    agreed.map(zeros).collect()
}

/// [`EncapsulationKey::encapsulate`] to many keys.
///
/// ```
/// use adamant_hybrid::x_wing::{encapsulate_batch, generate_batch};
/// # let mut rng = adamant_testkit::TestRng::new(1); // SystemRng or FastRng in a program
/// let keys = generate_batch(2, &mut rng)?;
/// let public: Vec<_> = keys.iter().map(|key| key.encapsulation_key()).collect();
/// let sent = encapsulate_batch(&[&public[0], &public[1]], &mut rng);
/// for (key, sent) in keys.iter().zip(sent) {
///     let (ciphertext, secret) = sent?;
///     assert_eq!(key.decapsulate(&ciphertext).as_bytes(), secret.as_bytes());
/// }
/// # Ok::<(), adamant_base::Error>(())
/// ```
#[must_use]
pub fn encapsulate_batch(
    keys: &[&EncapsulationKey],
    rng: &mut impl Rng,
) -> Vec<Result<(Ciphertext, SharedSecret), Error>> {
    let mut out: Vec<_> = keys.iter().map(|_| Err(Error::NoEntropy)).collect();
    encapsulate_batch_into(keys, &mut out, rng).expect("as many places");
    out
}

/// As [`encapsulate_batch`], to memory of the caller's: `out[i]` is for `keys[i]`.
///
/// # Errors
/// [`Error::BadLength`] when `keys` and `out` differ in length; `out` is then untouched.
pub fn encapsulate_batch_into(
    keys: &[&EncapsulationKey],
    out: &mut [Result<(Ciphertext, SharedSecret), Error>],
    rng: &mut impl Rng,
) -> Result<(), Error> {
    same_length(keys.len(), out.len())?;
    let lattices: Vec<_> = keys.iter().map(|key| &key.lattice).collect();
    let encapsulated = ml_kem::encapsulate_batch(&lattices, rng);
    let Ok(ephemeral) = x25519::generate_batch(keys.len(), rng) else {
        // One failure of the generator is not that of all.
        for (key, out) in keys.iter().zip(out) {
            *out = key.encapsulate(rng);
        }
        return Ok(());
    };
    let pairs = ephemeral.iter().zip(keys);
    let pairs: Vec<_> = pairs.map(|(own, key)| (own, &key.classic)).collect();
    let agreed = agree_batch(&pairs);
    for (i, (out, encapsulated)) in out.iter_mut().zip(&encapsulated).enumerate() {
        let encapsulated = encapsulated.as_ref().map_err(|error| *error);
        *out = encapsulated.map(|(c, shared)| {
            let public = ephemeral[i].public_key();
            let mut ciphertext = [0; CIPHERTEXT_LEN];
            let (first, second) = ciphertext.split_at_mut(ml_kem::CIPHERTEXT_LEN);
            first.copy_from_slice(c);
            second.copy_from_slice(&public.to_bytes());
            let shared = combine(shared.as_ref(), &agreed[i], &public, &keys[i].classic);
            (ciphertext, shared)
        });
    }
    Ok(())
}

/// [`DecapsulationKey::decapsulate`] for many ciphertexts: the secret of each item.
#[inline] // Compiled in the caller's crate, as batches are.
#[must_use]
pub fn decapsulate_batch(items: &[(&DecapsulationKey, &Ciphertext)]) -> Vec<SharedSecret> {
    let mut out: Vec<_> = items.iter().map(|_| SharedSecret::zero()).collect();
    decapsulate_batch_into(items, &mut out).expect("as many places");
    out
}

/// As [`decapsulate_batch`], to memory of the caller's: `out[i]` is the secret of `items[i]`.
///
/// # Errors
/// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then untouched.
#[inline] // Compiled in the caller's crate, as batches are.
pub fn decapsulate_batch_into(
    items: &[(&DecapsulationKey, &Ciphertext)],
    out: &mut [SharedSecret],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    let parts: Vec<_> = items
        .iter()
        .map(|(_, ciphertext)| parts(ciphertext))
        .collect();
    let both = || items.iter().zip(&parts);
    let lattices: Vec<_> = both()
        .map(|((key, _), (c, _))| (&key.lattice, *c))
        .collect();
    let secrets = ml_kem::decapsulate_batch(&lattices);
    let pairs: Vec<_> = both()
        .map(|((key, _), (_, point))| (&key.classic, point))
        .collect();
    let agreed = agree_batch(&pairs);
    for (i, out) in out.iter_mut().enumerate() {
        let own = items[i].0.classic.public_key();
        *out = combine(secrets[i].as_ref(), &agreed[i], pairs[i].1, &own);
    }
    Ok(())
}

impl Kem for XWing {
    type DecapsulationKey = DecapsulationKey;
    type EncapsulationKey = EncapsulationKey;
    type Ciphertext = Ciphertext;
    type SharedSecret = SharedSecret;

    fn generate(rng: &mut impl Rng) -> Result<DecapsulationKey, Error> {
        DecapsulationKey::generate(rng)
    }
    fn encapsulation_key(key: &DecapsulationKey) -> EncapsulationKey {
        key.encapsulation_key()
    }
    fn encapsulate(
        key: &EncapsulationKey,
        rng: &mut impl Rng,
    ) -> Result<(Ciphertext, SharedSecret), Error> {
        key.encapsulate(rng)
    }
    fn ciphertext(octets: &[u8]) -> Result<Ciphertext, Error> {
        exactly(octets).copied()
    }
    fn decapsulate(key: &DecapsulationKey, ciphertext: &Ciphertext) -> Result<SharedSecret, Error> {
        Ok(key.decapsulate(ciphertext))
    }
    fn check_pair(key: &DecapsulationKey) -> Result<(), Error> {
        key.check_pair()
    }
    fn encapsulate_batch(
        keys: &[&EncapsulationKey],
        rng: &mut impl Rng,
    ) -> Vec<Result<(Ciphertext, SharedSecret), Error>> {
        encapsulate_batch(keys, rng)
    }
    #[inline] // Compiled in the caller's crate, as batches are.
    fn decapsulate_batch(
        items: &[(&DecapsulationKey, &Ciphertext)],
    ) -> Vec<Result<SharedSecret, Error>> {
        decapsulate_batch(items).into_iter().map(Ok).collect()
    }
}

#[cfg(test)]
mod tests;
