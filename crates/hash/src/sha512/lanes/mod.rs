//! SHA-512 on many states at once.

#[cfg(target_arch = "aarch64")]
mod arm_sha3;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;
#[cfg(target_arch = "x86_64")]
mod x86_avx512_registers;

crate::lanes::table! {
    "SHA-512", state: [u64; 8], block: 128,
    rows: {
        #[cfg(target_arch = "x86_64")]
        x86_avx512_registers if ["avx512f", "avx512bw"; "golden-cove"];
        #[cfg(target_arch = "x86_64")]
        x86_avx512 if ["avx512f", "avx512bw"];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        x86_avx2 if ["avx2"];
        #[cfg(target_arch = "aarch64")]
        arm_sha3 if ["neon", "sha2", "sha3"];
        _ => portable;
    }
}
