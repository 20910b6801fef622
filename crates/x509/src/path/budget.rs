//! The cost limits of a validation: every loop whose length an adversary has a say in is charged to
//! one budget, before it runs.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::fmt;

use adamant_der::{Reader, Tag};

use super::{PathErrorKind as Kind, Verifier};
use crate::{AlgorithmIdentifier, KeyAlgorithm, PublicKey, SubjectPublicKeyInfo};

/// Bounds of the work that one validation may be, with all that belongs to it (paths of those who
/// sign lists among them), against inputs made to be costly.
///
/// The default keeps the validation of any 2 MB of certificates below 100 ms on a processor of
/// the day; reaching a bound is [`PathErrorKind::TooCostly`](super::PathErrorKind::TooCostly).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Signatures that are checked, each counted once under one key. One that takes longer than
    /// on P-256 or with RSA of 3,072 bits counts several times: 2 on a curve of 384 bits, 3 of 512
    /// or more, up to 7 with SLH-DSA, 7 with RSA of 8,192 bits, more where the exponent is large.
    pub signatures: usize,
    /// Certificates and anchors that are tried as an issuer, and those of complete paths.
    pub nodes: usize,
    /// Octets that are read, hashed, folded and compared, of certificates, names and policies;
    /// some count several times, by what they cost. Lists and responses, however long, may be gone
    /// through eight times besides.
    pub octets: usize,
}

impl Limits {
    /// 100 signatures, 10,000 nodes, 8 million octets.
    pub const DEFAULT: Self = Self {
        signatures: 100,
        nodes: 10_000,
        octets: 8_000_000,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// One of the [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::signatures`].
    Signatures,
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::octets`].
    Octets,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Signatures => "signatures",
            Self::Nodes => "certificates to try",
            Self::Octets => "octets to read and compare",
        })
    }
}

/// How often each list and response may be gone through: for each certificate that it may speak of,
/// to find what it says, and to check its signature.
const PASSES: usize = 8;

/// The rest of the limits.
pub(super) struct Budget {
    signatures: Cell<usize>,
    nodes: Cell<usize>,
    octets: Cell<usize>,
    /// The octets to be spent on lists and responses, before `octets`.
    evidence: Cell<usize>,
    /// Of whom it is being asked whether they were revoked.
    pub(super) asked: Asked,
}

/// The keys of certificates of which it is being asked whether they are revoked, each for the sake
/// of the one before: the signer of the answer about one of them may be revoked too. None of these
/// keys vouches for any of these certificates.
#[derive(Default)]
pub(super) struct Asked(RefCell<Vec<Vec<u8>>>);

impl Asked {
    /// How many may be nested.
    const MOST: usize = 8;

    pub(super) fn with<T>(&self, key: &SubjectPublicKeyInfo<'_>, ask: impl FnOnce() -> T) -> T {
        self.0.borrow_mut().push(key.key.to_vec());
        let answer = ask();
        self.0.borrow_mut().pop();
        answer
    }

    pub(super) fn has(&self, key: &SubjectPublicKeyInfo<'_>) -> bool {
        self.0.borrow().iter().any(|asked| asked == key.key)
    }

    pub(super) fn is_full(&self) -> bool {
        self.0.borrow().len() >= Self::MOST
    }
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            signatures: Cell::new(limits.signatures),
            nodes: Cell::new(limits.nodes),
            octets: Cell::new(limits.octets),
            evidence: Cell::new(0),
            asked: Asked::default(),
        }
    }

    /// With leave to go through lists and responses of this many octets.
    pub(super) fn with_evidence(self, octets: usize) -> Self {
        self.evidence.set(octets.saturating_mul(PASSES));
        self
    }

    fn spend(left: &Cell<usize>, count: usize, limit: Limit) -> Result<(), Kind> {
        match left.get().checked_sub(count) {
            Some(rest) => {
                left.set(rest);
                Ok(())
            }
            None => Err(Kind::TooCostly(limit)),
        }
    }

    /// Leave to look at this many certificates.
    pub(super) fn nodes(&self, count: usize) -> Result<(), Kind> {
        Self::spend(&self.nodes, count, Limit::Nodes)
    }

    /// Leave for work on this many octets, each of a few nanoseconds at most.
    pub(super) fn octets(&self, count: usize) -> Result<(), Kind> {
        Self::spend(&self.octets, count, Limit::Octets)
    }

    /// Leave for work on this many octets of lists and responses.
    pub(super) fn evidence(&self, count: usize) -> Result<(), Kind> {
        let own = count.min(self.evidence.get());
        self.evidence.set(self.evidence.get() - own);
        self.octets(count - own)
    }

    /// Reads a key: [`Kind::Malformed`] if it is none of its algorithm.
    pub(super) fn key(&self, spki: &SubjectPublicKeyInfo<'_>) -> Result<PublicKey, Kind> {
        self.octets(spki.as_der().len() + reading(spki))?;
        PublicKey::from_spki(spki).map_err(Kind::Malformed)
    }

    /// Checks a signature of a message that is paid for: [`Kind::BadSignature`] if it is none.
    pub(super) fn verify(
        &self,
        verifier: &dyn Verifier,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Kind> {
        Self::spend(&self.signatures, cost(key, signature), Limit::Signatures)?;
        let verdict = verifier.verify(key, algorithm, message, signature);
        verdict.map_err(Kind::BadSignature)
    }
}

/// How many checks of a quarter of a millisecond one counts as.
fn cost(key: &SubjectPublicKeyInfo<'_>, signature: &[u8]) -> usize {
    // SLH-DSA: the only signatures of this length.
    let long = signature.len() >> 13;
    1 + long
        + match KeyAlgorithm::from_identifier(&key.algorithm) {
            // As many multiplications as the exponent has bits, of the modulus' length each.
            Some(KeyAlgorithm::Rsa) => rsa_numbers(key.key).map_or(0, |[n, e]| (n * n * e) >> 19),
            Some(other) => match other.coordinate_len() {
                Some(49..) => 2,
                Some(33..) => 1,
                _ => 0,
            },
            None => 0,
        }
}

/// The cost of reading a key, in octets: Montgomery's constants of a modulus, or a point that
/// is compressed.
fn reading(key: &SubjectPublicKeyInfo<'_>) -> usize {
    let [n, _] = rsa_numbers(key.key).unwrap_or_default();
    (1 << 14) + ((n * n) >> 4)
}

/// The octets of modulus and exponent, if these are the numbers of a key (RFC 8017, A.1.1) that
/// is not refused for its length.
fn rsa_numbers(key: &[u8]) -> Option<[usize; 2]> {
    let mut numbers = Reader::new(key).enter(Tag::SEQUENCE).ok()?;
    let mut number = |most| {
        let length = numbers.read(Tag::INTEGER).ok()?.value.len();
        (length <= most).then_some(length)
    };
    Some([number(1025)?, number(1025)?])
}
