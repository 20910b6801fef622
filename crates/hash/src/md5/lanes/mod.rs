//! MD5 on many states at once.

#[cfg(target_arch = "aarch64")]
mod arm_neon;
mod portable;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
mod rounds;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

crate::lanes::table! {
    "MD5", state: [u32; 4], block: 64,
    rows: {
        #[cfg(target_arch = "x86_64")]
        x86_avx512 if ["avx512f", "avx512bw"];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        x86_avx2 if ["avx2"];
        #[cfg(target_arch = "aarch64")]
        arm_neon if ["neon"];
        _ => portable;
    }
}
