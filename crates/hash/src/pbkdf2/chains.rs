//! The inner loop over the compression function of a Merkle–Damgård hash.
//!
//! A tag is as long as the state or shorter, so that the message of either hash is one block: the
//! tag, the padding, and a length that is the same each time.

use super::TOGETHER;
use adamant_base::Wipe;

/// A chain of [`adamant_base::family::HmacChain`] in words: the state behind each padded key, the
/// last tag and the exclusive or of the tags. Where a digest is a part of the state, the words
/// behind it do not count.
#[derive(Clone)]
pub(crate) struct Chain<Word: Wipe, const N: usize> {
    pub(crate) inner: [Word; N],
    pub(crate) outer: [Word; N],
    pub(crate) value: [Word; N],
    pub(crate) sum: [Word; N],
}

impl<Word: Wipe, const N: usize> Drop for Chain<Word, N> {
    fn drop(&mut self) {
        self.value.wipe();
        self.sum.wipe();
        self.inner.wipe();
        self.outer.wipe();
    }
}

/// Runs chains one after the other. `block` holds everything of the message's block but the tag;
/// `put` writes a tag into it.
pub(crate) fn run_each<Word, const N: usize, const BLOCK: usize>(
    chains: &mut [Chain<Word, N>],
    count: u32,
    mut block: [u8; BLOCK],
    put: impl Fn(&mut [u8; BLOCK], &[Word; N]),
    compress: impl Fn(&mut [Word; N], &[[u8; BLOCK]]),
) where
    Word: Wipe + Copy + core::ops::BitXorAssign,
{
    for chain in chains {
        for _ in 0..count {
            for start in [&chain.inner, &chain.outer] {
                put(&mut block, &chain.value);
                chain.value = *start;
                compress(&mut chain.value, core::slice::from_ref(&block));
            }
            for (s, v) in chain.sum.iter_mut().zip(&chain.value) {
                *s ^= *v;
            }
        }
    }
    block.wipe();
}

/// Hands `chains`, whose members are made by `load` and read by `store`, to `run` in groups.
pub(crate) fn in_groups<C, Word: Wipe + Copy + Default, const N: usize>(
    chains: &mut [C],
    load: impl Fn(&C) -> Chain<Word, N>,
    store: impl Fn(&mut C, &Chain<Word, N>),
    run: impl Fn(&mut [Chain<Word, N>]),
) {
    if let [chain] = chains {
        let mut words = load(chain);
        run(core::slice::from_mut(&mut words));
        store(chain, &words);
        return;
    }
    for group in chains.chunks_mut(TOGETHER) {
        let mut words: [_; TOGETHER] =
            core::array::from_fn(|i| load(&group[i.min(group.len() - 1)]));
        run(&mut words[..group.len()]);
        for (chain, words) in group.iter_mut().zip(&words) {
            store(chain, words);
        }
    }
}

/// `Hash::hmac_chains` for a hash that `hasher!` makes, with the names that this macro has.
macro_rules! hmac_chains {
    (
        $chains:ident $count:ident, [$word:ty; $words:literal], block: $block:literal,
        length: $length:ty, order: $order:ident, output: $output:literal $(, run: $run:path)?
    ) => {{
        let whole = |h: &Self| h.buffer.is_empty() && h.length == $block;
        if $count == 0 || !$chains.iter().all(|c| whole(&c.inner) && whole(&c.outer)) {
            for chain in $chains {
                chain.run($count);
            }
            return;
        }
        let Some(backend) = $chains.first().map(|chain| chain.inner.backend) else {
            return;
        };
        let words = |tag: &[u8; $output]| {
            let mut words = [0; $words];
            for (word, bytes) in words.iter_mut().zip(tag.as_chunks().0) {
                *word = $crate::pbkdf2::hmac_chains!(@from $word, $order, *bytes);
            }
            words
        };
        let put = |tag: &mut [u8], words: &[$word; $words]| {
            for (bytes, word) in tag[..$output].chunks_mut(size_of::<$word>()).zip(words) {
                bytes.copy_from_slice(&word.$order());
            }
        };
        $crate::pbkdf2::in_groups(
            $chains,
            |chain| $crate::pbkdf2::Chain {
                inner: chain.inner.state,
                outer: chain.outer.state,
                value: words(&chain.value),
                sum: words(&chain.sum),
            },
            |chain, words| {
                put(&mut chain.value, &words.value);
                put(&mut chain.sum, &words.sum);
            },
            |words| {
                $( if $run(backend, words, $count) { return; } )?
                let mut block = [0; $block];
                block[$output] = 0x80;
                let bits: $length = ($block + $output) * 8;
                block[$block - size_of::<$length>()..].copy_from_slice(&bits.$order());
                $crate::pbkdf2::run_each(
                    words,
                    $count,
                    block,
                    |block, tag| put(block, tag),
                    |state, blocks| backend.compress(state, blocks),
                );
            },
        );
    }};
    (@from $word:ty, to_be_bytes, $bytes:expr) => { <$word>::from_be_bytes($bytes) };
    (@from $word:ty, to_le_bytes, $bytes:expr) => { <$word>::from_le_bytes($bytes) };
}
pub(crate) use hmac_chains;
