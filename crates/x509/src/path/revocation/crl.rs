//! Lists of revoked certificates (RFC 5280, 6.3): found by distribution point, complete or with
//! changes, of the issuer or of another for several.

use super::{Issuer, Revocation, RevocationError as Unclear, is_strict, signs_lists, unclear};
use crate::crl::CertificateList;
use crate::extensions::*;
use crate::path::build::{self, MAX_NESTING};
use crate::path::walk::Walk;
use crate::path::{Options, PathErrorKind as Kind, Policies};
use crate::{
    Certificate, FullCertificate, Name, SerialNumber, SubjectPublicKeyInfo, name::DistinguishedName,
};

/// All reasons: `keyCompromise` to `aACompromise`.
const ALL: u16 = 0x7f80;

/// A list with its extensions.
#[derive(Clone, Copy)]
struct List<'a> {
    list: &'a CertificateList<'a>,
    extensions: CrlExtensions<'a>,
}

/// Asks the lists for a certificate.
pub(super) fn check<'a>(
    walk: &Walk<'_, 'a>,
    revocation: &Revocation<'_>,
    certificate: &FullCertificate<'_>,
    issuer: &Issuer<'_, 'a>,
) -> Result<(), Kind> {
    let implied = [GeneralName::Directory(issuer.name)];
    let implied = DistributionPoint::at((&implied).into());
    let points = certificate.extensions.crl_distribution_points;
    let points = points.iter().flat_map(|points| points.0.iter());
    let mut covered = 0;
    let mut problem = Unclear::Nothing;
    for point in points.chain([implied]) {
        for list in revocation.lists {
            let lookup = Lookup {
                walk,
                revocation,
                certificate,
                issuer,
                point,
            };
            match lookup.ask(list, covered) {
                Ok(reasons) => covered |= reasons,
                Err(Kind::UnknownStatus(error)) if problem.is_absence() => problem = error,
                Err(Kind::UnknownStatus(_)) => {}
                Err(other) => return Err(other),
            }
            if covered == ALL {
                return Ok(());
            }
        }
    }
    unclear(match (&problem, covered) {
        (Unclear::Nothing, 1..) => Unclear::SomeReasons,
        _ => problem,
    })
}

/// One certificate and one of its distribution points.
struct Lookup<'l, 'w, 'a> {
    walk: &'l Walk<'w, 'a>,
    revocation: &'l Revocation<'l>,
    certificate: &'l FullCertificate<'l>,
    issuer: &'l Issuer<'l, 'a>,
    point: DistributionPoint<'l>,
}

