//! Bags (RFC 7292, 4.2): keys and certificates, each with its name.

use alloc::string::String;
use alloc::vec::Vec;

use adamant_base::{Error as CryptoError, Rng};
use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Tlv, Writer, oid};

use super::{CertificateEntry, KeyEntry, Pkcs12, Protection};
use crate::element::{sequence, set_of, within};
use crate::keys::PrivateKeyInfo;
use crate::keys::{EncryptedPrivateKey, write_encrypted};
use crate::pbes2::Budget;
use crate::{Certificate, Element, PrivateKey, Result};

const KEY: Oid = oid!("1.2.840.113549.1.12.10.1.1");
const SHROUDED_KEY: Oid = oid!("1.2.840.113549.1.12.10.1.2");
const CERTIFICATE: Oid = oid!("1.2.840.113549.1.12.10.1.3");
const X509: Oid = oid!("1.2.840.113549.1.9.22.1");
const FRIENDLY_NAME: Oid = oid!("1.2.840.113549.1.9.20");
const LOCAL_KEY_ID: Oid = oid!("1.2.840.113549.1.9.21");

/// The attributes that are known.
#[derive(Default)]
struct Attributes {
    name: Option<String>,
    local_key_id: Option<Vec<u8>>,
}

impl Attributes {
    fn read(r: &mut Reader<'_>) -> Result<Self> {
        let mut attributes = Self::default();
        if let Some(tlv) = r.optional(Tag::SET)? {
            set_of(&tlv, |r| {
                sequence(r, |r| {
                    let (oid, values) = (r.oid()?, r.read(Tag::SET)?);
                    set_of(&values, |r| {
                        let value = r.read_any()?;
                        match oid {
                            FRIENDLY_NAME => attributes.name = Some(friendly_name(&value)?),
                            LOCAL_KEY_ID if value.tag == Tag::OCTET_STRING => {
                                attributes.local_key_id = Some(value.value.to_vec());
                            }
                            _ => {}
                        }
                        Ok(())
                    })
                })
            })?;
        }
        Ok(attributes)
    }
}

/// A BMPString, of which everyone makes UTF-16: surrogates are read, but not written.
fn friendly_name(value: &Tlv<'_>) -> Result<String> {
    let octets = value.value.chunks(2);
    let unit = |octets: &[u8]| octets.iter().fold(0, |n, &b| n << 8 | u16::from(b));
    let text: Result<String, _> = char::decode_utf16(octets.map(unit)).collect();
    match text {
        Ok(text) if value.tag == Tag::BMP_STRING && value.value.len().is_multiple_of(2) => Ok(text),
        _ => Err(value.value_error(Der::BadString).into()),
    }
}

/// Appends the attributes.
///
/// # Errors
/// [`CryptoError::BadParameter`] for a name with characters that BMPString does not have.
fn write_attributes(
    w: &mut Writer,
    name: Option<&str>,
    local_key_id: Option<&[u8]>,
) -> Result<(), CryptoError> {
    if name.is_none() && local_key_id.is_none() {
        return Ok(());
    }
    if name.is_some_and(|name| name.chars().any(|c| c.len_utf16() > 1)) {
        return Err(CryptoError::BadParameter("friendly name"));
    }
    let name = name.map(|name| {
        let units = name.encode_utf16().flat_map(u16::to_be_bytes);
        (FRIENDLY_NAME, Tag::BMP_STRING, units.collect())
    });
    let id = local_key_id.map(|id| (LOCAL_KEY_ID, Tag::OCTET_STRING, id.to_vec()));
    w.set_of([name, id].into_iter().flatten(), |w, (oid, tag, value)| {
        let value: Vec<u8> = value;
        w.sequence(|w| {
            w.oid(&oid);
            w.set(|w| w.tlv(tag, &value));
        });
    });
    Ok(())
}

/// Reads SafeContents: what is in there joins the rest. Bags of other kinds are passed over.
#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn read_bags(
    reader: Reader<'_>,
    password: &str,
    budget: &mut Budget,
    into: &mut Pkcs12,
) -> Result<()> {
    within(reader, |r| {
        sequence(r, |r| {
            while !r.is_empty() {
                sequence(r, |r| read_bag(r, password, budget, into))?;
            }
            Ok(())
        })
    })
}

#[cfg_attr(not(feature = "lab"), inline)]
fn read_bag(
    r: &mut Reader<'_>,
    password: &str,
    budget: &mut Budget,
    into: &mut Pkcs12,
) -> Result<()> {
    let oid = r.oid()?;
    let value = r.read(Tag::context_constructed(0))?;
    let attributes = Attributes::read(r)?;
    let mut key = None;
    match oid {
        KEY => {
            let info = within(value.reader()?, PrivateKeyInfo::read)?;
            key = Some(PrivateKey::from_info(&info)?);
        }
        SHROUDED_KEY => {
            let encrypted = within(value.reader()?, EncryptedPrivateKey::read)?;
            key = Some(encrypted.decrypt(password.as_bytes(), budget)?);
        }
        CERTIFICATE => {
            let der = within(value.reader()?, |r| {
                sequence(r, |r| {
                    let oid = r.oid()?;
                    Ok((oid == X509).then_some(r.explicit(0, |r| r.octet_string())?))
                })
            })?;
            if let Some(der) = der {
                Certificate::from_der(der)?;
                into.certificates.push(CertificateEntry {
                    der: der.to_vec(),
                    name: attributes.name.clone(),
                    local_key_id: attributes.local_key_id.clone(),
                });
            }
        }
        _ => {}
    }
    into.keys.extend(key.map(|key| KeyEntry {
        key,
        name: attributes.name,
        local_key_id: attributes.local_key_id,
    }));
    Ok(())
}

/// Appends the SafeContents of certificates.
#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn write_certificates(
    w: &mut Writer,
    certificates: &[CertificateEntry],
) -> Result<(), CryptoError> {
    w.sequence(|w| {
        certificates.iter().try_for_each(|entry| {
            w.sequence(|w| {
                w.oid(&CERTIFICATE);
                w.explicit(0, |w| {
                    w.sequence(|w| {
                        w.oid(&X509);
                        w.explicit(0, |w| w.octet_string(&entry.der));
                    });
                });
                write_attributes(w, entry.name.as_deref(), entry.local_key_id.as_deref())
            })
        })
    })
}

/// Appends the SafeContents of keys, each under the password.
#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn write_keys(
    w: &mut Writer,
    keys: &[KeyEntry],
    password: &str,
    protection: &Protection,
    rng: &mut impl Rng,
) -> Result<()> {
    w.sequence(|w| {
        keys.iter().try_for_each(|entry| {
            w.sequence(|w| {
                w.oid(&SHROUDED_KEY);
                w.explicit(0, |w| {
                    let info = entry.key.to_der();
                    write_encrypted(w, &info, password.as_bytes(), &protection.scheme, rng)
                })?;
                write_attributes(w, entry.name.as_deref(), entry.local_key_id.as_deref())?;
                Ok(())
            })
        })
    })
}
