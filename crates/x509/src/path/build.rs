//! The search for a path (RFC 4158): from the certificate up, candidates for its issuer best
//! first, back where one leads nowhere, within a budget.
//!
//! Rules on one certificate or one pair are checked on the way up, so that they cut branches
//! off: dates, the profile, key usage, purpose, the signature. Rules on a whole path are
//! checked from the anchor down when one is complete (`walk`).
//!
//! Facts that are the same for every path are found out once: a certificate is read and its names
//! are folded when it is first needed, and the verdict on a signature is kept for the key. Two
//! certificates with one name and one key lead to the same places: a path has one of them, as
//! RFC 4158 advises against circles.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{OnceCell, RefCell};

use adamant_der::Oid;

use super::budget::Budget;
use super::node::{
    Candidate, GLANCE, KeyHash, Node, Pool, Walk, check_signature, inherits, key_hash,
};
use super::profile::{self, Place};
use super::{Options, Path, PathError, PathErrorKind as Kind, Profile, TrustAnchor, names};
use crate::extensions::{
    CertificatePolicies, ExtendedKeyUsage, KeyUsage, PolicyQualifier, SubjectKeyIdentifier,
};
use crate::{Certificate, FullCertificate, SubjectPublicKeyInfo};

/// The most certificates of a path, whoever issued them.
const MAX_LENGTH: usize = 64;

/// The longest identifier of a key that tells which candidate is likelier: SHA-512.
const MAX_KEY_ID: usize = 64;

/// The cost of reading an extension, besides its octets.
const EXTENSION: usize = 256;

/// A certificate that is read when it is first needed.
struct Entry<'a> {
    certificate: &'a Certificate<'a>,
    /// Or what kept it from being read, or from being on a path at all.
    node: OnceCell<Result<Box<Node<'a>>, Kind>>,
    key_id: OnceCell<Option<&'a [u8]>>,
    /// Verdicts on its signature by the issuer's key.
    verdicts: RefCell<Vec<(KeyHash, Result<(), Kind>)>>,
}

/// A certificate on a path, and its place in the entries.
type Step<'n, 'a> = (usize, &'n Node<'a>);

struct Search<'s, 'a> {
    /// The target, then the intermediates.
    entries: Vec<Entry<'a>>,
    pool: Pool<'a>,
    /// The anchors' certificates, if they have one.
    roots: Vec<OnceCell<Result<Box<Node<'a>>, Kind>>>,
    anchors: &'a [TrustAnchor<'a>],
    options: &'s Options<'s>,
    budget: &'s Budget,
    /// How far the search came, and what stood in the way there.
    furthest: RefCell<Option<(usize, PathError)>>,
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
        node: OnceCell::new(),
        key_id: OnceCell::new(),
        verdicts: RefCell::default(),
    };
    let mut entries = Vec::with_capacity(intermediates.len() + 1);
    entries.push(entry(target));
    entries.extend(intermediates.iter().map(entry));
    let search = Search {
        entries,
        pool: Pool::new(intermediates),
        roots: anchors.iter().map(|_| OnceCell::new()).collect(),
        anchors,
        options,
        budget,
        furthest: RefCell::default(),
    };
    let leaf = search.node(0, Place::Target);
    let leaf = leaf.map_err(|kind| kind.at(0))?;
    check_target(leaf, options, budget).map_err(|kind| kind.at(0))?;
    if let Some(path) = search.extend(&mut vec![(0, leaf)], 0)? {
        return Ok(path);
    }
    Err(match search.furthest.take() {
        Some((_, error)) => error,
        None => Kind::UnknownIssuer(leaf.issuer.to_string()).at(0),
    })
}

