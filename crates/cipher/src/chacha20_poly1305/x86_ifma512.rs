//! ChaCha20-Poly1305 with AVX-512 and IFMA.

super::compose::composed!(
    x86_avx512,
    x86_ifma512,
    "avx512f,avx512bw,avx512ifma,avx512vbmi2"
);
