//! AES bitsliced in vectors, GHASH with products of bytes.

super::compose::composed!(arm_neon, arm_neon, "neon");
