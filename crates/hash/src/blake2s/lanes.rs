//! BLAKE2s on many states at once. Messages of any lengths go through
//! [`Blake2s::digest_batch_into`](super::Blake2s::digest_batch_into).

crate::blake2::lanes::table! {
    "BLAKE2s", word: u32, block: 64, features: ["avx512f", "avx512bw"]
}

#[cfg(target_arch = "x86_64")]
mod x86_avx512 {
    crate::blake2::lanes::kernel! {
        features: "avx512f,avx512bw",
        vectors: crate::lanes::avx512::w32,
        sets: 2,
        from: 3,
        word: u32,
        block: 64,
        rotations: [16 16, 12 20, 8 24, 7 25],
        rounds: [0 1 2 3 4 5 6 7 8 9],
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_avx2 {
    crate::blake2::lanes::kernel! {
        features: "avx2",
        vectors: crate::lanes::avx2::w32,
        sets: 1,
        from: 3,
        word: u32,
        block: 64,
        rotations: [16 16, 12 20, 8 24, 7 25],
        rounds: [0 1 2 3 4 5 6 7 8 9],
    }
}
