//! AES by permutations of vectors, GHASH on multiplications of 64 bits.

super::compose::composed!(x86_ssse3, portable64, "ssse3");
