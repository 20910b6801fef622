//! Extensions (RFC 5280, 4.2): what version 3 certificates, lists and OCSP messages say besides
//! their fields.
//!
//! [`Extensions`] is the encoded list. A *set* names the extensions of one place with their
//! types, reads all that are there, and refuses those that are critical and not among them.
//!
//! | set | place |
//! |---|---|
//! | [`CertificateExtensions`] | certificates, and the requests for them |
//! | [`CrlExtensions`] | lists of revoked certificates |
//! | [`CrlEntryExtensions`] | entries of these, and single OCSP responses |
//! | [`OcspExtensions`] | OCSP requests and responses |
//!
//! A new extension is a type with [`ExtensionValue`] and a row in a set.

mod basic;
mod constraints;
mod general_name;
mod key_id;
mod locations;
mod ocsp;
mod policies;
mod revocation;

use alloc::vec::Vec;
use core::fmt;

use adamant_der::{Oid, Reader, Tag, Writer};

use crate::element::{is_oid, sequence, sorted, within};
use crate::{Element, ErrorKind, Result};

pub use basic::{BasicConstraints, ExtendedKeyUsage, KeyUsage, OcspNoCheck};
pub use constraints::{GeneralSubtree, InhibitAnyPolicy, NameConstraints, PolicyConstraints};
pub use general_name::{
    CertificateIssuer, GeneralName, GeneralNames, IssuerAltName, SubjectAltName,
};
pub use key_id::{AuthorityKeyIdentifier, SubjectKeyIdentifier};
pub use locations::{
    AccessDescription, AuthorityInfoAccess, CrlDistributionPoints, DistributionPoint,
    DistributionPointName, FreshestCrl, ReasonFlags, SubjectInfoAccess,
};
pub use ocsp::{
    AcceptableResponses, ArchiveCutoff, CrlReference, ExtendedRevoke, PreferredSignatureAlgorithm,
    PreferredSignatureAlgorithms, ServiceLocator,
};
pub use policies::{
    CertificatePolicies, NoticeNumber, PolicyInformation, PolicyMapping, PolicyMappings,
    PolicyQualifier, UserNotice,
};
pub use revocation::{
    CrlNumber, DeltaCrlIndicator, InvalidityDate, IssuingDistributionPoint, OcspNonce,
    RevocationReason,
};

/// A type that is the value of an extension.
pub trait ExtensionValue<'a>: Element<'a> {
    /// The extension's identifier.
    const OID: Oid;
    /// Whether the standard wants it critical, or leaves it to a CA that better had it so.
    const CRITICAL: bool;
}

/// One extension, its value unread.
#[derive(Clone, Copy)]
pub struct Extension<'a> {
    /// Which.
    pub oid: Oid,
    /// Whether a reader that does not know it must refuse the certificate.
    pub critical: bool,
    oid_der: &'a [u8],
    position: usize,
    value: Reader<'a>,
}

impl<'a> Extension<'a> {
    /// The encoded value.
    pub const fn value(&self) -> &'a [u8] {
        self.value.rest()
    }

    /// Where it was read.
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Reads the value as one of this type, whatever the identifier.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    pub fn decode<T: ExtensionValue<'a>>(&self) -> Result<T> {
        within(self.value, T::read)
    }

    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let position = r.position();
        sequence(r, |r| {
            let oid = r.read(Tag::OID)?;
            Ok(Self {
                oid: oid.oid()?,
                oid_der: oid.value,
                critical: r.default_false()?,
                value: r.enter(Tag::OCTET_STRING)?,
                position,
            })
        })
    }

    /// Whether the identifier is that of this type.
    #[inline(always)]
    fn is<T: ExtensionValue<'a>>(&self) -> bool {
        is_oid(self.oid_der, const { &T::OID }.as_bytes())
    }
}

impl fmt::Debug for Extension<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let critical = if self.critical { " critical" } else { "" };
        write!(f, "{}{critical} {:02x?}", self.oid, self.value())
    }
}

/// Appends an extension.
pub fn write_extension<'a, T: ExtensionValue<'a>>(critical: bool, value: &T, w: &mut Writer) {
    write_with(&T::OID, critical, w, |w| value.write(w));
}

