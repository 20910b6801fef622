//! AES bitsliced in vectors, GHASH with 64-bit multiplications.

super::compose::composed!(arm_neon, portable64);
