//! Lists that are made here.

use alloc::vec::Vec;

use adamant_der::{Oid, Time, Writer};

use crate::extensions::{
    AuthorityKeyIdentifier, CertificateIssuer, CrlNumber, DeltaCrlIndicator, ExtensionValue,
    GeneralNames, InvalidityDate, RevocationReason, check_unique, write_extension,
};
use crate::{
    Element, ErrorKind, Name, Result, SerialNumber, SignatureAlgorithm, SigningKey, sign_tbs,
};

/// A certificate to be put on a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Revocation<'a> {
    /// Its number.
    pub serial: SerialNumber,
    /// When it was revoked.
    pub date: Time,
    /// Why.
    pub reason: Option<RevocationReason>,
    /// Since when its key is suspect.
    pub invalidity_date: Option<Time>,
    /// Who issued it, on a list with certificates of several; where this is absent, it is the
    /// issuer of the entry before, and of the first entry that of the list.
    pub certificate_issuer: Option<GeneralNames<'a>>,
}

impl<'a> Revocation<'a> {
    /// A revocation for no stated reason.
    pub const fn new(serial: SerialNumber, date: Time) -> Self {
        Self {
            serial,
            date,
            reason: None,
            invalidity_date: None,
            certificate_issuer: None,
        }
    }

    /// With a reason.
    pub const fn reason(mut self, reason: RevocationReason) -> Self {
        self.reason = Some(reason);
        self
    }

    /// With the time since when the key is suspect.
    pub const fn invalidity_date(mut self, date: Time) -> Self {
        self.invalidity_date = Some(date);
        self
    }

    /// With the issuer of this certificate and of those that follow, on an indirect list.
    pub const fn certificate_issuer(mut self, names: GeneralNames<'a>) -> Self {
        self.certificate_issuer = Some(names);
        self
    }

    fn write(&self, w: &mut Writer) {
        // An unspecified reason is not written (RFC 5280, 5.3.1).
        let reason = self
            .reason
            .filter(|&reason| reason != RevocationReason::Unspecified);
        w.sequence(|w| {
            self.serial.write(w);
            w.time(self.date);
            let dated = self.invalidity_date.is_some();
            if reason.is_some() || dated || self.certificate_issuer.is_some() {
                w.sequence(|w| {
                    if let Some(reason) = reason {
                        write_extension(false, &reason, w);
                    }
                    if let Some(date) = self.invalidity_date {
                        write_extension(false, &InvalidityDate(date), w);
                    }
                    if let Some(names) = self.certificate_issuer {
                        write_extension(true, &CertificateIssuer(names), w);
                    }
                });
            }
        });
    }
}

/// Makes a list of version 2.
///
/// ```
/// use adamant_rand::SystemRng;
/// use adamant_x509::crl::{CrlBuilder, FullCertificateList, Revocation};
/// use adamant_x509::extensions::{CrlNumber, RevocationReason};
/// use adamant_x509::{DistinguishedName, KeyAlgorithm, PrivateKey, SerialNumber};
///
/// let key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut SystemRng)?;
/// let issuer = DistinguishedName::new().common_name("CA");
/// let (now, next) = ("2026-01-01".parse()?, "2026-01-08".parse()?);
/// let serial = SerialNumber::from(7);
/// let revoked = Revocation::new(serial, now).reason(RevocationReason::KeyCompromise);
///
/// let der = CrlBuilder::new(issuer.as_name(), now, next)
///     .number(SerialNumber::from(1))
///     .authority_key_id(&key.public_key().key_id())
///     .sign([revoked], key.signer()?)?;
///
/// let list = FullCertificateList::from_der(&der)?;
/// list.verify(&key.public_key())?;
/// assert_eq!(list.extensions.crl_number, Some(CrlNumber(SerialNumber::from(1))));
/// let entry = list.find(&serial)?.unwrap();
/// assert_eq!(entry.reason()?, Some(RevocationReason::KeyCompromise));
/// assert!(list.find(&SerialNumber::from(8))?.is_none());
/// # Ok::<(), adamant_x509::Error>(())
/// ```
#[derive(Clone)]
pub struct CrlBuilder<'a> {
    issuer: Name<'a>,
    this_update: Time,
    next_update: Time,
    extensions: Writer,
    oids: Vec<Oid>,
}

