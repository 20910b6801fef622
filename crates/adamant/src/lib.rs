//! Memory-safe cryptography and PKI toolkit: the one crate to depend on.
//!
#![doc = include_str!("families.md")]
//!
//! The names are those of [`catalog`] and of the program. RSA encryption (OAEP), SM2 encryption and key
//! exchange, HPKE and STREAM are in [`rsa`], [`ec`], [`hybrid`] and [`cipher`].
//!
//! Sign with a new key, and let someone who has the encoded public key verify:
//!
//! ```
//! use adamant::SystemRng;
//! use adamant::ec::ed25519::{PrivateKey, PublicKey, Signature};
//!
//! let key = PrivateKey::generate(&mut SystemRng)?;
//! let signature = key.sign(b"attack at dawn").to_bytes();
//! let public_key = key.public_key().to_bytes();
//!
//! let public_key = PublicKey::from_bytes(&public_key)?;
//! public_key.verify(b"attack at dawn", &Signature::from_bytes(&signature)?)?;
//! # Ok::<(), adamant::Error>(())
//! ```
//!
//! Agree on keys over an open line: each side sends a public key, and a derivation function makes
//! keys from the secret that they then share:
//!
//! ```
//! use adamant::ec::x25519::{PrivateKey, PublicKey};
//! use adamant::hash::{Sha256, hkdf};
//! use adamant::{FastRng, Secret};
//!
//! let mut rng = FastRng::new()?; // many keys: seeded by the system, then at full speed
//! let alice = PrivateKey::generate(&mut rng)?;
//! let bob = PrivateKey::generate(&mut rng)?;
//!
//! let shared = alice.agree(&bob.public_key())?;
//! let mut key = Secret::new([0; 32]);
//! hkdf::derive::<Sha256>(b"", &*shared, b"example 2026, line key", &mut *key)?;
//! # let same = bob.agree(&alice.public_key())?;
//! # assert_eq!(*shared, *same);
//! # Ok::<(), adamant::Error>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`hash`] | hashes, MACs, key derivation, password hashing |
//! | [`cipher`] | AES, SM4, ChaCha20, DES; their modes and AEADs; streams |
//! | [`ec`] | ECDSA and ECDH on the NIST, secp256k1 and Brainpool curves; SM2; Ed25519, X25519, Ristretto; Ed448, X448 |
//! | [`pq`] | ML-KEM, ML-DSA, SLH-DSA |
//! | [`hybrid`] | hybrid KEMs of TLS, X-Wing, HPKE |
//! | [`rsa`] | RSA signatures and encryption |
//! | [`dh`] | finite-field Diffie-Hellman |
//! | [`x509`] | keys in files, certificates, requests, CRLs, OCSP, path validation |
//! | [`der`] | DER, object identifiers, times, PEM |
//! | [`rand`] | the system's generator ([`SystemRng`]) and a fast one ([`FastRng`]) |
//! | [`family`] | the traits of the families: for generic code, and for algorithms of your own |
//! | [`ct`] | comparison in constant time |
//! | [`memory`] | memory that no core dump has |
//! | [`cpu`] | the features of this CPU and of others |
//! | [`batcher`] | gathers the single calls of many threads or tasks into batches |
//! | [`catalog`] | one row per algorithm: identifier, standard, lengths, implementations |
//! | [`hazmat`] | implementations by name; compression functions, lanes, points, big integers: what is easy to use wrongly |
//!
//! # Features
//!
//! All families are on by default. For a smaller and faster build, turn the default features off and
//! name the ones you use; `std` brings CPU detection and system entropy:
//!
//! ```toml
//! adamant = { version = "…", default-features = false, features = ["std", "curve25519"] }
//! ```
//!
//! | feature | brings |
//! |---|---|
//! | `hash` | `sha2`, `sha3`, `blake`, `password`, `sha1` |
//! | `sha2` | SHA-2; HMAC, HKDF, PBKDF2 and what else is over any hash; SipHash |
//! | `sha3` | SHA-3, SHAKE, cSHAKE, TurboSHAKE, KMAC |
//! | `blake` | BLAKE2b, BLAKE2s, BLAKE3 |
//! | `password` | scrypt, Argon2 |
//! | `sha1` | SHA-1 and MD5, both legacy |
//! | `cipher` | `aead`, `des` |
//! | `aead` | `aes-gcm`, `chacha20-poly1305` |
//! | `aes-gcm`, `aes` | AES in all modes: GCM, GCM-SIV, CCM, EAX, XTS, CBC, CTR, key wrap, CMAC, GMAC |
//! | `chacha20-poly1305` | ChaCha20, Poly1305, (X)ChaCha20-Poly1305 |
//! | `des` | DES and triple DES, legacy |
//! | `rsa` | RSA signatures and encryption |
//! | `dh` | finite-field Diffie-Hellman |
//! | `bignum` | big integers, in [`hazmat`] |
//! | `ecdsa` | ECDSA and ECDH on the curves of NIST, secp256k1 and Brainpool |
//! | `sm` | SM2, SM3, SM4 |
//! | `curve25519`, `ed25519`, `x25519` | Ed25519, X25519, Ristretto |
//! | `curve448` | Ed448, X448 |
//! | `ml-kem`, `ml-dsa`, `slh-dsa` | the post-quantum schemes of FIPS 203, 204 and 205 |
//! | `hybrid`, `hpke` | hybrid KEMs of TLS, X-Wing, HPKE |
//! | `der` | DER, PEM |
//! | `x509` | certificates and all that belongs to them, for the keys of the features above |
//! | `fast-rng` | [`FastRng`] |
//! | `batcher` | [`batcher`], of the families that are there |
//! | `simd`, `tables` | vector implementations and larger tables of Curve25519 and Curve448 |
//! | `alloc` | what takes memory from an allocator, which `std` and the families that need one bring |
//!
//! Off by default: `lab`, implementations that are never chosen by themselves, such as those for
//! smaller words, to be measured and compared with; `table-ciphers`, whose time tells of secrets, for
//! the same; `small`, code that is small rather than fast, of SHA-256, AES-GCM, X25519 and Ed25519, of
//! ECDSA and ECDH, which then have one implementation without tables, and of reading certificates;
//! `unicode`, which compares names in any script; `rayon`, several threads for one SLH-DSA
//! signature or Argon2 hash; `rand_core`, with which a `CryptoRng` of `rand_core` 0.10 is a generator;
//! `own`, with which SHA-2, GHASH, X25519 and the curves of `ecdsa` run on implementations of yours
//! ([`hazmat`]).
//!
//! Whatever needs randomness takes a generator; [`SystemRng`] is right unless there is much to
//! draw. Each algorithm runs on the best implementation that this CPU has; `new_on` of hashes
//! and ciphers and `with_backend` of keys pick another, of those in [`hazmat`]. Operations on secrets
//! take a time that does not depend on them, and [`Secret`] values are wiped when dropped.
//!
//! Without the default feature `std` the crate is `no_std`: CPU features are then those of the
//! compilation target, and randomness is the caller's. Without `alloc`, too, it links no allocator. There
//! are then no batches into vectors, no private keys of ML-DSA, no writer of DER and no PEM; passwords are
//! hashed in the caller's memory; and keys keep nothing that saves time where they are used again. RSA, `dh`,
//! `sm`, SLH-DSA, `hybrid`, `x509` and `own` need an allocator, and bring `alloc`.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "batcher")]
extern crate std;

