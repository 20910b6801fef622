//! Products as lists of instructions, so that two can be woven together; the order is that in which a
//! core with one multiplier of vectors has something for it at any time.
//!
//! Limbs of a column come from rows, at first; of the last two rows they come column by column, and the
//! carries with them, which are those of [`pair`](super::pair).

/// The text of an instruction: vectors of two words of 64 bits, of four of 32 (`shl4`, `add4`), or of
/// which the halves change places (`turn`); and words of 64 bits, of factors of 32.
#[rustfmt::skip] // a rule a line
macro_rules! instruction {
    (umull $c:ident $a:ident $b:ident) => { instruction!(@ "umull" $c ".2d" $a ".2s" $b ".2s") };
    (umlal $c:ident $a:ident $b:ident) => { instruction!(@ "umlal" $c ".2d" $a ".2s" $b ".2s") };
    (umull2 $c:ident $a:ident $b:ident) => { instruction!(@ "umull2" $c ".2d" $a ".4s" $b ".4s") };
    (umlal2 $c:ident $a:ident $b:ident) => { instruction!(@ "umlal2" $c ".2d" $a ".4s" $b ".4s") };
    (uzp1 $c:ident $a:ident $b:ident) => { instruction!(@ "uzp1" $c ".4s" $a ".4s" $b ".4s") };
    (add2 $c:ident $a:ident $b:ident) => { instruction!(@ "add" $c ".2d" $a ".2d" $b ".2d") };
    (add4 $c:ident $a:ident $b:ident) => { instruction!(@ "add" $c ".4s" $a ".4s" $b ".4s") };
    (ushl $c:ident $a:ident $b:ident) => { instruction!(@ "ushl" $c ".4s" $a ".4s" $b ".4s") };
    (and $c:ident $a:ident $b:ident) => { instruction!(@ "and" $c ".16b" $a ".16b" $b ".16b") };
    (usra $c:ident $a:ident $n:literal) => { instruction!(@ "usra" $c ".2d" $a ".2d", $n) };
    (ushr $c:ident $a:ident $n:literal) => { instruction!(@ "ushr" $c ".2d" $a ".2d", $n) };
    (shl $c:ident $a:ident $n:literal) => { instruction!(@ "shl" $c ".2d" $a ".2d", $n) };
    (shl4 $c:ident $a:ident $n:literal) => { instruction!(@ "shl" $c ".4s" $a ".4s", $n) };
    (turn $c:ident $a:ident) => {
        concat!("ext {", stringify!($c), ":v}.16b, {", stringify!($a), ":v}.16b, {", stringify!($a), ":v}.16b, 8\n")
    };
    (ldp $a:ident $b:ident) => { concat!("ldp {", stringify!($a), ":q}, {", stringify!($b), ":q}, [{constants}]\n") };
    (ldr $a:ident $at:literal) => { concat!("ldr {", stringify!($a), ":q}, [{constants}, ", $at, "]\n") };
    (@ $op:literal $c:ident $x:literal $a:ident $y:literal $b:ident $z:literal) => {
        concat!(
            $op, " {", stringify!($c), ":v}", $x, ", {", stringify!($a), ":v}", $y, ", {",
            stringify!($b), ":v}", $z, "\n",
        )
    };
    (@ $op:literal $c:ident $x:literal $a:ident $y:literal, $n:literal) => {
        concat!($op, " {", stringify!($c), ":v}", $x, ", {", stringify!($a), ":v}", $y, ", ", $n, "\n")
    };
    (product $c:ident $a:ident $b:ident) => {
        concat!("umull {", stringify!($c), "}, {", stringify!($a), ":w}, {", stringify!($b), ":w}\n")
    };
    (sum $c:ident $a:ident $b:ident) => {
        concat!(
            "umaddl {", stringify!($c), "}, {", stringify!($a), ":w}, {", stringify!($b), ":w}, {",
            stringify!($c), "}\n",
        )
    };
    (twice $c:ident $a:ident) => {
        concat!("add {", stringify!($c), ":w}, {", stringify!($a), ":w}, {", stringify!($a), ":w}\n")
    };
    (add $c:ident $a:ident $b:ident) => {
        concat!("add {", stringify!($c), "}, {", stringify!($a), "}, {", stringify!($b), "}\n")
    };
    ($shift:ident $c:ident $a:ident $b:ident $n:literal) => {
        concat!(
            "add {", stringify!($c), "}, {", stringify!($a), "}, {", stringify!($b), "}, ",
            stringify!($shift), " ", $n, "\n",
        )
    };
    (shifted $c:ident $a:ident $n:literal) => {
        concat!("lsr {", stringify!($c), "}, {", stringify!($a), "}, ", $n, "\n")
    };
    (mask $c:ident $mask:literal) => {
        concat!("and {", stringify!($c), "}, {", stringify!($c), "}, ", stringify!($mask), "\n")
    };
    (limb $c:ident $at:literal) => { concat!("ldr {", stringify!($c), ":w}, [{third}, ", $at, "]\n") };
    (stp $a:ident $b:ident $at:literal) => {
        concat!("stp {", stringify!($a), "}, {", stringify!($b), "}, [{third}, ", $at, "]\n")
    };
}

