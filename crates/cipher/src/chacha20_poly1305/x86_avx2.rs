//! ChaCha20-Poly1305 with AVX2.

super::compose::composed!(x86_avx2, x86_avx2, "avx2");