impl Lookup<'_, '_, '_> {
    /// The reasons for which a list says that the certificate is not revoked: none where it does
    /// not speak of it, or of reasons that are covered already.
    fn ask(&self, list: &CertificateList<'_>, covered: u16) -> Result<u16, Kind> {
        if !self.is_issuer(list) {
            return Ok(0);
        }
        let list = read(list)?;
        let scope = list.extensions.issuing_distribution_point;
        let scope = scope.unwrap_or_default();
        let reasons = self.point.reasons.map_or(ALL, ReasonFlags::bits)
            & scope.only_some_reasons.map_or(ALL, ReasonFlags::bits)
            & ALL;
        if list.extensions.delta_crl_indicator.is_some()
            || !scope.indirect && self.point.crl_issuer.is_some()
            || !self.is_in_scope(&list, &scope)
            || reasons & !covered == 0
        {
            return Ok(0);
        }
        self.check_form(&list)?;
        let key = self.signer(list.list)?;
        let delta = self.delta(&list, &key)?;
        if delta.is_none() {
            self.check_time(list.list)?;
        }
        let changed = match delta {
            Some(delta) => self.find(&delta, scope.indirect)?,
            None => None,
        };
        let found = match changed {
            Some(changed) => Some(changed),
            None => self.find(&list, scope.indirect)?,
        };
        match found {
            Some(entry) if entry.reason != Some(RevocationReason::RemoveFromCrl) => {
                Err(Kind::Revoked {
                    serial: *self.certificate.serial(),
                    since: entry.date,
                    reason: entry.reason,
                })
            }
            _ => Ok(reasons),
        }
    }

    /// RFC 5280, 6.3.3 (b) (1): whether the list is of whom the distribution point names, or of
    /// the certificate's issuer.
    fn is_issuer(&self, list: &CertificateList<'_>) -> bool {
        match self.point.crl_issuer {
            None => list.issuer.matches(&self.certificate.issuer),
            Some(names) => names.iter().any(
                |name| matches!(name, GeneralName::Directory(name) if name.matches(&list.issuer)),
            ),
        }
    }

    /// RFC 5280, 6.3.3 (b) (2).
    fn is_in_scope(&self, list: &List<'_>, scope: &IssuingDistributionPoint<'_>) -> bool {
        let basic = self.certificate.extensions.basic_constraints;
        let is_ca = basic.is_some_and(|basic| basic.ca);
        if is_ca && scope.only_user_certs
            || !is_ca && scope.only_ca_certs
            || scope.only_attribute_certs
        {
            return false;
        }
        let Some(names) = scope.name else {
            return true;
        };
        let list_issuer = list.list.issuer;
        match (self.point.name, self.point.crl_issuer) {
            (Some(wanted), issuer) => {
                let point_issuer = issuer
                    .and_then(|names| {
                        names.iter().find_map(|name| match name {
                            GeneralName::Directory(name) => Some(name),
                            _ => None,
                        })
                    })
                    .unwrap_or(self.certificate.issuer);
                share(&names, &list_issuer, &wanted, &point_issuer)
            }
            (None, Some(issuer)) => {
                let wanted = DistributionPointName::Full(issuer);
                share(&names, &list_issuer, &wanted, &list_issuer)
            }
            (None, None) => false,
        }
    }

    /// What a profile wants of a list.
    fn check_form(&self, list: &List<'_>) -> Result<(), Kind> {
        if !is_strict(self.walk) {
            return Ok(());
        }
        if list
            .extensions
            .issuing_distribution_point
            .is_some_and(|scope| scope.is_empty())
        {
            return unclear(Unclear::Nonconforming(
                "5.2.5: empty IssuingDistributionPoint",
            ));
        }
        let number = list.list.extensions().find(&CrlNumber::OID);
        let number = number.map_err(|error| Kind::UnknownStatus(Unclear::Malformed(error)))?;
        match number {
            None => unclear(Unclear::Nonconforming("5.2.3: list without a number")),
            Some(number) if number.critical => {
                unclear(Unclear::Nonconforming("5.2.3: critical number of a list"))
            }
            Some(_) => Ok(()),
        }
    }

    fn check_time(&self, list: &CertificateList<'_>) -> Result<(), Kind> {
        let at = self.walk.options.time;
        let (this_update, next_update) = (list.this_update, list.next_update);
        if this_update <= at && next_update.is_some_and(|next| at <= next) {
            return Ok(());
        }
        unclear(Unclear::NotCurrent {
            at,
            this_update,
            next_update,
        })
    }

    /// The changes since a complete list, of the same scope and the same key: the newest that
    /// are current (RFC 5280, 6.3.3 (c)).
    fn delta<'l>(
        &'l self,
        complete: &List<'_>,
        key: &SubjectPublicKeyInfo<'_>,
    ) -> Result<Option<List<'l>>, Kind> {
        let Some(CrlNumber(number)) = complete.extensions.crl_number else {
            return Ok(None);
        };
        let mut newest: Option<(SerialNumber, List<'_>)> = None;
        for list in self.revocation.lists {
            if !list.issuer.matches(&complete.list.issuer) || self.check_time(list).is_err() {
                continue;
            }
            let Ok(list) = read(list) else { continue };
            let (Some(DeltaCrlIndicator(base)), Some(CrlNumber(own))) = (
                list.extensions.delta_crl_indicator,
                list.extensions.crl_number,
            ) else {
                continue;
            };
            let key_id = |list: &CrlExtensions<'_>| {
                let id = list.authority_key_identifier;
                id.and_then(|id| id.key_id.map(<[u8]>::to_vec))
            };
            let same_scope = list.extensions.issuing_distribution_point
                == complete.extensions.issuing_distribution_point;
            if same_scope
                && key_id(&list.extensions) == key_id(&complete.extensions)
                && base <= number
                && number <= own
                && newest.is_none_or(|(newest, _)| newest < own)
                && self.check_signature(list.list, key).is_ok()
            {
                newest = Some((own, list));
            }
        }
        Ok(newest.map(|(_, list)| list))
    }

    fn check_signature(
        &self,
        list: &CertificateList<'_>,
        key: &SubjectPublicKeyInfo<'_>,
    ) -> Result<(), Kind> {
        let verdict = self.walk.budget.verify(
            self.walk.options.verifier,
            key,
            list.signature_algorithm(),
            list.tbs(),
            list.signature(),
        );
        verdict.map_err(|kind| match kind {
            Kind::BadSignature(error) => Kind::UnknownStatus(Unclear::BadSignature(error)),
            other => other,
        })
    }

    /// The key that signed a list, of one who may (RFC 5280, 6.3.3 (f) and (g)): the
    /// certificate's issuer, the anchor, or one with a valid path from this anchor.
    fn signer<'s>(&'s self, list: &CertificateList<'_>) -> Result<SubjectPublicKeyInfo<'s>, Kind> {
        let walk = self.walk;
        let mut problem = Unclear::NotAuthorized;
        let anchor = (walk.anchor.name, walk.anchor.key, walk.root);
        let issuer = (self.issuer.name, self.issuer.key, self.issuer.certificate);
        for (name, key, certificate) in [issuer, anchor] {
            if name.matches(&list.issuer) && certificate.is_none_or(signs_lists) {
                match self.check_signature(list, &key) {
                    Ok(()) => return Ok(key),
                    Err(Kind::UnknownStatus(error)) => problem = error,
                    Err(other) => return Err(other),
                }
            }
        }
        let path = walk.certificates.iter().map(|full| full.certificate());
        for candidate in path.chain(walk.pool.of_name(&list.issuer, walk.budget)?) {
            let subject = Name::parse(candidate.subject_der());
            if !subject.is_ok_and(|subject| subject.matches(&list.issuer)) {
                continue;
            }
            let Ok(full) = candidate.decode() else {
                continue;
            };
            if !signs_lists(&full) || self.check_signature(list, &full.spki).is_err() {
                continue;
            }
            // An issuer of lists that speak of itself: its path is the one at hand.
            let own = candidate.as_der() == self.certificate.as_der();
            if own && walk.budget.nesting.get() > 0 {
                return Ok(full.spki);
            }
            match self.check_path(candidate) {
                Ok(()) => return Ok(full.spki),
                Err(kind @ Kind::TooCostly(_)) => return Err(kind),
                Err(_) => problem = Unclear::NotAuthorized,
            }
        }
        unclear(problem)
    }

    /// Whether an issuer of lists has a valid path from the same anchor.
    fn check_path(&self, candidate: &Certificate<'_>) -> Result<(), Kind> {
        let walk = self.walk;
        let nesting = walk.budget.nesting.get();
        if nesting == MAX_NESTING {
            return unclear(Unclear::NotAuthorized);
        }
        walk.budget.nesting.set(nesting + 1);
        let options = Options {
            purpose: None,
            key_usage: Some(KeyUsage::CRL_SIGN),
            names: &[],
            policies: Policies::default(),
            ..*walk.options
        };
        let anchors = core::slice::from_ref(walk.anchor);
        let found = build::search(
            candidate,
            walk.intermediates,
            anchors,
            &options,
            walk.budget,
        );
        walk.budget.nesting.set(nesting);
        found.map(drop).map_err(|error| error.kind)
    }

    /// The entry of the certificate; the last one counts, if there are several.
    fn find(&self, list: &List<'_>, indirect: bool) -> Result<Option<Entry>, Kind> {
        let malformed = |error| Kind::UnknownStatus(Unclear::Malformed(error));
        let mut of_issuer = list.list.issuer.matches(&self.certificate.issuer);
        let mut found = None;
        for entry in list.list.entries() {
            let entry = entry.map_err(malformed)?;
            let extensions = CrlEntryExtensions::decode(entry.extensions).map_err(malformed)?;
            if let Some(CertificateIssuer(names)) = extensions.certificate_issuer {
                if !indirect {
                    return unclear(Unclear::Nonconforming(
                        "5.3.3: another issuer's certificate in a list that is not indirect",
                    ));
                }
                of_issuer = names.iter().any(|name| {
                    matches!(name, GeneralName::Directory(name)
                        if name.matches(&self.certificate.issuer))
                });
            }
            if of_issuer && entry.serial == *self.certificate.serial() {
                found = Some(Entry {
                    date: entry.date,
                    reason: extensions.reason,
                });
            }
        }
        Ok(found)
    }
}

