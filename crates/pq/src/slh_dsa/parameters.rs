//! Parameter sets (FIPS 205, 11) and addresses (4.2 and 11.2).

/// Digits of a message are of lg_w = 4 bits: chains have w − 1 steps.
pub(super) const W: u32 = 16;

/// The digits of the checksum: len₂ for every set.
const LEN2: usize = 3;

/// A row of table 2.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parameters {
    /// Bytes of a node.
    pub(super) n: usize,
    /// Layers of XMSS trees.
    pub(super) d: usize,
    /// h′: the height of an XMSS tree.
    pub(super) h_prime: usize,
    /// The height of a FORS tree.
    pub(super) a: usize,
    /// How many FORS trees there are.
    pub(super) k: usize,
    /// SHAKE256, or SHA-2.
    pub(super) shake: bool,
}

impl Parameters {
    /// The chains of a WOTS⁺ key.
    pub(super) const fn len(&self) -> usize {
        2 * self.n + LEN2
    }

    /// The bits that choose a tree of the lowest layer: h − h′.
    pub(super) const fn tree_bits(&self) -> usize {
        (self.d - 1) * self.h_prime
    }

    /// Bytes of the digest of a message that choose the secrets of FORS.
    pub(super) const fn md_len(&self) -> usize {
        (self.k * self.a).div_ceil(8)
    }

    /// m: bytes of the whole digest of a message.
    pub(super) const fn digest_len(&self) -> usize {
        self.md_len() + self.tree_bits().div_ceil(8) + self.h_prime.div_ceil(8)
    }

    /// Bytes of the part of a signature that is a FORS signature.
    pub(super) const fn fors_len(&self) -> usize {
        self.k * (1 + self.a) * self.n
    }

    /// Bytes of an XMSS signature, of which there are d.
    pub(super) const fn xmss_len(&self) -> usize {
        (self.len() + self.h_prime) * self.n
    }

    /// Bytes of a signature.
    pub(super) const fn signature_len(&self) -> usize {
        self.n + self.fors_len() + self.d * self.xmss_len()
    }
}

/// The longest digest of a message: m of SLH-DSA-256f.
pub(super) const MAX_DIGEST: usize = 49;

/// What a hash is for: the type of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Type {
    WotsHash = 0,
    WotsPk = 1,
    Tree = 2,
    ForsTree = 3,
    ForsRoots = 4,
    WotsPrf = 5,
    ForsPrf = 6,
}

impl Type {
    /// The type of the address that the secret start of such a chain is made with.
    pub(super) fn prf(self) -> Type {
        match self {
            Type::WotsHash => Type::WotsPrf,
            _ => Type::ForsPrf,
        }
    }
}

/// ADRS: where in the structure a hash is. Setters are fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adrs {
    pub(super) layer: u32,
    /// The standard has twelve bytes, of which the first four are zero in every set.
    pub(super) tree: u64,
    pub(super) kind: Type,
    pub(super) key_pair: u32,
    /// The chain, or the height in a tree.
    pub(super) chain_or_height: u32,
    /// The step in a chain, or the index in a tree.
    pub(super) hash_or_index: u32,
}

impl Adrs {
    /// The address of a type with zeros after it (setTypeAndClear).
    pub(super) fn new(layer: usize, tree: u64, kind: Type) -> Self {
        Adrs {
            layer: layer as u32,
            tree,
            kind,
            key_pair: 0,
            chain_or_height: 0,
            hash_or_index: 0,
        }
    }

    /// The address as its 32 bytes.
    pub(super) fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&self.layer.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.tree.to_be_bytes());
        let words = [
            self.kind as u32,
            self.key_pair,
            self.chain_or_height,
            self.hash_or_index,
        ];
        for (to, word) in bytes[16..].chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_be_bytes());
        }
        bytes
    }

    /// ADRSᶜ, the 22 bytes that go into SHA-2, as big-endian words; the last one is half empty.
    pub(super) fn compressed(self) -> [u32; 6] {
        [
            self.layer << 24 | (self.tree >> 40) as u32,
            (self.tree >> 8) as u32,
            (self.tree as u32) << 24 | (self.kind as u32) << 16 | self.key_pair >> 16,
            self.key_pair << 16 | self.chain_or_height >> 16,
            self.chain_or_height << 16 | self.hash_or_index >> 16,
            self.hash_or_index << 16,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ADRSᶜ by its definition: ADRS\[3\] ‖ ADRS\[8 : 16\] ‖ ADRS\[19\] ‖ ADRS\[20 : 32\].
    #[test]
    fn compressed_addresses() {
        let adrs = Adrs {
            layer: 0x15,
            tree: 0x0123_4567_89ab_cdef,
            kind: Type::ForsPrf,
            key_pair: 0x1357_9bdf,
            chain_or_height: 0x2468_ace0,
            hash_or_index: 0x1122_3344,
        };
        let bytes = adrs.to_bytes();
        let expected = [
            &bytes[3..4],
            &bytes[8..16],
            &bytes[19..20],
            &bytes[20..],
            &[0; 2],
        ];
        let words = adrs.compressed().map(u32::to_be_bytes);
        assert_eq!(words.as_flattened(), expected.concat());
    }
}
