//! Poly1305 (RFC 8439, 2.5) on numbers below 2^131, digit by digit.

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

/// The products of r with each hexadecimal digit at each place: 16^i d r.
fn products(r: u128) -> [[Number; 16]; 33] {
    let (mut products, mut at) = ([[Number(0, 0); 16]; 33], Number(0, r));
    for products in &mut products {
        for digit in 1..16 {
            products[digit] = add(products[digit - 1], at);
        }
        at = add(products[15], at);
    }
    products
}

/// The tag of a message.
pub(crate) fn tag(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let half = |i: usize| u128::from_le_bytes(super::xor([0; 16], &key[16 * i..][..16]));
    let r = half(0) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
    let products = products(r);
    let mut sum = Number(0, 0);
    for block in message.chunks(16) {
        let low = u128::from_le_bytes(super::xor([0; 16], block));
        let block = match block.len() {
            16 => Number(1, low),
            len => Number(0, low | 1 << (8 * len)),
        };
        let Number(high, low) = add(sum, block);
        sum = products[32][high as usize];
        for (i, products) in products[..32].iter().enumerate() {
            sum = add(sum, products[(low >> (4 * i) & 15) as usize]);
        }
    }
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
