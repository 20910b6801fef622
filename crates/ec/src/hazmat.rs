//! Implementations by name, points of edwards25519, and the multiplications that keys are made of.
//!
//! A `Backend` in a module here is a table of implementations, of which `with_backend` and the
//! functions of [`adamant_base::hazmat`] take one. Its own functions, and points, are easier to use
//! wrongly: multiplications of points trust the caller that a scalar is in range and secret, that a
//! point is on the curve, and that the cofactor was thought of. Protocols that need a group of prime
//! order are better off with [`RistrettoPoint`](crate::curve25519::RistrettoPoint).
//!
//! With the feature `own`, `Backend::install` of [`x25519`] and of the curves of ECDSA takes an
//! implementation of the caller's own, whose `Functions` `check` tries first.

#[cfg(feature = "own")]
pub use adamant_testkit::conformance::Mismatch;

#[cfg(feature = "weierstrass")]
pub use crate::weierstrass::{curve::Check, curve::Group, ecdsa::Nonces};

/// Modules with the table of implementations of a curve, and what is beside it.
macro_rules! tables {
    ($($module:ident: $($path:ident)::+ $({ $($beside:item)* })?;)*) => { $(
        #[doc = concat!("Implementations of [`", stringify!($module), "`](crate::", stringify!($module), ").")]
        pub mod $module {
            pub use crate::$($path)::+::backend::Backend;
            $($($beside)*)?
        }
    )* };
}

/// Those of curves whose multiplication can be the caller's own.
#[cfg(feature = "weierstrass")]
macro_rules! open_tables {
    ($($module:ident: $($path:ident)::+;)*) => { $(
        tables! { $module: $($path)::+ {
            #[cfg(feature = "own")]
            pub use crate::$($path)::+::{check::check, own::Functions};
        }; }
    )* };
}

tables! {
    ed25519: curve25519::ed25519;
    x25519: curve25519::x25519 {
        #[cfg(feature = "own")]
        pub use crate::{curve25519::x25519::own::Functions, own::x25519 as check};
    };
}
#[cfg(feature = "curve448")]
tables! { ed448: curve448; x448: curve448; }
#[cfg(feature = "weierstrass")]
open_tables! { sm2: weierstrass::sm2p256v1; sm2p256v1: weierstrass::sm2p256v1; }

/// The curves of the list of the schemes.
#[cfg(feature = "weierstrass")]
macro_rules! curves {
    (curves { $({ $feature:tt $curve:ident $module:ident $($_c:tt)* })* } $($_groups:tt)*) => {
        open_tables! { $($module: weierstrass::$module;)* }
    };
}
#[cfg(feature = "weierstrass")]
adamant_base::schemes!(curves);

/// The group edwards25519 of order 8l, with its points of small order.
#[cfg(feature = "alloc")]
pub mod group {
    pub use crate::curve25519::group::{
        EdwardsPoint, FixedBase, MontgomeryPoint, backend::Backend,
    };
}

/// Integers modulo 2^255 - 19, one by one and side by side.
pub mod field25519 {
    pub use crate::curve25519::arithmetic::FieldElement;

    /// Four and eight of them.
    pub mod lanes {
        pub use crate::curve25519::arithmetic::{Lanes, lanes::backend::Backend};
    }
}
