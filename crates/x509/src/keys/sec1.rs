//! ECPrivateKey (RFC 5915, SEC 1, C.4): private keys on elliptic curves.

use adamant_der::{Oid, Reader, Writer};

use crate::element::{optional_explicit, sequence, version};
use crate::{Element, Result};

/// A private key on an elliptic curve in an encoding.
#[derive(Clone, Copy)]
pub struct EcPrivateKey<'a> {
    /// The scalar in big-endian, as long as the order of the curve.
    pub private_key: &'a [u8],
    /// The curve; absent where the enclosing structure has it.
    pub curve: Option<Oid>,
    /// The point of the public key.
    pub public_key: Option<&'a [u8]>,
    pub(super) key_position: usize,
    pub(super) curve_position: usize,
    pub(super) public_position: usize,
}

impl<'a> EcPrivateKey<'a> {
    /// A key to be written.
    pub(super) const fn new(
        private_key: &'a [u8],
        curve: Option<Oid>,
        public_key: &'a [u8],
    ) -> Self {
        Self {
            private_key,
            curve,
            public_key: Some(public_key),
            key_position: 0,
            curve_position: 0,
            public_position: 0,
        }
    }
}

impl<'a> Element<'a> for EcPrivateKey<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            version(r, &[1])?;
            let key = r.enter(adamant_der::Tag::OCTET_STRING)?;
            let curve_position = r.position();
            let curve = optional_explicit(r, 0, |r| Ok(r.oid()?))?;
            let public = optional_explicit(r, 1, |r| Ok(r.bit_string_octets()?))?;
            Ok(Self {
                private_key: key.rest(),
                curve,
                public_key: public.map(|bits| bits.bytes),
                key_position: key.position(),
                curve_position,
                public_position: public.map_or(0, |bits| bits.position),
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.integer_u64(1);
            w.octet_string(self.private_key);
            if let Some(curve) = &self.curve {
                w.explicit(0, |w| w.oid(curve));
            }
            if let Some(public_key) = self.public_key {
                w.explicit(1, |w| w.bit_string(public_key, 0));
            }
        });
    }
}
