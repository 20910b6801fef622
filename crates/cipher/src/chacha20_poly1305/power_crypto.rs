//! ChaCha20-Poly1305 with POWER8's vectors, and multiplications of 64 by 64 bits into 128.

super::compose::composed!(power_crypto, portable64);
