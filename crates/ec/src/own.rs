//! Whether multiplications from elsewhere are those of the standards.

use crate::curve25519::x25519;
use adamant_testkit::TestRng;
use adamant_testkit::boundaries;
use adamant_testkit::conformance::{Mismatch, batches, same, within_reach};
use alloc::{vec, vec::Vec};

/// From one item of a batch to the next in a list: neighbours there are alike.
const STRIDE: usize = 31;

/// Checks an implementation beside the portable one, its batches at the lanes that it states and at
/// some more.
///
/// # Errors
/// The first difference.
pub fn x25519(own: &dyn x25519::own::Functions) -> Result<(), Mismatch> {
    within_reach(own.implementation())?;
    let portable = x25519::Backend::portable();
    let (scalars, us) = (scalars(), coordinates());
    let [of_scalars, of_us] = [scalars.len(), us.len()].map(|len| (0..len).collect::<Vec<_>>());
    let cases = boundaries::pairs(1, [&of_scalars, &of_us]);
    let cases: Vec<_> = cases.iter().map(|[i, j]| (scalars[*i], us[*j])).collect();
    for (scalar, u) in &cases {
        let (result, expected) = (own.ladder(scalar, u), portable.ladder(scalar, u));
        let case = format_args!("{scalar:02x?} times {u:02x?}");
        same("ladder", &result, &expected, case)?;
    }
    // Each scalar and each coordinate is in some batch, beside others.
    let some: Vec<_> = (0..scalars.len().max(us.len()))
        .map(|i| {
            (
                scalars[i * STRIDE % scalars.len()],
                us[i * STRIDE % us.len()],
            )
        })
        .collect();
    let expected: Vec<_> = some
        .iter()
        .map(|(scalar, u)| portable.ladder(scalar, u))
        .collect();
    for places in batches(some.len(), own.implementation())? {
        let (scalars, us): (Vec<_>, Vec<_>) = places.iter().map(|i| some[*i]).unzip();
        let expected: Vec<_> = places.iter().map(|i| expected[*i]).collect();
        let mut out = vec![[0; 32]; places.len()];
        own.ladder_batch(&scalars, &us, &mut out);
        let case = format_args!("{scalars:02x?} times {us:02x?}");
        same("ladder_batch", &out, &expected, case)?;
    }
    let clamped: Vec<[u8; 32]> = scalars.into_iter().filter(is_clamped).collect();
    let expected: Vec<_> = clamped
        .iter()
        .map(|scalar| portable.mul_base_u(scalar))
        .collect();
    for (scalar, expected) in clamped.iter().zip(&expected) {
        let case = format_args!("{scalar:02x?}");
        same("mul_base_u", &own.mul_base_u(scalar), expected, case)?;
    }
    for places in batches(clamped.len(), own.implementation())? {
        let scalars: Vec<_> = places.iter().map(|i| clamped[*i]).collect();
        let expected: Vec<_> = places.iter().map(|i| expected[*i]).collect();
        let mut out = vec![[0; 32]; places.len()];
        own.mul_base_u_batch(&scalars, &mut out);
        let case = format_args!("{scalars:02x?}");
        same("mul_base_u_batch", &out, &expected, case)?;
    }
    Ok(())
}

/// Scalars below 2^255: special ones, and random ones of private keys and others.
fn scalars() -> Vec<[u8; 32]> {
    let mut rng = TestRng::new(1);
    let mut scalars: Vec<[u8; 32]> = [0, 1, 2, 8, 9].map(small).to_vec();
    let special = [[0; 32], [0xff; 32], [0x55; 32], [0xaa; 32]];
    for mut scalar in special.into_iter().chain((0..30).map(|_| rng.array())) {
        scalar[31] &= 127;
        scalars.push(scalar);
        scalar[0] &= 248;
        scalar[31] |= 64;
        scalars.push(scalar);
    }
    scalars
}

fn is_clamped(scalar: &[u8; 32]) -> bool {
    scalar[0] & 7 == 0 && scalar[31] / 64 == 1
}

