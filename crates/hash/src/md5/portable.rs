//! MD5 as RFC 1321 writes it (3.4).

use super::T;
use adamant_base::ct;

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
    sum.wrapping_add(y & !z).wrapping_add(x & first(z))
}

fn h(sum: u32, x: u32, y: u32, z: u32) -> u32 {
    sum.wrapping_add(x ^ first(y ^ z))
}

fn i(sum: u32, x: u32, y: u32, z: u32) -> u32 {
    sum.wrapping_add(y ^ (x | !z))
}

/// `sum`, computed before it is added to anything: left alone, the compiler adds the constants
/// last, after the word that everything waits for.
fn first(sum: u32) -> u32 {
    // The barrier's word has 64 bits, of which POWER would clear the upper half each time.
    if cfg!(target_arch = "powerpc64") {
        return sum;
    }
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
