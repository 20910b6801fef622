//! SHA-1 on many states at once.

#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(target_arch = "aarch64")]
mod arm_sha2;
mod portable;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
mod rounds;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_sha;

crate::lanes::table! {
    "SHA-1", state: [u32; 5], block: 64,
    rows: {
        #[cfg(target_arch = "x86_64")]
        x86_avx512 if ["avx512f", "avx512bw"];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        x86_sha if ["sha", "sse4.1", "ssse3"];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        x86_avx2 if ["avx2"];
        #[cfg(target_arch = "aarch64")]
        arm_sha2 if ["neon", "sha2"];
        #[cfg(target_arch = "aarch64")]
        arm_neon if ["neon"];
        _ => portable;
    }
}