/// The text of a list.
macro_rules! text {
    ([$($i:tt)*]) => { concat!($(instruction! $i),*) };
}

/// The text of two lists, an instruction of one after one of the other.
#[rustfmt::skip]
macro_rules! woven {
    ([$v0:tt $v1:tt $v2:tt $v3:tt $($v:tt)*] [$s0:tt $s1:tt $s2:tt $s3:tt $($s:tt)*]) => {
        concat!(
            instruction! $v0, instruction! $s0, instruction! $v1, instruction! $s1,
            instruction! $v2, instruction! $s2, instruction! $v3, instruction! $s3,
            woven!([$($v)*] [$($s)*]),
        )
    };
    ([$($v:tt)*] [$($s:tt)*]) => { concat!($(instruction! $v,)* $(instruction! $s,)*) };
}

/// The product of the pairs in `a0` to `a4` and `b0` to `b4`, in `a0`, `a2`, `c4`, `a3`, `a4`.
#[rustfmt::skip] // as many instructions as a line takes
macro_rules! product {
    ($then:ident) => {
        $then!([
            (ldr twice 48) (ushl t a0 twice) (umull c0 a0 b0) (umull c2 a0 b1) (umull c4 a0 b2)
            (umull c6 a0 b3) (umull c8 a0 b4) (turn s0 b0) (turn s1 b1) (turn s2 b2) (turn s3 b3)
            (turn s4 b4) (shl4 n b4 4) (umull c1 a0 s0) (umull c3 a0 s1) (umull c5 a0 s2)
            (add4 n n b4) (shl4 b4 b4 1) (umull c7 a0 s3) (umull c9 a0 s4) (umlal2 c1 a0 s0)
            (umlal2 c3 a0 s1) (add4 b4 b4 n) (umlal2 c5 a0 s2) (umlal2 c7 a0 s3) (umlal2 c9 a0 s4)
            (turn s4 b4) (umlal2 c2 t b0) (umlal2 c4 t b1) (umlal2 c6 t b2) (umlal2 c8 t b3)
            (umlal2 c0 t b4) (ushl t a1 twice) (umlal c2 a1 b0) (umlal c4 a1 b1) (umlal c6 a1 b2)
            (umlal c8 a1 b3) (umlal c0 a1 b4) (shl4 n b3 4) (umlal c3 a1 s0) (umlal c5 a1 s1)
            (umlal c7 a1 s2) (add4 n n b3) (shl4 b3 b3 1) (umlal c9 a1 s3) (umlal c1 a1 s4)
            (umlal2 c3 a1 s0) (umlal2 c5 a1 s1) (add4 b3 b3 n) (umlal2 c7 a1 s2) (umlal2 c9 a1 s3)
            (umlal2 c1 a1 s4) (turn s3 b3) (umlal2 c4 t b0) (umlal2 c6 t b1) (umlal2 c8 t b2)
            (umlal2 c0 t b3) (umlal2 c2 t b4) (ushl t a2 twice) (umlal c4 a2 b0) (umlal c6 a2 b1)
            (umlal c8 a2 b2) (umlal c0 a2 b3) (umlal c2 a2 b4) (shl4 n b2 4) (umlal c5 a2 s0)
            (umlal c7 a2 s1) (umlal c9 a2 s2) (add4 n n b2) (shl4 b2 b2 1) (umlal c1 a2 s3)
            (umlal c3 a2 s4) (umlal2 c5 a2 s0) (umlal2 c7 a2 s1) (add4 b2 b2 n) (umlal2 c9 a2 s2)
            (umlal2 c1 a2 s3) (umlal2 c3 a2 s4) (turn s2 b2) (umlal2 c6 t b0) (umlal2 c8 t b1)
            (umlal2 c0 t b2) (umlal2 c2 t b3) (umlal2 c4 t b4) (ushl t a3 twice)
            (ushl twice a4 twice) (umlal c8 a3 b1) (umlal c9 a3 s1) (umlal c8 a4 b0)
            (umlal2 c9 a3 s1) (shl4 n b1 4) (shl4 a2 b0 4) (umlal c9 a4 s0) (add4 n n b1)
            (umlal2 c8 t b0) (add4 a2 a2 b0) (shl4 b1 b1 1) (umlal c6 a3 b0) (add4 b1 b1 n)
            (umlal2 c9 a4 s0) (turn s1 b1) (shl4 b0 b0 1) (add4 b0 b0 a2) (ldp a0 a1)
            (umlal c0 a3 b2) (umlal c5 a3 s4) (umlal c1 a3 s2) (umlal2 c6 t b4) (umlal2 c0 t b1)
            (umlal2 c5 a3 s4) (umlal2 c1 a3 s2) (umlal2 c6 twice b3) (umlal2 c0 twice b0)
            (umlal c5 a4 s3) (umlal c1 a4 s1) (umlal c6 a4 b4) (umlal c0 a4 b1) (umlal2 c5 a4 s3)
            (and n c5 a1) (umlal2 c1 a4 s1) (usra c1 c0 26) (umlal2 c2 t b2) (usra c6 c5 25)
            (umlal c7 a3 s0) (and c0 c0 a0) (umlal c3 a3 s3) (umlal2 c8 twice b4) (umlal c2 a3 b3)
            (umlal2 c7 a3 s0) (umlal2 c3 a3 s3) (umlal c2 a4 b2) (umlal c7 a4 s4) (umlal2 c4 t b3)
            (umlal2 c2 twice b1) (usra c2 c1 25) (umlal2 c7 a4 s4) (usra c7 c6 26) (umlal c4 a3 b4)
            (and c1 c1 a1) (umlal c3 a4 s2) (and c6 c6 a0) (umlal2 c4 twice b2) (usra c8 c7 25)
            (umlal2 c3 a4 s2) (usra c3 c2 26) (umlal c4 a4 b3) (and c7 c7 a1) (usra c9 c8 26)
            (usra c4 c3 25) (ushr a2 c9 25) (usra n c4 26) (shl t a2 3) (add2 c0 c0 a2)
            (usra c6 n 25) (add2 t t a2) (shl t t 1) (ldr b0 32) (uzp1 a2 c2 c3) (add2 c0 c0 t)
            (uzp1 a3 c6 c7) (uzp1 a4 c8 c9) (uzp1 c4 c4 n) (usra c1 c0 26) (and c0 c0 a0)
            (and a2 a2 b0) (and a4 a4 b0) (and c4 c4 b0) (uzp1 a0 c0 c1)
        ])
    };
}

