//! AES bitsliced in 32-bit planes, POLYVAL with multiplications of 32 by 32 bits.

super::compose::composed!(portable32, portable32);
