//! The Diffie-Hellman groups of hybrids and HPKE: keys and secrets as bytes.

use adamant_base::{Error, Rng};
use adamant_ec::{p256, p384, p521, x448, x25519};
use alloc::vec::Vec;

/// A group by its private key.
pub(crate) trait Classic: Clone {
    /// The other side's key.
    type PublicKey: Clone;
    /// Bytes of an encoded public key.
    const PUBLIC_LEN: usize;
    /// Bytes of an agreed secret.
    const SECRET_LEN: usize;
    /// The agreed secret, which wipes itself.
    type Secret: core::ops::Deref<Target: AsRef<[u8]>>;

    /// A new private key.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator.
    fn generate(rng: &mut impl Rng) -> Result<Self, Error>;
    /// Reads a private key.
    ///
    /// # Errors
    /// [`Error::BadPrivateKey`].
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;
    /// The private key's bytes, in a buffer that wipes itself.
    fn to_bytes(&self) -> Self::Secret;
    /// Its public key.
    fn public_key(&self) -> Self::PublicKey;
    /// Reads a public key.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`].
    fn read_public(bytes: &[u8]) -> Result<Self::PublicKey, Error>;
    /// The encoding of a public key: [`Self::PUBLIC_LEN`] bytes.
    fn write_public(key: &Self::PublicKey) -> Vec<u8>;
    /// The agreed secret.
    ///
    /// # Errors
    /// [`Error::WeakSharedSecret`] for a public key that gives every private key the same secret.
    fn agree(&self, peer: &Self::PublicKey) -> Result<Self::Secret, Error>;
}

/// Curves whose keys are any bytes.
macro_rules! montgomery {
    ($($curve:ident: $len:literal;)*) => { $(
        impl Classic for $curve::PrivateKey {
            type PublicKey = $curve::PublicKey;
            type Secret = adamant_base::Secret<[u8; $len]>;
            const PUBLIC_LEN: usize = $len;
            const SECRET_LEN: usize = $len;

            fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                Self::generate(rng)
            }
            fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
                Self::try_from(bytes).map_err(|_| Error::BadPrivateKey)
            }
            fn to_bytes(&self) -> Self::Secret {
                self.to_bytes()
            }
            fn public_key(&self) -> $curve::PublicKey {
                self.public_key()
            }
            fn read_public(bytes: &[u8]) -> Result<$curve::PublicKey, Error> {
                $curve::PublicKey::try_from(bytes).map_err(|_| Error::BadPublicKey)
            }
            fn write_public(key: &$curve::PublicKey) -> Vec<u8> {
                key.to_bytes().to_vec()
            }
            fn agree(&self, peer: &$curve::PublicKey) -> Result<Self::Secret, Error> {
                self.agree(peer)
            }
        }
    )* };
}
montgomery! { x25519: 32; x448: 56; }

/// Curves whose points travel uncompressed.
macro_rules! weierstrass {
    ($($curve:ident: $len:literal;)*) => { $(
        impl Classic for $curve::PrivateKey {
            type PublicKey = $curve::PublicKey;
            type Secret = adamant_base::Secret<[u8; $len]>;
            const PUBLIC_LEN: usize = 1 + 2 * $len;
            const SECRET_LEN: usize = $len;

            fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                Self::generate(rng)
            }
            fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
                Self::try_from(bytes).map_err(|_| Error::BadPrivateKey)
            }
            fn to_bytes(&self) -> Self::Secret {
                self.to_bytes()
            }
            fn public_key(&self) -> $curve::PublicKey {
                self.public_key()
            }
            fn read_public(bytes: &[u8]) -> Result<$curve::PublicKey, Error> {
                if bytes.len() != Self::PUBLIC_LEN {
                    return Err(Error::BadPublicKey); // the compressed form too
                }
                $curve::PublicKey::from_sec1(bytes)
            }
            fn write_public(key: &$curve::PublicKey) -> Vec<u8> {
                key.to_sec1().to_vec()
            }
            fn agree(&self, peer: &$curve::PublicKey) -> Result<Self::Secret, Error> {
                self.agree(peer)
            }
        }
    )* };
}
weierstrass! { p256: 32; p384: 48; p521: 66; }
