//! ChaCha20-Poly1305 with multiplications of 32 by 32 bits into 64.

super::compose::composed!(portable, portable32);
