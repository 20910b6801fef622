//! AES bitsliced in 64-bit planes, POLYVAL with multiplications that keep the low 64 bits.

super::compose::composed!(portable64, portable64);
