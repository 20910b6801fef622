//! The places of a path: certificates that may be on it, how they are found by name, and a path of
//! them with what it is checked for.

use alloc::vec::Vec;
use core::cell::OnceCell;
use core::ops::Deref;

use adamant_der::{Oid, oid};
use adamant_hash::Sha256;

use super::budget::Budget;
use super::{Options, PathErrorKind as Kind, TrustAnchor};
use crate::name::compare::NameHash;
use crate::{Certificate, FullCertificate, Name, SubjectPublicKeyInfo};

/// `id-dsa`: the algorithm whose keys may take their parameters from the issuer's key (RFC 3279,
/// 2.3.2).
const DSA: Oid = oid!("1.2.840.10040.4.1");

/// The cost of passing over a candidate or an anchor, in octets.
pub(super) const GLANCE: usize = 8;

/// A certificate that may be on a path.
pub(super) struct Node<'a> {
    pub(super) full: FullCertificate<'a>,
    pub(super) issuer_hash: NameHash,
    pub(super) subject_hash: NameHash,
    pub(super) key: KeyHash,
}

impl Node<'_> {
    /// Whether issuer and subject have one name.
    pub(super) fn is_self_issued(&self) -> bool {
        self.issuer_hash == self.subject_hash
    }
}

impl<'a> Deref for Node<'a> {
    type Target = FullCertificate<'a>;

    fn deref(&self) -> &FullCertificate<'a> {
        &self.full
    }
}

/// SHA-256 of a SubjectPublicKeyInfo, which stands for the key.
pub(super) type KeyHash = [u8; 32];

pub(super) fn key_hash(spki: &[u8], budget: &Budget) -> Result<KeyHash, Kind> {
    budget.octets(spki.len())?;
    Ok(Sha256::digest(spki))
}

/// An intermediate, in the order in which they are looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    subject: NameHash,
    pub(super) key: KeyHash,
    /// Its place among the intermediates.
    pub(super) at: usize,
}

/// The intermediates by subject, whose names are folded when the first is looked for.
pub(super) struct Pool<'a> {
    pub(super) intermediates: &'a [Certificate<'a>],
    sorted: OnceCell<Result<Vec<Candidate>, Kind>>,
}

impl<'a> Pool<'a> {
    pub(super) const fn new(intermediates: &'a [Certificate<'a>]) -> Self {
        Self {
            intermediates,
            sorted: OnceCell::new(),
        }
    }

    fn sort(&self, budget: &Budget) -> Result<Vec<Candidate>, Kind> {
        let mut sorted = Vec::with_capacity(self.intermediates.len());
        for (at, certificate) in self.intermediates.iter().enumerate() {
            budget.octets(certificate.as_der().len())?;
            // One that cannot be read is nobody's.
            let Ok(subject) = Name::from_der(certificate.subject_der()) else {
                continue;
            };
            sorted.push(Candidate {
                subject: subject.fold_hash(|octets| budget.octets(octets))?,
                key: key_hash(certificate.spki_der(), budget)?,
                at,
            });
        }
        Ok(crate::element::sorted(sorted))
    }

    pub(super) fn candidates(
        &self,
        name: &NameHash,
        budget: &Budget,
    ) -> Result<&[Candidate], Kind> {
        let sorted = self.sorted.get_or_init(|| self.sort(budget));
        let sorted = sorted.as_ref().map_err(Clone::clone)?;
        let from = sorted.partition_point(|candidate| candidate.subject < *name);
        let until = sorted.partition_point(|candidate| candidate.subject <= *name);
        Ok(&sorted[from..until])
    }

    /// The intermediates of this name, which may then be read.
    pub(super) fn of_name<'p>(
        &'p self,
        name: &Name<'_>,
        budget: &Budget,
    ) -> Result<impl Iterator<Item = &'p Certificate<'a>>, Kind> {
        let name = name.fold_hash(|octets| budget.octets(octets))?;
        let found = self.candidates(&name, budget)?;
        let certificate = |one: &Candidate| &self.intermediates[one.at];
        let found = found.iter().map(certificate);
        for certificate in found.clone() {
            budget.octets(GLANCE + certificate.as_der().len())?;
        }
        Ok(found)
    }
}

/// Whether a key is incomplete without that of its issuer.
pub(super) fn inherits(key: &SubjectPublicKeyInfo<'_>) -> bool {
    key.algorithm.parameters.is_none() && key.algorithm.oid == DSA
}

/// A path and what it is checked for.
#[derive(Clone, Copy)]
pub(super) struct Walk<'w, 'a> {
    /// The target first.
    pub(super) certificates: &'w [&'w Node<'a>],
    /// The anchor's certificate.
    pub(super) root: Option<&'w FullCertificate<'a>>,
    pub(super) anchor: &'a TrustAnchor<'a>,
    /// For issuers of lists, which `pool` finds by their names.
    pub(super) intermediates: &'a [Certificate<'a>],
    pub(super) pool: &'w Pool<'a>,
    pub(super) options: &'w Options<'w>,
    pub(super) budget: &'w Budget,
}

/// Checks the signature of a certificate under a key that is complete.
pub(super) fn check_signature(
    certificate: &Certificate<'_>,
    key: &SubjectPublicKeyInfo<'_>,
    options: &Options<'_>,
    budget: &Budget,
) -> Result<(), Kind> {
    budget.octets(certificate.as_der().len())?;
    budget.verify(
        options.verifier,
        key,
        certificate.signature_algorithm(),
        certificate.tbs(),
        certificate.signature(),
    )
}
