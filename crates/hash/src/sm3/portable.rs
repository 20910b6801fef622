//! SM3 as GB/T 32905 writes it (4.3, 4.4 and 5.3).

use super::T;

/// FF_j for the first sixteen rounds, and GG_j there too.
fn parity(x: u32, y: u32, z: u32) -> u32 {
    x ^ y ^ z
}

/// FF_j from the seventeenth round on.
fn majority(x: u32, y: u32, z: u32) -> u32 {
    (x & y) | ((x | y) & z)
}

/// GG_j from the seventeenth round on.
fn choose(x: u32, y: u32, z: u32) -> u32 {
    ((y ^ z) & x) ^ z
}

/// P_0.
fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

/// P_1.
fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}

pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    for block in blocks {
        compress_block(state, block);
    }
}

fn compress_block(state: &mut [u32; 8], block: &[u8; 64]) {
    // 5.3.2: the message expansion. W′_j = W_j ⊕ W_{j+4} is taken in the rounds.
    let mut w = [0; 68];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for j in 16..68 {
        w[j] = p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15))
            ^ w[j - 13].rotate_left(7)
            ^ w[j - 6];
    }

    // 5.3.3: the rounds. The variables change names instead of places: what this round leaves in
    // $d and $h are the next one's A and E.
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
            $ff:ident $gg:ident $j:expr) => {
            let a12 = $a.rotate_left(12);
            let ss1 = a12.wrapping_add($e).wrapping_add(T[$j]).rotate_left(7);
            let ss2 = ss1 ^ a12;
            let tt1 = $ff($a, $b, $c)
                .wrapping_add($d)
                .wrapping_add(ss2)
                .wrapping_add(w[$j] ^ w[$j + 4]);
            let tt2 = $gg($e, $f, $g)
                .wrapping_add($h)
                .wrapping_add(ss1)
                .wrapping_add(w[$j]);
            $b = $b.rotate_left(9);
            $d = tt1;
            $f = $f.rotate_left(19);
            $h = p0(tt2);
        };
    }
    macro_rules! four_rounds {
        ($ff:ident $gg:ident $j:expr) => {
            round!(a b c d e f g h, $ff $gg $j);
            round!(d a b c h e f g, $ff $gg $j + 1);
            round!(c d a b g h e f, $ff $gg $j + 2);
            round!(b c d a f g h e, $ff $gg $j + 3);
        };
    }
    for j in (0..16).step_by(4) {
        four_rounds!(parity parity j);
    }
    for j in (16..64).step_by(4) {
        four_rounds!(majority choose j);
    }

    for (word, x) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word ^= x;
    }
}
