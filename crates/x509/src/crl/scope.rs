//! Which certificates a list is about: parts of an issuer's certificates (RFC 5280, 5.2.5), changes
//! since another list (5.2.4), certificates of several issuers (5.3.3).

use super::{CertificateList, FullCertificateList, RevokedCertificate};
use crate::extensions::{
    CertificateIssuer, DistributionPoint, DistributionPointName, GeneralName, GeneralNames,
    ReasonFlags, RevocationReason,
};
use crate::{Name, Result, SerialNumber};

/// All reasons that a distribution point can be for.
const ALL_REASONS: ReasonFlags = ReasonFlags::from_bits(0x7f80);

impl<'a> CertificateList<'a> {
    /// The first entry of this issuer's certificate with this serial number: on a list of the
    /// issuer's own, or on one that has entries of several.
    ///
    /// # Errors
    /// Those of the entries up to it.
    pub fn find_of(
        &self,
        issuer: &Name<'_>,
        serial: &SerialNumber,
    ) -> Result<Option<RevokedCertificate<'a>>> {
        // The issuer of a certificate is the one of the entry before it, unless it has its own.
        let mut names = None;
        for entry in self.entries() {
            let entry = entry?;
            if let Some(CertificateIssuer(others)) = entry.extensions.get()? {
                names = Some(others);
            }
            if entry.serial == *serial
                && match names {
                    None => self.issuer == *issuer,
                    Some(names) => is_among(issuer, names),
                }
            {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }
}

fn is_among(name: &Name<'_>, names: GeneralNames<'_>) -> bool {
    (names.iter()).any(|known| matches!(known, GeneralName::Directory(known) if known == *name))
}

impl<'a> FullCertificateList<'a> {
    /// Whether the list is one of changes.
    pub const fn is_delta(&self) -> bool {
        self.extensions.delta_crl_indicator.is_some()
    }

    /// Whether the list can have an entry of a certificate that names this distribution point, or
    /// none: whether it is of the point and of the kind of certificate (RFC 5280, 6.3.3, b 1
    /// and 2).
    ///
    /// `issuer` is the certificate's, and `ca` says whether it is that of a CA.
    pub fn covers(
        &self,
        issuer: &Name<'_>,
        ca: bool,
        point: Option<&DistributionPoint<'_>>,
    ) -> bool {
        let scope = self
            .extensions
            .issuing_distribution_point
            .unwrap_or_default();
        let crl_issuer = point.and_then(|point| point.crl_issuer);
        let named = match crl_issuer {
            Some(names) => scope.indirect && is_among(&self.issuer, names),
            None => self.issuer == *issuer,
        };
        let kind = match ca {
            true => !scope.only_user_certs,
            false => !scope.only_ca_certs,
        };
        let place = match (scope.name, point.and_then(|point| point.name)) {
            (None, _) => true,
            (Some(ours), Some(theirs)) => share_a_name(&ours, &theirs),
            (Some(DistributionPointName::Full(ours)), None) => crl_issuer
                .is_some_and(|names| names.iter().any(|name| ours.iter().any(|own| own == name))),
            (Some(_), None) => false,
        };
        named && kind && place && !scope.only_attribute_certs
    }

    /// The reasons for which an entry of the list would revoke a certificate that names this
    /// distribution point, or none (RFC 5280, 6.3.3, d).
    pub fn reasons(&self, point: Option<&DistributionPoint<'_>>) -> ReasonFlags {
        let scope = self.extensions.issuing_distribution_point;
        let ours = scope.and_then(|scope| scope.only_some_reasons);
        let theirs = point.and_then(|point| point.reasons);
        let bits = [ours, theirs].map(|reasons| reasons.unwrap_or(ALL_REASONS).bits());
        ReasonFlags::from_bits(bits[0] & bits[1])
    }

    /// Whether the changes of `delta` are changes of this list: same issuer and key, same part of
    /// the issuer's certificates, a number that is not below the one that the changes start from,
    /// and below that of the changes (RFC 5280, 5.2.4).
    pub fn takes(&self, delta: &FullCertificateList<'_>) -> bool {
        let (own, other) = (&self.extensions, &delta.extensions);
        let (Some(base), Some(number), Some(last)) =
            (other.delta_crl_indicator, own.crl_number, other.crl_number)
        else {
            return false;
        };
        !self.is_delta()
            && self.issuer == delta.issuer
            && own.issuing_distribution_point == other.issuing_distribution_point
            && own.authority_key_identifier == other.authority_key_identifier
            && base.0 <= number.0
            && number.0 < last.0
    }

    /// The entry of this issuer's certificate with this serial number, after the changes of
    /// `delta` if there are any: nothing where the changes take it from the list.
    ///
    /// # Errors
    /// Those of the entries.
    pub fn find_with(
        &self,
        delta: Option<&FullCertificateList<'a>>,
        issuer: &Name<'_>,
        serial: &SerialNumber,
    ) -> Result<Option<RevokedCertificate<'a>>> {
        if let Some(delta) = delta
            && let Some(change) = delta.find_of(issuer, serial)?
        {
            let removed = change.reason()? == Some(RevocationReason::RemoveFromCrl);
            return Ok((!removed).then_some(change));
        }
        self.find_of(issuer, serial)
    }
}

fn share_a_name(ours: &DistributionPointName<'_>, theirs: &DistributionPointName<'_>) -> bool {
    match (ours, theirs) {
        (DistributionPointName::Full(ours), DistributionPointName::Full(theirs)) => {
            theirs.iter().any(|name| ours.iter().any(|own| own == name))
        }
        (ours, theirs) => ours == theirs,
    }
}
