//! Paths of certificates: found from what is at hand, and validated (RFC 5280, section 6, with
//! the policies of RFC 9618 and the host names of RFC 9525).
//!
//! ```
//! use adamant_rand::SystemRng;
//! use adamant_x509::extensions::{
//!     AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, GeneralName, KeyUsage,
//!     SubjectAltName, SubjectKeyIdentifier,
//! };
//! use adamant_x509::path::{Options, PathErrorKind, PeerName, Profile, TrustAnchor, validate};
//! use adamant_x509::{
//!     Certificate, CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, SerialNumber,
//! };
//!
//! let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
//! let public = key.public_key();
//! let (name, id) = (DistinguishedName::new().common_name("Root"), public.key_id());
//! let (from, until) = ("2026-01-01".parse()?, "2026-04-01".parse()?);
//! let certificate = |serial: u64, subject| {
//!     CertificateBuilder::new(
//!         SerialNumber::from(serial), name.as_name(), from, until, subject, &public,
//!     )
//!     .extension(&AuthorityKeyIdentifier::new(&id))
//! };
//! let root = certificate(1, name.as_name())
//!     .extension(&BasicConstraints::ca(None))
//!     .extension(&SubjectKeyIdentifier(&id))
//!     .extension(&KeyUsage::KEY_CERT_SIGN)
//!     .sign(key.signer()?)?;
//! let subject = DistinguishedName::new().organization("Adamant");
//! let server = certificate(2, subject.as_name())
//!     .extension(&SubjectAltName((&[GeneralName::Dns("*.adamant.example")]).into()))
//!     .extension(&ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into()))
//!     .sign(key.signer()?)?;
//!
//! let anchors = [TrustAnchor::from_certificate(&Certificate::from_der(&root)?)?];
//! let server = Certificate::from_der(&server)?;
//! let names = [PeerName::Dns("www.adamant.example")];
//! let options = Options {
//!     purpose: Some(ExtendedKeyUsage::SERVER_AUTH),
//!     names: &names,
//!     ..Options::new(Profile::WebPki, "2026-02-01".parse()?)
//! };
//! let path = validate(&server, &[], &anchors, &options)?;
//! assert_eq!(path.certificates.len(), 1);
//!
//! let late = Options { time: "2026-05-01".parse()?, ..options };
//! let error = validate(&server, &[], &anchors, &late).unwrap_err();
//! assert!(matches!(error.kind, PathErrorKind::Expired { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Anything that cannot be checked is refused: an extension that is critical and not known, a
//! constraint on names of a form that is not known, a status that cannot be found out where it must
//! be. Nothing here is secret, and all that an adversary can send is bounded by [`Limits`].
//!
//! | file | holds |
//! |---|---|
//! | `budget` | the limits, and what is left of them |
//! | `build` | the search: candidates, best first, and the way back |
//! | `walk` | a path from the anchor down (RFC 5280, 6.1) |
//! | `profile` | what a profile demands of single certificates |
//! | `names` | hosts, addresses, mail and what constraints say of them |
//! | `policy` | the graph of policies (RFC 9618) |
//! | `revocation` | lists (RFC 5280, 6.3) and OCSP (RFC 6960) |

mod budget;
mod build;
mod error;
mod names;
mod node;
mod policy;
mod profile;
mod revocation;
mod walk;

use alloc::vec::Vec;
use core::fmt;
use core::net::IpAddr;

use adamant_der::{Oid, Time};

use crate::extensions::{KeyUsage, NameConstraints};
use crate::name::compare::{NameHash, freely};
use crate::{
    AlgorithmIdentifier, Certificate, FullCertificate, Name, PublicKey, Result,
    SubjectPublicKeyInfo, Untrusted, verify_signature,
};

use budget::Budget;
use names::Trees;

pub use budget::{Limit, Limits};
pub use error::{PathError, PathErrorKind};
pub use policy::PolicySet;
pub use revocation::{Revocation, RevocationError, Strictness};

/// Which rules certificates are held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// Only section 6 of RFC 5280: what must be checked of a path. Rules for those who issue
    /// certificates are not.
    Path,
    /// Besides, what section 4 of RFC 5280 demands of certificates, the anchor's included.
    Rfc5280,
    /// Besides, what the CA/Browser Forum's Baseline Requirements for TLS servers demand: their
    /// keys, names, purposes and basic constraints.
    WebPki,
}

/// Whom paths start from: a name and a key that are trusted, and what binds those below.
#[derive(Clone, Copy, Debug)]
pub struct TrustAnchor<'a> {
    name: Name<'a>,
    key: SubjectPublicKeyInfo<'a>,
    certificate: Option<Certificate<'a>>,
    constraints: NameConstraints<'a>,
    name_hash: NameHash,
}

