//! ChaCha20-Poly1305 with SSE2.

super::compose::composed!(x86_sse2, portable64, "sse2");
