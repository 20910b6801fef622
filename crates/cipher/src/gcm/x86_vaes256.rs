//! AES with VAES and GHASH with VPCLMULQDQ on 256-bit registers, one after the other.

super::compose::composed!(
    x86_vaes256,
    x86_vpclmul256,
    "vaes,vpclmulqdq,avx2,aes,pclmulqdq,ssse3,sse4.1"
);
