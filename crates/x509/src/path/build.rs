//! The search for a path (RFC 4158): from the certificate up, candidates for its issuer best
//! first, back where one leads nowhere, within a budget.
//!
//! What concerns one certificate or one pair is checked on the way up, so that it cuts branches
//! off: dates, the profile, key usage, purpose, the signature. What concerns a whole path is
//! checked from the anchor down when one is complete (`walk`).

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use adamant_der::{Oid, oid};

use super::profile::{self, Place};
use super::revocation::Asked;
use super::{
    Limits, Options, Path, PathError, PathErrorKind as Kind, Profile, TrustAnchor, names, walk,
};
use crate::extensions::{ExtendedKeyUsage, KeyUsage};
use crate::{Certificate, FullCertificate, Name, SubjectPublicKeyInfo};

/// `id-dsa`: the algorithm whose keys may take their parameters from the issuer's key (RFC 3279,
/// 2.3.2).
const DSA: Oid = oid!("1.2.840.10040.4.1");

/// The most certificates of a path, whoever issued them.
const MAX_LENGTH: usize = 64;

/// What is left of the work that a search may be.
pub(super) struct Budget {
    signatures: Cell<usize>,
    candidates: Cell<usize>,
    comparisons: Cell<usize>,
    /// Of whom it is being asked whether they were revoked.
    pub(super) asked: Asked,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            signatures: Cell::new(limits.signatures),
            candidates: Cell::new(limits.candidates),
            comparisons: Cell::new(limits.comparisons),
            asked: Asked::default(),
        }
    }

    fn spend(cell: &Cell<usize>, count: usize, what: &'static str) -> Result<(), Kind> {
        match cell.get().checked_sub(count) {
            Some(left) => {
                cell.set(left);
                Ok(())
            }
            None => Err(Kind::TooCostly(what)),
        }
    }

    pub(super) fn sign(&self) -> Result<(), Kind> {
        Self::spend(&self.signatures, 1, "signatures")
    }

    pub(super) fn candidate(&self) -> Result<(), Kind> {
        Self::spend(&self.candidates, 1, "candidates")
    }

    pub(super) fn compare(&self, names: usize) -> Result<(), Kind> {
        Self::spend(&self.comparisons, names, "comparisons of names")
    }
}

/// A certificate that is read when it is first needed.
struct Entry<'a> {
    certificate: &'a Certificate<'a>,
    /// Or what kept it from being read, or from being on a path at all.
    full: Option<Result<FullCertificate<'a>, Kind>>,
}

struct Search<'s, 'a> {
    /// The target, then the intermediates.
    entries: Vec<Entry<'a>>,
    intermediates: &'a [Certificate<'a>],
    anchors: &'a [TrustAnchor<'a>],
    options: &'s Options<'s>,
    budget: &'s Budget,
    /// Verdicts by places of subject and issuer; anchors come after the entries.
    signatures: BTreeMap<(usize, usize), Result<(), Kind>>,
    /// How far the search came, and what stood in the way there.
    furthest: Option<(usize, PathError)>,
}

/// Finds a valid path for the target.
pub(super) fn search<'a>(
    target: &'a Certificate<'a>,
    intermediates: &'a [Certificate<'a>],
    anchors: &'a [TrustAnchor<'a>],
    options: &Options<'_>,
    budget: &Budget,
) -> Result<Path<'a>, PathError> {
    let entry = |certificate| Entry {
        certificate,
        full: None,
    };
    let mut entries = Vec::with_capacity(intermediates.len() + 1);
    entries.push(entry(target));
    entries.extend(intermediates.iter().map(entry));
    let mut search = Search {
        entries,
        intermediates,
        anchors,
        options,
        budget,
        signatures: BTreeMap::new(),
        furthest: None,
    };
    let leaf = search.certificate(0, Place::Target);
    let leaf = leaf.map_err(|kind| kind.at(0))?;
    check_target(&leaf, options).map_err(|kind| kind.at(0))?;
    if let Some(path) = search.extend(&mut vec![0], 0)? {
        return Ok(path);
    }
    Err(match search.furthest {
        Some((_, error)) => error,
        None => Kind::UnknownIssuer(leaf.issuer.to_string()).at(0),
    })
}

