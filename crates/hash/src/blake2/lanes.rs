//! BLAKE2 on many states at once, over the vectors of [`lanes`](crate::lanes), and many messages
//! over them: a lane that is done takes the next message at once.

use adamant_base::{Error, Secret, Wipe, same_length};

/// The most lanes that a kernel has.
const MOST: usize = 32;

/// A table of lanes of words `W` with blocks of `N` bytes.
pub(crate) trait Lanes<W, const N: usize>: Copy {
    /// Takes blocks into each state from the message of the same index: as many from each as the
    /// shortest has. `t` counts the bytes up to the first of them; `last` is all ones where this
    /// is the last one.
    fn compress(self, h: &mut [[W; 8]], messages: &[&[[u8; N]]], t: &[u64], last: &[W]);
    /// How many states fill the machine.
    fn lanes(self) -> usize;
    /// The first row from this one on that is worth it for this many states; the last always is.
    fn for_states(self, count: usize) -> Self;
}

/// Where a lane is in its message.
#[derive(Clone, Copy)]
struct Lane<'m> {
    index: usize,
    rest: &'m [u8],
    /// Bytes before them.
    taken: u64,
}

struct Room<W, const N: usize> {
    h: [[W; 8]; MOST],
    /// Last blocks, followed by zeros.
    blocks: [[u8; N]; MOST],
}

impl<W: Wipe, const N: usize> Wipe for Room<W, N> {
    fn wipe(&mut self) {
        self.h.wipe();
        self.blocks.wipe();
    }
}

/// The digests of the messages from the state `start`, in their order; `zero` and `ones` are words
/// of such bits, and `output` reads a state.
///
/// # Errors
/// [`Error::BadLength`] when there are not as many places as messages; `out` is then untouched.
pub(crate) fn digest<W: Copy + Wipe, O, const N: usize>(
    backend: impl Lanes<W, N>,
    start: [W; 8],
    [zero, ones]: [W; 2],
    messages: &[&[u8]],
    out: &mut [O],
    output: impl Fn(&[W; 8]) -> O,
) -> Result<(), Error> {
    same_length(messages.len(), out.len())?;
    let mut room = Secret::new(Room {
        h: [start; MOST],
        blocks: [[0; N]; MOST],
    });
    let Room { h, blocks } = &mut *room;
    let mut lanes = [Lane {
        index: 0,
        rest: &[],
        taken: 0,
    }; MOST];
    let width = backend.lanes().min(MOST);
    let (mut active, mut queue) = (0, messages.iter().enumerate());
    loop {
        while active < width
            && let Some((index, &rest)) = queue.next()
        {
            (lanes[active], h[active]) = (
                Lane {
                    index,
                    rest,
                    taken: 0,
                },
                start,
            );
            active += 1;
        }
        if active == 0 {
            return Ok(());
        }
        // The last block of each message waits, be it whole.
        let (mut t, mut last) = ([0; MOST], [zero; MOST]);
        let mut pieces: [&[[u8; N]]; MOST] = [&[]; MOST];
        let mut shortest = usize::MAX;
        for (i, (lane, block)) in lanes.iter().zip(blocks.iter_mut()).enumerate().take(active) {
            let whole = lane.rest.len().saturating_sub(1) / N;
            if whole > 0 {
                pieces[i] = &lane.rest.as_chunks().0[..whole];
                t[i] = lane.taken + N as u64;
                shortest = shortest.min(whole);
            } else {
                *block = [0; N];
                block[..lane.rest.len()].copy_from_slice(lane.rest);
                pieces[i] = core::slice::from_ref(block);
                t[i] = lane.taken + lane.rest.len() as u64;
                last[i] = ones;
                shortest = 1;
            }
        }
        let kernel = backend.for_states(active);
        kernel.compress(
            &mut h[..active],
            &pieces[..active],
            &t[..active],
            &last[..active],
        );
        for i in (0..active).rev() {
            let whole = lanes[i].rest.len().saturating_sub(1) / N;
            if whole > 0 {
                lanes[i].rest = &lanes[i].rest[shortest * N..];
                lanes[i].taken += (shortest * N) as u64;
                continue;
            }
            out[lanes[i].index] = output(&h[i]);
            // The last lane moves here.
            active -= 1;
            (lanes[i], h[i]) = (lanes[active], h[active]);
        }
    }
}