/// Coordinates, each with the top bit clear and set: of the base point, of points of small order, not
/// canonical ones, random ones.
fn coordinates() -> Vec<[u8; 32]> {
    let mut rng = TestRng::new(2);
    let mut us: Vec<[u8; 32]> = [0, 1, 2, 9].map(small).to_vec();
    // p - 1 to 2^255 - 1.
    us.extend((0xec..=0xff).map(|low| {
        let mut u = [0xff; 32];
        (u[0], u[31]) = (low, 127);
        u
    }));
    // 325606250916557431795983626356110631294008115727848805560023387167927233504 and
    // 39382357235489614581723060781553021112529911719440698176882885853963445705823, of order 8.
    us.push([
        0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4,
        0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49,
        0xb8, 0x00,
    ]);
    us.push([
        0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef,
        0x5b, 0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f,
        0x11, 0x57,
    ]);
    us.extend((0..10).map(|_| rng.array()));
    let tops = us.iter().flat_map(|u| {
        [0, 0x80].map(|top| {
            let mut u = *u;
            u[31] = u[31] & 127 | top;
            u
        })
    });
    tops.collect()
}

fn small(number: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = number;
    bytes
}

#[cfg(feature = "weierstrass")]
pub(crate) use points::{Multiplication, multiplication};

#[cfg(feature = "weierstrass")]
mod points {
    use super::STRIDE;
    use crate::weierstrass::curve::{Check, Curve, Derived, Group};
    use crate::weierstrass::{PublicKey, words};
    use adamant_base::{Implementation, family::Block};
    use adamant_testkit::TestRng;
    use adamant_testkit::conformance::{Mismatch, batches, same, within_reach};
    use alloc::{vec, vec::Vec};

    type Words<const W: usize> = [u64; W];
    type Point<const W: usize> = [[u64; W]; 2];

