//! A round of Keccak over any kind of lane, written once for all fast implementations.

/// Two rounds on `$a`, an array of 25 lanes, with the round constants `$rc` (a pair).
///
/// The operations are functions or macros of the implementation at hand: `$sum`(a, b), what θ adds
/// to a column, and `$add`(lane, sum), which are exclusive or, or where three operands cost no more
/// than two a pair and its addition; `$xor3`(a, b, c), `$chi`(a, b, c) = a ⊕ (¬b ∧ c),
/// `$rotate`(a; bits) to the left and `$iota`(a, constant).
///
/// Differences from the portable code:
///
/// 1. The parities of the columns come first; then each row of the result is made at once, by ρ
///    and π from the five lanes that it takes (one of each row), and χ.
/// 2. Results go to other variables, and the second round brings them back, so no lane moves.
macro_rules! two_rounds {
    ($a:ident, $rc:expr; $sum:ident $add:ident $xor3:ident $chi:ident $rotate:ident $iota:ident) => {
        let [first, second] = $rc;
        let e = crate::keccak::round::round!($a, *first; $sum $add $xor3 $chi $rotate $iota);
        $a = crate::keccak::round::round!(e, *second; $sum $add $xor3 $chi $rotate $iota);
    };
}

/// One round: the new lanes.
macro_rules! round {
    ($a:ident, $rc:expr; $sum:ident $add:ident $xor3:ident $chi:ident $rotate:ident $iota:ident) => {{
        // θ: the parity of each column, and what it adds to its neighbours.
        let c0 = $xor3($xor3($a[0], $a[5], $a[10]), $a[15], $a[20]);
        let c1 = $xor3($xor3($a[1], $a[6], $a[11]), $a[16], $a[21]);
        let c2 = $xor3($xor3($a[2], $a[7], $a[12]), $a[17], $a[22]);
        let c3 = $xor3($xor3($a[3], $a[8], $a[13]), $a[18], $a[23]);
        let c4 = $xor3($xor3($a[4], $a[9], $a[14]), $a[19], $a[24]);
        let d0 = $sum(c4, $rotate!(c1, 1));
        let d1 = $sum(c0, $rotate!(c2, 1));
        let d2 = $sum(c1, $rotate!(c3, 1));
        let d3 = $sum(c2, $rotate!(c4, 1));
        let d4 = $sum(c3, $rotate!(c0, 1));

        // ρ and π: B[y, 2x + 3y] is A[x, y] rotated. χ on each row of B.
        let (b0, b1) = ($add($a[0], d0), $rotate!($add($a[6], d1), 44));
        let (b2, b3) = (
            $rotate!($add($a[12], d2), 43),
            $rotate!($add($a[18], d3), 21),
        );
        let b4 = $rotate!($add($a[24], d4), 14);
        let e0 = $iota($chi(b0, b1, b2), $rc);
        let (e1, e2) = ($chi(b1, b2, b3), $chi(b2, b3, b4));
        let (e3, e4) = ($chi(b3, b4, b0), $chi(b4, b0, b1));

        let (b0, b1) = ($rotate!($add($a[3], d3), 28), $rotate!($add($a[9], d4), 20));
        let (b2, b3) = (
            $rotate!($add($a[10], d0), 3),
            $rotate!($add($a[16], d1), 45),
        );
        let b4 = $rotate!($add($a[22], d2), 61);
        let e5 = $chi(b0, b1, b2);
        let (e6, e7) = ($chi(b1, b2, b3), $chi(b2, b3, b4));
        let (e8, e9) = ($chi(b3, b4, b0), $chi(b4, b0, b1));

        let (b0, b1) = ($rotate!($add($a[1], d1), 1), $rotate!($add($a[7], d2), 6));
        let (b2, b3) = (
            $rotate!($add($a[13], d3), 25),
            $rotate!($add($a[19], d4), 8),
        );
        let b4 = $rotate!($add($a[20], d0), 18);
        let e10 = $chi(b0, b1, b2);
        let (e11, e12) = ($chi(b1, b2, b3), $chi(b2, b3, b4));
        let (e13, e14) = ($chi(b3, b4, b0), $chi(b4, b0, b1));

        let (b0, b1) = ($rotate!($add($a[4], d4), 27), $rotate!($add($a[5], d0), 36));
        let (b2, b3) = (
            $rotate!($add($a[11], d1), 10),
            $rotate!($add($a[17], d2), 15),
        );
        let b4 = $rotate!($add($a[23], d3), 56);
        let e15 = $chi(b0, b1, b2);
        let (e16, e17) = ($chi(b1, b2, b3), $chi(b2, b3, b4));
        let (e18, e19) = ($chi(b3, b4, b0), $chi(b4, b0, b1));

        let (b0, b1) = ($rotate!($add($a[2], d2), 62), $rotate!($add($a[8], d3), 55));
        let (b2, b3) = (
            $rotate!($add($a[14], d4), 39),
            $rotate!($add($a[15], d0), 41),
        );
        let b4 = $rotate!($add($a[21], d1), 2);
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