impl<'a> CrlBuilder<'a> {
    /// A list without extensions. (RFC 5280 demands an authority key identifier and a number.)
    pub const fn new(issuer: Name<'a>, this_update: Time, next_update: Time) -> Self {
        Self {
            issuer,
            this_update,
            next_update,
            extensions: Writer::new(),
            oids: Vec::new(),
        }
    }

    /// With the list's number.
    pub fn number(self, number: SerialNumber) -> Self {
        self.extension(&CrlNumber(number))
    }

    /// With the identifier of the issuer's key.
    pub fn authority_key_id(self, key_id: &[u8]) -> Self {
        self.extension(&AuthorityKeyIdentifier::new(key_id))
    }

    /// As a list of the changes since the full list with this number.
    pub fn delta(self, base: SerialNumber) -> Self {
        self.extension(&DeltaCrlIndicator(base))
    }

    /// With an extension, critical if the standard demands it: which part of the issuer's
    /// certificates the list is about
    /// ([`IssuingDistributionPoint`](crate::extensions::IssuingDistributionPoint)), where changes
    /// are found ([`FreshestCrl`](crate::extensions::FreshestCrl)).
    pub fn extension<'b, T: ExtensionValue<'b>>(mut self, value: &T) -> Self {
        self.oids.push(T::OID);
        write_extension(T::CRITICAL, value, &mut self.extensions);
        self
    }

    /// Appends the part that is signed.
    ///
    /// # Errors
    /// [`ErrorKind::BadPeriod`], [`ErrorKind::DuplicateExtension`]; nothing is written then.
    pub fn write_tbs(
        &self,
        revocations: impl IntoIterator<Item = Revocation<'a>>,
        algorithm: SignatureAlgorithm,
        w: &mut Writer,
    ) -> Result<()> {
        if self.next_update < self.this_update {
            return Err(ErrorKind::BadPeriod.at(0));
        }
        check_unique(&self.oids)?;
        let mut revocations = revocations.into_iter().peekable();
        w.sequence(|w| {
            w.integer_u64(1);
            algorithm.write(w);
            w.raw(self.issuer.as_der());
            w.time(self.this_update);
            w.time(self.next_update);
            if revocations.peek().is_some() {
                w.sequence(|w| revocations.for_each(|revocation| revocation.write(w)));
            }
            if !self.extensions.is_empty() {
                w.explicit(0, |w| w.sequence(|w| w.raw(self.extensions.as_bytes())));
            }
        });
        Ok(())
    }

    /// The part that is signed: to be signed elsewhere, and put together with
    /// [`crate::assemble`].
    ///
    /// # Errors
    /// As [`CrlBuilder::write_tbs`].
    pub fn tbs(
        &self,
        revocations: impl IntoIterator<Item = Revocation<'a>>,
        algorithm: SignatureAlgorithm,
    ) -> Result<Vec<u8>> {
        let revocations = revocations.into_iter();
        // An entry with a serial number of 20 octets and a reason has 54 octets.
        let room = 512 + self.extensions.len() + 54 * revocations.size_hint().0;
        let mut w = Writer::with_capacity(room);
        self.write_tbs(revocations, algorithm, &mut w)?;
        Ok(w.finish())
    }

    /// The list, signed by its issuer's key.
    ///
    /// # Errors
    /// As [`CrlBuilder::write_tbs`], and that of the key.
    pub fn sign<K: SigningKey + ?Sized>(
        &self,
        revocations: impl IntoIterator<Item = Revocation<'a>>,
        key: &K,
    ) -> Result<Vec<u8>> {
        sign_tbs(&self.tbs(revocations, key.algorithm())?, key)
    }
}
