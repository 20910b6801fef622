//! Implementations by name, the parts that modes are made of, and lengths of nonces and tags that
//! AEADs do not have by default.
//!
//! A `Backend` in a module here is a table of implementations. Functions whose names end in `_on` take
//! one, last: a key schedule is computed by its implementation, in a form that may be its own, so a
//! cipher is made on one and stays there.
//!
//! ```
//! use adamant_cipher::{aes::Aes128, hazmat::aes::Backend};
//! let aes = Aes128::new_on(&[7; 16], Backend::portable());
//! ```
//!
//! A `OneTimeKey` of Poly1305 has no schedule, and has `with_backend` as other keys do.
//!
//! A table's own functions are easier to use wrongly: they encrypt under whatever nonce or counter
//! they are given, release what they decrypt before anyone looks at the tag, and leave lengths to
//! their caller.
//!
//! With the feature `own`, `Backend::install` of `ghash` takes an implementation of the caller's own,
//! whose `Functions` `check` tries first; that of `aes` tries a
//! [`BlockCipher`](adamant_base::BlockCipher), which all modes take as it is.

#[cfg(feature = "aes")]
mod lengths;

#[cfg(feature = "own")]
pub use adamant_testkit::conformance::Mismatch;
#[cfg(feature = "aes")]
pub use lengths::{AnyLengths, Lengths, gmac_message};

/// AES: blocks, and the modes that gain from a loop of their own.
#[cfg(feature = "aes")]
pub mod aes {
    pub use crate::aes::{backend::Backend, key::RoundKeys};
    #[cfg(feature = "own")]
    pub use crate::own::{aes as check, aes_at as check_at};

    /// Many messages at once, each under a key of its own.
    pub mod lanes {
        pub use crate::aes::lanes::{Lane, Room, Stream, backend::Backend, cbc_encrypt_on};
        pub use crate::modes::ctr::on::ctr_encrypt_on;
    }
}

/// SM4: blocks, and the modes that gain from a loop of their own.
#[cfg(feature = "sm4")]
pub mod sm4 {
    pub use crate::sm4::{backend::Backend, key::RoundKeys};

    /// SM4-GCM.
    pub mod gcm {
        pub use crate::sm4::gcm::{backend::Backend, key::Sm4GcmKey};
    }
}

/// DES and triple DES: blocks, and the modes that gain from a loop of their own.
#[cfg(feature = "des")]
pub mod des {
    pub use crate::des::{backend::Backend, key::RoundKeys};
}

/// GHASH, the universal hash of GCM and GMAC: its result is not a tag.
#[cfg(feature = "aes")]
pub mod ghash {
    pub use crate::ghash::{Key, Powers, backend::Backend};
    #[cfg(feature = "own")]
    pub use crate::{ghash::own::Functions, own::ghash as check};
}

/// AES-GCM.
#[cfg(feature = "aes")]
pub mod gcm {
    pub use crate::gcm::{backend::Backend, key::AesGcmKey};
}

/// AES-GCM-SIV.
#[cfg(feature = "aes")]
pub mod gcm_siv {
    pub use crate::gcm_siv::backend::Backend;
}

/// The key stream of ChaCha20.
#[cfg(feature = "chacha20")]
pub mod chacha20 {
    pub use crate::chacha20::backend::Backend;
}

/// The sums of Poly1305.
#[cfg(feature = "chacha20")]
pub mod poly1305 {
    pub use crate::poly1305::{backend::Backend, key::State};
}

/// ChaCha20-Poly1305.
#[cfg(feature = "chacha20")]
pub mod chacha20_poly1305 {
    pub use crate::chacha20_poly1305::backend::Backend;
}
