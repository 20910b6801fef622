//! AES bitsliced in 32-bit planes, GHASH with multiplications that keep the low 32 bits.

super::compose::composed!(portable32, portable16);
