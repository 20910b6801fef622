//! ChaCha20-Poly1305 with AVX2 for ChaCha20; Poly1305 is as fast on whole words.

super::compose::composed!(x86_avx2, portable64, "avx2");