    /// The functions of an implementation of multiplication on a curve.
    pub(crate) struct Multiplication<'a, const W: usize> {
        pub(crate) implementation: &'static Implementation,
        pub(crate) mul_base: &'a dyn Fn(&Words<W>) -> Point<W>,
        pub(crate) mul: &'a dyn Fn(&Words<W>, &Point<W>) -> Point<W>,
        pub(crate) has_x: &'a dyn Fn(&Words<W>, &Words<W>, &Point<W>, &Words<W>) -> bool,
        pub(crate) mul_base_batch: &'a dyn Fn(&[Words<W>], &mut [Point<W>]),
        pub(crate) mul_batch: &'a dyn Fn(&[Words<W>], &[Point<W>], &mut [Point<W>]),
        pub(crate) has_x_batch: &'a dyn Fn(&[Check<W>], &mut [bool]),
    }

    /// Checks them beside those of the portable implementation.
    pub(crate) fn multiplication<C: Curve<W>, const W: usize>(
        own: &Multiplication<'_, W>,
    ) -> Result<(), Mismatch> {
        within_reach(own.implementation)?;
        let portable = C::Group::portable();
        let scalars = scalars::<C, W>();
        let mut points = vec![C::G, [C::G[0], C::FIELD.sub(&[0; W], &C::G[1])]];
        let random = scalars.iter().rev().take(20);
        points.extend(
            [small(2)]
                .iter()
                .chain(random)
                .map(|k| portable.mul_base(k)),
        );
        let at = |i: usize| points[i % points.len()];
        for (i, k) in scalars.iter().enumerate() {
            let expected = portable.mul_base(k);
            same(
                "mul_base",
                &(own.mul_base)(k),
                &expected,
                format_args!("{k:x?}"),
            )?;
            for point in [&C::G, &at(i + 1)] {
                let (result, expected) = ((own.mul)(k, point), portable.mul(k, point));
                let case = format_args!("{k:x?} times {point:x?}");
                same("mul", &result, &expected, case)?;
            }
        }
        let checks = checks::<C, W>();
        for (check @ (u1, u2, q, r), expected) in &checks {
            let case = format_args!("u1, u2, q and r {check:x?}");
            same("has_x_vartime", &(own.has_x)(u1, u2, q, r), expected, case)?;
        }
        let some: Vec<_> = (0..scalars.len())
            .map(|i| (scalars[i * STRIDE % scalars.len()], at(i)))
            .collect();
        let base: Vec<_> = some.iter().map(|(k, _)| portable.mul_base(k)).collect();
        let expected: Vec<_> = some
            .iter()
            .map(|(k, point)| portable.mul(k, point))
            .collect();
        for places in batches(some.len(), own.implementation)? {
            let (ks, points): (Vec<_>, Vec<_>) = places.iter().map(|i| some[*i]).unzip();
            let [base, expected] =
                [&base, &expected].map(|all| places.iter().map(|i| all[*i]).collect::<Vec<_>>());
            let mut out = vec![[[0; W]; 2]; places.len()];
            (own.mul_base_batch)(&ks, &mut out);
            same("mul_base_batch", &out, &base, format_args!("{ks:x?}"))?;
            (own.mul_batch)(&ks, &points, &mut out);
            let case = format_args!("{ks:x?} times {points:x?}");
            same("mul_batch", &out, &expected, case)?;
        }
        for places in batches(checks.len(), own.implementation)? {
            let place = |i: &usize| checks[i * STRIDE % checks.len()];
            let (items, expected): (Vec<_>, Vec<_>) = places.iter().map(place).unzip();
            let mut out = vec![false; places.len()];
            (own.has_x_batch)(&items, &mut out);
            let case = format_args!("u1, u2, q and r {items:x?}");
            same("has_x_batch_vartime", &out, &expected, case)?;
        }
        Ok(())
    }

    fn small<const W: usize>(number: u64) -> Words<W> {
        let mut words = [0; W];
        words[0] = number;
        words
    }

    /// Scalars from 1 to n - 1: small ones, around powers of two, random ones and with words at the
    /// edges, each with its negative.
    fn scalars<C: Curve<W>, const W: usize>() -> Vec<Words<W>> {
        let mut rng = TestRng::new(3);
        let n = C::ORDER;
        let mut scalars: Vec<Words<W>> = [1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 62]
            .map(small)
            .to_vec();
        for bit in [63, 64, 128, n.bits - 2, n.bits - 1] {
            let mut power = [0; W];
            power[bit / 64] = 1 << (bit % 64);
            scalars.extend([power, n.sub(&power, &small(1))]);
        }
        for _ in 0..20 {
            let random: Words<W> = rng.words();
            let top = (64 * W - n.bits + 1) as u32; // one bit less than n has
            scalars.push(words::shift_right(&random, top));
        }
        scalars.retain(|k| *k != [0; W]);
        let negatives: Vec<_> = scalars.iter().map(|k| n.sub(&[0; W], k)).collect();
        scalars.extend(negatives);
        scalars
    }

    /// Checks of signatures with their verdicts: sums of points that differ, are equal, opposite or
    /// none, with the right `r` and another.
    fn checks<C: Curve<W>, const W: usize>() -> Vec<(Check<W>, bool)> {
        let (portable, n) = (C::Group::portable(), C::ORDER);
        let scalars = scalars::<C, W>();
        let [a, b] = [1, 2].map(|back| scalars[scalars.len() - back]);
        let last = n.sub(&[0; W], &small(1));
        let times =
            |x: &Words<W>, y: &Words<W>| n.to_integer(&n.mul(&n.to_residue(x), &n.to_residue(y)));
        let mut checks = vec![];
        for q in [small(1), small(2), a] {
            let point = portable.mul_base(&q);
            let opposite = n.sub(&[0; W], &times(&a, &q));
            for u1 in [small(0), small(1), a, b, times(&a, &q), opposite] {
                for u2 in [small(0), small(1), a, last] {
                    let sum = n.add(&u1, &times(&u2, &q));
                    let is_point = sum != [0; W];
                    let r = match is_point {
                        true => n.reduce(&portable.mul_base(&sum)[0]),
                        false => small(1),
                    };
                    checks.push(((u1, u2, point, r), is_point));
                    checks.push(((u1, u2, point, n.add(&r, &small(1))), false));
                }
            }
        }
        // A point whose x is at least n, where p is above n.
        let over = (0..200).find_map(|r| {
            let (x, carry) = words::add(&C::N, &small(r));
            let mut encoding = C::Compressed::ZERO;
            let bytes = encoding.as_mut();
            bytes[0] = 2;
            words::to_be_bytes(&x, &mut bytes[1..]);
            let key = PublicKey::<C, W>::from_sec1(encoding.as_ref()).ok()?;
            let encoding = key.to_sec1();
            let (_, y) = encoding.as_ref()[1..].split_at(C::LEN);
            (!carry && r != 0).then(|| (r, [x, words::from_be_bytes(y)]))
        });
        if let Some((r, point)) = over {
            checks.push(((small(0), small(1), point, small(r)), true));
        }
        checks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_base::{Implementation, cpu::Features};
    use adamant_testkit::{is_full, is_slow, table};

    static ROW: Implementation = Implementation::new("faulty", Features::NONE).lanes(&[100]);

    /// What is wrong with an implementation of X25519.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Fault {
        None,
        TopBit,
        NotCanonical,
        Clamps,
        Base,
        SecondOfMany,
        FirstScalar,
        OrderEight,
        ZeroInBatch,
        AtItsLanes,
    }

    impl x25519::own::Functions for Fault {
        fn implementation(&self) -> &'static Implementation {
            &ROW
        }

        fn ladder(&self, scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
            let (mut scalar, mut u) = (*scalar, *u);
            match self {
                Fault::TopBit if u[31] >= 0x80 => u[0] ^= 1,
                Fault::NotCanonical if u[0] > 0xed && u[1..31] == [0xff; 30] => u[0] ^= 1,
                Fault::OrderEight if u[0] == 0x5f && u[31] & 127 == 0x57 => u[0] ^= 1,
                Fault::Clamps => {
                    scalar[0] &= 248;
                    scalar[31] |= 64;
                }
                _ => {}
            }
            x25519::Backend::detected().ladder(&scalar, &u)
        }

        fn mul_base_u(&self, scalar: &[u8; 32]) -> [u8; 32] {
            let base = if *self == Fault::Base { 8 } else { 9 };
            self.ladder(scalar, &small(base))
        }

        fn ladder_batch(&self, scalars: &[[u8; 32]], us: &[[u8; 32]], out: &mut [[u8; 32]]) {
            x25519::Backend::detected().ladder_batch(scalars, us, out);
            match self {
                Fault::SecondOfMany if out.len() > 16 => out[16] = [0; 32],
                Fault::FirstScalar => {
                    for (u, out) in us.iter().zip(out) {
                        *out = self.ladder(&scalars[0], u);
                    }
                }
                Fault::ZeroInBatch if us.contains(&[0; 32]) => out[0][0] ^= 1,
                Fault::AtItsLanes if out.len() == 100 => out[99][0] ^= 1,
                _ => {}
            }
        }
    }

    #[test]
    fn rows_of_x25519_pass() {
        table!(x25519::Backend).for_each(|row| {
            if is_full() || !is_slow(row.implementation()) {
                assert_eq!(x25519(&row), Ok(()));
            }
        });
    }

    #[test]
    fn faults_of_x25519_are_found() {
        assert_eq!(x25519(&Fault::None), Ok(()));
        assert_eq!(x25519(&OneByOne), Ok(()));
        for (fault, function) in [
            (Fault::TopBit, "ladder"),
            (Fault::NotCanonical, "ladder"),
            (Fault::Clamps, "ladder"),
            (Fault::Base, "mul_base_u"),
            (Fault::SecondOfMany, "ladder_batch"),
            (Fault::FirstScalar, "ladder_batch"),
            (Fault::OrderEight, "ladder"),
            (Fault::ZeroInBatch, "ladder_batch"),
            (Fault::AtItsLanes, "ladder_batch"),
        ] {
            assert_eq!(x25519(&fault).unwrap_err().function, function, "{fault:?}");
        }
    }

    /// One that leaves the batches to the trait.
    struct OneByOne;

    impl x25519::own::Functions for OneByOne {
        fn implementation(&self) -> &'static Implementation {
            &ROW
        }

        fn ladder(&self, scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
            x25519::Backend::detected().ladder(scalar, u)
        }
    }

    #[test]
    fn the_rest_is_left_to_the_trait() {
        assert_eq!(x25519(&OneByOne), Ok(()));
    }

    #[test]
    #[should_panic = "out of range"]
    fn too_little_room_is_not_passed_over() {
        use x25519::own::Functions;
        OneByOne.ladder_batch(&[small(8); 3], &[small(9); 3], &mut [[0; 32]; 2]);
    }

    #[cfg(feature = "weierstrass")]
    mod p256 {
        use super::*;
        use crate::hazmat::p256::{Backend, Functions, check};
        use crate::weierstrass::{Curve, p256::P256};

        /// What is wrong with an implementation of P-256.
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum Fault {
            None,
            NegatedY,
            LastScalar,
            Infinity,
            Doubling,
            NotReduced,
            LastMultiplier,
            NegatedBase,
            HighInBaseBatch,
            HighInBatch,
            NotReducedInBatch,
            AtItsLanes,
        }

        type Item = ([u64; 4], [u64; 4], [[u64; 4]; 2], [u64; 4]);

        /// Whether x is that of the point whose x is at least n.
        fn is_over(point: &[[u64; 4]; 2]) -> bool {
            point[0][2..] == [u64::MAX, u64::MAX << 32]
        }

        impl Functions for Fault {
            fn implementation(&self) -> &'static Implementation {
                &ROW
            }

            fn mul(&self, k: &[u64; 4], point: &[[u64; 4]; 2]) -> [[u64; 4]; 2] {
                let mut out = Backend::detected().mul(k, point);
                let is_last = k[0] == P256::N[0] - 1 && k[1..] == P256::N[1..];
                let is_negated = point[0] == P256::G[0] && point[1] != P256::G[1];
                if match self {
                    Fault::NegatedY => true,
                    Fault::LastScalar => is_last,
                    Fault::NegatedBase => is_negated,
                    _ => false,
                } {
                    let mut borrow = false;
                    for (y, p) in out[1].iter_mut().zip(P256::P) {
                        let (less, first) = p.overflowing_sub(*y);
                        let (less, second) = less.overflowing_sub(u64::from(borrow));
                        (*y, borrow) = (less, first | second);
                    }
                }
                out
            }

            fn has_x_vartime(
                &self,
                u1: &[u64; 4],
                u2: &[u64; 4],
                q: &[[u64; 4]; 2],
                r: &[u64; 4],
            ) -> bool {
                let valid = Backend::detected().has_x_vartime(u1, u2, q, r);
                match self {
                    Fault::Infinity if !valid && *r == [1, 0, 0, 0] => true,
                    Fault::Doubling if u1 == u2 && *q == P256::G => false,
                    Fault::NotReduced if is_over(q) => false,
                    Fault::LastMultiplier if u2[1..] == P256::N[1..] => false,
                    _ => valid,
                }
            }

            fn mul_base_batch(&self, ks: &[[u64; 4]], out: &mut [[[u64; 4]; 2]]) {
                Backend::detected().mul_base_batch(ks, out);
                let high = ks.iter().any(|k| k[3] > 1 << 63);
                if *self == Fault::HighInBaseBatch && high {
                    out[0][0][0] ^= 1;
                }
            }

            fn mul_batch(
                &self,
                ks: &[[u64; 4]],
                points: &[[[u64; 4]; 2]],
                out: &mut [[[u64; 4]; 2]],
            ) {
                Backend::detected().mul_batch(ks, points, out);
                let high = ks.iter().any(|k| k[3] > 1 << 63);
                if (*self == Fault::HighInBatch && high)
                    || (*self == Fault::AtItsLanes && ks.len() == 100)
                {
                    out[0][0][0] ^= 1;
                }
            }

            fn has_x_batch_vartime(&self, items: &[Item], out: &mut [bool]) {
                Backend::detected().has_x_batch_vartime(items, out);
                if *self == Fault::NotReducedInBatch && items.iter().any(|item| is_over(&item.2)) {
                    out[0] ^= true;
                }
            }
        }

        #[test]
        fn rows_pass() {
            table!(Backend).for_each(|row| {
                if is_full() || !is_slow(row.implementation()) {
                    assert_eq!(check(&row), Ok(()));
                }
            });
        }

        #[test]
        fn faults_are_found() {
            assert_eq!(check(&Fault::None), Ok(()));
            for (fault, function) in [
                (Fault::NegatedY, "mul_base"),
                (Fault::LastScalar, "mul_base"),
                (Fault::Infinity, "has_x_vartime"),
                (Fault::Doubling, "has_x_vartime"),
                (Fault::NotReduced, "has_x_vartime"),
                (Fault::LastMultiplier, "has_x_vartime"),
                (Fault::NegatedBase, "mul"),
                (Fault::HighInBaseBatch, "mul_base_batch"),
                (Fault::HighInBatch, "mul_batch"),
                (Fault::NotReducedInBatch, "has_x_batch_vartime"),
                (Fault::AtItsLanes, "mul_batch"),
            ] {
                assert_eq!(check(&fault).unwrap_err().function, function, "{fault:?}");
            }
        }

        /// One that leaves the batches to the trait.
        struct OneByOne;

        impl Functions for OneByOne {
            fn implementation(&self) -> &'static Implementation {
                &ROW
            }

            fn mul(&self, k: &[u64; 4], point: &[[u64; 4]; 2]) -> [[u64; 4]; 2] {
                Backend::detected().mul(k, point)
            }
        }

        #[test]
        fn the_rest_is_left_to_the_trait() {
            assert_eq!(check(&OneByOne), Ok(()));
        }

        #[test]
        #[should_panic = "out of range"]
        fn too_little_room_is_not_passed_over() {
            let k = [1, 0, 0, 0];
            OneByOne.mul_batch(&[k; 3], &[P256::G; 3], &mut [P256::G; 2]);
        }

        #[test]
        fn rows_of_other_lengths_pass() {
            use crate::hazmat::{p521, secp256k1};
            assert_eq!(p521::check(&p521::Backend::best()), Ok(()));
            assert_eq!(secp256k1::check(&secp256k1::Backend::best()), Ok(()));
        }
    }
}
