//! Responses (RFC 6960, 4.2).

use core::fmt;

use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Time, Writer, oid};
use adamant_hash::Sha1;

use super::CertId;
use crate::element::{default_version, encodings, optional_explicit, parse, sequence, within};
use crate::extensions::{CrlEntryExtensions, Extensions, OcspExtensions, RevocationReason};
use crate::signed::{Signed, signed};
use crate::{Certificate, Element, ErrorKind, List, Name, Result, SubjectPublicKeyInfo};

/// `id-pkix-ocsp-basic`: the type of all responses there are.
pub(super) const BASIC: Oid = oid!("1.3.6.1.5.5.7.48.1.1");

macro_rules! statuses {
    ($($variant:ident = $code:literal, $text:literal;)*) => {
        /// How a responder fared.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ResponseStatus {
            $(#[doc = concat!("`", $text, "`.")] $variant = $code,)*
        }

        impl ResponseStatus {
            const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The name in the standard.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
    };
}

statuses! {
    Successful = 0, "successful";
    MalformedRequest = 1, "malformedRequest";
    InternalError = 2, "internalError";
    TryLater = 3, "tryLater";
    SigRequired = 5, "sigRequired";
    Unauthorized = 6, "unauthorized";
}

impl ResponseStatus {
    /// The code.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for ResponseStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A responder's reply, in an encoding that it borrows from.
///
/// See [`super::ResponseBuilder`] for one that is made, read and verified.
#[derive(Clone, Copy, Debug)]
pub struct OcspResponse<'a> {
    /// How the responder fared.
    pub status: ResponseStatus,
    basic: Option<BasicResponse<'a>>,
}

impl<'a> OcspResponse<'a> {
    /// The answer of a responder that has one.
    ///
    /// # Errors
    /// [`ErrorKind::ResponseStatus`] of a responder that has none.
    pub fn basic(&self) -> Result<&BasicResponse<'a>> {
        let failed = ErrorKind::ResponseStatus(self.status).at(0);
        self.basic.as_ref().ok_or(failed)
    }
}

encodings! { OcspResponse, "OCSP RESPONSE" }

impl<'a> Element<'a> for OcspResponse<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let tlv = r.read(Tag::ENUMERATED)?;
            let unknown = tlv.value_error(Der::UnexpectedValue("unknown status of a response"));
            let status = match *tlv.value {
                [code] => ResponseStatus::from_code(code).ok_or(unknown)?,
                _ => {
                    tlv.integer_bytes()?;
                    return Err(unknown.into());
                }
            };
            let here = r.position();
            let basic = optional_explicit(r, 0, |r| {
                sequence(r, |r| {
                    let response_type = r.read(Tag::OID)?;
                    if response_type.oid()? != BASIC {
                        let kind = Der::UnexpectedValue("unknown type of a response");
                        return Err(response_type.value_error(kind).into());
                    }
                    within(r.enter(Tag::OCTET_STRING)?, BasicResponse::read)
                })
            })?;
            // Success and an answer come together (RFC 6960, 4.2.1).
            if basic.is_some() != (status == ResponseStatus::Successful) {
                let kind = Der::UnexpectedValue("status and answer that contradict each other");
                return Err(adamant_der::Error::new(kind, here).into());
            }
            Ok(Self { status, basic })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.enumerated(self.status.code());
            if let Some(basic) = &self.basic {
                w.explicit(0, |w| {
                    w.sequence(|w| {
                        w.oid(&BASIC);
                        w.octet_string_with(|w| basic.write(w));
                    });
                });
            }
        });
    }
}

/// A responder's signed answer.
#[derive(Clone, Copy, Debug)]
pub struct BasicResponse<'a> {
    signed: Signed<'a>,
    /// Who answers.
    pub responder: ResponderId<'a>,
    /// When the answer was signed.
    pub produced_at: Time,
    /// The answer for each certificate.
    pub responses: List<'a, SingleResponse<'a>>,
    /// The answer's extensions.
    pub extensions: OcspExtensions<'a>,
    /// Certificates that help to verify it.
    pub certificates: Option<List<'a, Certificate<'a>>>,
}

