//! AES bitsliced in vectors, POLYVAL with multiplications that keep the low 64 bits.

super::compose::composed!(arm_neon, portable64);