/// Appends an extension whose value is encoded already.
pub fn write_raw_extension(oid: &Oid, critical: bool, value: &[u8], w: &mut Writer) {
    write_with(oid, critical, w, |w| w.raw(value));
}

fn write_with(oid: &Oid, critical: bool, w: &mut Writer, value: impl FnOnce(&mut Writer)) {
    w.sequence(|w| {
        w.oid(oid);
        w.default_false(critical);
        w.octet_string_with(value);
    });
}

/// Refuses a second extension of the same type where extensions are made.
pub(crate) fn check_unique(oids: &[Oid]) -> Result<()> {
    for (i, oid) in oids.iter().enumerate() {
        if oids[..i].contains(oid) {
            return Err(ErrorKind::DuplicateExtension(*oid).at(0));
        }
    }
    Ok(())
}

/// A list of extensions in an encoding, each of which is read when it is asked for.
#[derive(Clone, Copy, Default)]
pub struct Extensions<'a> {
    list: Option<Reader<'a>>,
}

impl<'a> Extensions<'a> {
    /// The extensions in the contents of this SEQUENCE, which has one at least.
    pub(crate) fn read(r: &mut Reader<'a>) -> Result<Self> {
        let position = r.position();
        let list = r.enter(Tag::SEQUENCE)?;
        if list.is_empty() {
            return Err(ErrorKind::Empty.at(position));
        }
        Ok(Self { list: Some(list) })
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.list.is_none()
    }

    /// How long they are, encoded.
    pub(crate) fn octets(&self) -> usize {
        self.list.map_or(0, |list| list.rest().len())
    }

    /// One after another; the first error is the last item.
    pub fn iter(&self) -> impl Iterator<Item = Result<Extension<'a>>> + use<'a> {
        let mut rest = self.list;
        core::iter::from_fn(move || {
            let reader = rest.as_mut().filter(|reader| !reader.is_empty())?;
            let item = Extension::read(reader);
            if item.is_err() {
                rest = None;
            }
            Some(item)
        })
    }

    /// The extension with this identifier.
    ///
    /// # Errors
    /// Those of the extensions up to it.
    pub fn find(&self, oid: &Oid) -> Result<Option<Extension<'a>>> {
        for extension in self.iter() {
            let extension = extension?;
            if extension.oid == *oid {
                return Ok(Some(extension));
            }
        }
        Ok(None)
    }

    /// The value of the extension of this type.
    ///
    /// # Errors
    /// Those of the extensions up to it, and of its value.
    pub fn get<T: ExtensionValue<'a>>(&self) -> Result<Option<T>> {
        self.find(&T::OID)?.map(|e| e.decode()).transpose()
    }

    /// Refuses a second extension of the same type, among any number of them.
    fn check_many(&self) -> Result<()> {
        let mut all = Vec::new();
        for extension in self.iter() {
            let extension = extension?;
            all.push((extension.oid_der, extension.position));
        }
        let all = sorted(all);
        let again = all.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let first = again.map(|pair| pair[1].1).min();
        let mut extensions = self.iter().flatten();
        let second = first.and_then(|first| extensions.find(|e| e.position == first));
        second.map_or(Ok(()), |extension| Err(duplicate(&extension)))
    }
}

/// The extensions of a list that its set does not know.
#[derive(Default)]
struct Unknown<'a> {
    /// The identifiers of the first few: there are hardly ever more.
    seen: [&'a [u8]; 8],
    count: usize,
}

impl<'a> Unknown<'a> {
    fn note(&mut self, extension: &Extension<'a>) -> Result<()> {
        let few = self.count.min(self.seen.len());
        if self.seen[..few].contains(&extension.oid_der) {
            return Err(duplicate(extension));
        }
        if extension.critical {
            let kind = ErrorKind::UnknownCriticalExtension(extension.oid);
            return Err(kind.at(extension.position));
        }
        if let Some(place) = self.seen.get_mut(self.count) {
            *place = extension.oid_der;
        }
        self.count += 1;
        Ok(())
    }

    /// Refuses a second extension among those that were more than a few.
    fn finish(&self, all: Extensions<'a>) -> Result<()> {
        if self.count > self.seen.len() {
            all.check_many()
        } else {
            Ok(())
        }
    }
}

fn duplicate(extension: &Extension<'_>) -> crate::Error {
    ErrorKind::DuplicateExtension(extension.oid).at(extension.position)
}