/// What a list says of the certificate.
struct Entry {
    date: adamant_der::Time,
    reason: Option<RevocationReason>,
}

fn read<'a>(list: &'a CertificateList<'a>) -> Result<List<'a>, Kind> {
    match CrlExtensions::decode(list.extensions()) {
        Ok(extensions) => Ok(List { list, extensions }),
        Err(error) => unclear(Unclear::Malformed(error)),
    }
}

/// Whether two distribution points have a name in common; what is relative is so to the names of
/// their issuers.
fn share(
    a: &DistributionPointName<'_>,
    a_issuer: &Name<'_>,
    b: &DistributionPointName<'_>,
    b_issuer: &Name<'_>,
) -> bool {
    use DistributionPointName::{Full, Relative};

    let absolute = |point: &DistributionPointName<'_>, issuer: &Name<'_>| match point {
        Full(_) => None,
        Relative(rdn) => Some(DistinguishedName::from(*issuer).with_relative(rdn)),
    };
    match (a, b) {
        (Full(a), Full(b)) => a.iter().any(|a| b.iter().any(|b| same_name(&a, &b))),
        (Full(names), Relative(_)) | (Relative(_), Full(names)) => {
            let relative = absolute(a, a_issuer).or_else(|| absolute(b, b_issuer));
            relative.is_some_and(|relative| {
                let relative = GeneralName::Directory(relative.as_name());
                names.iter().any(|name| same_name(&name, &relative))
            })
        }
        (Relative(_), Relative(_)) => match (absolute(a, a_issuer), absolute(b, b_issuer)) {
            (Some(a), Some(b)) => a.as_name().matches(&b.as_name()),
            _ => false,
        },
    }
}

fn same_name(a: &GeneralName<'_>, b: &GeneralName<'_>) -> bool {
    match (a, b) {
        (GeneralName::Directory(a), GeneralName::Directory(b)) => a.matches(b),
        _ => a == b,
    }
}
