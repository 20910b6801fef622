//! Extensions of OCSP messages besides the nonce (RFC 6960, 4.4).

use adamant_der::{Oid, Reader, Tag, Time, Writer, oid};

use super::{AuthorityInfoAccess, ExtensionValue};
use crate::element::{optional_explicit, sequence};
use crate::{AlgorithmIdentifier, Element, List, Name, Result, SerialNumber};

/// Until when an expired certificate's state is kept (RFC 6960, 4.4.4): certificates that expired
/// after this time are answered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveCutoff(
    /// The time.
    pub Time,
);

impl<'a> Element<'a> for ArchiveCutoff {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Ok(Self(r.generalized_time()?))
    }

    fn write(&self, w: &mut Writer) {
        w.generalized_time(self.0);
    }
}

/// Which list an answer comes from (RFC 6960, 4.4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrlReference<'a> {
    /// Where the list is found.
    pub url: Option<&'a str>,
    /// The list's number.
    pub number: Option<SerialNumber>,
    /// When the list was made.
    pub time: Option<Time>,
}

impl<'a> Element<'a> for CrlReference<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let url = |r: &mut Reader<'a>| Ok(r.read(Tag::IA5_STRING)?.str()?);
            Ok(Self {
                url: optional_explicit(r, 0, url)?,
                number: optional_explicit(r, 1, SerialNumber::read)?,
                time: optional_explicit(r, 2, |r| Ok(r.generalized_time()?))?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            if let Some(url) = self.url {
                w.explicit(0, |w| w.tlv(Tag::IA5_STRING, url.as_bytes()));
            }
            if let Some(number) = self.number {
                w.explicit(1, |w| number.write(w));
            }
            if let Some(time) = self.time {
                w.explicit(2, |w| w.generalized_time(time));
            }
        });
    }
}

/// The responder answers that certificates are revoked which were never issued (RFC 6960, 4.4.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtendedRevoke;

impl<'a> Element<'a> for ExtendedRevoke {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        r.null()?;
        Ok(Self)
    }

    fn write(&self, w: &mut Writer) {
        w.null();
    }
}

/// The types of responses that a client reads (RFC 6960, 4.4.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcceptableResponses<'a>(
    /// The types, one at least.
    pub List<'a, Oid>,
);

impl<'a> Element<'a> for AcceptableResponses<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        List::read(r).map(Self)
    }

    fn write(&self, w: &mut Writer) {
        self.0.write(w);
    }
}

/// A signature that a client would have, and the key for it (RFC 6960, 4.4.7.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreferredSignatureAlgorithm<'a> {
    /// The signature's algorithm.
    pub signature: AlgorithmIdentifier<'a>,
    /// The key's, where it says more.
    pub key: Option<AlgorithmIdentifier<'a>>,
}

impl<'a> Element<'a> for PreferredSignatureAlgorithm<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let signature = AlgorithmIdentifier::read(r)?;
            let key = match r.is_empty() {
                true => None,
                false => Some(AlgorithmIdentifier::read(r)?),
            };
            Ok(Self { signature, key })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            self.signature.write(w);
            if let Some(key) = &self.key {
                key.write(w);
            }
        });
    }
}

/// The signatures that a client would have, best first (RFC 6960, 4.4.7.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreferredSignatureAlgorithms<'a>(
    /// The algorithms, one at least.
    pub List<'a, PreferredSignatureAlgorithm<'a>>,
);

impl<'a> Element<'a> for PreferredSignatureAlgorithms<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        List::read(r).map(Self)
    }

    fn write(&self, w: &mut Writer) {
        self.0.write(w);
    }
}

/// Which responder knows, to one that can hand a request on (RFC 6960, 4.4.6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServiceLocator<'a> {
    /// Who issued the certificate.
    pub issuer: Name<'a>,
    /// The certificate's information about responders.
    pub locator: Option<AuthorityInfoAccess<'a>>,
}

impl<'a> Element<'a> for ServiceLocator<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let issuer = Name::read(r)?;
            let locator = match r.is_empty() {
                true => None,
                false => Some(AuthorityInfoAccess::read(r)?),
            };
            Ok(Self { issuer, locator })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            self.issuer.write(w);
            if let Some(locator) = &self.locator {
                locator.write(w);
            }
        });
    }
}

macro_rules! values {
    ($($name:ty = $oid:literal;)*) => { $(
        impl<'a> ExtensionValue<'a> for $name {
            const OID: Oid = oid!($oid);
            const CRITICAL: bool = false;
        }
    )* };
}

values! {
    CrlReference<'a> = "1.3.6.1.5.5.7.48.1.3";
    AcceptableResponses<'a> = "1.3.6.1.5.5.7.48.1.4";
    ArchiveCutoff = "1.3.6.1.5.5.7.48.1.6";
    ServiceLocator<'a> = "1.3.6.1.5.5.7.48.1.7";
    PreferredSignatureAlgorithms<'a> = "1.3.6.1.5.5.7.48.1.8";
    ExtendedRevoke = "1.3.6.1.5.5.7.48.1.9";
}
