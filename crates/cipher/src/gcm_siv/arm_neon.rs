//! AES bitsliced in vectors, POLYVAL with products of bytes.

super::compose::composed!(arm_neon, arm_neon, "neon");
