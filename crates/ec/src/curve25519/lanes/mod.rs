//! Multiples of secret scalars in batches, a lane of vector registers for each item, written once
//! for all vectors.
//!
//! The steps are those of the [scalar kernel](super::kernel). Departures:
//!
//! 1. Sums and products are carried only where they are multiplied.
//! 2. Entries of the base point's table are picked from registers; digits are odd, so that none of
//!    them is zero: see [`rows`](super::rows).
//! 3. A ladder's points do not change places: which of the two is doubled is chosen.
//! 4. One inversion serves up to 64 items.
//!
//! Scalars and digits are wiped as in the scalar implementation; intermediate points live in
//! registers, whose copies on the stack are not.
//!
//! Each macro makes a module, compiled for the CPU features of its implementation, over what lies
//! beside it:
//!
//! | module | holds |
//! |---|---|
//! | `field` | `Factor` and `Sum`, what products take and what they leave; `Mask`, some of the lanes |
//! | `convert` | bytes and elements from and to lanes |
//! | `pick` | multiples of the base point by digits |

mod base;
mod field;
mod inverse;
mod ladder;
mod point;

/// The modules of an implementation.
macro_rules! modules {
    ($(#[$attribute:meta])*) => {
        mod base {
            crate::curve25519::lanes::base!($(#[$attribute])*);
        }
        mod ladder {
            crate::curve25519::lanes::ladder!($(#[$attribute])*);
        }
        mod point {
            crate::curve25519::lanes::point!($(#[$attribute])*);
        }
        mod inverse {
            crate::curve25519::lanes::inverse!($(#[$attribute])*);
        }
    };
}
pub(super) use field::{column, column_of_square, columns, field, up};
pub(super) use {base::base, inverse::inverse, ladder::ladder, modules, point::point};