impl<'a> TrustAnchor<'a> {
    /// The subject of a certificate, which need not be self-signed. Its period, extensions and
    /// constraints are held to when a path ends there; its signature is not looked at.
    ///
    /// The constraints (RFC 5937) bind those below as a CA's bind its own: on names, on the length
    /// of the path, on policies and their mappings. Where it names policies, a path is valid for
    /// none but these.
    ///
    /// # Errors
    /// [`crate::Error`] if the subject or the structure of the key cannot be read.
    pub fn from_certificate(certificate: &Certificate<'a>) -> Result<Self> {
        Ok(Self {
            certificate: Some(*certificate),
            ..Self::new(certificate.subject()?, certificate.spki()?)
        })
    }

    /// A name and a key, with nothing that binds those below.
    pub fn new(name: Name<'a>, key: SubjectPublicKeyInfo<'a>) -> Self {
        let Ok(name_hash) = name.fold_hash(freely);
        Self {
            name_hash,
            name,
            key,
            certificate: None,
            constraints: NameConstraints::default(),
        }
    }

    /// With constraints on the names below, besides those of the certificate.
    pub fn with_name_constraints(self, constraints: NameConstraints<'a>) -> Self {
        Self {
            constraints,
            ..self
        }
    }

    /// The name.
    pub const fn name(&self) -> Name<'a> {
        self.name
    }

    /// The key.
    pub const fn key(&self) -> &SubjectPublicKeyInfo<'a> {
        &self.key
    }

    /// The certificate, if there is one.
    pub const fn certificate(&self) -> Option<&Certificate<'a>> {
        self.certificate.as_ref()
    }
}

/// A name that the certificate must be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeerName<'a> {
    /// A host (RFC 9525): in a DNS name of the certificate, the leftmost label may be `*`. The
    /// common name of the subject is not looked at.
    Dns(&'a str),
    /// An address.
    Ip(IpAddr),
    /// A mailbox: the part before the `@` in the same case of letters.
    Email(&'a str),
}

impl fmt::Display for PeerName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dns(name) | Self::Email(name) => Untrusted::new(name).escaped().fmt(f),
            Self::Ip(address) => address.fmt(f),
        }
    }
}

/// The inputs of RFC 5280, 6.1.1 (c) to (g), on policies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Policies<'a> {
    /// The policies of which one will do; nothing, or `anyPolicy` among them, for any.
    pub initial: Option<&'a [Oid]>,
    /// Whether the path must be valid for one of them.
    pub require_explicit: bool,
    /// Whether mappings are not allowed.
    pub inhibit_mapping: bool,
    /// Whether `anyPolicy` does not stand for all.
    pub inhibit_any: bool,
}

/// Checks signatures: the algorithms here, or another library's, or a store of verdicts from a
/// batch.
pub trait Verifier {
    /// Checks that the key made the signature of the message.
    ///
    /// `key` is as in the certificate, with the parameters that it takes over from its issuer
    /// (RFC 5280, 6.1.4 (e)).
    ///
    /// # Errors
    /// [`crate::Error`] of any kind.
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<()>;
}

/// The algorithms of [`verify_signature`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Signatures;

impl Verifier for Signatures {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<()> {
        let key = PublicKey::from_spki(key)?;
        verify_signature(&key, algorithm, message, signature)
    }
}

/// The goal of a validation.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The rules.
    pub profile: Profile,
    /// The time at which all certificates must hold.
    pub time: Time,
    /// The purpose (extended key usage) that the certificate must allow, and every CA that names
    /// its purposes; nothing for any. `timeStamping` must be the only one of the certificate, and
    /// critical (RFC 3161, 2.3).
    pub purpose: Option<Oid>,
    /// The usages that the certificate's key must have, if its usage is stated.
    pub key_usage: Option<KeyUsage>,
    /// The names that the certificate must be for: each of them.
    pub names: &'a [PeerName<'a>],
    /// The requirements on policies.
    pub policies: Policies<'a>,
    /// Constraints on names from the start (RFC 5280, 6.1.1 (h) and (i)).
    pub name_constraints: NameConstraints<'a>,
    /// How many CAs may come between the certificate and the anchor, those not counted that
    /// are issued by themselves.
    pub max_depth: usize,
    /// Bounds of the work.
    pub limits: Limits,
    /// How to find out what was revoked; nothing to not ask.
    pub revocation: Option<Revocation<'a>>,
    /// Whether a domain, in the certificate's case of letters, is one under which others register
    /// (the Public Suffix List): under [`Profile::WebPki`] a wildcard directly below one stands
    /// for nothing. Without it only those of one label are taken for such.
    pub public_suffix: Option<&'a dyn Fn(&str) -> bool>,
    /// The verifier of signatures.
    pub verifier: &'a dyn Verifier,
}

