//! A round of Keccak over any kind of lane, written once for all fast implementations.

/// Two rounds on `$a`, an array of 25 lanes, with the round constants `$rc` (a pair).
///
/// The operations are functions or macros of the implementation at hand: `$theta`(a, b), what θ adds
/// to a column between the parities a and b: a ⊕ (b rotated by one), or a pair of the two, where an
/// exclusive or of three costs no more than one of two; `$add`(lane, it); `$rho`(lane, it, bits),
/// the sum rotated to the left; `$xor3`(a, b, c), `$chi`(a, b, c) = a ⊕ (¬b ∧ c) and `$iota`(a,
/// constant).
///
/// Differences from the portable code:
///
/// 1. The parities of the columns come first; then each row of the result is made at once, by ρ
///    and π from the five lanes that it takes (one of each row), and χ.
/// 2. Results go to other variables, and the second round brings them back, so no lane moves.
macro_rules! two_rounds {
    ($a:ident, $rc:expr; $theta:ident $add:ident $rho:ident $xor3:ident $chi:ident $iota:ident) => {
        let [first, second] = $rc;
        let e = crate::keccak::round::round!($a, *first; $theta $add $rho $xor3 $chi $iota);
        $a = crate::keccak::round::round!(e, *second; $theta $add $rho $xor3 $chi $iota);
    };
}

/// One round: the new lanes.
macro_rules! round {
    ($a:ident, $rc:expr; $theta:ident $add:ident $rho:ident $xor3:ident $chi:ident $iota:ident) => {{
        // θ: the parity of each column, and what it adds to its neighbours.
        let c0 = $xor3($xor3($a[0], $a[5], $a[10]), $a[15], $a[20]);
        let c1 = $xor3($xor3($a[1], $a[6], $a[11]), $a[16], $a[21]);
        let c2 = $xor3($xor3($a[2], $a[7], $a[12]), $a[17], $a[22]);
        let c3 = $xor3($xor3($a[3], $a[8], $a[13]), $a[18], $a[23]);
        let c4 = $xor3($xor3($a[4], $a[9], $a[14]), $a[19], $a[24]);
        let d0 = $theta!(c4, c1);
        let d1 = $theta!(c0, c2);
        let d2 = $theta!(c1, c3);
        let d3 = $theta!(c2, c4);
        let d4 = $theta!(c3, c0);

        // ρ and π: B[y, 2x + 3y] is A[x, y] rotated. χ on each row of B.
        let (b0, b1) = ($add($a[0], d0), $rho!($a[6], d1, 44));
        let (b2, b3) = ($rho!($a[12], d2, 43), $rho!($a[18], d3, 21));
        let b4 = $rho!($a[24], d4, 14);
        let e0 = $iota($chi(b0, b1, b2), $rc);
        let (e1, e2) = ($chi(b1, b2, b3), $chi(b2, b3, b4));
        let (e3, e4) = ($chi(b3, b4, b0), $chi(b4, b0, b1));

        let (b0, b1) = ($rho!($a[3], d3, 28), $rho!($a[9], d4, 20));
        let (b2, b3) = ($rho!($a[10], d0, 3), $rho!($a[16], d1, 45));
        let b4 = $rho!($a[22], d2, 61);
        let e5 = $chi(b0, b1, b2);
        let (e6, e7) = ($chi(b1, b2, b3), $chi(b2, b3, b4));
        let (e8, e9) = ($chi(b3, b4, b0), $chi(b4, b0, b1));

        let (b0, b1) = ($rho!($a[1], d1, 1), $rho!($a[7], d2, 6));
        let (b2, b3) = ($rho!($a[13], d3, 25), $rho!($a[19], d4, 8));
        let b4 = $rho!($a[20], d0, 18);
        let e10 = $chi(b0, b1, b2);
        let (e11, e12) = ($chi(b1, b2, b3), $chi(b2, b3, b4));
        let (e13, e14) = ($chi(b3, b4, b0), $chi(b4, b0, b1));

        let (b0, b1) = ($rho!($a[4], d4, 27), $rho!($a[5], d0, 36));
        let (b2, b3) = ($rho!($a[11], d1, 10), $rho!($a[17], d2, 15));
        let b4 = $rho!($a[23], d3, 56);
        let e15 = $chi(b0, b1, b2);
        let (e16, e17) = ($chi(b1, b2, b3), $chi(b2, b3, b4));
        let (e18, e19) = ($chi(b3, b4, b0), $chi(b4, b0, b1));

        let (b0, b1) = ($rho!($a[2], d2, 62), $rho!($a[8], d3, 55));
        let (b2, b3) = ($rho!($a[14], d4, 39), $rho!($a[15], d0, 41));
        let b4 = $rho!($a[21], d1, 2);
        let e20 = $chi(b0, b1, b2);
        let (e21, e22) = ($chi(b1, b2, b3), $chi(b2, b3, b4));
        let (e23, e24) = ($chi(b3, b4, b0), $chi(b4, b0, b1));
        [
            e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18,
            e19, e20, e21, e22, e23, e24,
        ]
    }};
}
pub(super) use {round, two_rounds};
