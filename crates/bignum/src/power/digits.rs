//! Digits of 52 bits, as the IFMA instructions multiply them. 16 of them are 13 limbs, and those
//! are taken together where there are as many: then all shifts are constants.

use crate::limbs;

/// Bits of a digit.
pub(crate) const BITS: usize = 52;
/// All bits of a digit.
pub(crate) const MASK: u64 = (1 << BITS) - 1;

/// An array of what a function gives at these constants.
macro_rules! group {
    ($function:ident $from:ident: $($i:literal)*) => { [$($function::<$i>($from)),*] };
}

/// Digit I of 13 limbs.
#[inline(always)]
fn digit<const I: usize>(a: &[u64; 13]) -> u64 {
    let (limb, shift) = (I * BITS / 64, I * BITS % 64);
    let high = match a.get(limb + 1) {
        Some(high) if shift > 64 - BITS => high << (64 - shift),
        _ => 0,
    };
    (a[limb] >> shift | high) & MASK
}

/// Limb I of 16 digits.
#[inline(always)]
fn limb<const I: usize>(digits: &[u64; 16]) -> u64 {
    let (first, shift) = (64 * I / BITS, 64 * I % BITS);
    let third = match digits.get(first + 2) {
        Some(third) if shift > 2 * BITS - 64 => third << (2 * BITS - shift),
        _ => 0,
    };
    digits[first] >> shift | digits[first + 1] << (BITS - shift) | third
}

/// Splits a number into digits, as many as `out` has.
#[inline]
pub(crate) fn from_limbs(a: &[u64], out: &mut [u64]) {
    let (groups, rest) = a.as_chunks::<13>();
    let (places, _) = out.as_chunks_mut::<16>();
    let done = groups.len().min(places.len());
    for (a, out) in groups.iter().zip(places) {
        *out = group!(digit a: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    }
    let rest = if done < groups.len() {
        &a[13 * done..]
    } else {
        rest
    };
    for (i, digit) in out[16 * done..].iter_mut().enumerate() {
        *digit = limbs::window(rest, i * BITS, BITS);
    }
}

/// The number of these digits, each below 2^52; what does not fit into `out` is cut.
#[inline]
pub(crate) fn to_limbs(digits: &[u64], out: &mut [u64]) {
    let (groups, _) = digits.as_chunks::<16>();
    let (places, _) = out.as_chunks_mut::<13>();
    let done = groups.len().min(places.len());
    for (digits, out) in groups.iter().zip(places) {
        *out = group!(limb digits: 0 1 2 3 4 5 6 7 8 9 10 11 12);
    }
    let out = &mut out[13 * done..];
    out.fill(0);
    for (i, digit) in digits[16 * done..].iter().enumerate() {
        let (limb, shift) = (i * BITS / 64, i * BITS % 64);
        if let Some(low) = out.get_mut(limb) {
            *low |= digit << shift;
        }
        if let Some(high) = out.get_mut(limb + 1)
            && shift > 64 - BITS
        {
            *high |= digit >> (64 - shift);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_testkit::TestRng;

    #[test]
    fn there_and_back() {
        let mut rng = TestRng::new(1);
        for len in 0..60usize {
            let number: Vec<u64> = (0..len).map(|_| rng.next_u64()).collect();
            let all = (64 * len).div_ceil(BITS);
            for count in [all.saturating_sub(3), all, all + 1, all + 20] {
                let mut digits = vec![7; count];
                from_limbs(&number, &mut digits);
                for (i, digit) in digits.iter().enumerate() {
                    assert_eq!(*digit, limbs::window(&number, i * BITS, BITS));
                }
                for room in [len, len + 1, len.saturating_sub(2)] {
                    let mut back = vec![7; room];
                    to_limbs(&digits, &mut back);
                    let bits = (BITS * count).min(64 * room);
                    for bit in 0..64 * room {
                        let expected = if bit < bits {
                            limbs::bit(&number, bit)
                        } else {
                            0
                        };
                        assert_eq!(
                            limbs::bit(&back, bit),
                            expected,
                            "{len} {count} {room} {bit}"
                        );
                    }
                }
            }
        }
    }
}
