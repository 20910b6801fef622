//! Lists of revoked certificates (RFC 5280, 5): full ones, those of a part of an issuer's
//! certificates, those of changes, and those that one issuer makes for others.

mod builder;
mod scope;

use core::ops::Deref;

use adamant_der::{Leniency, Reader, Tag, Time, Writer};

use crate::element::{encodings, optional_explicit, sequence, within};
use crate::extensions::{CrlEntryExtensions, CrlExtensions, Extensions, RevocationReason};
use crate::signed::{Signed, signed};
use crate::{AnySerial, Element, ErrorKind, Name, Result, SerialNumber};

pub use builder::{CrlBuilder, Revocation};

/// A list of revoked certificates: its structure and fields, in an encoding that it borrows
/// from. Entries and extensions are read when they are asked for.
///
/// See [`CrlBuilder`] for one that is made, read and verified.
#[derive(Clone, Copy, Debug)]
pub struct CertificateList<'a> {
    signed: Signed<'a>,
    version: u8,
    /// Who issues the list.
    pub issuer: Name<'a>,
    /// When it was issued.
    pub this_update: Time,
    /// When the next one comes, at the latest.
    pub next_update: Option<Time>,
    entries: Option<Reader<'a>>,
    extensions: Extensions<'a>,
}

impl<'a> CertificateList<'a> {
    /// As [`Self::from_der`], but these faults pass.
    ///
    /// ```
    /// # use adamant_rand::SystemRng;
    /// # use adamant_x509::crl::CrlBuilder;
    /// # use adamant_x509::{DistinguishedName, KeyAlgorithm, PrivateKey};
    /// use adamant_x509::crl::CertificateList;
    /// use adamant_x509::Leniency;
    ///
    /// # let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng)?;
    /// # let name: DistinguishedName = "CN=Root".parse()?;
    /// # let (this, next) = ("2026-01-01".parse()?, "2026-01-08".parse()?);
    /// # let der = CrlBuilder::new(name.as_name(), this, next).sign([], key.signer()?)?;
    /// // Of issuers who write a list of nothing, and years before 2050 in full.
    /// let faults = Leniency::EMPTY_REVOKED_CERTIFICATES | Leniency::EARLY_GENERALIZED_TIMES;
    /// let list = CertificateList::from_der_lenient(&der, faults)?;
    /// # list.full()?;
    /// # Ok::<(), adamant_x509::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn from_der_lenient(der: &'a [u8], leniency: Leniency) -> Result<Self> {
        within(Reader::new(der).lenient(leniency), Self::read)
    }

    /// Reads all entries and extensions.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    pub fn full(&self) -> Result<FullCertificateList<'a>> {
        let mut entries = 0;
        for entry in self.entries() {
            CrlEntryExtensions::decode(entry?.extensions)?;
            entries += 1;
        }
        Ok(FullCertificateList {
            list: *self,
            extensions: CrlExtensions::decode(self.extensions)?,
            entries,
        })
    }

    /// 1 or 2.
    pub const fn version(&self) -> u8 {
        self.version + 1
    }

    /// The revoked certificates, one after another; the first error is the last item.
    pub fn entries(&self) -> impl Iterator<Item = Result<RevokedCertificate<'a>>> + use<'a> {
        let v1 = self.version == 0;
        let mut rest = self.entries;
        core::iter::from_fn(move || {
            let reader = rest.as_mut().filter(|reader| !reader.is_empty())?;
            let item = RevokedCertificate::read_in(reader, v1);
            if item.is_err() {
                rest = None;
            }
            Some(item)
        })
    }

    /// The first entry of this serial number. This reads the entries up to it: to look up many,
    /// index [`CertificateList::entries`] once.
    ///
    /// # Errors
    /// Those of the entries up to it.
    pub fn find(&self, serial: &SerialNumber) -> Result<Option<RevokedCertificate<'a>>> {
        for entry in self.entries() {
            let entry = entry?;
            if entry.serial == *serial {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    /// The extensions, unread.
    pub const fn extensions(&self) -> Extensions<'a> {
        self.extensions
    }
}

signed! { CertificateList.signed }
encodings! { CertificateList, "X509 CRL" }

