//! SHA-512 as FIPS 180-4 writes it (4.1.3 and 6.4.2), over words of one or of two registers.

use super::K;
use crate::word64::Word64;

#[inline(always)]
fn ch<W: Word64>(x: W, y: W, z: W) -> W {
    (x & y) ^ (!x & z)
}

#[inline(always)]
fn maj<W: Word64>(x: W, y: W, z: W) -> W {
    (x & y) ^ (x & z) ^ (y & z)
}

/// Σ0.
#[inline(always)]
fn big_sigma0<W: Word64>(x: W) -> W {
    x.rotate_right(28) ^ x.rotate_right(34) ^ x.rotate_right(39)
}

/// Σ1.
#[inline(always)]
fn big_sigma1<W: Word64>(x: W) -> W {
    x.rotate_right(14) ^ x.rotate_right(18) ^ x.rotate_right(41)
}

/// σ0.
#[inline(always)]
fn small_sigma0<W: Word64>(x: W) -> W {
    x.rotate_right(1) ^ x.rotate_right(8) ^ x.shift_right(7)
}

/// σ1.
#[inline(always)]
fn small_sigma1<W: Word64>(x: W) -> W {
    x.rotate_right(19) ^ x.rotate_right(61) ^ x.shift_right(6)
}

pub(super) fn compress<W: Word64>(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    for block in blocks {
        compress_block::<W>(state, block);
    }
}

fn compress_block<W: Word64>(state: &mut [u64; 8], block: &[u8; 128]) {
    // 1. The message schedule: of W the last sixteen words are kept, W[t] in w[t mod 16].
    let mut w = [W::new(0); 16];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *word = W::new(u64::from_be_bytes(*bytes));
    }
    macro_rules! schedule {
        ($t:literal) => {
            w[$t] = small_sigma1(w[($t + 14) % 16])
                .plus(w[($t + 9) % 16])
                .plus(small_sigma0(w[($t + 1) % 16]))
                .plus(w[$t])
                .scalar();
        };
    }

    // 2. The working variables.
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state.map(W::new);

    // 3. The rounds. The variables change names instead of places: the next round calls this
    //    one's $d e, and its $h a. The order of the additions keeps the last e off most of them.
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $k:ident $t:literal) => {
            let t1 = $h
                .plus(W::new($k[$t]))
                .plus(w[$t])
                .plus(ch($e, $f, $g))
                .plus(big_sigma1($e))
                .scalar();
            let t2 = big_sigma0($a).plus(maj($a, $b, $c));
            $d = $d.plus(t1);
            $h = t1.plus(t2);
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
    let [first, rest @ ..] = K.as_chunks::<16>().0 else {
        return; // never: K is not empty
    };
    sixteen_rounds!(first,);
    for k in rest {
        sixteen_rounds!(k, schedule);
    }

    // 4. The next hash value.
    for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.plus(x.get());
    }
}
