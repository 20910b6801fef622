//! Memory-safe cryptography and PKI toolkit: the facade users depend on.