/// What only the target must fulfil.
fn check_target(leaf: &FullCertificate<'_>, options: &Options<'_>) -> Result<(), Kind> {
    if let (Some(wanted), Some(usage)) = (options.key_usage, leaf.extensions.key_usage)
        && !usage.contains(wanted)
    {
        return Err(Kind::WrongKeyUsage);
    }
    match options
        .names
        .iter()
        .find(|name| !names::is_for(leaf, name, options))
    {
        Some(name) => Err(Kind::NameMismatch(name.to_string())),
        None => Ok(()),
    }
}

/// What every certificate of a path must fulfil.
fn check_any(
    certificate: &FullCertificate<'_>,
    place: Place,
    options: &Options<'_>,
) -> Result<(), Kind> {
    let (validity, at) = (certificate.validity, options.time);
    let (not_before, not_after) = (validity.not_before(), validity.not_after());
    if at < not_before {
        return Err(Kind::NotYetValid { at, not_before });
    }
    if at > not_after {
        return Err(Kind::Expired { at, not_after });
    }
    if let (Some(purpose), Some(allowed)) =
        (options.purpose, certificate.extensions.extended_key_usage)
        && !allows(&allowed, &purpose, options.profile)
    {
        return Err(Kind::WrongPurpose(purpose));
    }
    if place != Place::Target {
        let basic = certificate.extensions.basic_constraints;
        if !basic.is_some_and(|basic| basic.ca) {
            return Err(Kind::NotCa);
        }
        let usage = certificate.extensions.key_usage;
        if !usage.is_none_or(|usage| usage.contains(KeyUsage::KEY_CERT_SIGN)) {
            return Err(Kind::CannotSignCertificates);
        }
    }
    profile::check(certificate, place, options)
}

/// TLS servers need their purpose by name; elsewhere any will do for it.
fn allows(allowed: &ExtendedKeyUsage<'_>, purpose: &Oid, profile: Profile) -> bool {
    match profile {
        Profile::WebPki => allowed.0.iter().any(|oid| oid == *purpose),
        _ => allowed.allows(purpose),
    }
}

/// Whether a key is incomplete without that of its issuer.
pub(super) fn inherits(key: &SubjectPublicKeyInfo<'_>) -> bool {
    key.algorithm.parameters.is_none() && key.algorithm.oid == DSA
}

/// Whether the encoded name is this one.
fn is_name(name: &Name<'_>, encoded: &[u8]) -> bool {
    name.as_der() == encoded || Name::parse(encoded).is_ok_and(|other| name.matches(&other))
}