impl Options<'_> {
    /// A profile and a time, with nothing demanded besides: of any purpose and name, without
    /// a look at revocation, with at most ten CAs between certificate and anchor.
    pub fn new(profile: Profile, time: Time) -> Self {
        Self {
            profile,
            time,
            purpose: None,
            key_usage: None,
            names: &[],
            policies: Policies::default(),
            name_constraints: NameConstraints::default(),
            max_depth: 10,
            limits: Limits::DEFAULT,
            revocation: None,
            public_suffix: None,
            verifier: &Signatures,
        }
    }
}

/// A valid path.
#[derive(Clone, Debug)]
pub struct Path<'a> {
    /// The certificates, the validated one first, each issued by the next.
    pub certificates: Vec<&'a Certificate<'a>>,
    /// Who issued the last of them.
    pub anchor: &'a TrustAnchor<'a>,
    /// The policies for which the path is valid, of those that were asked for
    /// (`user-constrained-policy-set`).
    pub policies: PolicySet,
}

/// Finds a valid path from a certificate to one of the anchors.
///
/// `intermediates` are certificates that may help, in any order; those that do not are passed
/// over, whatever is wrong with them. Of several paths the first valid one is taken: candidates
/// are tried from the likeliest on, by name and key identifier. A path has no two certificates of
/// one name with one key.
///
/// # Errors
/// [`PathError`], with what stood in the way of the path that came furthest.
pub fn validate<'a>(
    certificate: &'a Certificate<'a>,
    intermediates: &'a [Certificate<'a>],
    anchors: &'a [TrustAnchor<'a>],
    options: &Options<'_>,
) -> Result<Path<'a>, PathError> {
    let evidence = options.revocation.as_ref().map_or(0, Revocation::octets);
    let budget = Budget::new(options.limits).with_evidence(evidence);
    build::search(certificate, intermediates, anchors, options, &budget)
}

/// Holds the names of a certificate, the subject's and the alternative ones, to constraints of CAs
/// above it (RFC 5280, 4.2.1.10), as [`validate`] does: for those who are about to sign it.
///
/// ```
/// use adamant_x509::FullCertificate;
/// use adamant_x509::extensions::{GeneralName, GeneralSubtree, NameConstraints};
/// use adamant_x509::path::{PathErrorKind, check_name_constraints};
/// # use adamant_x509::extensions::SubjectAltName;
/// # use adamant_x509::{
/// #     CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, SerialNumber,
/// # };
/// # let key = PrivateKey::generate(KeyAlgorithm::P256, &mut adamant_rand::SystemRng)?;
/// # let (public, name) = (key.public_key(), DistinguishedName::new());
/// # let (from, until) = ("2026-01-01".parse()?, "2026-04-01".parse()?);
/// # let serial = SerialNumber::from(1);
/// # let der = CertificateBuilder::new(serial, name.as_name(), from, until, name.as_name(), &public)
/// #     .extension_with(true, &SubjectAltName((&[GeneralName::Dns("www.example")]).into()))
/// #     .sign(key.signer()?)?;
/// // Of a server with the name www.example.
/// let certificate = FullCertificate::from_der(&der)?;
/// let trees = [GeneralSubtree(GeneralName::Dns("adamant.example"))];
/// let ours = NameConstraints { permitted: Some((&trees).into()), excluded: None };
/// let refused = check_name_constraints(&certificate, &[ours]);
/// assert_eq!(refused, Err(PathErrorKind::NameNotPermitted("DNS:www.example".into())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PathErrorKind::NameNotPermitted`], [`PathErrorKind::NameExcluded`], and
/// [`PathErrorKind::NameNotCheckable`] for a name of which that cannot be told;
/// [`PathErrorKind::BadConstraint`]; [`PathErrorKind::TooCostly`] beyond [`Limits::DEFAULT`].
pub fn check_name_constraints(
    certificate: &FullCertificate<'_>,
    constraints: &[NameConstraints<'_>],
) -> Result<(), PathErrorKind> {
    let budget = Budget::new(Limits::DEFAULT);
    let trees = constraints.iter().map(|one| Trees::new(one, &budget));
    names::check_names(certificate, &trees.collect::<Result<Vec<_>, _>>()?, &budget)
}
