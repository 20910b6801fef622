//! AES by permutations of vectors, GHASH on multiplications of words.

#[cfg(target_arch = "x86_64")]
super::compose::composed!(x86_ssse3, portable64, "ssse3");
#[cfg(target_arch = "x86")]
super::compose::composed!(x86_ssse3, portable32, "ssse3");
