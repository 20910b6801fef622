//! ChaCha20-Poly1305 with multiplications of 64 by 64 bits into 128.

super::compose::composed!(portable, portable64);
