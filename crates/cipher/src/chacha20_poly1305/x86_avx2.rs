//! ChaCha20-Poly1305 with AVX2 for ChaCha20; Poly1305 is as fast on whole words, where they have 64
//! bits.

#[cfg(target_arch = "x86_64")]
super::compose::composed!(x86_avx2, portable64, "avx2");
#[cfg(target_arch = "x86")]
super::compose::composed!(x86_avx2, x86_avx2, "avx2");