/// The square of the pair in `a0` to `a4`, in `a0`, `a2`, `c4`, `a3`, `a4`.
#[rustfmt::skip] // as many instructions as a line takes
macro_rules! square {
    ($then:ident) => {
        $then!([
            (shl4 d0 a0 1) (umull c0 a0 a0) (umull2 c2 d0 a0) (turn s0 d0) (umull c1 a0 s0)
            (umull c3 a1 s0) (shl4 d1 a1 1) (umull c5 a2 s0) (umull c7 a3 s0) (turn s1 d1)
            (umull c9 a4 s0) (umlal c2 d0 a1) (shl4 d2 a2 1) (umull2 c4 d0 d1) (umlal c4 d0 a2)
            (shl4 d3 a3 1) (umull2 c6 d0 d2) (umlal c6 d0 a3) (shl4 d4 a4 1) (umull2 c8 d0 d3)
            (umlal c8 d0 a4) (shl4 f4 a4 4) (umlal c3 a0 s1) (umlal c5 a1 s1) (add4 n d4 a4)
            (umlal c7 a2 s1) (umlal c9 a3 s1) (add4 f4 f4 n) (umlal c1 f4 s1) (shl4 g4 f4 1)
            (umlal2 c0 d0 g4) (turn s0 f4) (turn s2 d2) (umlal c5 a0 s2) (turn s3 d3)
            (umlal c7 a0 s3) (turn s4 d4) (umlal c9 a0 s4) (shl4 f3 a3 4) (add4 n d3 a3)
            (add4 f3 f3 n) (shl4 g3 f3 1) (turn t3 f3) (shl4 f2 a2 4) (add4 n d2 a2) (add4 f2 f2 n)
            (ldp a0 d0) (umlal2 c0 d1 g3) (umlal c5 f3 s4) (umlal c1 d1 s0) (umlal2 c6 d1 a1)
            (umlal c0 d1 f4) (umlal c5 f4 s3) (and n c5 d0) (umlal c1 d2 t3) (umlal c6 d1 a2)
            (umlal2 c0 d2 f2) (umlal c1 f3 s2) (umlal2 c6 d3 g4) (umlal c0 d2 f3) (usra c1 c0 26)
            (umlal c6 a4 f4) (usra c6 c5 25) (umlal2 c2 d1 g4) (and c0 c0 a0) (umlal c7 a1 s2)
            (umlal c3 d2 s0) (umlal2 c8 d1 d2) (umlal2 c2 d2 g3) (umlal c7 f4 s4) (usra c7 c6 26)
            (umlal c3 f3 s3) (and c6 c6 a0) (umlal c8 d1 a3) (umlal c2 d2 f4) (umlal c3 f4 s2)
            (umlal c8 a2 a2) (umlal c2 a3 f3) (usra c2 c1 25) (umlal c4 a1 a1) (and c1 c1 d0)
            (umlal c9 a1 s3) (usra c3 c2 26) (umlal2 c4 d2 g4) (umlal c9 a2 s2) (umlal2 c4 d3 f3)
            (umlal2 c8 d4 f4) (usra c8 c7 25) (umlal c4 d3 f4) (and c7 c7 d0) (usra c9 c8 26)
            (usra c4 c3 25) (ushr d2 c9 25) (usra n c4 26) (shl d1 d2 3) (add2 c0 c0 d2)
            (usra c6 n 25) (add2 d1 d1 d2) (shl d1 d1 1) (ldr d3 32) (uzp1 a2 c2 c3)
            (add2 c0 c0 d1) (uzp1 a3 c6 c7) (uzp1 a4 c8 c9) (uzp1 c4 c4 n) (usra c1 c0 26)
            (and c0 c0 a0) (and a2 a2 d3) (and a4 a4 d3) (and c4 c4 d3) (uzp1 a0 c0 c1)
        ])
    };
}

