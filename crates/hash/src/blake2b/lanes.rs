//! BLAKE2b on many states at once. Messages of any lengths go through
//! [`Blake2b::digest_batch_into`](super::Blake2b::digest_batch_into).

crate::blake2::lanes::table! {
    "BLAKE2b", word: u64, block: 128, features: ["avx512f", "avx512bw"]
}

#[cfg(target_arch = "x86_64")]
mod x86_avx512 {
    crate::blake2::lanes::kernel! {
        features: "avx512f,avx512bw",
        vectors: crate::lanes::avx512::w64,
        sets: 2,
        from: 3,
        word: u64,
        block: 128,
        rotations: [32 32, 24 40, 16 48, 63 1],
        rounds: [0 1 2 3 4 5 6 7 8 9 10 11],
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2 {
    crate::blake2::lanes::kernel! {
        features: "avx2",
        vectors: crate::lanes::avx2::w64,
        sets: 1,
        from: 3,
        word: u64,
        block: 128,
        rotations: [32 32, 24 40, 16 48, 63 1],
        rounds: [0 1 2 3 4 5 6 7 8 9 10 11],
    }
}
