//! GCM-SIV of an AES and a POLYVAL, or a GHASH, as RFC 8452 has it.
//!
//! POLYVAL with H on blocks X is, bytes of blocks reversed, GHASH with the point H x on the blocks
//! X, their bytes reversed (appendix A).

use adamant_base::{Secret, Wipe, ct::Choice};

use super::lengths;
use crate::aes::RoundKeys;
use crate::ghash::Powers;

/// Blocks worked on at once.
pub(super) const AT_ONCE: usize = 32;

/// The functions of an AES and a POLYVAL.
pub(super) struct Row<Expand, Encrypt, Ctr, Init, Absorb> {
    /// The round keys of a key.
    pub(super) expand: Expand,
    /// Encrypts each block.
    pub(super) encrypt: Encrypt,
    /// [`ctr`]
    pub(super) ctr: Ctr,
    /// What GHASH computes for its point.
    pub(super) init: Init,
    /// [`absorb`]
    pub(super) absorb: Absorb,
}

/// The two keys of a message.
struct Keys {
    aes: Secret<RoundKeys>,
    powers: Secret<Powers>,
}

/// H times x in GHASH's order, from H in POLYVAL's (`mulX_GHASH(ByteReverse(H))`).
fn point(h: &[u8; 16]) -> [u8; 16] {
    let h = u128::from_le_bytes(*h);
    let carry = u128::from(Choice::from_bit((h & 1) as u64).select_u64(0xe1, 0));
    (h >> 1 ^ carry << 120).to_be_bytes()
}

/// Takes data into GHASH's sum by its `update`, the last block filled up with zeros.
#[inline]
pub(super) fn absorb(update: impl Fn(&mut [u8; 16], &[[u8; 16]]), sum: &mut [u8; 16], data: &[u8]) {
    for data in data.chunks(16 * AT_ONCE) {
        let mut blocks = [[0; 16]; AT_ONCE];
        for (block, data) in blocks.iter_mut().zip(data.chunks(16)) {
            block[..data.len()].copy_from_slice(data);
            block.reverse();
        }
        update(sum, &blocks[..data.len().div_ceil(16)]);
    }
}

/// Counter mode (`AES_CTR`): the counter is the first four bytes, the lowest first.
#[inline]
pub(super) fn ctr(encrypt: impl Fn(&mut [[u8; 16]]), first: &[u8; 16], data: &mut [u8]) {
    let [a, b, c, d, ..] = *first;
    let mut number = u32::from_le_bytes([a, b, c, d]);
    for data in data.chunks_mut(16 * AT_ONCE) {
        let mut stream = [*first; AT_ONCE];
        for block in &mut stream {
            block[..4].copy_from_slice(&number.to_le_bytes());
            number = number.wrapping_add(1);
        }
        encrypt(&mut stream[..data.len().div_ceil(16)]);
        for (byte, s) in data.iter_mut().zip(stream.as_flattened()) {
            *byte ^= s;
        }
        stream.wipe();
    }
}

