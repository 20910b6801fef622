//! SHA-1 as FIPS 180-4 writes it (4.1.1, 4.2.1 and 6.1.2).

use super::K;

fn ch(x: u32, y: u32, z: u32) -> u32 {
    z ^ (x & (y ^ z))
}

fn parity(x: u32, y: u32, z: u32) -> u32 {
    x ^ y ^ z
}

fn maj(x: u32, y: u32, z: u32) -> u32 {
    (x & y) ^ (x & z) ^ (y & z)
}

pub(super) fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    for block in blocks {
        compress_block(state, block);
    }
}

fn compress_block(state: &mut [u32; 5], block: &[u8; 64]) {
    // 1. The message schedule.
    let mut w = [0u32; 80];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..80 {
        w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
    }

    // 2. The working variables.
    let [mut a, mut b, mut c, mut d, mut e] = *state;

    // 3. The rounds. The variables change names instead of places: the next round calls this
    //    one's $e its $a.
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident, $f:ident $k:expr, $w:expr) => {
            $e = $e
                .wrapping_add($w)
                .wrapping_add($k)
                .wrapping_add($f($b, $c, $d))
                .wrapping_add($a.rotate_left(5));
            $b = $b.rotate_left(30);
        };
    }
    macro_rules! twenty_rounds {
        ($f:ident $i:literal) => {
            for w in w.as_chunks::<5>().0[4 * $i..][..4].iter() {
                round!(a b c d e, $f K[$i], w[0]);
                round!(e a b c d, $f K[$i], w[1]);
                round!(d e a b c, $f K[$i], w[2]);
                round!(c d e a b, $f K[$i], w[3]);
                round!(b c d e a, $f K[$i], w[4]);
            }
        };
    }
    twenty_rounds!(ch 0);
    twenty_rounds!(parity 1);
    twenty_rounds!(maj 2);
    twenty_rounds!(parity 3);

    // 4. The next hash value.
    for (word, x) in state.iter_mut().zip([a, b, c, d, e]) {
        *word = word.wrapping_add(x);
    }
}