/// Makes a table's row of lanes over the vectors of a module of [`lanes`](crate::lanes): `$sets`
/// of them fill the machine.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! kernel {
    (
        features: $features:literal,
        vectors: $($vectors:ident)::+,
        sets: $sets:literal,
        from: $least:literal,
        word: $word:ty,
        block: $block:literal,
        rotations: $rotations:tt,
        rounds: [$($round:literal)+],
    ) => {
        use crate::blake2::SIGMA;
        use crate::blake2::portable::Word;
        use $($vectors)::+::{
            LANES, V, add, load_blocks_le, load_states, ror, splat, store_states, xor,
        };

        /// The lanes of one vector.
        pub(super) const VECTOR: usize = LANES;

        pub(super) const fn lanes() -> usize {
            $sets * LANES
        }

        pub(super) const fn break_even() -> usize {
            $least
        }

        crate::lanes::blake::rounds! {
            features: $features,
            rotations: $rotations,
            schedule: SIGMA,
        }

        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = $features)]
        pub(super) fn compress(
            h: &mut [[$word; 8]],
            messages: &[&[[u8; $block]]],
            t: &[u64],
            last: &[$word],
        ) {
            debug_assert!([messages.len(), t.len(), last.len()] == [h.len(); 3]);
            let blocks = messages.iter().map(|m| m.len()).min().unwrap_or(0);
            debug_assert!(last.iter().all(|last| *last == 0 || *last == <$word>::MAX && blocks == 1));
            let count = h.len().min(messages.len()).min(t.len()).min(last.len());
            let mut at = 0;
            while at < count {
                let two = $sets == 2 && count - at > LANES;
                let end = count.min(at + if two { 2 * LANES } else { LANES });
                let (h, messages) = (&mut h[at..end], &messages[at..end]);
                if two {
                    compress_sets::<2>(h, messages, &t[at..end], &last[at..end], blocks);
                } else {
                    compress_sets::<1>(h, messages, &t[at..end], &last[at..end], blocks);
                }
                at = end;
            }
        }

        /// For up to `K` vectors of lanes. Idle lanes do what the first one does.
        #[target_feature(enable = $features)]
        fn compress_sets<const K: usize>(
            states: &mut [[$word; 8]],
            messages: &[&[[u8; $block]]],
            t: &[u64],
            last: &[$word],
            blocks: usize,
        ) {
            debug_assert!(!states.is_empty() && states.len() <= K * LANES);
            let mut rows = [[[0; 8]; LANES]; K];
            let mut lanes = [[messages[0]; LANES]; K];
            // The counter's words and the flag of each lane.
            let mut inputs = [[[0; 8]; LANES]; K];
            let (mut h, mut v) = ([[splat(0); 8]; K], [[splat(0); 16]; K]);
            for (i, state) in states.iter().enumerate() {
                rows[i / LANES][i % LANES] = *state;
                lanes[i / LANES][i % LANES] = messages[i];
            }
            for k in 0..K {
                h[k] = load_states(&rows[k]);
            }
            for b in 0..blocks {
                for (i, (t, last)) in t.iter().zip(last).enumerate() {
                    let t = u128::from(t + (b * $block) as u64);
                    let input = &mut inputs[i / LANES][i % LANES];
                    (input[0], input[1]) = (t as $word, (t >> <$word>::BITS) as $word);
                    input[2] = *last;
                }
                let mut m = [[splat(0); 16]; K];
                for k in 0..K {
                    m[k] = load_blocks_le(adamant_base::simd::map(lanes[k], |message| &message[b]));
                    v[k][..8].copy_from_slice(&h[k]);
                    for i in 0..8 {
                        v[k][8 + i] = splat(<$word as Word>::IV[i]);
                    }
                    let inputs = load_states(&inputs[k]);
                    for i in 0..3 {
                        v[k][12 + i] = xor(v[k][12 + i], inputs[i]);
                    }
                }
                $(round::<$round, K>(&mut v, &m);)+
                for k in 0..K {
                    for i in 0..8 {
                        h[k][i] = xor(h[k][i], xor(v[k][i], v[k][i + 8]));
                    }
                }
            }
            for k in 0..K {
                store_states(&mut rows[k], &h[k]);
            }
            for (state, row) in states.iter_mut().zip(rows.as_flattened()) {
                *state = *row;
            }
        }
    };
}

