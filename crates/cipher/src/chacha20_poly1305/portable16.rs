//! ChaCha20-Poly1305 with multiplications of 32 bits that keep the low 32.

super::compose::composed!(portable, portable16);
