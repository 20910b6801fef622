//! AES with AES-NI, POLYVAL with `pclmulqdq`, one after the other.

super::compose::composed!(x86_aesni, x86_pclmul, "aes,pclmulqdq,ssse3,sse4.1");
