//! AES bitsliced in 64-bit planes, GHASH with 64-bit multiplications.

super::compose::composed!(portable64, portable64);
