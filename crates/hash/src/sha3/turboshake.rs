//! TurboSHAKE (RFC 9861, 2): SHAKE with half the rounds, and a byte that keeps its uses apart.

use super::shake::{Reader, xof};
use crate::keccak::{Backend, Rounds, Sponge};
use adamant_base::family::Xof;

/// The domain separation byte of TurboSHAKE: 0x01 to 0x7f.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain(u8);

impl Domain {
    /// 0x1f, for a use of TurboSHAKE that has no need of others.
    pub const DEFAULT: Domain = Domain(0x1f);

    /// The domain of this byte, if it is one.
    ///
    /// ```
    /// use adamant_hash::sha3::Domain;
    /// assert_eq!(Domain::new(0x1f), Some(Domain::DEFAULT));
    /// assert_eq!(Domain::new(0x00), None);
    /// assert_eq!(Domain::new(0x80), None);
    /// ```
    #[must_use]
    pub const fn new(byte: u8) -> Option<Self> {
        match byte {
            0x01..=0x7f => Some(Domain(byte)),
            _ => None,
        }
    }
}

macro_rules! turboshake {
    ($(#[$meta:meta])* $name:ident, block: $block:literal) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name {
            sponge: Sponge<$block>,
            domain: Domain,
        }

        impl $name {
            /// The state before any input, on the best implementation of this CPU.
            #[inline]
            #[must_use]
            pub fn new(domain: Domain) -> Self {
                Self::new_on(domain, Backend::best())
            }

            /// The same on this implementation.
            #[inline]
            #[must_use]
            pub fn new_on(domain: Domain, backend: Backend) -> Self {
                $name {
                    sponge: Sponge::new(backend, Rounds::LAST_12),
                    domain,
                }
            }
        }

        /// In the default domain.
        impl Default for $name {
            fn default() -> Self {
                Self::new(Domain::DEFAULT)
            }
        }

        xof!($name, block: $block, |hash| hash.domain.0);
    };
}

turboshake! {
    /// TurboSHAKE128: 128 bits of security, output of any length.
    ///
    /// ```
    /// use adamant_hash::sha3::TurboShake128;
    /// let mut out = [0; 4];
    /// TurboShake128::digest(b"", &mut out);
    /// assert_eq!(out, [0x1e, 0x41, 0x5f, 0x1c]);
    /// ```
    TurboShake128, block: 168
}
turboshake! {
    /// TurboSHAKE256: 256 bits of security, output of any length.
    ///
    /// ```
    /// use adamant_hash::sha3::TurboShake256;
    /// let mut out = [0; 4];
    /// TurboShake256::digest(b"", &mut out);
    /// assert_eq!(out, [0x36, 0x7a, 0x32, 0x9d]);
    /// ```
    TurboShake256, block: 136
}
