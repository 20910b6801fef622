//! The group on the smallest ARM cores.

crate::curve25519::group::words::words!(arm_thumb, crate::curve25519::arm_thumb::field::Fe, 7;);
