//! Implementations by name: the tables of which the functions of
//! [`adamant_base::hazmat`] take one, whose names end in `_on`.
//!
//! Their own functions are the arithmetic below the schemes, and nothing for other uses.
//!
//! ```
//! use adamant_base::hazmat::FromSeedOn;
//! use adamant_pq::{hazmat::ml_dsa::Backend, ml_dsa_65::PrivateKey};
//! let key = PrivateKey::from_seed_on(&[7; 32], Backend::portable());
//! assert_eq!(key.sign(b"message"), PrivateKey::from_seed(&[7; 32]).sign(b"message"));
//! ```

/// ML-KEM.
#[cfg(feature = "ml-kem")]
pub mod ml_kem {
    use crate::ml_kem::SharedSecret;
    pub use crate::ml_kem::arithmetic::backend::Backend;
    use adamant_base::{Error, hazmat::FromBytesOn};

    /// A decapsulation key that is used once.
    pub trait DecapsulateOn: FromBytesOn<Backend> {
        /// A ciphertext of its parameter set.
        type Ciphertext;

        /// `decapsulate_encoded` on this implementation.
        ///
        /// # Errors
        /// As there.
        fn decapsulate_encoded_on(
            key: &Self::Bytes,
            ciphertext: &Self::Ciphertext,
            backend: Backend,
        ) -> Result<SharedSecret, Error>;
    }
}

/// ML-DSA.
#[cfg(feature = "ml-dsa")]
pub mod ml_dsa {
    pub use crate::ml_dsa::arithmetic::backend::Backend;
}

/// SLH-DSA.
#[cfg(feature = "slh-dsa")]
pub mod slh_dsa {
    pub use crate::slh_dsa::hash::backend::Backend;
}
