//! Which certificates and reasons a list is about: distribution points (RFC 5280, 6.3.3 (b)).

use super::Inquiry;
use super::evidence::ALL;
use crate::Name;
use crate::crl::CertificateList;
use crate::extensions::*;
use crate::name::DistinguishedName;
use crate::name::compare::NameHash;
use crate::path::PathErrorKind as Kind;

impl Inquiry<'_> {
    /// The distribution points of the certificate, and the one that every certificate has: its
    /// issuer.
    fn any_point(&self, mut holds: impl FnMut(&DistributionPoint<'_>) -> bool) -> bool {
        let implied = [GeneralName::Directory(self.issuer.name)];
        let implied = DistributionPoint::at((&implied).into());
        let points = self.certificate.extensions.crl_distribution_points;
        let points = points.iter().flat_map(|points| points.0.iter());
        points.chain([implied]).any(|point| holds(&point))
    }

    /// Whether a list may speak of the certificate: that of its issuer, or, where such are asked
    /// for, one whose issuer a distribution point names.
    /// `issuer` stands for the name of the certificate's.
    pub(super) fn may_speak(
        &self,
        list: &CertificateList<'_>,
        issuer: &NameHash,
    ) -> Result<bool, Kind> {
        let budget = self.walk.budget;
        let name = list.issuer.fold_hash(|octets| budget.evidence(octets))?;
        Ok(name == *issuer
            || self.revocation.dedicated_crl_issuers && self.any_point(|point| names(point, list)))
    }

    /// The reasons for which the certificate would be on the list if it were revoked: none where it
    /// would not be.
    pub(super) fn reasons(
        &self,
        list: &CertificateList<'_>,
        scope: &IssuingDistributionPoint<'_>,
    ) -> u16 {
        let mut reasons = 0;
        self.any_point(|point| {
            if self.is_of_point(list, scope, point) {
                reasons |= point.reasons.map_or(ALL, ReasonFlags::bits)
                    & scope.only_some_reasons.map_or(ALL, ReasonFlags::bits)
                    & ALL;
            }
            reasons == ALL
        });
        reasons
    }

    /// RFC 5280, 6.3.3 (b) (1) and (2).
    fn is_of_point(
        &self,
        list: &CertificateList<'_>,
        scope: &IssuingDistributionPoint<'_>,
        point: &DistributionPoint<'_>,
    ) -> bool {
        let is_issuer = match point.crl_issuer {
            None => list.issuer.matches(&self.certificate.issuer),
            Some(_) => scope.indirect && names(point, list),
        };
        let basic = self.certificate.extensions.basic_constraints;
        let is_ca = basic.is_some_and(|basic| basic.ca);
        if !is_issuer
            || is_ca && scope.only_user_certs
            || !is_ca && scope.only_ca_certs
            || scope.only_attribute_certs
        {
            return false;
        }
        let Some(names) = scope.name else {
            return true;
        };
        let list_issuer = list.issuer;
        match (point.name, point.crl_issuer) {
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
}

/// Whether a distribution point names the list's issuer.
fn names(point: &DistributionPoint<'_>, list: &CertificateList<'_>) -> bool {
    point
        .crl_issuer
        .is_some_and(|names| is_among(&names, &list.issuer))
}

/// Whether a directory name is among these.
pub(super) fn is_among(names: &GeneralNames<'_>, wanted: &Name<'_>) -> bool {
    names
        .iter()
        .any(|name| matches!(name, GeneralName::Directory(name) if name.matches(wanted)))
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