impl<Expand, Encrypt, Ctr, Init, Absorb> Row<Expand, Encrypt, Ctr, Init, Absorb>
where
    Expand: Fn(&[u8], &mut RoundKeys),
    Encrypt: Fn(&RoundKeys, &mut [[u8; 16]]),
    Ctr: Fn(&RoundKeys, &[u8; 16], &mut [u8]),
    Init: Fn(&[u8; 16], &mut Powers),
    Absorb: Fn(&Powers, &mut [u8; 16], &[u8]),
{
    /// The keys of a nonce (section 4, `derive_keys`).
    fn derive(&self, keys: &RoundKeys, nonce: &[u8; 12]) -> Keys {
        let mut blocks = Secret::new([[0; 16]; 6]);
        for (i, block) in blocks.iter_mut().enumerate() {
            block[0] = i as u8;
            block[4..].copy_from_slice(nonce);
        }
        let count = if keys.rounds() == 10 { 4 } else { 6 };
        (self.encrypt)(keys, &mut blocks[..count]);
        let mut derived = Secret::new([0; 48]);
        for (half, block) in derived.chunks_mut(8).zip(blocks.iter()) {
            half.copy_from_slice(&block[..8]);
        }
        let mut keys = Keys {
            aes: Secret::new(RoundKeys::NONE),
            powers: Secret::new(Powers::NONE),
        };
        let (h, rest) = derived.split_at(16);
        let h = Secret::new(core::array::from_fn(|i| h[i]));
        (self.init)(&Secret::new(point(&h)), &mut keys.powers);
        (self.expand)(&rest[..8 * (count - 2)], &mut keys.aes);
        keys
    }

    /// The tag of a message.
    fn tag(&self, keys: &Keys, nonce: &[u8; 12], aad: &[u8], data: &[u8]) -> [u8; 16] {
        let mut sum = [0; 16];
        let lengths = lengths(aad.len(), data.len()).to_le_bytes();
        for data in [aad, data, &lengths] {
            (self.absorb)(&keys.powers, &mut sum, data);
        }
        sum.reverse();
        for (s, n) in sum.iter_mut().zip(nonce) {
            *s ^= n;
        }
        sum[15] &= 0x7f;
        let mut tag = [sum];
        (self.encrypt)(&keys.aes, &mut tag);
        tag[0]
    }

    /// Counter mode from a tag on.
    fn ctr(&self, keys: &Keys, tag: &[u8; 16], data: &mut [u8]) {
        let mut first = *tag;
        first[15] |= 0x80;
        (self.ctr)(&keys.aes, &first, data);
    }

    pub(super) fn seal(
        &self,
        keys: &RoundKeys,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8],
    ) -> [u8; 16] {
        let keys = self.derive(keys, nonce);
        let tag = self.tag(&keys, nonce, aad, data);
        self.ctr(&keys, &tag, data);
        tag
    }

    pub(super) fn open(
        &self,
        keys: &RoundKeys,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; 16],
    ) -> [u8; 16] {
        let keys = self.derive(keys, nonce);
        self.ctr(&keys, tag, data);
        self.tag(&keys, nonce, aad, data)
    }
}

/// Makes the functions of a table's row from an AES and a GHASH.
macro_rules! composed {
    ($aes:ident, $ghash:ident $(, $features:literal)?) => {
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn ctr(keys: &RoundKeys, first: &[u8; 16], data: &mut [u8]) {
            super::compose::ctr(|blocks| aes::encrypt_blocks(keys, blocks), first, data);
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn absorb(powers: &crate::ghash::Powers, sum: &mut [u8; 16], data: &[u8]) {
            let update = |sum: &mut [u8; 16], blocks: &[[u8; 16]]| {
                ghash::update(powers, sum, blocks);
            };
            super::compose::absorb(update, sum, data);
        }

        $crate::gcm_siv::compose::row!($aes, $ghash $(, $features)?);
    };
}
pub(super) use composed;

/// The same with counter mode and POLYVAL of the module's own: `ctr` and `absorb`.
macro_rules! row {
    ($aes:ident, $ghash:ident $(, $features:literal)?) => {
        use super::compose::Row;
        use crate::aes::{RoundKeys, $aes as aes};
        use crate::ghash::$ghash as ghash;

        $(#[target_feature(enable = $features)])?
        pub(super) fn expand(key: &[u8], keys: &mut RoundKeys) {
            aes::expand(key, keys);
        }

        $crate::gcm_siv::compose::row!(@whole seal() $(, $features)?);
        $crate::gcm_siv::compose::row!(@whole open(tag: &[u8; 16]) $(, $features)?);
    };
    (@whole $name:ident($($tag:ident: $type:ty)?) $(, $features:literal)?) => {
        $(#[target_feature(enable = $features)])?
        pub(super) fn $name(
            keys: &RoundKeys,
            nonce: &[u8; 12],
            aad: &[u8],
            data: &mut [u8],
            $($tag: $type)?
        ) -> [u8; 16] {
            let row = Row {
                expand: |key: &[u8], keys: &mut RoundKeys| aes::expand(key, keys),
                encrypt: |keys: &RoundKeys, blocks: &mut [[u8; 16]]| {
                    aes::encrypt_blocks(keys, blocks);
                },
                ctr: |keys: &RoundKeys, first: &[u8; 16], data: &mut [u8]| ctr(keys, first, data),
                init: |h: &[u8; 16], powers: &mut _| ghash::init(h, powers),
                absorb: |powers: &_, sum: &mut [u8; 16], data: &[u8]| absorb(powers, sum, data),
            };
            row.$name(keys, nonce, aad, data $(, $tag)?)
        }
    };
}
pub(super) use row;