/// Makes the table of lanes of the module at hand.
macro_rules! table {
    ($name:literal, word: $word:ty, block: $block:literal, features: $features:tt) => {
        adamant_base::backends! {
            #[doc = concat!("The compression function of ", $name, " on many states.")]
            pub(crate) struct Backend {
                /// How many states fill the machine.
                fn lanes() -> usize;
                /// From how many states on this is quicker than one after the other.
                fn break_even() -> usize;
                batch {
                    /// Takes blocks into each state from the message of the same index: as many
                    /// from each as the shortest has. `t` counts the bytes up to the first of
                    /// them; `last` is all ones where this is the last one.
                    fn compress(
                        h: &mut [[$word; 8]],
                        messages: &[&[[u8; $block]]],
                        t: &[u64],
                        last: &[$word],
                    );
                }
            }
            #[cfg(target_arch = "x86_64")]
            x86_avx512 if $features
                lanes [x86_avx512::break_even(), x86_avx512::VECTOR, x86_avx512::lanes()];
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            x86_avx2 if ["avx2"]
                lanes [x86_avx2::break_even(), x86_avx2::VECTOR, x86_avx2::lanes()];
            _ => portable lanes [portable::lanes()];
        }

        impl crate::blake2::lanes::Lanes<$word, $block> for Backend {
            #[inline]
            fn compress(
                self,
                h: &mut [[$word; 8]],
                messages: &[&[[u8; $block]]],
                t: &[u64],
                last: &[$word],
            ) {
                Backend::compress(self, h, messages, t, last);
            }
            #[inline]
            fn lanes(self) -> usize {
                Backend::lanes(self)
            }
            #[inline]
            fn for_states(self, count: usize) -> Self {
                Backend::available()
                    .skip_while(|row| *row != self)
                    .find(|row| row.break_even() <= count)
                    .unwrap_or_else(Backend::portable)
            }
        }

        mod portable {
            use crate::blake2::portable::{Word, f};

            pub(super) const fn lanes() -> usize {
                1
            }

            pub(super) const fn break_even() -> usize {
                0
            }

            #[cfg_attr(not(feature = "lab"), inline)]
            pub(super) fn compress(
                h: &mut [[$word; 8]],
                messages: &[&[[u8; $block]]],
                t: &[u64],
                last: &[$word],
            ) {
                let blocks = messages.iter().map(|m| m.len()).min().unwrap_or(0);
                for (((h, message), t), last) in h.iter_mut().zip(messages).zip(t).zip(last) {
                    for (b, block) in message[..blocks].iter().enumerate() {
                        let words = block.as_chunks().0;
                        let m = core::array::from_fn(|i| {
                            <$word as Word>::new(<$word>::from_le_bytes(words[i]))
                        });
                        let t = u128::from(t + (b * $block) as u64);
                        let t = [t as $word, (t >> <$word>::BITS) as $word];
                        f::<$word>(h, &m, t, *last);
                    }
                }
            }
        }
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use kernel;
pub(crate) use table;
