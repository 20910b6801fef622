//! AES bitsliced in 32-bit planes, POLYVAL with multiplications that keep the low 32 bits.

super::compose::composed!(portable32, portable16);
