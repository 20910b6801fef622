//! AES bitsliced, GHASH with 64-bit multiplications.

#[cfg(not(feature = "small"))]
super::compose::composed!(portable64, portable64);
// Of AES the planes of 32 bits, which are packed by less code.
#[cfg(feature = "small")]
super::compose::composed!(portable32, portable64);
