//! SubjectPublicKeyInfo (RFC 5280, 4.1.2.7): a public key with its algorithm.

use adamant_der::{Reader, Tag, Tlv, Writer};

use crate::element::{encodings, within};
use crate::{AlgorithmIdentifier, Element, Result};

/// A public key in an encoding: its algorithm with checked parameters, and its octets.
///
/// Whether the octets are a key of the algorithm shows in [`crate::PublicKey::from_spki`].
#[derive(Clone, Copy, Debug)]
pub struct SubjectPublicKeyInfo<'a> {
    /// The key's algorithm.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// The octets of the key.
    pub key: &'a [u8],
    der: &'a [u8],
    key_position: usize,
}

impl<'a> SubjectPublicKeyInfo<'a> {
    /// The encoding.
    pub const fn as_der(&self) -> &'a [u8] {
        self.der
    }

    /// Where the octets of the key were read.
    pub(crate) const fn key_position(&self) -> usize {
        self.key_position
    }

    pub(crate) fn read_in(tlv: &Tlv<'a>) -> Result<Self> {
        within(tlv.reader()?, |r| {
            let algorithm = AlgorithmIdentifier::read(r)?;
            let key = r.bit_string_octets()?;
            Ok(Self {
                algorithm,
                key: key.bytes,
                der: tlv.raw,
                key_position: key.position,
            })
        })
    }
}

encodings! { SubjectPublicKeyInfo, "PUBLIC KEY" }

impl<'a> Element<'a> for SubjectPublicKeyInfo<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        Self::read_in(&r.read(Tag::SEQUENCE)?)
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            self.algorithm.write(w);
            w.bit_string(self.key, 0);
        });
    }
}
