//! The macros that make the implementations of a curve from [`kernel`](super::kernel) and arithmetic in its
//! field.

/// Makes the functions of an implementation, of how it multiplies and squares in the field, and of
/// how it does in doublings: by calls, or inlined where that is short; each with the given
/// attributes. Those of `calling` share their formulas.
macro_rules! implementation {
    ($curve:ident, $w:tt, $mul:expr, $square:expr $(, #[$attribute:meta])*) => {
        crate::weierstrass::rows::implementation!(
            $curve, $w, $mul, $square; field_mul, field_square $(, #[$attribute])*
        );
    };
    ($curve:ident, $w:tt, calling $calls:expr) => {
        fn steps() -> Steps<$w> {
            Steps::calling($calls)
        }

        crate::weierstrass::rows::implementation!(@ $curve, $w);
    };
    (
        $curve:ident, $w:tt, $mul:expr, $square:expr; $double_mul:ident, $double_square:ident
        $(, #[$attribute:meta])*
    ) => {
        use crate::weierstrass::field::{Calls, Field, Multiplication};
        use crate::weierstrass::point::{Affine, Extended, Jacobian};
        use adamant_base::ct::Choice;

        $(#[$attribute])*
        #[inline(never)]
        fn field_mul(a: &Limbs, b: &Limbs) -> Limbs {
            $mul(a, b)
        }

        $(#[$attribute])*
        #[inline(never)]
        fn field_square(a: &Limbs) -> Limbs {
            $square(a)
        }

        // A closure has the features of the function around it, so it may call the above.

        $(#[$attribute])*
        fn double_n(
            _: &Calls<$w>,
            p: &Jacobian<$w>,
            n: usize,
        ) -> Jacobian<$w> {
            let f = Multiplication {
                constants: $curve::CONSTANTS,
                mul: |a: &Limbs, b: &Limbs| $double_mul(a, b),
                square: |a: &Limbs| $double_square(a),
            };
            p.double_n(n, &f)
        }

        $(#[$attribute])*
        fn add(
            _: &Calls<$w>,
            p: &Jacobian<$w>,
            q: &Jacobian<$w>,
        ) -> (Jacobian<$w>, Choice) {
            let f = Multiplication {
                constants: $curve::CONSTANTS,
                mul: |a: &Limbs, b: &Limbs| field_mul(a, b),
                square: |a: &Limbs| field_square(a),
            };
            p.add(q, &f)
        }

        $(#[$attribute])*
        fn add_affine(
            _: &Calls<$w>,
            p: &Extended<$w>,
            q: &Affine<$w>,
        ) -> (Extended<$w>, Choice) {
            let f = Multiplication {
                constants: $curve::CONSTANTS,
                mul: |a: &Limbs, b: &Limbs| field_mul(a, b),
                square: |a: &Limbs| field_square(a),
            };
            p.add(q, &f)
        }

        $(#[$attribute])*
        fn add_vartime(
            _: &Calls<$w>,
            p: &Jacobian<$w>,
            q: &Affine<$w>,
        ) -> Option<Jacobian<$w>> {
            let f = Multiplication {
                constants: $curve::CONSTANTS,
                mul: |a: &Limbs, b: &Limbs| field_mul(a, b),
                square: |a: &Limbs| field_square(a),
            };
            p.add_affine_vartime(q, &f)
        }

        $(#[$attribute])*
        #[inline]
        fn steps() -> Steps<$w> {
            Steps {
                field: Calls {
                    constants: $curve::CONSTANTS,
                    mul: field_mul,
                    square: field_square,
                },
                double_n,
                add,
                add_affine,
                add_vartime,
            }
        }

        crate::weierstrass::rows::implementation!(@ $curve, $w $(, #[$attribute])*);
    };
    (@ $curve:ident, $w:tt $(, #[$attribute:meta])*) => {
        use super::{$curve, Check};
        use crate::weierstrass::kernel::{self, Steps};

        type Limbs = [u64; $w];

        $(#[$attribute])*
        pub(super) fn mul_base(k: &Limbs) -> [Limbs; 2] {
            kernel::mul_base(k, &steps())
        }

        $(#[$attribute])*
        pub(super) fn mul(k: &Limbs, point: &[Limbs; 2]) -> [Limbs; 2] {
            kernel::mul(k, point, &steps())
        }

        $(#[$attribute])*
        pub(super) fn has_x_vartime(u1: &Limbs, u2: &Limbs, q: &[Limbs; 2], r: &Limbs) -> bool {
            kernel::has_x_vartime(u1, u2, q, r, &steps())
        }

        crate::weierstrass::rows::one_by_one!($w $(, #[$attribute])*);
    };
}
pub(crate) use implementation;

/// The functions of an implementation for many items, which takes one after the other.
macro_rules! one_by_one {
    ($w:tt $(, #[$attribute:meta])*) => {
        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(super) fn mul_base_batch(ks: &[Limbs], out: &mut [[Limbs; 2]]) {
            for (product, k) in out[..ks.len()].iter_mut().zip(ks) {
                *product = mul_base(k);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(super) fn mul_batch(ks: &[Limbs], points: &[[Limbs; 2]], out: &mut [[Limbs; 2]]) {
            let items = ks.iter().zip(&points[..ks.len()]);
            for (product, (k, point)) in out[..ks.len()].iter_mut().zip(items) {
                *product = mul(k, point);
            }
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        $(#[$attribute])*
        pub(super) fn has_x_batch_vartime(items: &[Check], out: &mut [bool]) {
            for (verdict, (u1, u2, q, r)) in out[..items.len()].iter_mut().zip(items) {
                *verdict = has_x_vartime(u1, u2, q, r);
            }
        }
    };
}
pub(crate) use one_by_one;

/// The implementations of a curve whose arithmetic is its [`Field`]: modules, and the table of them
/// with the rows that come before. Brackets say that, with the feature `lab`, there are rows to be asked
/// for by name, and hold those that no other curve has: rows for narrower words are compiled and tested
/// on three curves, of four, six and nine words, and elsewhere where they are needed. With the feature
/// `small` the table has only the small row. The numbers of `x86_ifma512` are
/// those of its `row`.
macro_rules! prime {
    ($curve:ident, $w:tt x86_ifma512 { $($numbers:tt)* } $($slower:tt)*) => {
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            feature = "alloc"
        ))]
        mod x86_ifma512 {
            //! Eight multiplications side by side, and single ones with their parts side by side.
            crate::weierstrass::x86_ifma512::row!($curve, $w, $($numbers)*);
        }

        crate::weierstrass::rows::prime! { $curve, $w $($slower)*
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                feature = "alloc"
            ))]
            x86_ifma512 if ["avx512f", "avx512ifma", "avx512vl"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?, arm_mul::$field:ident, $($slower:tt)*) => {
        #[cfg(target_arch = "aarch64")]
        mod arm_mul {
            //! The operations over multiplication in assembly.
            crate::weierstrass::arm_mul::implementation!($field, $curve, $w);
        }

        crate::weierstrass::rows::prime! { $curve, $w $([$($last)*])?, $($slower)*
            #[cfg(target_arch = "aarch64")]
            arm_mul if ["neon"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?, arm_umull::$field:ident, $($slower:tt)*) => {
        #[cfg(target_arch = "aarch64")]
        mod arm_mul {
            //! The operations over multiplication in assembly.
            crate::weierstrass::arm_mul::implementation!($field, $curve, $w);
        }

        #[cfg(target_arch = "aarch64")]
        mod arm_umull {
            //! The same for cores that multiply 64 bits slowly.
            crate::weierstrass::arm_mul::implementation!($field, $curve, umull);
        }

        crate::weierstrass::rows::prime! { $curve, $w $([$($last)*])?, $($slower)*
            #[cfg(target_arch = "aarch64")]
            arm_mul if ["neon"; "mul64quick"];
            #[cfg(target_arch = "aarch64")]
            arm_umull if ["neon"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?, x86_adx::$reduction:ident; $($rows:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)] // assembly
        mod x86_adx {
            //! The operations over multiplication in assembly.
            crate::weierstrass::x86_adx::implementation!($reduction, $curve, $w);
        }

        crate::weierstrass::rows::prime! { $curve, $w $([$($last)*])?;
            $($rows)*
            #[cfg(target_arch = "x86_64")]
            x86_adx if ["bmi2", "adx"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?, x86_adx::$reduction:ident, x86_bmi2; $($rows:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)] // assembly
        mod x86_adx {
            //! The operations over multiplication in assembly.
            crate::weierstrass::x86_adx::implementation!($reduction, $curve, $w);
        }

        crate::weierstrass::rows::prime! { $curve, $w $([$($last)*])?, x86_bmi2;
            $($rows)*
            #[cfg(target_arch = "x86_64")]
            x86_adx if ["bmi2", "adx"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?, x86_bmi2; $($rows:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        mod x86_bmi2 {
            //! The operations compiled with `mulx`, which multiplies into any two registers and
            //! leaves the flags alone.
            use crate::weierstrass::words::By64;
            crate::weierstrass::rows::implementation!(
                $curve, $w, $curve::multiply::<By64>, $curve::square::<By64>,
                #[target_feature(enable = "bmi2")]
            );
        }

        crate::weierstrass::rows::prime! { $curve, $w $([$($last)*])?;
            $($rows)*
            #[cfg(target_arch = "x86_64")]
            x86_bmi2 if ["bmi2"];
        }
    };
    ($curve:ident, $w:tt $([$($last:tt)*])?; $($rows:tt)*) => {
        #[cfg(target_pointer_width = "64")]
        mod portable64 {
            //! The operations in plain Rust, for CPUs with a 64-bit multiplication. On x86-64 these
            //! are those from before 2013, for which there are no formulas of their own.
            #[cfg(not(target_arch = "x86_64"))]
            crate::weierstrass::rows::portable!($curve, $w, By64);
            #[cfg(target_arch = "x86_64")]
            crate::weierstrass::rows::portable!($curve, $w, By64; calling);
        }

        #[cfg(not(target_pointer_width = "64"))]
        mod portable32 {
            //! The operations in plain Rust, for CPUs that multiply 32 bits by 32.
            crate::weierstrass::rows::portable!($curve, $w, By32; calling);
        }

        #[cfg(all(
            target_arch = "arm",
            target_endian = "little",
            not(feature = "small"),
            any(feature = "lab", not(target_has_atomic = "ptr"))
        ))]
        mod arm_thumb {
            //! The operations for the smallest ARM cores, over products in assembly.
            crate::weierstrass::rows::portable!($curve, $w, ByThumb; calling);
        }

        #[cfg(all(feature = "small", not(feature = "lab")))]
        mod small {
            //! The operations in the code that all curves share.
            crate::weierstrass::small::implementation!($curve, $w);
        }

        $(crate::weierstrass::rows::by_name! { $curve, $w, $($last)* })?

        #[cfg(any(feature = "lab", not(feature = "small")))]
        crate::weierstrass::curve::group! { $curve, $w;
            $($rows)*
            #[cfg(all(
                target_arch = "arm",
                not(any(target_has_atomic = "ptr", feature = "small"))
            ))]
            arm_thumb if [];
            #[cfg(target_pointer_width = "64")]
            portable64 if [];
            #[cfg(not(target_pointer_width = "64"))]
            portable32 if [];
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                target_has_atomic = "ptr",
                not(feature = "small"),
                feature = "lab"
            ))]
            arm_thumb if [];
            $(
                #[cfg(all(feature = "lab", target_pointer_width = "64"))]
                portable32 if [];
                $($last)*
                #[cfg(feature = "lab")]
                portable16 if [];
                #[cfg(feature = "lab")]
                small if [];
            )?
        }

        #[cfg(all(feature = "small", not(feature = "lab")))]
        crate::weierstrass::curve::group! { $curve, $w;
            small if [];
        }
    };
}
pub(crate) use prime;

/// The implementations of a curve that are there to be asked for by name, but for its own.
macro_rules! by_name {
    ($curve:ident, $w:tt, $($rows:tt)*) => {
        #[cfg(all(feature = "lab", target_pointer_width = "64"))]
        mod portable32 {
            //! The operations in plain Rust, for CPUs that multiply 32 bits by 32.
            crate::weierstrass::rows::portable!($curve, $w, By32; calling);
        }

        #[cfg(feature = "lab")]
        mod portable16 {
            //! The operations in plain Rust, for CPUs whose products of 32 bits keep the low ones.
            crate::weierstrass::rows::portable!($curve, $w, By16; calling);
        }

        #[cfg(feature = "lab")]
        mod small {
            //! The operations in the code that all curves share.
            crate::weierstrass::small::implementation!($curve, $w);
        }
    };
}
pub(crate) use by_name;

/// The operations in plain Rust, by such products of words.
macro_rules! portable {
    ($curve:ident, $w:tt, $product:ident) => {
        use crate::weierstrass::words::$product;
        crate::weierstrass::rows::implementation!(
            $curve, $w, $curve::multiply::<$product>, $curve::square::<$product>
        );
    };
    ($curve:ident, $w:tt, $product:ident; calling) => {
        crate::weierstrass::rows::implementation!(
            $curve, $w, calling crate::weierstrass::field::portable::<
                $curve, crate::weierstrass::words::$product, $w
            >()
        );
    };
}
pub(crate) use portable;

/// The operations over the multiplication that every prime of this length has in common.
#[cfg(feature = "lab")]
macro_rules! generic {
    ($curve:ident, $w:tt, $product:ident) => {
        use crate::weierstrass::curve::Derived;
        use crate::weierstrass::field::{Calls, Field};
        use crate::weierstrass::words::$product;
        crate::weierstrass::rows::implementation!(
            $curve, $w, calling Calls {
                constants: $curve::CONSTANTS,
                mul: |a, b| $curve::FIELD.mul_generic::<$product>(a, b),
                square: |a| $curve::FIELD.square_generic::<$product>(a),
            }
        );
    };
}
#[cfg(feature = "lab")]
pub(crate) use generic;
