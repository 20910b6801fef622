//! MD5 on many states at once.
//!
//! This is the level for constructions that hash many short inputs of one shape: they lay out
//! their blocks, padding included, and read the states. Messages of any lengths go through
//! [`Md5::digest_batch`](super::Md5::digest_batch).
//!
//! ```
//! use adamant_hash::md5::{IV, Md5, lanes};
//! // MD5 of twenty messages of one byte.
//! let mut blocks = [[0; 64]; 20];
//! for (i, block) in blocks.iter_mut().enumerate() {
//!     (block[0], block[1], block[56]) = (i as u8, 0x80, 8);
//! }
//! let mut states = [IV; 20];
//! lanes::Backend::best().compress_blocks(&mut states, &blocks);
//!
//! let digest = states[5].map(u32::to_le_bytes);
//! assert_eq!(digest.as_flattened(), Md5::digest(&[5]));
//! ```

mod portable;
#[cfg(target_arch = "x86_64")]
mod rounds;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_avx2;
#[cfg(target_arch = "x86_64")]
mod x86_avx512;

adamant_base::backends! {
    /// The compression function of MD5 on many states.
    pub struct Backend {
        /// Takes blocks into each state from the message of the same index: as many from each
        /// as the shortest has.
        fn compress(states: &mut [[u32; 4]], messages: &[&[[u8; 64]]]);
        /// The chains of PBKDF2: that many times, `u` becomes its own HMAC, and `sum` takes in
        /// the new one by exclusive or. `inner` and `outer` are the states behind the two padded
        /// keys; a digest is the first `digest_words` words of a state.
        fn hmac_chain(
            inner: &[[u32; 4]],
            outer: &[[u32; 4]],
            u: &mut [[u32; 4]],
            sum: &mut [[u32; 4]],
            digest_words: usize,
            iterations: u32,
        );
        /// How many states fill the machine.
        fn lanes() -> usize;
        /// From how many states on this is quicker than one after the other.
        fn break_even() -> usize;
    }
    #[cfg(target_arch = "x86_64")]
    x86_avx512 if ["avx512f", "avx512bw"];
    #[cfg(target_arch = "x86_64")]
    x86_avx2 if ["avx2"];
    _ => portable;
}

crate::lanes::api! { state: [u32; 4], block: 64 }
