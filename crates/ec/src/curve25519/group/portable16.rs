//! The group for CPUs whose multiplication gives 32 bits.

crate::curve25519::group::words::words!(portable16, crate::curve25519::portable16::field::Fe, 8;);
