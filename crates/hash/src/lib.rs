//! Hashes, MACs and key derivation.
