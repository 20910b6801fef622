//! Implementations by name, and what hashes are made of: compression functions and permutations, of
//! one state and of many side by side.
//!
//! A `Backend` in a module here is a table of implementations. Functions whose names end in `_on` take
//! one, last: a hash is made on it and stays there, a keyed one as it takes in its key at once.
//! Scrypt's `Params` and `Argon2` only name a cost, and have `with_backend`.
//!
//! ```
//! use adamant_hash::{Sha256, hazmat::sha256::Backend};
//! let mut hash = Sha256::new_on(Backend::portable());
//! hash.update(b"abc");
//! assert_eq!(hash.finalize(), Sha256::digest(b"abc"));
//! ```
//!
//! A table's own functions are easier to use wrongly: they pad nothing, count nothing and check
//! nothing but lengths, where they say so. They are the level
//! for constructions that hash many short inputs of one shape: these lay out their blocks, padding
//! included, and read the states. Messages of any lengths go through `digest_batch`.
//!
//! With the feature `own`, `Backend::install` of [`sha256`] and [`sha512`] takes an implementation of
//! the caller's own, whose `Functions` `check` tries first.
//!
//! ```
//! use adamant_hash::{Sha256, hazmat::sha256::{IV, lanes}};
//! // SHA-256 of twenty messages of one byte.
//! let mut blocks = [[0; 64]; 20];
//! for (i, block) in blocks.iter_mut().enumerate() {
//!     (block[0], block[1], block[63]) = (i as u8, 0x80, 8);
//! }
//! let mut states = [IV; 20];
//! lanes::Backend::best().compress_blocks(&mut states, &blocks);
//!
//! let digest = states[5].map(u32::to_be_bytes);
//! assert_eq!(digest.as_flattened(), Sha256::digest(&[5]));
//! ```

#[cfg(all(feature = "own", feature = "alloc"))]
pub use adamant_testkit::conformance::Mismatch;

/// The modules of hashes of the MD4 family.
macro_rules! merkle_damgard {
    ($($(#[$cfg:meta])* $module:ident [$word:ty; $words:literal] $name:literal { $($more:tt)* })*) => { $(
        $(#[$cfg])*
        #[doc = concat!("The compression function of ", $name, ".")]
        pub mod $module {
            pub use crate::$module::backend::Backend;

            /// The state before the first block.
            pub const IV: [$word; $words] = crate::$module::IV;

            /// Many states at once.
            pub mod lanes {
                pub use crate::$module::lanes::backend::Backend;
            }
            $($more)*
        }
    )* };
}

/// What a module of a table has that takes an implementation of the caller's own.
macro_rules! own {
    ($module:ident) => {
        #[cfg(all(feature = "own", feature = "alloc"))]
        pub use crate::own::$module as check;
        #[cfg(feature = "own")]
        pub use crate::$module::own::Functions;
    };
}

merkle_damgard! {
    sha256 [u32; 8] "SHA-256 and SHA-224" {
        own! { sha256 }

        /// Chains of hashes of one short block each, as SLH-DSA has them.
        pub mod chains {
            pub use crate::sha256::chains::{Chains, backend::Backend};
        }
    }
    sha512 [u64; 8] "SHA-512, SHA-384 and SHA-512/256" { own! { sha512 } }
    #[cfg(feature = "sm3")] sm3 [u32; 8] "SM3" {}
    #[cfg(feature = "legacy")] sha1 [u32; 5] "SHA-1" {}
    #[cfg(feature = "legacy")] md5 [u32; 4] "MD5" {}
}

/// The permutation of SHA-3, SHAKE, cSHAKE, TurboSHAKE and KMAC.
#[cfg(feature = "sha3")]
pub mod keccak {
    pub use crate::keccak::{Rate, Rounds, State, backend::Backend};

    /// Eight states at once.
    ///
    /// ```
    /// use adamant_hash::{Shake128, hazmat::keccak::{Rounds, lanes}};
    /// // SHAKE128 of eight messages of one byte.
    /// let mut blocks = [[0; 192]; 8];
    /// for (i, block) in blocks.iter_mut().enumerate() {
    ///     (block[0], block[1], block[167]) = (i as u8, 0x1f, 0x80);
    /// }
    /// let mut states = [[0; 8]; 25];
    /// lanes::Backend::best().absorb(&mut states, &blocks, Rounds::ALL);
    ///
    /// let mut first = [0; 8];
    /// Shake128::digest(&[5], &mut first);
    /// assert_eq!(states[0][5], u64::from_le_bytes(first));
    /// ```
    pub mod lanes {
        pub use crate::keccak::lanes::{Blocks, Chain, States, backend::Backend, batch::Function};
    }
}

/// The modules of BLAKE2.
macro_rules! blake2 {
    ($($module:ident $name:literal;)*) => { $(
        #[cfg(feature = "blake")]
        #[doc = concat!("The compression function of ", $name, ".")]
        pub mod $module {
            pub use crate::$module::backend::Backend;

            /// Many states at once.
            pub mod lanes {
                pub use crate::$module::lanes::backend::Backend;
            }
        }
    )* };
}

blake2! { blake2b "BLAKE2b"; blake2s "BLAKE2s"; }

/// Chunks of BLAKE3 and the nodes of its tree.
#[cfg(feature = "blake")]
pub mod blake3 {
    pub use crate::blake3::{backend::Backend, on::*};
}

/// The inner loop of PBKDF2.
pub mod pbkdf2 {
    pub use crate::pbkdf2::chains::Chains;

    /// With SHA-256.
    pub mod sha256 {
        pub use crate::pbkdf2::sha256::backend::Backend;
    }
}

/// The generator of deterministic nonces of ECDSA and DSA (RFC 6979).
pub mod hmac_drbg {
    pub use crate::hmac_drbg::{NonceHash, Rfc6979, accepted_candidate, accepted_candidates};
}

/// scryptROMix.
#[cfg(feature = "password")]
pub mod scrypt {
    pub use crate::scrypt::backend::Backend;

    /// Several lanes at once.
    pub mod lanes {
        pub use crate::scrypt::lanes::backend::Backend;
    }
}

/// The compression of Argon2.
#[cfg(feature = "password")]
pub mod argon2 {
    pub use crate::argon2::backend::Backend;
}