impl<'a> Element<'a> for CertificateList<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let (signed, tbs) = Signed::read(r)?;
        within(tbs.reader, |r| {
            let version = match r.optional(Tag::INTEGER)? {
                None => 0,
                Some(tlv) => match *tlv.value {
                    [1] => 1,
                    _ => {
                        tlv.integer_bytes()?;
                        return Err(ErrorKind::BadVersion.at(tlv.value_position()));
                    }
                },
            };
            signed.check_algorithm(r, &tbs)?;
            let issuer = Name::read(r)?;
            let this_update = r.time_rfc5280()?;
            let next_update = match r.peek_tag() {
                Some(Tag::UTC_TIME | Tag::GENERALIZED_TIME) => Some(r.time_rfc5280()?),
                _ => None,
            };
            let entries = match r.optional(Tag::SEQUENCE)? {
                None => None,
                // No entries, no list of them (RFC 5280, 5.1.2.6).
                Some(tlv)
                    if tlv.value.is_empty()
                        && !tlv.lets_pass(Leniency::EMPTY_REVOKED_CERTIFICATES) =>
                {
                    return Err(ErrorKind::Empty.at(tlv.position));
                }
                Some(tlv) => Some(tlv.reader()?),
            };
            let here = r.position();
            let extensions = optional_explicit(r, 0, Extensions::read)?;
            if extensions.is_some() && version == 0 {
                return Err(ErrorKind::BadVersion.at(here));
            }
            Ok(Self {
                signed,
                version,
                issuer,
                this_update,
                next_update,
                entries,
                extensions: extensions.unwrap_or_default(),
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.raw(self.as_der());
    }
}

/// A revoked certificate in a list.
#[derive(Clone, Copy, Debug)]
pub struct RevokedCertificate<'a> {
    /// Its number.
    pub serial: AnySerial<'a>,
    /// When it was revoked.
    pub date: Time,
    /// The entry's extensions.
    pub extensions: Extensions<'a>,
}

impl<'a> RevokedCertificate<'a> {
    /// The reason, if one is given.
    ///
    /// # Errors
    /// Those of the entry's extensions.
    pub fn reason(&self) -> Result<Option<RevocationReason>> {
        self.extensions.get()
    }

    fn read_in(r: &mut Reader<'a>, v1: bool) -> Result<Self> {
        sequence(r, |r| {
            let serial = AnySerial::read(r)?;
            let date = r.time_rfc5280()?;
            let extensions = if r.is_empty() {
                Extensions::default()
            } else if v1 {
                return Err(ErrorKind::BadVersion.at(r.position()));
            } else {
                Extensions::read(r)?
            };
            Ok(Self {
                serial,
                date,
                extensions,
            })
        })
    }
}

/// A list all entries and extensions of which are read: no extension is critical and unknown.
#[derive(Clone, Copy, Debug)]
pub struct FullCertificateList<'a> {
    list: CertificateList<'a>,
    /// The extensions.
    pub extensions: CrlExtensions<'a>,
    entries: usize,
}

impl FullCertificateList<'_> {
    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.entries
    }

    /// Whether there is no entry.
    pub const fn is_empty(&self) -> bool {
        self.entries == 0
    }

    fn write_tbs(&self, w: &mut Writer) {
        w.sequence(|w| {
            if self.version > 0 {
                w.integer_u64(self.version.into());
            }
            self.signature_algorithm().write(w);
            self.issuer.write(w);
            w.time(self.this_update);
            if let Some(next_update) = self.next_update {
                w.time(next_update);
            }
            if self.list.entries.is_some() {
                w.sequence(|w| {
                    for entry in self.entries().flatten() {
                        w.sequence(|w| {
                            entry.serial.write(w);
                            w.time(entry.date);
                            // The extensions were read before.
                            if let Ok(extensions) = CrlEntryExtensions::decode(entry.extensions)
                                && !entry.extensions.is_empty()
                            {
                                extensions.write(w);
                            }
                        });
                    }
                });
            }
            if !self.list.extensions.is_empty() {
                w.explicit(0, |w| self.extensions.write(w));
            }
        });
    }
}

encodings! { FullCertificateList, "X509 CRL" }

impl<'a> Element<'a> for FullCertificateList<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        CertificateList::read(r)?.full()
    }

    fn write(&self, w: &mut Writer) {
        self.list.write_with(w, |w| self.write_tbs(w));
    }
}

impl<'a> Deref for FullCertificateList<'a> {
    type Target = CertificateList<'a>;

    fn deref(&self) -> &CertificateList<'a> {
        &self.list
    }
}