/// The rules that only the target must fulfil.
fn check_target(
    leaf: &FullCertificate<'_>,
    options: &Options<'_>,
    budget: &Budget,
) -> Result<(), Kind> {
    budget.key(&leaf.spki)?;
    let extensions = &leaf.extensions;
    if let (Some(wanted), Some(usage)) = (options.key_usage, extensions.key_usage)
        && !usage.contains(wanted)
    {
        return Err(Kind::WrongKeyUsage);
    }
    // RFC 3161, 2.3: the only purpose, and critical.
    const STAMPS: Oid = ExtendedKeyUsage::TIME_STAMPING;
    if options.purpose == Some(STAMPS) {
        let purposes = extensions.extended_key_usage;
        if !purposes.is_some_and(|purposes| purposes.0.iter().eq([STAMPS]))
            || !profile::is_critical::<ExtendedKeyUsage<'_>>(leaf)
        {
            return Err(Kind::WrongPurpose(STAMPS));
        }
    }
    if let Some(names) = extensions.subject_alt_name {
        budget.octets(names.0.octets().saturating_mul(options.names.len()))?;
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

/// The rules that every certificate of a path must fulfil.
fn check_any(
    certificate: &Node<'_>,
    place: Place,
    options: &Options<'_>,
    budget: &Budget,
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
    check_qualifiers(certificate)?;
    profile::check(certificate, place, options, budget)
}

/// RFC 5280, 4.2.1.4: of policies that are critical, everything that is said must be understood.
fn check_qualifiers(certificate: &FullCertificate<'_>) -> Result<(), Kind> {
    let Some(policies) = certificate.extensions.certificate_policies else {
        return Ok(());
    };
    if !profile::is_critical::<CertificatePolicies<'_>>(certificate) {
        return Ok(());
    }
    let policies = policies.0.iter();
    for qualifier in policies.flat_map(|policy| policy.qualifiers).flatten() {
        if let PolicyQualifier::Other { oid, .. } = qualifier {
            return Err(Kind::UnknownQualifier(oid));
        }
    }
    Ok(())
}

/// TLS servers need their purpose by name; elsewhere any will do for it.
fn allows(allowed: &ExtendedKeyUsage<'_>, purpose: &Oid, profile: Profile) -> bool {
    match profile {
        Profile::WebPki => allowed.0.iter().any(|oid| oid == *purpose),
        _ => allowed.allows(purpose),
    }
}

impl<'a> Search<'_, 'a> {
    /// The certificate at this place of the entries, or why it can be on no path there.
    fn node(&self, at: usize, place: Place) -> Result<&Node<'a>, Kind> {
        let entry = &self.entries[at];
        let node = entry
            .node
            .get_or_init(|| self.read(entry.certificate, place));
        node.as_deref().map_err(Clone::clone)
    }

    /// The certificate of an anchor, if it has one.
    fn root(&self, at: usize) -> Result<Option<&Node<'a>>, Kind> {
        let Some(certificate) = &self.anchors[at].certificate else {
            return Ok(None);
        };
        let root = self.roots[at].get_or_init(|| self.read(certificate, Place::Anchor));
        root.as_deref().map(Some).map_err(Clone::clone)
    }

    fn read(&self, certificate: &Certificate<'a>, place: Place) -> Result<Box<Node<'a>>, Kind> {
        let budget = self.budget;
        budget.octets(certificate.as_der().len())?;
        budget.octets(EXTENSION * certificate.extensions().iter().count())?;
        let full = certificate.full().map_err(Kind::Malformed)?;
        let issuer = full.issuer.fold_hash(|octets| budget.octets(octets))?;
        let subject = if full.subject == full.issuer {
            issuer
        } else {
            full.subject.fold_hash(|octets| budget.octets(octets))?
        };
        let node = Box::new(Node {
            issuer_hash: issuer,
            subject_hash: subject,
            key: key_hash(full.spki.as_der(), budget)?,
            full,
        });
        check_any(&node, place, self.options, budget)?;
        Ok(node)
    }

    /// Notes what stood in the way of a path of this length, complete or not.
    fn note(&self, length: usize, complete: bool, error: impl FnOnce() -> PathError) {
        let far = 2 * length + usize::from(complete);
        let mut furthest = self.furthest.borrow_mut();
        if furthest.as_ref().is_none_or(|(best, _)| *best < far) {
            *furthest = Some((far, error()));
        }
    }

    /// Tries all issuers of the last certificate of the path, below which there are this many CAs
    /// that were not issued by themselves. Exceeding the budget ends the search.
    fn extend<'n>(
        &'n self,
        path: &mut Vec<Step<'n, 'a>>,
        cas: usize,
    ) -> Result<Option<Path<'a>>, PathError> {
        let Some(&(last, subject)) = path.last() else {
            return Ok(None);
        };
        let depth = path.len();
        let of_last = |kind: Kind| kind.at(depth - 1);
        let mut known = false;
        let glances = GLANCE * self.anchors.len();
        self.budget.octets(glances).map_err(of_last)?;
        for (i, anchor) in self.anchors.iter().enumerate() {
            if anchor.name_hash != subject.issuer_hash {
                continue;
            }
            known = true;
            match self.try_anchor(path, last, i) {
                Ok(path) => return Ok(Some(path)),
                Err(error) if matches!(error.kind, Kind::TooCostly(_)) => return Err(error),
                Err(error) => self.note(depth, true, || error),
            }
        }
        for at in self.candidates(path, subject).map_err(of_last)? {
            known = true;
            match self.try_issuer(depth, last, at, cas) {
                Err(kind @ Kind::TooCostly(_)) => return Err(kind.at(depth)),
                Err(kind @ Kind::BadSignature(_)) => self.note(depth, false, || of_last(kind)),
                Err(kind) => self.note(depth, false, || kind.at(depth)),
                Ok((issuer, cas)) => {
                    path.push((at, issuer));
                    let found = self.extend(path, cas)?;
                    path.pop();
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
        }
        if !known {
            let unknown = || Kind::UnknownIssuer(subject.issuer.to_string());
            self.note(depth, false, || of_last(unknown()));
        }
        Ok(None)
    }

    /// The places of the certificates with the issuer's name, best first; but not of those whose
    /// name and key the path has.
    fn candidates(&self, path: &[Step<'_, 'a>], subject: &Node<'a>) -> Result<Vec<usize>, Kind> {
        let name = &subject.issuer_hash;
        let mut rest = self.pool.candidates(name, self.budget)?;
        let mut found = Vec::new();
        while let Some(Candidate { key, .. }) = rest.first() {
            let (of_key, others) = rest.split_at(rest.partition_point(|one| one.key == *key));
            rest = others;
            self.budget.octets(GLANCE * (1 + path.len()))?;
            let mut steps = path.iter();
            if steps.any(|(_, node)| (&node.subject_hash, &node.key) == (name, key)) {
                continue;
            }
            self.budget.octets(GLANCE * of_key.len())?;
            // The target has the first place.
            found.extend(of_key.iter().map(|candidate| candidate.at + 1));
        }
        // The rank is in the upper bits, so that numbers are sorted.
        let places = self.entries.len();
        for at in &mut found {
            *at += usize::from(self.rank(subject, *at)) * places;
        }
        let mut found = crate::element::sorted(found);
        for at in &mut found {
            *at %= places;
        }
        Ok(found)
    }

    /// How likely a candidate with the issuer's name is its issuer, the likeliest first.
    fn rank(&self, subject: &FullCertificate<'a>, at: usize) -> u8 {
        let entry = &self.entries[at];
        let own = entry.key_id.get_or_init(|| {
            let id = entry.certificate.extension::<SubjectKeyIdentifier<'_>>();
            let id = id.ok().flatten().map(|id| id.0);
            id.filter(|id| id.len() <= MAX_KEY_ID)
        });
        let wanted = subject.extensions.authority_key_identifier;
        match (wanted.and_then(|id| id.key_id), own) {
            (Some(wanted), Some(own)) if wanted == *own => 0,
            (Some(_), Some(_)) => 2,
            _ => 1,
        }
    }

    /// Whether an intermediate may follow the last certificate of a path of this length; then
    /// how many CAs there are.
    fn try_issuer(
        &self,
        length: usize,
        subject: usize,
        at: usize,
        cas: usize,
    ) -> Result<(&Node<'a>, usize), Kind> {
        self.budget.nodes(1)?;
        let issuer = self.node(at, Place::Between)?;
        let cas = cas + usize::from(!issuer.is_self_issued());
        let allowed = self.options.max_depth;
        if cas > allowed || length >= MAX_LENGTH {
            return Err(Kind::TooDeep { allowed });
        }
        self.check_signature(subject, &issuer.spki, issuer.key)?;
        Ok((issuer, cas))
    }

    /// Completes the path with an anchor.
    fn try_anchor(
        &self,
        path: &[Step<'_, 'a>],
        subject: usize,
        at: usize,
    ) -> Result<Path<'a>, PathError> {
        let depth = path.len();
        let anchor = &self.anchors[at];
        self.budget.nodes(1).map_err(|kind| kind.at(depth))?;
        let root = self.root(at).map_err(|kind| kind.at(depth))?;
        let key = key_hash(anchor.key.as_der(), self.budget);
        key.and_then(|key| self.check_signature(subject, &anchor.key, key))
            .map_err(|kind| kind.at(depth - 1))?;
        let nodes: Vec<_> = path.iter().map(|(_, node)| *node).collect();
        let walked = Walk {
            certificates: &nodes,
            root: root.map(|root| &root.full),
            anchor,
            intermediates: self.pool.intermediates,
            pool: &self.pool,
            options: self.options,
            budget: self.budget,
        };
        let policies = walked.check()?;
        let certificate = |(at, _): &Step<'_, 'a>| self.entries[*at].certificate;
        Ok(Path {
            certificates: path.iter().map(certificate).collect(),
            anchor,
            policies,
        })
    }

    /// Checks a signature once, unless the issuer's key is incomplete: then `walk` does it.
    fn check_signature(
        &self,
        subject: usize,
        key: &SubjectPublicKeyInfo<'_>,
        hash: KeyHash,
    ) -> Result<(), Kind> {
        if inherits(key) {
            return Ok(());
        }
        let entry = &self.entries[subject];
        let mut verdicts = entry.verdicts.borrow_mut();
        if let Some((_, verdict)) = verdicts.iter().find(|(of, _)| *of == hash) {
            return verdict.clone();
        }
        let verdict = check_signature(entry.certificate, key, self.options, self.budget);
        verdicts.push((hash, verdict.clone()));
        verdict
    }
}
