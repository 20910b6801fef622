//! Messages in groups of registers: eight of them, then four, two and one.

/// Runs `$kernel::<N>` over the registers' worth of `$blocks` with N of 8, 4, 2 and 1, each of
/// `$bytes`; gives the blocks that are left.
macro_rules! for_all {
    ($bytes:literal, $blocks:ident, $kernel:ident($($argument:expr),*)) => {{
        let (words, rest) = $blocks.as_flattened_mut().as_chunks_mut::<$bytes>();
        let (eights, words) = words.as_chunks_mut::<8>();
        for words in eights {
            $kernel($($argument,)* words);
        }
        let (fours, words) = words.as_chunks_mut::<4>();
        for words in fours {
            $kernel($($argument,)* words);
        }
        let (twos, ones) = words.as_chunks_mut::<2>();
        for words in twos {
            $kernel($($argument,)* words);
        }
        for word in ones {
            $kernel($($argument,)* core::array::from_mut(word));
        }
        rest.as_chunks_mut::<16>().0
    }};
}
pub(crate) use for_all;
