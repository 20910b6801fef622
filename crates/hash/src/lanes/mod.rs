//! Common to the hashes of many lanes: vectors of words and the code around the rounds.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512vl;
pub(crate) mod backend;
pub(crate) mod batch;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
#[cfg(feature = "blake")]
pub(crate) mod blake;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod kernel;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod sha2;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) mod sse41;
pub(crate) mod streams;
#[cfg(test)]
pub(crate) mod tests;

/// `$step!($arguments $t)` for each number `$t`.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! each {
    ($step:ident $arguments:tt $($t:literal)*) => { $($step!($arguments $t);)* };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use each;

/// Makes `turn`, which gives each place of four words what was `N` places further, from the
/// instruction that orders them.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! turn {
    ($features:literal, $shuffle:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn turn<const N: i32>(x: V) -> V {
            match N {
                1 => $shuffle::<0b00_11_10_01>(x),
                2 => $shuffle::<0b01_00_11_10>(x),
                _ => $shuffle::<0b10_01_00_11>(x),
            }
        }
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use turn;

/// Makes the table of lanes of the hash `$name`, of the MD4 family, with these rows; how many lanes
/// they have, they state themselves.
macro_rules! table {
    (
        $name:literal, state: [$word:ty; $words:literal], block: $block:literal,
        rows: {
            $($(#[$meta:meta])* $row:ident if $features:tt;)*
            _ => $last:ident;
        }
    ) => {
        adamant_base::backends! {
            #[doc = concat!("The compression function of ", $name, " on many states.")]
            pub(crate) struct Backend {
                /// How many states fill the machine.
                fn lanes() -> usize;
                /// From how many states on this is quicker than one after the other.
                fn break_even() -> usize;
                batch {
                    /// Takes blocks into each state from the message of the same index: as many
                    /// from each as the shortest has.
                    fn compress(states: &mut [[$word; $words]], messages: &[&[[u8; $block]]]);
                    /// The chains of PBKDF2: that many times, `u` becomes its own HMAC, and `sum`
                    /// takes in the new one by exclusive or. `inner` and `outer` are the states
                    /// after the two padded keys; a digest is the first `digest_words` words of
                    /// a state.
                    fn hmac_chain(
                        inner: &[[$word; $words]],
                        outer: &[[$word; $words]],
                        u: &mut [[$word; $words]],
                        sum: &mut [[$word; $words]],
                        digest_words: usize,
                        iterations: u32,
                    );
                }
            }
            $(
                $(#[$meta])*
                $row if $features lanes [$row::break_even(), $row::VECTOR, $row::lanes()];
            )*
            _ => $last lanes [$last::VECTOR, $last::lanes()];
        }

        impl crate::lanes::backend::Lanes<[$word; $words], $block> for Backend {
            #[inline]
            fn compress(self, states: &mut [[$word; $words]], messages: &[&[[u8; $block]]]) {
                Backend::compress(self, states, messages);
            }
            #[inline]
            fn lanes(self) -> usize {
                Backend::lanes(self)
            }
            #[inline]
            fn for_states(self, count: usize) -> Option<Self> {
                Backend::available()
                    .skip_while(|row| *row != self)
                    .find(|row| row.break_even() <= count)
            }
            #[inline]
            fn alone(state: &mut [$word; $words], blocks: &[[u8; $block]]) {
                super::Backend::best().compress(state, blocks);
            }
        }

        impl Backend {
            /// Takes one block into each state.
            #[cfg_attr(not(feature = "lab"), inline)]
            pub fn compress_blocks(self, states: &mut [[$word; $words]], blocks: &[[u8; $block]]) {
                const MANY: usize = 32;
                for (states, blocks) in states.chunks_mut(MANY).zip(blocks.chunks(MANY)) {
                    let mut messages: [&[[u8; $block]]; MANY] = [&[]; MANY];
                    for (message, block) in messages.iter_mut().zip(blocks) {
                        *message = core::slice::from_ref(block);
                    }
                    self.compress(states, &messages[..blocks.len()]);
                }
            }
        }
    };
}
pub(crate) use table;