/// The first list woven with the product of two single elements: one in memory, the other in `y0` to
/// `y9`; in memory. `{x}`, `{w}` and `{q}` are overwritten.
#[rustfmt::skip] // as many instructions as a line takes
macro_rules! with_third {
    ($first:tt) => {
        woven!($first [
            (limb x 0) (product z0 x y0) (product z1 x y1) (product z2 x y2) (product z3 x y3)
            (product z4 x y4) (product z5 x y5) (product z6 x y6) (product z7 x y7)
            (product z8 x y8) (product z9 x y9) (limb x 4) (twice w x) (lsl q y9 y9 3)
            (lsl y9 y9 q 1) (sum z1 x y0) (sum z2 w y1) (sum z3 x y2) (sum z4 w y3) (sum z5 x y4)
            (sum z6 w y5) (sum z7 x y6) (sum z8 w y7) (sum z9 x y8) (sum z0 w y9) (limb x 8)
            (lsl q y8 y8 3) (lsl y8 y8 q 1) (sum z2 x y0) (sum z3 x y1) (sum z4 x y2) (sum z5 x y3)
            (sum z6 x y4) (sum z7 x y5) (sum z8 x y6) (sum z9 x y7) (sum z0 x y8) (sum z1 x y9)
            (limb x 12) (twice w x) (lsl q y7 y7 3) (lsl y7 y7 q 1) (sum z3 x y0) (sum z4 w y1)
            (sum z5 x y2) (sum z6 w y3) (sum z7 x y4) (sum z8 w y5) (sum z9 x y6) (sum z0 w y7)
            (sum z1 x y8) (sum z2 w y9) (limb x 16) (lsl q y6 y6 3) (lsl y6 y6 q 1) (sum z4 x y0)
            (sum z5 x y1) (sum z6 x y2) (sum z7 x y3) (sum z8 x y4) (sum z9 x y5) (sum z0 x y6)
            (sum z1 x y7) (sum z2 x y8) (sum z3 x y9) (limb x 20) (twice w x) (lsl q y5 y5 3)
            (lsl y5 y5 q 1) (sum z5 x y0) (sum z6 w y1) (sum z7 x y2) (sum z8 w y3) (sum z9 x y4)
            (sum z0 w y5) (sum z1 x y6) (sum z2 w y7) (sum z3 x y8) (sum z4 w y9) (limb x 24)
            (lsl q y4 y4 3) (lsl y4 y4 q 1) (sum z6 x y0) (sum z7 x y1) (sum z8 x y2) (sum z9 x y3)
            (sum z0 x y4) (sum z1 x y5) (sum z2 x y6) (sum z3 x y7) (sum z4 x y8) (sum z5 x y9)
            (limb x 28) (twice w x) (lsl q y3 y3 3) (lsl y3 y3 q 1) (sum z7 x y0) (sum z8 w y1)
            (sum z9 x y2) (sum z0 w y3) (sum z1 x y4) (sum z2 w y5) (sum z3 x y6) (sum z4 w y7)
            (sum z5 x y8) (sum z6 w y9) (limb x 32) (lsl q y2 y2 3) (lsl y2 y2 q 1) (sum z8 x y0)
            (sum z9 x y1) (sum z0 x y2) (sum z1 x y3) (sum z2 x y4) (sum z3 x y5) (sum z4 x y6)
            (sum z5 x y7) (sum z6 x y8) (sum z7 x y9) (limb x 36) (twice w x) (lsl q y1 y1 3)
            (lsl y1 y1 q 1) (sum z9 x y0) (sum z0 w y1) (sum z1 x y2) (sum z2 w y3) (sum z3 x y4)
            (sum z4 w y5) (sum z5 x y6) (sum z6 w y7) (sum z7 x y8) (sum z8 w y9) (lsr z1 z1 z0 26)
            (mask z0 0x3ffffff) (lsr z6 z6 z5 25) (mask z5 0x1ffffff) (lsr z2 z2 z1 25)
            (mask z1 0x1ffffff) (lsr z7 z7 z6 26) (mask z6 0x3ffffff) (lsr z3 z3 z2 26)
            (mask z2 0x3ffffff) (lsr z8 z8 z7 25) (mask z7 0x1ffffff) (lsr z4 z4 z3 25)
            (mask z3 0x1ffffff) (lsr z9 z9 z8 26) (mask z8 0x3ffffff) (lsr z5 z5 z4 26)
            (mask z4 0x3ffffff) (shifted x z9 25) (mask z9 0x1ffffff) (lsl q x x 3) (add z0 z0 x)
            (lsl z0 z0 q 1) (lsr z6 z6 z5 25) (mask z5 0x1ffffff) (lsr z1 z1 z0 26)
            (mask z0 0x3ffffff) (stp z0 z1 40) (stp z2 z3 56) (stp z4 z5 72) (stp z6 z7 88)
            (stp z8 z9 104)
        ])
    };
}

