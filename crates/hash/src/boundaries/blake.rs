//! BLAKE2b and BLAKE2s: alone, keyed, in lanes, and where their counters carry.

use super::{batch, hash, messages, stream, ways};
use crate::hmac::BatchHash;
use crate::reference::{BLAKE2B, BLAKE2S};
use adamant_base::family::Hash;
use adamant_testkit::boundaries::{self, Cover, before_wrap, counts, lengths, pieces};
use adamant_testkit::{TestRng, table};

macro_rules! family {
    ($module:ident, $from:ident, $hash:ident, $mac:ident, $of:ident,
        word: $word:ty, counter: $counter:ty, longest: $longest:literal) => {
        mod $module {
            use super::*;
            use crate::$from::{Backend, lanes, $hash, $mac};

            const BLOCK: usize = 2 * $longest;
            const WORD: usize = <$word>::BITS as usize;

            boundaries::tests! { alone keyed digests lanes_count long }

            fn alone(cover: Cover) {
                let (table, rows) = (table!(Backend), Backend::implementations);
                hash(
                    cover,
                    &table,
                    rows(),
                    $hash::<$longest>::new_on,
                    |backend, message| $hash::<$longest>::new_on(backend).finish_with(&[message]),
                    &|message| $of.digest($longest, &[], message),
                );
                hash(
                    cover,
                    &table,
                    rows(),
                    $hash::<20>::new_on,
                    |backend, message| $hash::<20>::new_on(backend).finish_with(&[message]),
                    &|message| $of.digest(20, &[], message),
                );
            }

            fn keyed(cover: Cover) {
                let key = TestRng::new(2).bytes($longest);
                let ways: Vec<usize> = ways(BLOCK).split_off(2);
                for of_key in [1, $longest - 1, $longest] {
                    let key = &key[..of_key];
                    stream(
                        cover,
                        (
                            &table!(Backend),
                            &lengths(BLOCK, Backend::implementations()),
                        ),
                        &ways,
                        &|backend, message, piece| {
                            let mut mac = $mac::<20>::new_on(key, backend).unwrap();
                            pieces(message, piece).for_each(|piece| mac.update(piece));
                            mac.finalize().to_vec()
                        },
                        &|message| $of.digest(20, key, message),
                    );
                }
            }

            fn digests(cover: Cover) {
                let counts = counts(lanes::Backend::implementations());
                batch(
                    cover,
                    (&table!(lanes::Backend), &counts),
                    BLOCK,
                    &|backend, items| {
                        let mut out = vec![[0; 20]; items.len()];
                        let messages = messages(items);
                        $hash::digest_batch_on(&messages, &mut out, backend).unwrap();
                        out.iter().map(|out| out.to_vec()).collect()
                    },
                    &|item| $of.digest(20, &[], &item.message),
                );
            }

            /// Blocks into states whose counters carry into their upper words, each elsewhere.
            fn lanes_count(cover: Cover) {
                let mut rng = TestRng::new(3);
                let counts = counts(lanes::Backend::implementations());
                for [count, blocks, lasts, wrap] in
                    cover.cases([&counts, &[0, 1, 2, 3], &[0, 1, 2], &[16, 32, 63]])
                {
                    // The last block of a message goes in alone.
                    let last = |i: usize| lasts > 0 && blocks == 1 && i % 2 == lasts - 1;
                    let data = rng.bytes((count + 4) * BLOCK);
                    let mut states: Vec<[$word; 8]> = vec![];
                    let (mut t, mut flags, mut rest) = (vec![], vec![], vec![]);
                    for i in 0..count {
                        states.push(core::array::from_fn(|_| rng.next_u64() as $word));
                        let before = before_wrap(1 << 63, wrap, i % 4 * BLOCK) as u64;
                        t.push(
                            before
                                + if last(i) {
                                    1 + i as u64 % 64
                                } else {
                                    BLOCK as u64
                                },
                        );
                        flags.push(if last(i) { <$word>::MAX } else { 0 });
                        let more = if i == count / 2 { 0 } else { i % 3 };
                        rest.push(
                            &data[i * BLOCK..].as_chunks::<BLOCK>().0[..blocks + more.min(1)],
                        );
                    }
                    let mut expected = states.clone();
                    for (i, h) in expected.iter_mut().enumerate() {
                        let mut words = h.map(u64::from);
                        for (b, block) in rest[i][..blocks].iter().enumerate() {
                            let t = u128::from(t[i]) + (b * BLOCK) as u128;
                            $of.compress(&mut words, block, t, last(i));
                        }
                        *h = words.map(|word| word as $word);
                    }
                    table!(lanes::Backend).for_each(|backend| {
                        let mut got = states.clone();
                        backend.compress(&mut got, &rest, &t, &flags);
                        assert!(
                            got == expected,
                            "{blocks} blocks into {count} states at 2^{wrap}"
                        );
                    });
                }
            }

            /// After so many blocks that the lower word of the counter, or all of it, runs over.
            fn long(cover: Cover) {
                let mut rng = TestRng::new(4);
                let lengths = lengths(BLOCK, []);
                for [words, blocks, len] in cover.cases([&[1, 2], &[0, 1, 2, 3], &lengths]) {
                    let top = if words == 1 { 1u128 << WORD } else { 0 };
                    let t = top.wrapping_sub((blocks * BLOCK) as u128) as $counter;
                    let h: [$word; 8] = core::array::from_fn(|_| rng.next_u64() as $word);
                    // A state has a message after it: something follows.
                    let message = rng.bytes(len + 1);
                    let expected = $of.digest_from(h.map(u64::from), t.into(), $longest, &message);
                    table!(Backend).for_each(|backend| {
                        let mut hash = $hash::<$longest>::behind(backend, h, t);
                        hash.update(&message);
                        assert!(
                            hash.finalize()[..] == expected,
                            "{len} bytes, {blocks} blocks before {words} words run over"
                        );
                    });
                }
            }
        }
    };
}
family!(of_blake2b, blake2b, Blake2b, Blake2bMac, BLAKE2B, word: u64, counter: u128, longest: 64);
family!(of_blake2s, blake2s, Blake2s, Blake2sMac, BLAKE2S, word: u32, counter: u64, longest: 32);
