//! SM3 on many states at once.

#[cfg(target_arch = "aarch64")]
mod arm_neon;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod arm_sm4;
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
    "SM3", state: [u32; 8], block: 64,
    rows: {
        #[cfg(target_arch = "x86_64")]
        x86_avx512 if ["avx512f", "avx512bw"];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        x86_avx2 if ["avx2"];
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        arm_sm4 if ["neon", "sm4"];
        #[cfg(target_arch = "aarch64")]
        arm_neon if ["neon"];
        _ => portable;
    }
}
