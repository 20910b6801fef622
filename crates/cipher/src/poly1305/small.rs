//! Poly1305 in digits of eight bits: slow, but small.
//!
//! A digit of the sum is below 2^9 when it is multiplied and one of r below 2^8, so seventeen products, of
//! which those that wrap around count 320 times (2^136 = 320), are below 2^30.

use super::State;
use adamant_base::Wipe;
use core::array::from_fn;
use core::hint::black_box;

type Digits = [u32; 17];

fn digits(words: [u64; 3]) -> Digits {
    let bytes = words.map(u64::to_le_bytes);
    from_fn(|i| bytes.as_flattened()[i].into())
}

fn words(digits: &Digits) -> [u64; 3] {
    let mut bytes = [[0; 8]; 3];
    for (byte, digit) in bytes.as_flattened_mut().iter_mut().zip(digits) {
        *byte = *digit as u8;
    }
    bytes.map(u64::from_le_bytes)
}

/// Digits below 2^8, of a number below 2^136.
fn carry(sum: &mut Digits) {
    let mut carry = 0;
    for digit in sum {
        carry += *digit;
        *digit = carry & 0xff;
        carry >>= 8;
    }
}

/// Takes what is above 2^130 back in at the bottom: 2^130 = 5. Of digits below 2^30 it makes ones below 2^8, the
/// last below 5.
fn fold(sum: &mut Digits) {
    let mut over = 0;
    for digit in &mut sum[..16] {
        over += *digit;
        *digit = over & 0xff;
        over >>= 8;
    }
    over += sum[16];
    sum[16] = over & 3;
    sum[0] += 5 * (over >> 2);
    carry(sum);
}

/// `product = a b`, of numbers of seventeen digits, which is not told, or the compiler writes all products out,
/// one by one.
fn multiply(a: &[u32], b: &[u32], product: &mut Digits) {
    for (i, sum) in product.iter_mut().enumerate() {
        *sum = 0;
        for (j, a) in a.iter().enumerate() {
            *sum += if j <= i {
                a * b[i - j]
            } else {
                320 * a * b[17 + i - j]
            };
        }
    }
}

#[inline(never)]
pub(crate) fn update(state: &mut State, blocks: &[[u8; 16]], high: u32) {
    let mut sum = digits(state.sum);
    let mut r = digits([state.r[0], state.r[1], 0]);
    for block in blocks {
        for (digit, byte) in sum.iter_mut().zip(block) {
            *digit += u32::from(*byte);
        }
        sum[16] += high;
        let factor = sum;
        multiply(black_box(&factor), black_box(&r), &mut sum);
        fold(&mut sum);
    }
    state.sum = words(&sum);
    sum.wipe();
    r.wipe();
}

/// The sum modulo p, plus s.
#[cfg(any(test, feature = "small"))]
pub(super) fn tag(state: &State) -> [u8; 16] {
    let mut sum = digits(state.sum);
    fold(&mut sum);
    // h - p is h + 5 - 2^130: at least 0 where h + 5 has a bit above.
    let mut minus = sum;
    minus[0] += 5;
    carry(&mut minus);
    let at_least_p = adamant_base::ct::Choice::from_bit(u64::from(minus[16] >> 2 & 1));
    let s = digits([state.s[0], state.s[1], 0]);
    for i in 0..17 {
        sum[i] = at_least_p.select_u64(minus[i].into(), sum[i].into()) as u32 + s[i];
    }
    carry(&mut sum);
    let tag = from_fn(|i| sum[i] as u8);
    minus.wipe();
    sum.wipe();
    tag
}
