//! Tests of the curves, on every implementation that this CPU can run.

mod encodings;
pub(crate) mod field;
mod group;
pub(crate) mod reference;
mod rfc6979;
mod wycheproof;

/// The curves of the list of the schemes, and that of SM2.
macro_rules! curves {
    (curves { $({ $feature:tt $curve:ident $module:ident $w:literal $($_c:tt)* })* } $($_groups:tt)*) => {
        suites! { $($module: $curve, $w;)* sm2p256v1: Sm2P256v1, 4; }
    };
}

/// The suites that every curve is put through.
macro_rules! suites {
    ($($module:ident: $curve:ident, $w:literal;)*) => { $(
        mod $module {
            use crate::weierstrass::$module::{$curve, Backend, PrivateKey};
            use adamant_base::hazmat::GenerateOn;
            use adamant_testkit::{TestRng, suites, table};

            #[test]
            fn behaves_as_a_signature() {
                table!(Backend).for_each(|backend| {
                    suites::signature::check(|rng| PrivateKey::generate_on(rng, backend));
                });
            }

            #[test]
            fn behaves_as_a_key_agreement() {
                table!(Backend).for_each(|backend| {
                    suites::key_agreement::check(|rng| PrivateKey::generate_on(rng, backend));
                });
            }

            #[test]
            fn batches_are_single_calls() {
                let rows: Vec<_> = Backend::available().collect();
                let key = |i: usize, rng: &mut TestRng| {
                    PrivateKey::generate_on(rng, rows[i % rows.len()]).unwrap()
                };
                suites::batches::signatures(key, &[0, 1, 2, 9]);
                suites::batches::agreements(key, &[0, 1, 2, 9]);
            }

            #[test]
            fn arithmetic() {
                super::field::arithmetic::<$curve, $w>();
            }

            #[test]
            fn group() {
                let cases = super::group::Cases::<$curve, $w>::new();
                table!(Backend).for_each(|backend| {
                    cases.multiplications(backend);
                    cases.sums(backend);
                    cases.batches(backend);
                });
            }

            #[test]
            fn encodings() {
                super::encodings::check::<$curve, $w>();
            }
        }
    )* };
}

adamant_base::schemes!(curves);
