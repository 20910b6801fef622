//! ChaCha20-Poly1305 with SSE2.

#[cfg(target_arch = "x86_64")]
super::compose::composed!(x86_sse2, portable64, "sse2");
#[cfg(target_arch = "x86")]
super::compose::composed!(x86_sse2, x86_sse2, "sse2");
