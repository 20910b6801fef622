//! Implementations by name: the tables of which the functions whose names end in `_on` take one.
//!
//! Their own functions are the arithmetic below the schemes, and nothing for other uses.

/// ML-KEM.
#[cfg(feature = "ml-kem")]
pub mod ml_kem {
    pub use crate::ml_kem::arithmetic::backend::Backend;
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
