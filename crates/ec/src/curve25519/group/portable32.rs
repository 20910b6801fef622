//! The group on 32-bit words.

crate::curve25519::group::words::words!(portable32, crate::curve25519::portable32::field::Fe, 7;);