impl fmt::Debug for Extensions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

macro_rules! extension_sets {
    ($($(#[$doc:meta])* $set:ident { $($field:ident: $value:ty,)* })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $set<'a> {
            raw: Extensions<'a>,
            $(
                #[doc = concat!("[`", stringify!($value), "`], if it is there.")]
                pub $field: Option<$value>,
            )*
        }

        impl<'a> $set<'a> {
            /// Reads all extensions.
            ///
            /// # Errors
            /// [`ErrorKind::DuplicateExtension`], [`ErrorKind::UnknownCriticalExtension`], and
            /// those of the values.
            pub fn decode(extensions: Extensions<'a>) -> Result<Self> {
                let mut set = Self {
                    raw: extensions,
                    ..Self::default()
                };
                let mut unknown = Unknown::default();
                for extension in extensions.iter() {
                    let extension = extension?;
                    $(if extension.is::<$value>() {
                        if set.$field.is_some() {
                            return Err(duplicate(&extension));
                        }
                        set.$field = Some(extension.decode()?);
                        continue;
                    })*
                    unknown.note(&extension)?;
                }
                unknown.finish(extensions)?;
                Ok(set)
            }

            /// All extensions in their order, unread.
            pub const fn raw(&self) -> Extensions<'a> {
                self.raw
            }

            /// Appends the SEQUENCE of all extensions in their order, each from its value; of
            /// those that are not known the value is as it was read. There must be one at least.
            pub fn write(&self, w: &mut Writer) {
                w.sequence(|w| {
                    for extension in self.raw.iter().flatten() {
                        $(if let Some(value) = &self.$field && extension.is::<$value>() {
                            write_extension(extension.critical, value, w);
                            continue;
                        })*
                        write_with(&extension.oid, extension.critical, w, |w| {
                            w.raw(extension.value());
                        });
                    }
                });
            }
        }
    )* };
}

extension_sets! {
    /// The extensions of a certificate, or of a request for one.
    CertificateExtensions {
        authority_key_identifier: AuthorityKeyIdentifier<'a>,
        subject_key_identifier: SubjectKeyIdentifier<'a>,
        key_usage: KeyUsage,
        certificate_policies: CertificatePolicies<'a>,
        policy_mappings: PolicyMappings<'a>,
        subject_alt_name: SubjectAltName<'a>,
        issuer_alt_name: IssuerAltName<'a>,
        basic_constraints: BasicConstraints,
        name_constraints: NameConstraints<'a>,
        policy_constraints: PolicyConstraints,
        extended_key_usage: ExtendedKeyUsage<'a>,
        crl_distribution_points: CrlDistributionPoints<'a>,
        inhibit_any_policy: InhibitAnyPolicy,
        freshest_crl: FreshestCrl<'a>,
        authority_info_access: AuthorityInfoAccess<'a>,
        subject_info_access: SubjectInfoAccess<'a>,
        ocsp_no_check: OcspNoCheck,
    }
    /// The extensions of a list of revoked certificates.
    CrlExtensions {
        authority_key_identifier: AuthorityKeyIdentifier<'a>,
        issuer_alt_name: IssuerAltName<'a>,
        crl_number: CrlNumber,
        delta_crl_indicator: DeltaCrlIndicator,
        issuing_distribution_point: IssuingDistributionPoint<'a>,
        freshest_crl: FreshestCrl<'a>,
        authority_info_access: AuthorityInfoAccess<'a>,
    }
    /// The extensions of an entry in a list of revoked certificates, which a single OCSP
    /// response may have too, beside two of its own.
    CrlEntryExtensions {
        reason: RevocationReason,
        invalidity_date: InvalidityDate,
        certificate_issuer: CertificateIssuer<'a>,
        archive_cutoff: ArchiveCutoff,
        crl_reference: CrlReference<'a>,
    }
    /// The extensions of an OCSP request, of a single request in it, or of a response.
    OcspExtensions {
        nonce: OcspNonce<'a>,
        extended_revoke: ExtendedRevoke,
        acceptable_responses: AcceptableResponses<'a>,
        preferred_signature_algorithms: PreferredSignatureAlgorithms<'a>,
        service_locator: ServiceLocator<'a>,
    }
}
