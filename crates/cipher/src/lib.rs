//! Ciphers, modes and AEADs.