impl<'a> BasicResponse<'a> {
    /// The answer for this certificate: of several the newest, and of those of one time the one
    /// that is worst.
    pub fn find(&self, cert_id: &CertId<'_>) -> Option<SingleResponse<'a>> {
        let all = self.responses.iter();
        all.filter(|response| response.cert_id.matches(cert_id))
            .max_by_key(|response| {
                let weight = match response.status {
                    CertStatus::Good => 0,
                    CertStatus::Unknown => 1,
                    CertStatus::Revoked { .. } => 2,
                };
                (response.this_update, weight)
            })
    }
}

signed! { BasicResponse.signed }

impl<'a> Element<'a> for BasicResponse<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let (signed, tbs, certificates) =
            Signed::read_more(r, |r| optional_explicit(r, 0, List::read))?;
        within(tbs.reader, |r| {
            default_version(r, 0)?;
            let responder = ResponderId::read(r)?;
            let produced_at = r.generalized_time()?;
            let responses = List::read(r)?;
            let extensions = optional_explicit(r, 1, Extensions::read)?;
            Ok(Self {
                signed,
                responder,
                produced_at,
                responses,
                extensions: OcspExtensions::decode(extensions.unwrap_or_default())?,
                certificates,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.sequence(|w| {
                self.responder.write(w);
                w.generalized_time(self.produced_at);
                self.responses.write(w);
                if !self.extensions.raw().is_empty() {
                    w.explicit(1, |w| self.extensions.write(w));
                }
            });
            self.signed.write_signature(w);
            if let Some(certificates) = self.certificates {
                w.explicit(0, |w| certificates.write(w));
            }
        });
    }
}

/// Who answers.
///
/// A responder that is named by its key gives [`ResponderId::key_hash`] of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResponderId<'a> {
    /// The one with this name.
    Name(Name<'a>),
    /// The one whose key has this SHA-1 (of the contents of its BIT STRING).
    KeyHash(&'a [u8]),
}

impl ResponderId<'_> {
    /// SHA-1 of the octets of a key (RFC 6960, 4.2.1).
    pub fn key_hash(key: &SubjectPublicKeyInfo<'_>) -> [u8; 20] {
        Sha1::digest(key.key)
    }

    /// Whether this names the subject of the certificate.
    ///
    /// # Errors
    /// [`crate::Error`] if name or key of the certificate is malformed.
    pub fn is(&self, certificate: &Certificate<'_>) -> Result<bool> {
        Ok(match self {
            Self::Name(name) => name.as_der() == certificate.subject_der(),
            Self::KeyHash(hash) => *hash == Self::key_hash(&certificate.spki()?),
        })
    }
}

impl<'a> Element<'a> for ResponderId<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        const NAME: Tag = Tag::context_constructed(1);
        let tlv = r.read_any()?;
        match tlv.tag {
            NAME => within(tlv.reader()?, Name::read).map(Self::Name),
            tag if tag == Tag::context_constructed(2) => {
                within(tlv.reader()?, |r| Ok(Self::KeyHash(r.octet_string()?)))
            }
            actual => {
                let expected = NAME;
                Err(tlv.error(Der::UnexpectedTag { expected, actual }).into())
            }
        }
    }

    fn write(&self, w: &mut Writer) {
        match self {
            Self::Name(name) => w.explicit(1, |w| name.write(w)),
            Self::KeyHash(hash) => w.explicit(2, |w| w.octet_string(hash)),
        }
    }
}

/// The status of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertStatus {
    /// It is not revoked.
    Good,
    /// It is revoked.
    Revoked {
        /// Since when.
        time: Time,
        /// Why.
        reason: Option<RevocationReason>,
    },
    /// The responder does not know it.
    Unknown,
}

const GOOD: Tag = Tag::context(0);
const REVOKED: Tag = Tag::context_constructed(1);
const UNKNOWN: Tag = Tag::context(2);

impl<'a> Element<'a> for CertStatus {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let tlv = r.read_any()?;
        match tlv.tag {
            GOOD | UNKNOWN if !tlv.value.is_empty() => Err(tlv.value_error(Der::BadNull).into()),
            GOOD => Ok(Self::Good),
            UNKNOWN => Ok(Self::Unknown),
            REVOKED => within(tlv.reader()?, |r| {
                Ok(Self::Revoked {
                    time: r.generalized_time()?,
                    reason: optional_explicit(r, 0, RevocationReason::read)?,
                })
            }),
            actual => {
                let expected = GOOD;
                Err(tlv.error(Der::UnexpectedTag { expected, actual }).into())
            }
        }
    }

    fn write(&self, w: &mut Writer) {
        match *self {
            Self::Good => w.tlv(GOOD, &[]),
            Self::Unknown => w.tlv(UNKNOWN, &[]),
            Self::Revoked { time, reason } => w.nested(REVOKED, |w| {
                w.generalized_time(time);
                if let Some(reason) = reason {
                    w.explicit(0, |w| reason.write(w));
                }
            }),
        }
    }
}

/// The answer for one certificate.
#[derive(Clone, Copy, Debug)]
pub struct SingleResponse<'a> {
    /// Which certificate.
    pub cert_id: CertId<'a>,
    /// Its status.
    pub status: CertStatus,
    /// When that was known.
    pub this_update: Time,
    /// When more is known, at the latest.
    pub next_update: Option<Time>,
    /// Its extensions.
    pub extensions: CrlEntryExtensions<'a>,
}

impl<'a> SingleResponse<'a> {
    /// An answer without extensions.
    pub fn new(
        cert_id: CertId<'a>,
        status: CertStatus,
        this_update: Time,
        next_update: Option<Time>,
    ) -> Self {
        Self {
            cert_id,
            status,
            this_update,
            next_update,
            extensions: CrlEntryExtensions::default(),
        }
    }

    /// Whether the answer is what is known at this time: made by then, and nothing newer was due
    /// (RFC 6960, 4.2.2.1). Without a next update newer information is always there.
    pub fn is_current(&self, at: Time) -> bool {
        self.this_update <= at && self.next_update.is_none_or(|next| at <= next)
    }

    /// With extensions: the encoding of an `Extensions`, such as a
    /// [`Writer`] and [`write_extension`](crate::extensions::write_extension) make it.
    ///
    /// # Errors
    /// [`crate::Error`] with the position of what is wrong.
    pub fn with_extensions(self, list: &'a [u8]) -> Result<Self> {
        let extensions = CrlEntryExtensions::decode(parse(list, Extensions::read)?)?;
        Ok(Self { extensions, ..self })
    }
}

impl<'a> Element<'a> for SingleResponse<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let cert_id = CertId::read(r)?;
            let status = CertStatus::read(r)?;
            let this_update = r.generalized_time()?;
            let next_update = optional_explicit(r, 0, |r| Ok(r.generalized_time()?))?;
            let extensions = optional_explicit(r, 1, Extensions::read)?.unwrap_or_default();
            Ok(Self {
                cert_id,
                status,
                this_update,
                next_update,
                extensions: CrlEntryExtensions::decode(extensions)?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            self.cert_id.write(w);
            self.status.write(w);
            w.generalized_time(self.this_update);
            if let Some(next_update) = self.next_update {
                w.explicit(0, |w| w.generalized_time(next_update));
            }
            if !self.extensions.raw().is_empty() {
                w.explicit(1, |w| self.extensions.write(w));
            }
        });
    }
}
