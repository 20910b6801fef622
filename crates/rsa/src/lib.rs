//! RSA.
