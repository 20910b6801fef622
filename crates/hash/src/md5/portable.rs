//! MD5 as RFC 1321 writes it (3.4).

use adamant_base::ct;

/// The table T: 2^32 |sin i| for i from 1, in radians (a test recomputes it).
#[rustfmt::skip]
pub(super) static T: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee,
    0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be,
    0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa,
    0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
    0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c,
    0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05,
    0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039,
    0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1,
    0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

pub(super) fn compress(state: &mut [u32; 4], blocks: &[[u8; 64]]) {
    for block in blocks {
        compress_block(state, block);
    }
}

// Each function adds to `sum` what does not depend on `x`, the last word to be known, and then the
// rest. F and G are sums of terms without a common bit.

fn f(sum: u32, x: u32, y: u32, z: u32) -> u32 {
    sum.wrapping_add(z ^ (x & (y ^ z)))
}

fn g(sum: u32, x: u32, y: u32, z: u32) -> u32 {
    sum.wrapping_add(y & !z).wrapping_add(x & z)
}

fn h(sum: u32, x: u32, y: u32, z: u32) -> u32 {
    sum.wrapping_add(x ^ (y ^ z))
}

fn i(sum: u32, x: u32, y: u32, z: u32) -> u32 {
    sum.wrapping_add(y ^ (x | !z))
}

/// `sum`, computed before it is added to anything: left alone, the compiler adds the constants
/// last, behind the word that everything waits for.
fn first(sum: u32) -> u32 {
    ct::barrier(u64::from(sum)) as u32
}

fn compress_block(state: &mut [u32; 4], block: &[u8; 64]) {
    let mut x = [0u32; 16];
    for (word, bytes) in x.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let [mut a, mut b, mut c, mut d] = *state;

    // [abcd k s i] of the standard: a = b + ((a + F(b, c, d) + X[k] + T[i]) <<< s); T counts from
    // zero here.
    macro_rules! step {
        ($f:ident [$a:ident $b:ident $c:ident $d:ident $k:expr, $s:literal, $i:expr]) => {
            let sum = first($a.wrapping_add(x[$k % 16]).wrapping_add(T[$i]));
            $a = $f(sum, $b, $c, $d).rotate_left($s).wrapping_add($b);
        };
    }
    // Sixteen steps from the $i-th on; the index of X starts at $k and goes on by $by.
    macro_rules! round {
        ($f:ident $i:literal, $k:literal $by:literal,
            $s0:literal $s1:literal $s2:literal $s3:literal) => {
            for j in (0..16).step_by(4) {
                step!($f [a b c d  $k + $by * j, $s0, $i + j]);
                step!($f [d a b c  $k + $by * (j + 1), $s1, $i + j + 1]);
                step!($f [c d a b  $k + $by * (j + 2), $s2, $i + j + 2]);
                step!($f [b c d a  $k + $by * (j + 3), $s3, $i + j + 3]);
            }
        };
    }
    round!(f 0, 0 1, 7 12 17 22);
    round!(g 16, 1 5, 5 9 14 20);
    round!(h 32, 5 3, 4 11 16 23);
    round!(i 48, 0 7, 6 10 15 21);

    for (word, x) in state.iter_mut().zip([a, b, c, d]) {
        *word = word.wrapping_add(x);
    }
}
