//! X.509 (RFC 5280) keys, certificates, requests, lists of revoked certificates, and OCSP.
//!
//! ```
//! use adamant_rand::SystemRng;
//! use adamant_x509::extensions::{GeneralName, SubjectAltName};
//! use adamant_x509::{
//!     CertificateBuilder, DistinguishedName, FullCertificate, KeyAlgorithm, PrivateKey, SerialNumber,
//! };
//!
//! let mut rng = SystemRng;
//! let ca_key = PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?;
//! let ca: DistinguishedName = "CN=Root,O=Adamant".parse()?;
//! let key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut rng)?.public_key();
//! let server = DistinguishedName::new().common_name("adamant.example");
//!
//! let der = CertificateBuilder::new(
//!     SerialNumber::random(&mut rng)?,
//!     ca.as_name(),
//!     "2026-01-01".parse()?,
//!     "2026-04-01".parse()?,
//!     server.as_name(),
//!     &key,
//! )
//! .extension(&SubjectAltName((&[GeneralName::Dns("adamant.example")]).into()))
//! .sign(ca_key.signer()?)?;
//!
//! let certificate = FullCertificate::from_der(&der)?;
//! assert_eq!(certificate.issuer.to_string(), "CN=Root,O=Adamant");
//! certificate.verify(&ca_key.public_key())?;
//! # Ok::<(), adamant_x509::Error>(())
//! ```
//!
//! Readers borrow from their input and accept one encoding of each value: what they accept,
//! writers write again octet for octet. Every refusal is an [`Error`] with its kind and the
//! position in the input. Trailing octets, lengths that are not canonical and defaults that are
//! encoded are refused everywhere, unless a [`Leniency`] is named where a certificate or a list is
//! read.
//!
//! | module | holds |
//! |---|---|
//! | [`certificate`] | certificates: structure, all fields, builder |
//! | [`csr`] | requests for certificates (PKCS #10) |
//! | [`crl`] | lists of revoked certificates |
//! | [`ocsp`] | the protocol that asks for one certificate's state |
//! | [`extensions`] | the extensions of all of these |
//! | [`path`] | paths of certificates: finding and validating them |
//! | [`keys`] | public and private keys: SubjectPublicKeyInfo, PKCS #8, SEC 1 |
//! | [`pbes2`] | encryption of private keys under a password |
//! | [`pkcs12`] | files of private keys with their certificates (PKCS #12) |
//! | [`name`] | distinguished names |
//! | [`algorithm`] | algorithm identifiers and the signature algorithms |
//!
//! The features decide which keys and signatures are built in: `rsa`, `ecdsa` (on the curves of
//! NIST, secp256k1 and Brainpool), `sm`, `curve25519`, `curve448`, `ml-kem`, `ml-dsa`, `slh-dsa`
//! and `hybrid` (X-Wing), which are all on by default. Algorithms that are not built in are known
//! by name: a key of theirs is a [`PublicKey::Unknown`], and to verify with it gives
//! [`ErrorKind::NotBuiltIn`].
//!
//! Text in all of these is untrusted: names are displayed with escapes, and [`Untrusted`] does the
//! same for any other text.
//!
//! Private keys are the only secrets here. Their octets pass from one buffer to another without
//! a branch on them, and encoded private keys are wiped when they are dropped.

#![cfg_attr(not(test), no_std)]
// Code that several kinds of keys share is unused without them.
#![cfg_attr(
    not(all(
        feature = "rsa",
        feature = "ecdsa",
        feature = "sm",
        feature = "curve25519",
        feature = "curve448",
        feature = "ml-kem",
        feature = "ml-dsa",
        feature = "slh-dsa",
        feature = "hybrid"
    )),
    allow(
        dead_code,
        irrefutable_let_patterns,
        unreachable_code,
        unreachable_patterns,
        unused_imports,
        unused_variables
    )
)]

extern crate alloc;

pub mod algorithm;
pub mod certificate;
pub mod crl;
pub mod csr;
mod element;
mod error;
pub mod extensions;
pub mod keys;
pub mod name;
pub mod ocsp;
pub mod path;
pub mod pbes2;
pub mod pkcs12;
mod serial;
mod sign;
mod signed;
mod untrusted;

pub use adamant_base::SecretBytes;
pub use adamant_der::Leniency;
pub use algorithm::{AlgorithmIdentifier, SignatureAlgorithm};
pub use certificate::{Certificate, CertificateBuilder, FullCertificate, Validity};
pub use element::{Element, List, ListIter};
pub use error::{Error, ErrorKind, Result};
pub use keys::{KeyAlgorithm, PrivateKey, PublicKey, SecretText, SubjectPublicKeyInfo, UnknownKey};
pub use name::{DistinguishedName, Name};
pub use serial::{AnySerial, SerialNumber};
pub use sign::{Signer, SigningKey, verify_signature};
pub(crate) use signed::sign_tbs;
pub use signed::{Signed, assemble};
pub use untrusted::{Escaped, Untrusted};
