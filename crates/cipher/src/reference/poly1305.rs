//! Poly1305 (RFC 8439, 2.5) on numbers below 2^131, byte by byte.

/// 2^130 - 5.
const P: Number = Number(3, u128::MAX - 4);

/// A high and a low part.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Number(u64, u128);

/// The sum of two numbers below p, modulo p.
fn add(a: Number, b: Number) -> Number {
    let (low, carry) = a.1.overflowing_add(b.1);
    let sum = Number(a.0 + b.0 + u64::from(carry), low);
    if sum < P {
        return sum;
    }
    let (low, borrow) = sum.1.overflowing_sub(P.1);
    Number(sum.0 - P.0 - u64::from(borrow), low)
}

/// The products of r with each byte at each place: 256^i b r.
fn products(r: u128) -> Vec<[Number; 256]> {
    let mut at = Number(0, r);
    let products = (0..17).map(|_| {
        let mut products = [Number(0, 0); 256];
        for byte in 1..256 {
            products[byte] = add(products[byte - 1], at);
        }
        at = add(products[255], at);
        products
    });
    products.collect()
}

/// The tag of a message.
pub(crate) fn tag(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let half = |i: usize| u128::from_le_bytes(super::xor([0; 16], &key[16 * i..][..16]));
    let r = half(0) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
    let products = products(r);
    let sum = message.chunks(16).fold(Number(0, 0), |sum, block| {
        let low = u128::from_le_bytes(super::xor([0; 16], block));
        let block = match block.len() {
            16 => Number(1, low),
            len => Number(0, low | 1 << (8 * len)),
        };
        let Number(high, low) = add(sum, block);
        let bytes = low.to_le_bytes().into_iter().chain([high as u8]);
        let terms = bytes
            .zip(&products)
            .map(|(byte, products)| products[usize::from(byte)]);
        terms.fold(Number(0, 0), add)
    });
    sum.1.wrapping_add(half(1)).to_le_bytes()
}

/// RFC 8439, 2.5.2, and A.3, vectors 7 and 11: sums at p and above.
#[test]
fn rfc_8439() {
    use hex_literal::hex;
    let key = hex!("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b");
    assert_eq!(
        tag(&key, b"Cryptographic Forum Research Group"),
        hex!("a8061dc1305136c6c22b8baf0c0127a9")
    );
    let mut key = [0; 32];
    key[0] = 1;
    let message = [
        [0xff; 16],
        hex!("f0ffffffffffffffffffffffffffffff"),
        hex!("11000000000000000000000000000000"),
    ];
    assert_eq!(
        tag(&key, message.as_flattened()),
        hex!("05000000000000000000000000000000")
    );
    key[0] = 2;
    assert_eq!(
        tag(&key, &hex!("fdffffffffffffffffffffffffffffff")),
        hex!("faffffffffffffffffffffffffffffff")
    );
}