#[cfg(any(feature = "aes", feature = "chacha20-poly1305"))]
pub use adamant_cipher as cipher;
#[cfg(feature = "der")]
pub use adamant_der as der;
#[cfg(feature = "dh")]
pub use adamant_dh as dh;
#[cfg(any(
    feature = "ecdsa",
    feature = "sm",
    feature = "curve25519",
    feature = "curve448"
))]
pub use adamant_ec as ec;
#[cfg(feature = "sha2")]
pub use adamant_hash as hash;
#[cfg(feature = "hybrid")]
pub use adamant_hybrid as hybrid;
#[cfg(any(feature = "ml-kem", feature = "ml-dsa", feature = "slh-dsa"))]
pub use adamant_pq as pq;
#[cfg(feature = "rsa")]
pub use adamant_rsa as rsa;
#[cfg(feature = "x509")]
pub use adamant_x509 as x509;

#[cfg(feature = "batcher")]
pub mod batcher;
pub mod catalog;

pub use adamant_base::family;

/// Comparison in constant time, and the decision that comes of it.
pub mod ct {
    pub use adamant_base::ct::{Choice, eq};
}

/// The features of this CPU, and those of well-known ones.
pub mod cpu {
    pub use adamant_base::cpu::{Features, NAMES, PROFILES, features, profile};
}