impl<'a> Search<'_, 'a> {
    /// The certificate at this place of the entries, or why it can be on no path there.
    fn certificate(&mut self, at: usize, place: Place) -> Result<FullCertificate<'a>, Kind> {
        let (entry, options) = (&mut self.entries[at], self.options);
        entry
            .full
            .get_or_insert_with(|| {
                let full = entry.certificate.decode().map_err(Kind::Malformed)?;
                check_any(&full, place, options)?;
                Ok(full)
            })
            .clone()
    }

    /// Notes what stood in the way of a path of this length, complete or not.
    fn note(&mut self, length: usize, complete: bool, error: PathError) {
        let far = 2 * length + usize::from(complete);
        if self.furthest.as_ref().is_none_or(|(best, _)| *best < far) {
            self.furthest = Some((far, error));
        }
    }

    /// Tries all issuers of the last certificate of the path, below which there are so many CAs
    /// that were not issued by themselves. What is too costly ends the search.
    fn extend(&mut self, path: &mut Vec<usize>, cas: usize) -> Result<Option<Path<'a>>, PathError> {
        let (depth, last) = (path.len(), path[path.len() - 1]);
        let subject = self.certificate(last, Place::Between);
        let subject = subject.map_err(|kind| kind.at(depth - 1))?;
        let anchors = self.anchors;
        let mut known = false;
        for (i, anchor) in anchors.iter().enumerate() {
            if !anchor.name.matches(&subject.issuer) {
                continue;
            }
            known = true;
            match self.try_anchor(path, last, i) {
                Ok(path) => return Ok(Some(path)),
                Err(error) if matches!(error.kind, Kind::TooCostly(_)) => return Err(error),
                Err(error) => self.note(depth, true, error),
            }
        }
        let scan = self.budget.compare(self.intermediates.len());
        scan.map_err(|kind| kind.at(depth - 1))?;
        for (at, _) in self.candidates(&subject, path) {
            known = true;
            let tried = self.try_issuer(path, last, at, cas);
            match tried {
                Err(kind @ Kind::TooCostly(_)) => return Err(kind.at(depth)),
                Err(kind @ Kind::BadSignature(_)) => self.note(depth, false, kind.at(depth - 1)),
                Err(kind) => self.note(depth, false, kind.at(depth)),
                Ok(cas) => {
                    path.push(at);
                    let found = self.extend(path, cas)?;
                    path.pop();
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
        }
        if !known {
            let kind = Kind::UnknownIssuer(subject.issuer.to_string());
            self.note(depth, false, kind.at(depth - 1));
        }
        Ok(None)
    }

    /// The places of certificates with the issuer's name that are not on the path, best first.
    fn candidates(&self, subject: &FullCertificate<'a>, path: &[usize]) -> Vec<(usize, u8)> {
        let wanted = subject.extensions.authority_key_identifier;
        let wanted = wanted.and_then(|id| id.key_id);
        let mut found: Vec<_> = (self.intermediates.iter().zip(1..))
            .filter(|(candidate, _)| is_name(&subject.issuer, candidate.subject_der()))
            .filter(|(candidate, _)| {
                let on_path = |&at: &usize| &self.entries[at];
                let mut on_path = path.iter().map(on_path);
                !on_path.any(|entry| entry.certificate.as_der() == candidate.as_der())
            })
            .map(|(candidate, at)| {
                let id = candidate.extension::<crate::extensions::SubjectKeyIdentifier<'_>>();
                let id = id.ok().flatten().map(|id| id.0);
                let rank = match (wanted, id) {
                    (Some(wanted), Some(id)) if wanted == id => 0,
                    (Some(_), Some(_)) => 2,
                    _ => 1,
                };
                (at, rank)
            })
            .collect();
        found.sort_by_key(|&(_, rank)| rank);
        found
    }

    /// Whether an intermediate may stand above the last certificate; then how many CAs there are.
    fn try_issuer(
        &mut self,
        path: &[usize],
        subject: usize,
        at: usize,
        cas: usize,
    ) -> Result<usize, Kind> {
        self.budget.candidate()?;
        let issuer = self.certificate(at, Place::Between)?;
        let cas = cas + usize::from(!issuer.issuer.matches(&issuer.subject));
        let allowed = self.options.max_depth;
        if cas > allowed || path.len() >= MAX_LENGTH {
            return Err(Kind::TooDeep { allowed });
        }
        self.check_signature(subject, at, &issuer.spki)?;
        Ok(cas)
    }

    /// Completes the path with an anchor.
    fn try_anchor(
        &mut self,
        path: &[usize],
        subject: usize,
        at: usize,
    ) -> Result<Path<'a>, PathError> {
        let depth = path.len();
        let anchors = self.anchors;
        let anchor = &anchors[at];
        let place = self.entries.len() + at;
        let check = |search: &mut Self| -> Result<_, Kind> {
            search.budget.candidate()?;
            if let Some(certificate) = &anchor.certificate {
                let full = certificate.decode().map_err(Kind::Malformed)?;
                check_any(&full, Place::Anchor, search.options)?;
                return Ok(Some(full));
            }
            Ok(None)
        };
        let root = check(self).map_err(|kind| kind.at(depth))?;
        self.check_signature(subject, place, &anchor.key)
            .map_err(|kind| kind.at(depth - 1))?;
        let mut certificates = Vec::with_capacity(depth);
        for &at in path {
            certificates.push(self.certificate(at, Place::Between).map_err(|k| k.at(0))?);
        }
        let walked = walk::Walk {
            certificates: &certificates,
            root: root.as_ref(),
            anchor,
            intermediates: self.intermediates,
            options: self.options,
            budget: self.budget,
        };
        let policies = walked.check()?;
        Ok(Path {
            certificates: path
                .iter()
                .map(|&at| self.entries[at].certificate)
                .collect(),
            anchor,
            policies,
        })
    }

    /// Checks a signature once, unless the issuer's key is incomplete: then `walk` does it.
    fn check_signature(
        &mut self,
        subject: usize,
        issuer: usize,
        key: &SubjectPublicKeyInfo<'_>,
    ) -> Result<(), Kind> {
        if inherits(key) {
            return Ok(());
        }
        if let Some(verdict) = self.signatures.get(&(subject, issuer)) {
            return verdict.clone();
        }
        let certificate = self.entries[subject].certificate;
        let verdict = walk::check_signature(certificate, key, self.options, self.budget);
        self.signatures.insert((subject, issuer), verdict.clone());
        verdict
    }
}