/// The block of a list that begins with [`product`], of these pairs.
macro_rules! block {
    ($text:expr, $a:expr, $b:expr; $($more:tt)*) => {{
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = ($a.0, $b.0);
        let (r0, r1, r2, r3, r4);
        asm!(
            $text,
            a0 = inout(vreg) a0 => r0,
            a1 = inout(vreg) a1 => _,
            a2 = inout(vreg) a2 => r1,
            a3 = inout(vreg) a3 => r3,
            a4 = inout(vreg) a4 => r4,
            b0 = inout(vreg) b0 => _,
            b1 = inout(vreg) b1 => _,
            b2 = inout(vreg) b2 => _,
            b3 = inout(vreg) b3 => _,
            b4 = inout(vreg) b4 => _,
            s0 = out(vreg) _,
            s1 = out(vreg) _,
            s2 = out(vreg) _,
            s3 = out(vreg) _,
            s4 = out(vreg) _,
            c0 = out(vreg) _,
            c1 = out(vreg) _,
            c2 = out(vreg) _,
            c3 = out(vreg) _,
            c4 = out(vreg) r2,
            c5 = out(vreg) _,
            c6 = out(vreg) _,
            c7 = out(vreg) _,
            c8 = out(vreg) _,
            c9 = out(vreg) _,
            t = out(vreg) _,
            n = out(vreg) _,
            twice = out(vreg) _,
            constants = in(reg) &raw const crate::curve25519::arm_umull::pair::CONSTANTS,
            $($more)*
        );
        [r0, r1, r2, r3, r4]
    }};
}
