//! The field of GHASH (SP 800-38D, 6.3) and POLYVAL (RFC 8452, 3).

/// A product, bit by bit: the highest bit of a number is the coefficient of 1 (algorithm 1).
pub(crate) fn times(x: u128, y: u128) -> u128 {
    let (mut z, mut v) = (0, y);
    for i in (0..128).rev() {
        z ^= v & (x >> i & 1).wrapping_neg();
        v = v >> 1 ^ (0xe1 << 120) & (v & 1).wrapping_neg();
    }
    z
}

/// A product divided by x^128, the lowest bit of a number being the coefficient of 1 (RFC 8452, 3).
fn dot(x: u128, y: u128) -> u128 {
    (0..128).fold(0, |sum, i| {
        // Times 1 / x for each bit, from the lowest on: where a bit leaves, the modulus
        // x^128 + x^127 + x^126 + x^121 + 1 is added first.
        let sum: u128 = sum ^ y & (x >> i & 1).wrapping_neg();
        sum >> 1 ^ (1 << 127 | 1 << 126 | 1 << 125 | 1 << 120) & (sum & 1).wrapping_neg()
    })
}

/// x^(2^128 - 2) by these products; `one` is neutral.
fn inverse(x: u128, one: u128, product: impl Fn(u128, u128) -> u128) -> u128 {
    let (mut power, mut inverse) = (x, one);
    for _ in 1..128 {
        power = product(power, power);
        inverse = product(inverse, power);
    }
    inverse
}

/// A linear map, byte by byte.
struct Linear(Box<[[u128; 256]; 16]>);

impl Linear {
    /// The map of these values at the powers of two.
    fn new(at: impl Fn(u128) -> u128) -> Self {
        let mut sums = Box::new([[0; 256]; 16]);
        for (i, sums) in sums.iter_mut().enumerate() {
            for bit in 0..8 {
                let value = at(1 << (8 * i + bit));
                for byte in 0..1 << bit {
                    sums[byte | 1 << bit] = sums[byte] ^ value;
                }
            }
        }
        Linear(sums)
    }

    fn of(&self, x: u128) -> u128 {
        let mut sum = 0;
        for (i, sums) in self.0.iter().enumerate() {
            sum ^= sums[usize::from((x >> (8 * i)) as u8)];
        }
        sum
    }
}

/// A point of GHASH: products with it, and with its inverse.
pub(crate) struct Ghash {
    times: Linear,
    by: Linear,
}

impl Ghash {
    pub(crate) fn new(h: u128) -> Self {
        let by = inverse(h, 1 << 127, times);
        Ghash {
            times: Linear::new(|x| times(x, h)),
            by: Linear::new(|x| times(x, by)),
        }
    }

    /// GHASH (6.4) of data filled up with zeros, from a sum on.
    pub(crate) fn hash(&self, sum: u128, data: &[u8]) -> u128 {
        let mut sum = sum;
        for block in data.chunks(16) {
            sum = self
                .times
                .of(sum ^ u128::from_be_bytes(super::xor([0; 16], block)));
        }
        sum
    }

    /// The first counter block of a nonce (7.1, step 2).
    pub(crate) fn first_counter(&self, nonce: &[u8]) -> u128 {
        if nonce.len() == 12 {
            return u128::from_be_bytes(super::xor([0; 16], nonce)) | 1;
        }
        self.times
            .of(self.hash(0, nonce) ^ (8 * nonce.len() as u128))
    }

    /// The nonce of 16 bytes that has this first counter block.
    pub(crate) fn nonce_of(&self, first_counter: u128) -> [u8; 16] {
        self.by.of(self.by.of(first_counter) ^ 128).to_be_bytes()
    }
}

/// A point of POLYVAL: products with it, and with its inverse.
pub(crate) struct Polyval {
    dot: Linear,
    by: Linear,
}

impl Polyval {
    pub(crate) fn new(h: u128) -> Self {
        // x^128 is neutral.
        let by = inverse(h, 1 << 127 | 1 << 126 | 1 << 121 | 1, dot);
        Polyval {
            dot: Linear::new(|x| dot(x, h)),
            by: Linear::new(|x| dot(x, by)),
        }
    }

    /// POLYVAL of data filled up with zeros, from a sum on.
    pub(crate) fn hash(&self, sum: u128, data: &[u8]) -> u128 {
        let mut sum = sum;
        for block in data.chunks(16) {
            sum = self
                .dot
                .of(sum ^ u128::from_le_bytes(super::xor([0; 16], block)));
        }
        sum
    }

    /// The first of this many blocks that are hashed to a sum, all others being zero.
    pub(crate) fn first_block(&self, blocks: usize, sum: u128) -> u128 {
        (0..blocks).fold(sum, |sum, _| self.by.of(sum))
    }
}

/// RFC 8452, appendix A, and what follows from the definitions.
#[test]
fn rfc_8452() {
    use hex_literal::hex;
    let x = hex!("4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362");
    let polyval = Polyval::new(u128::from_le_bytes(hex!(
        "25629347589242761d31f826ba4b757b"
    )));
    let sum = hex!("f7a3b47b846119fae5b7866cf5e5b77e");
    assert_eq!(polyval.hash(0, &x).to_le_bytes(), sum);
    let mut first = [7; 64];
    first[16..].fill(0);
    let back = polyval.first_block(4, polyval.hash(0, &first));
    assert_eq!(back.to_le_bytes(), [7; 16]);
    let ghash = Ghash::new(u128::from_be_bytes(hex!(
        "25629347589242761d31f826ba4b757b"
    )));
    let sum = hex!("bd9b3997046731fb96251b91f9c99d7a");
    assert_eq!(ghash.hash(0, &x).to_be_bytes(), sum);
    for counter in [0, 1, 0x1234 << 99 | 0xffff_fffe] {
        assert_eq!(ghash.first_counter(&ghash.nonce_of(counter)), counter);
    }
    assert_eq!(ghash.first_counter(&[2; 12]) as u32, 1);
}
