//! PrivateKeyInfo (RFC 5208) and OneAsymmetricKey (RFC 5958): any private key.

use adamant_der::{Reader, Tag, Writer};

use crate::element::{optional, sequence, version};
use crate::{AlgorithmIdentifier, Element, ErrorKind, Result};

/// A private key in an encoding: its algorithm and its octets.
///
/// Version 2 has the public key beside it, version 1 has not.
#[derive(Clone, Copy)]
pub struct PrivateKeyInfo<'a> {
    /// The key's algorithm.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// The octets, in the algorithm's own structure.
    pub private_key: &'a [u8],
    /// The octets of the public key.
    pub public_key: Option<&'a [u8]>,
    /// `[0] IMPLICIT SET OF Attribute`, the whole element.
    attributes: Option<&'a [u8]>,
    pub(super) key: Reader<'a>,
    pub(super) public_position: usize,
}

impl<'a> PrivateKeyInfo<'a> {
    /// A key of version 1 without attributes, to be written.
    pub(super) const fn new(algorithm: AlgorithmIdentifier<'a>, private_key: &'a [u8]) -> Self {
        Self {
            algorithm,
            private_key,
            public_key: None,
            attributes: None,
            key: Reader::new(private_key),
            public_position: 0,
        }
    }
}

impl<'a> Element<'a> for PrivateKeyInfo<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            let version_position = r.position() + 2;
            let version = version(r, &[0, 1])?;
            let algorithm = AlgorithmIdentifier::read(r)?;
            let key = r.enter(Tag::OCTET_STRING)?;
            let attributes = optional(r, Tag::context_constructed(0), |tlv| Ok(tlv.raw))?;
            let public_key = optional(r, Tag::context(1), |tlv| {
                let bits = tlv.bit_string()?;
                if bits.unused_bits != 0 {
                    return Err(tlv.value_error(adamant_der::ErrorKind::BadBitString).into());
                }
                Ok(bits)
            })?;
            if public_key.is_some() != (version == 1) {
                return Err(ErrorKind::BadVersion.at(version_position));
            }
            Ok(Self {
                algorithm,
                private_key: key.rest(),
                public_key: public_key.map(|bits| bits.bytes),
                attributes,
                key,
                public_position: public_key.map_or(0, |bits| bits.position),
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.integer_u64(self.public_key.is_some().into());
            self.algorithm.write(w);
            w.octet_string(self.private_key);
            w.raw(self.attributes.unwrap_or_default());
            if let Some(public_key) = self.public_key {
                w.nested(Tag::context(1), |w| {
                    w.raw(&[0]);
                    w.raw(public_key);
                });
            }
        });
    }
}