/// Memory that no core dump has, and a process that leaves none.
#[cfg(feature = "std")]
pub mod memory {
    pub use adamant_base::memory::Memory;
    pub use adamant_base::process::forbid_core_dumps;
}

/// The system's generator, a fast one, and with the feature `rand_core` those of that crate.
pub mod rand {
    #[cfg(feature = "rand_core")]
    pub use adamant_base::random::{FromRandCore, ToRandCore};
    #[cfg(feature = "fast-rng")]
    pub use adamant_rand::FastRng;
    #[cfg(feature = "std")]
    pub use adamant_rand::SystemRng;
}

/// The parts of each crate that most programs do not need: implementations by name, and those that
/// algorithms are made of, which are easy to use wrongly.
///
/// # Implementations of your own
///
/// A block cipher of yours, such as the AES of a device that keeps the key, is a
/// [`BlockCipher`](family::BlockCipher), and the modes take it as it is.
///
/// With the feature `own`, the compression functions of SHA-256 and SHA-512, GHASH, X25519 and the
/// multiplications on P-256 and the other curves of `ecdsa` and `sm` can be yours, too. Their modules
/// here then have a trait `Functions` for it, a function `check`, which tries yours beside the portable
/// one, and `Backend::install`, with which it is the best one for the whole process. The guide's
/// chapter on implementations says more, and `examples/own.rs` is a program that does it.
pub mod hazmat {
    /// Keys and values on an implementation of the caller's choice; the lists of hashes, AEADs and
    /// schemes; marks and masks of secrets; lengths checked.
    pub mod base {
        pub use adamant_base::hazmat::*;
        pub use adamant_base::{aeads, ct, exactly, hashes, same_length, schemes};
    }
    /// Big integers up to 8192 bits: the arithmetic below RSA and Diffie-Hellman.
    #[cfg(feature = "bignum")]
    pub mod bignum {
        pub use adamant_bignum::hazmat::*;
        pub use adamant_bignum::*;
    }
    #[cfg(any(feature = "aes", feature = "chacha20-poly1305"))]
    pub use adamant_cipher::hazmat as cipher;
    #[cfg(feature = "dh")]
    pub use adamant_dh::hazmat as dh;
    #[cfg(any(
        feature = "ecdsa",
        feature = "sm",
        feature = "curve25519",
        feature = "curve448"
    ))]
    pub use adamant_ec::hazmat as ec;
    #[cfg(feature = "sha2")]
    pub use adamant_hash::hazmat as hash;
    #[cfg(any(feature = "ml-kem", feature = "ml-dsa", feature = "slh-dsa"))]
    pub use adamant_pq::hazmat as pq;
    #[cfg(feature = "rsa")]
    pub use adamant_rsa::hazmat as rsa;
}

pub use adamant_base::secret::*;
pub use adamant_base::{Error, Implementation, Rng};
#[cfg(feature = "fast-rng")]
pub use rand::FastRng;
#[cfg(feature = "std")]
pub use rand::SystemRng;

/// The examples of the README and of the guide run as tests.
#[cfg(all(doctest, feature = "batcher", feature = "x509", feature = "hybrid"))]
mod guide {
    macro_rules! chapters {
        ($($name:ident = $path:literal;)*) => {
            $(#[doc = include_str!(concat!("../../../", $path))] struct $name;)*
        };
    }
    chapters! {
        Readme = "README.md";
        GettingStarted = "docs/getting-started.md";
        Hashing = "docs/hashing.md";
        Encrypting = "docs/encrypting.md";
        Signing = "docs/signing.md";
        KeyAgreement = "docs/key-agreement.md";
        Certificates = "docs/certificates.md";
        Batching = "docs/batching.md";
        Implementations = "docs/implementations.md";
    }
}
