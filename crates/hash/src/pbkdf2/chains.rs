//! The inner loop over the compression function of a Merkle–Damgård hash.
//!
//! A tag is as long as the state or shorter, so that the message of either hash is one block: the
//! tag, the padding, and a length that is the same each time.

use super::TOGETHER;
use adamant_base::Wipe;

/// Chains of [`adamant_base::family::HmacChain`] in words: of each, the state after both padded
/// keys, the last tag and the exclusive or of the tags. Where a digest is a part of the state, the
/// words after it do not count.
/// All have the same length.
pub struct Chains<'a, State> {
    /// After K ⊕ ipad.
    pub inner: &'a [State],
    /// After K ⊕ opad.
    pub outer: &'a [State],
    /// The last tag.
    pub value: &'a mut [State],
    /// The exclusive or of the tags.
    pub sum: &'a mut [State],
}

/// Runs chains one after the other. `block` holds everything of the message's block but the tag;
/// `put` writes a tag into it.
pub(crate) fn run_each<Word, const N: usize, const BLOCK: usize>(
    chains: Chains<[Word; N]>,
    count: u32,
    mut block: [u8; BLOCK],
    put: impl Fn(&mut [u8; BLOCK], &[Word; N]),
    compress: impl Fn(&mut [Word; N], &[[u8; BLOCK]]),
) where
    Word: Wipe + Copy + core::ops::BitXorAssign,
{
    debug_assert!(
        [chains.outer.len(), chains.value.len(), chains.sum.len()] == [chains.inner.len(); 3]
    );
    let starts = chains.inner.iter().zip(chains.outer);
    let tags = chains.value.iter_mut().zip(chains.sum);
    for ((inner, outer), (value, sum)) in starts.zip(tags) {
        for _ in 0..count {
            for start in [inner, outer] {
                put(&mut block, value);
                *value = *start;
                compress(value, core::slice::from_ref(&block));
            }
            for (s, v) in sum.iter_mut().zip(value.iter()) {
                *s ^= *v;
            }
        }
    }
    block.wipe();
}

/// Hands `chains` to `run` in groups. `load` gives the four arrays of one, in the order of
/// [`Chains`]; `store` takes the two that changed.
pub(crate) fn in_groups<C, Word: Wipe + Copy + Default, const N: usize>(
    chains: &mut [C],
    load: impl Fn(&C) -> [[Word; N]; 4],
    store: impl Fn(&mut C, &[Word; N], &[Word; N]),
    run: impl Fn(Chains<[Word; N]>),
) {
    let mut words = [[[Word::default(); N]; TOGETHER]; 4];
    for group in chains.chunks_mut(TOGETHER) {
        for (i, chain) in group.iter().enumerate() {
            for (words, loaded) in words.iter_mut().zip(load(chain)) {
                words[i] = loaded;
            }
        }
        let [inner, outer, value, sum] = &mut words;
        run(Chains {
            inner: &inner[..group.len()],
            outer: &outer[..group.len()],
            value: &mut value[..group.len()],
            sum: &mut sum[..group.len()],
        });
        for (i, chain) in group.iter_mut().enumerate() {
            store(chain, &value[i], &sum[i]);
        }
    }
    words.wipe();
}

/// `Hash::hmac_chains` for a hash that `hasher!` makes, with the names that this macro has. `run`
/// runs chains that are too few for lanes.
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
            |chain| {
                let (inner, outer) = (chain.inner.state, chain.outer.state);
                [inner, outer, words(&chain.value), words(&chain.sum)]
            },
            |chain, value, sum| {
                put(&mut chain.value, value);
                put(&mut chain.sum, sum);
            },
            |chains| {
                // A hash on another than the best implementation stays on that one.
                if backend == Backend::best() {
                    use $crate::lanes::backend::Lanes;
                    let many = lanes::Backend::best().for_states(chains.inner.len());
                    if let Some(many) = many.filter(|many| many.lanes() > 2) {
                        let $crate::pbkdf2::Chains { inner, outer, value, sum } = chains;
                        let digest_words = $output / size_of::<$word>();
                        many.hmac_chain(inner, outer, value, sum, digest_words, $count);
                        return;
                    }
                    $(
                        $run(chains, $count);
                        return;
                    )?
                }
                {
                    let mut block = [0; $block];
                    block[$output] = 0x80;
                    let bits: $length = ($block + $output) * 8;
                    block[$block - size_of::<$length>()..].copy_from_slice(&bits.$order());
                    $crate::pbkdf2::run_each(
                        chains,
                        $count,
                        block,
                        |block, tag| put(block, tag),
                        |state, blocks| backend.compress(state, blocks),
                    );
                }
            },
        );
    }};
    (@from $word:ty, to_be_bytes, $bytes:expr) => { <$word>::from_be_bytes($bytes) };
    (@from $word:ty, to_le_bytes, $bytes:expr) => { <$word>::from_le_bytes($bytes) };
}
pub(crate) use hmac_chains;
