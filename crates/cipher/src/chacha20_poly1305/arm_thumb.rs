//! ChaCha20-Poly1305 in the instructions of ARMv6-M, with multiplications that keep the low 32 bits.

super::compose::composed!(arm_thumb, portable16);
