//! SHA-256 as FIPS 180-4 writes it (4.1.2 and 6.2.2).

use super::K;

fn ch(x: u32, y: u32, z: u32) -> u32 {
    (x & y) ^ (!x & z)
}

fn maj(x: u32, y: u32, z: u32) -> u32 {
    (x & y) ^ (x & z) ^ (y & z)
}

/// Σ0.
fn big_sigma0(x: u32) -> u32 {
    x.rotate_right(2) ^ x.rotate_right(13) ^ x.rotate_right(22)
}

/// Σ1.
fn big_sigma1(x: u32) -> u32 {
    x.rotate_right(6) ^ x.rotate_right(11) ^ x.rotate_right(25)
}

/// σ0.
fn small_sigma0(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3)
}

/// σ1.
fn small_sigma1(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ (x >> 10)
}

/// The same, as [`word64::scalar`](crate::word64::scalar) has it.
fn scalar(x: u32) -> u32 {
    crate::word64::scalar(u64::from(x)) as u32
}

pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    for block in blocks {
        compress_block(state, block);
    }
}

pub(super) fn compress_pair(states: &mut [[u32; 8]; 2], blocks: &[[u8; 64]; 2]) {
    for (state, block) in states.iter_mut().zip(blocks) {
        compress(state, core::slice::from_ref(block));
    }
}

fn compress_block(state: &mut [u32; 8], block: &[u8; 64]) {
    if cfg!(feature = "small") {
        rolled(state, block);
    } else {
        unrolled(state, block);
    }
}

/// The code of one round, for all of them.
pub(super) fn rolled(state: &mut [u32; 8], block: &[u8; 64]) {
    let mut w = [0; 16];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    let mut v = *state;
    for (t, k) in K.0.iter().enumerate() {
        let [a, b, c, d, e, f, g, h] = v;
        let t1 = h
            .wrapping_add(big_sigma1(e))
            .wrapping_add(ch(e, f, g))
            .wrapping_add(*k)
            .wrapping_add(w[t % 16]);
        let t2 = big_sigma0(a).wrapping_add(maj(a, b, c));
        v = [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g];
        // W[t + 16] takes the place of W[t].
        w[t % 16] = small_sigma1(w[(t + 14) % 16])
            .wrapping_add(w[(t + 9) % 16])
            .wrapping_add(small_sigma0(w[(t + 1) % 16]))
            .wrapping_add(w[t % 16]);
    }
    for (word, x) in state.iter_mut().zip(v) {
        *word = word.wrapping_add(x);
    }
}

/// Sixteen rounds in a row.
#[inline(never)] // In both functions above a call costs nothing.
pub(super) fn unrolled(state: &mut [u32; 8], block: &[u8; 64]) {
    // 1. The message schedule: of W the last sixteen words are kept, W[t] in w[t mod 16].
    let mut w = [0; 16];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    macro_rules! schedule {
        ($t:literal) => {
            w[$t] = scalar(
                small_sigma1(w[($t + 14) % 16])
                    .wrapping_add(w[($t + 9) % 16])
                    .wrapping_add(small_sigma0(w[($t + 1) % 16]))
                    .wrapping_add(w[$t]),
            );
        };
    }

    // 2. The working variables.
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;

    // 3. The rounds. The variables change names instead of places: the next round calls this
    //    one's $d e, and its $h a. The order of the additions keeps the last e off most of them.
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $k:ident $t:literal) => {
            let t1 = scalar(
                $h.wrapping_add($k[$t])
                    .wrapping_add(w[$t])
                    .wrapping_add(ch($e, $f, $g))
                    .wrapping_add(big_sigma1($e)),
            );
            let t2 = big_sigma0($a).wrapping_add(maj($a, $b, $c));
            $d = $d.wrapping_add(t1);
            $h = t1.wrapping_add(t2);
        };
    }
    macro_rules! sixteen_rounds {
        ($k:ident, $($prepare:ident)?) => {
            $($prepare!(0);)?
            round!(a b c d e f g h, $k 0);
            $($prepare!(1);)?
            round!(h a b c d e f g, $k 1);
            $($prepare!(2);)?
            round!(g h a b c d e f, $k 2);
            $($prepare!(3);)?
            round!(f g h a b c d e, $k 3);
            $($prepare!(4);)?
            round!(e f g h a b c d, $k 4);
            $($prepare!(5);)?
            round!(d e f g h a b c, $k 5);
            $($prepare!(6);)?
            round!(c d e f g h a b, $k 6);
            $($prepare!(7);)?
            round!(b c d e f g h a, $k 7);
            $($prepare!(8);)?
            round!(a b c d e f g h, $k 8);
            $($prepare!(9);)?
            round!(h a b c d e f g, $k 9);
            $($prepare!(10);)?
            round!(g h a b c d e f, $k 10);
            $($prepare!(11);)?
            round!(f g h a b c d e, $k 11);
            $($prepare!(12);)?
            round!(e f g h a b c d, $k 12);
            $($prepare!(13);)?
            round!(d e f g h a b c, $k 13);
            $($prepare!(14);)?
            round!(c d e f g h a b, $k 14);
            $($prepare!(15);)?
            round!(b c d e f g h a, $k 15);
        };
    }
    let [first, rest @ ..] = K.0.as_chunks::<16>().0 else {
        return; // never: K is not empty
    };
    sixteen_rounds!(first,);
    for k in rest {
        sixteen_rounds!(k, schedule);
    }

    // 4. The next hash value.
    for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(x);
    }
}
