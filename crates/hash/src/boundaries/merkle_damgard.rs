//! MD5, SHA-1, SHA-2 and SM3: alone, in lanes, under HMAC, and after more input than a test has.

use super::{Item, batch, hash, keys, messages};
use crate::hmac::BatchHash;
use crate::reference::{self, kdf};
use crate::{Hmac, Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_256, Sm3};
use adamant_base::family::Hash;
use adamant_testkit::boundaries::{self, Cover, before_wrap, counts, lengths, pieces};
use adamant_testkit::{TestRng, table};

/// Keys and messages of lengths around the block's, in several ways: on each of the functions that
/// `for_each` calls a check with.
fn under_hmac(
    cover: Cover,
    hash: kdf::Hash,
    for_each: &dyn Fn(&mut dyn FnMut(&dyn Fn(&[u8], &[u8], usize) -> Vec<u8>)),
) {
    let (mut rng, block) = (TestRng::new(2), hash.block);
    let lengths = lengths(block, []);
    let of_keys = [0, 1, block - 1, block, block + 1, 3 * block];
    for [len, of_key, way] in cover.cases([&lengths, &of_keys, &[0, 1, 2, 7, block]]) {
        let (key, message) = (rng.bytes(of_key), rng.bytes(len));
        let expected = hash.hmac(&key, &message);
        for_each(&mut |tag| {
            assert!(
                tag(&key, &message, way) == expected,
                "{len} bytes, key of {of_key}, way {way}"
            );
        });
    }
}

macro_rules! family {
    ($module:ident, $hash:ident, $of:ident, $reference:ident, state: [$word:ty; $words:literal], counter: $counter:ty) => {
        mod $module {
            use super::*;
            use crate::$of::{Backend, lanes};
            use reference::$reference as REFERENCE;

            const BLOCK: usize = <$hash as Hash>::BLOCK_LEN;
            const HASH: kdf::Hash = kdf::Hash {
                digest: &|message| REFERENCE.digest(message),
                block: BLOCK,
            };

            boundaries::tests! { alone under_hmac digests tags tags_under_one_key long long_under_one_key }

            fn alone(cover: Cover) {
                hash(
                    cover,
                    &table!(Backend),
                    Backend::implementations(),
                    $hash::new_on,
                    |backend, message| $hash::new_on(backend).finish_with(&[message]),
                    &|message| REFERENCE.digest(message),
                );
            }

            fn under_hmac(cover: Cover) {
                super::under_hmac(cover, HASH, &|check| {
                    table!(Backend).for_each(|backend| {
                        let fresh = $hash::new_on(backend);
                        check(&|key, message, way| {
                            let (head, tail) = message.split_at(message.len() / 2);
                            let tag = match way {
                                0 => Hmac::mac_with(&fresh, key, &[message]),
                                1 => Hmac::mac_with(&fresh, key, &[head, b"", tail]),
                                2 => Hmac::with_hash(&fresh, key).tag(&[head, tail]),
                                piece => {
                                    let mut mac = Hmac::with_hash(&fresh, key);
                                    pieces(message, piece).for_each(|piece| mac.update(piece));
                                    mac.finalize()
                                }
                            };
                            tag.to_vec()
                        });
                    });
                });
            }

            fn many(
                cover: Cover,
                run: &dyn Fn(lanes::Backend, &[Item]) -> Vec<Vec<u8>>,
                expected: &dyn Fn(&Item) -> Vec<u8>,
            ) {
                let counts = counts(lanes::Backend::implementations());
                batch(
                    cover,
                    (&table!(lanes::Backend), &counts),
                    BLOCK,
                    run,
                    expected,
                );
            }

            fn list(out: &[<$hash as Hash>::Output]) -> Vec<Vec<u8>> {
                out.iter().map(|out| out.to_vec()).collect()
            }

            fn digests(cover: Cover) {
                many(
                    cover,
                    &|backend, items| {
                        let mut out = vec![[0; <$hash as Hash>::OUTPUT_LEN]; items.len()];
                        $hash::digest_batch_on(&messages(items), &mut out, backend)
                            .unwrap();
                        list(&out)
                    },
                    &|item| REFERENCE.digest(&item.message),
                );
            }

            fn tags(cover: Cover) {
                many(
                    cover,
                    &|backend, items| {
                        let mut out = vec![[0; <$hash as Hash>::OUTPUT_LEN]; items.len()];
                        let (keys, messages) = (keys(items), messages(items));
                        $hash::hmac_batch_on(&keys, &messages, &mut out, backend)
                            .unwrap();
                        list(&out)
                    },
                    &|item| HASH.hmac(&item.key, &item.message),
                );
            }

            /// After nothing, after whole blocks, and after a part of one: by the outputs.
            fn tags_under_one_key(cover: Cover) {
                let key = TestRng::new(3).bytes(BLOCK / 2);
                let taken = TestRng::new(4).bytes(2 * BLOCK);
                for taken in [&[][..], &taken[..5], &taken] {
                    many(
                        cover,
                        &|backend, items| {
                            let mut out = vec![[0; <$hash as Hash>::OUTPUT_LEN]; items.len()];
                            let mut keyed = Hmac::new(&key);
                            keyed.update(taken);
                            $hash::hmac_batch_one_key_on(&keyed, &messages(items), &mut out, backend)
                            .unwrap();
                            list(&out)
                        },
                        &|item| HASH.hmac(&key, &[taken, &item.message].concat()),
                    );
                }
            }

            /// So many bytes that the length's words, of bytes and of bits, run over.
            fn before(bits: usize, blocks: usize) -> $counter {
                before_wrap(1 << bits, bits, blocks * BLOCK) as $counter
            }

            fn state(rng: &mut TestRng) -> [$word; $words] {
                core::array::from_fn(|_| rng.next_u64() as $word)
            }

            /// Where counts of bytes and of bits run over 32 and 64 bits.
            const WRAPS: [usize; 4] = [29, 32, 61, 64];

            fn long(cover: Cover) {
                let mut rng = TestRng::new(5);
                let lengths = lengths(BLOCK, []);
                for [bits, blocks, len] in cover.cases([&WRAPS, &[0, 1, 2, 3], &lengths]) {
                    let (start, message) = (state(&mut rng), rng.bytes(len));
                    let before = before(bits, blocks);
                    let expected = REFERENCE.digest_from(start, before.into(), &message);
                    table!(Backend).for_each(|backend| {
                        let mut hash = $hash::behind(backend, start, before);
                        let parts = hash.finish_with(&[&message]);
                        hash.update(&message);
                        let digest = hash.finalize();
                        assert!(
                            digest[..] == expected && parts == digest,
                            "{len} bytes, {blocks} blocks before 2^{bits}"
                        );
                    });
                }
            }

            fn long_under_one_key(cover: Cover) {
                let mut rng = TestRng::new(6);
                let counts = counts(lanes::Backend::implementations());
                let lengths = [0, BLOCK - 9, BLOCK, 2 * BLOCK];
                // No batch counts beyond 2^64 bytes.
                for [bits, blocks, len, count] in
                    cover.cases([&WRAPS[..3], &[0, 1, 2], &lengths, &counts])
                {
                    let [inner, outer] = [state(&mut rng), state(&mut rng)];
                    let before = before(bits, blocks);
                    let data = rng.bytes(len + count);
                    let messages: Vec<&[u8]> = (0..count).map(|i| &data[i..][..len]).collect();
                    let expected = messages.iter().map(|message| {
                        let digest = REFERENCE.digest_from(inner, before.into(), message);
                        REFERENCE.digest_from(outer, BLOCK as u128, &digest)
                    });
                    let expected: Vec<Vec<u8>> = expected.collect();
                    table!(lanes::Backend).for_each(|backend| {
                        let one = Backend::best();
                        let keyed = Hmac::behind(
                            $hash::behind(one, inner, before),
                            $hash::behind(one, outer, BLOCK as $counter),
                        );
                        let mut out = vec![[0; <$hash as Hash>::OUTPUT_LEN]; count];
                        $hash::hmac_batch_one_key_on(&keyed, &messages, &mut out, backend)
                        .unwrap();
                        assert!(
                            list(&out) == expected,
                            "{count} of {len} bytes, {blocks} blocks before 2^{bits}"
                        );
                    });
                }
            }
        }
    };
}
family!(md5, Md5, md5, MD5, state: [u32; 4], counter: u64);
family!(sha1, Sha1, sha1, SHA1, state: [u32; 5], counter: u64);
family!(sha224, Sha224, sha256, SHA224, state: [u32; 8], counter: u64);
family!(sha256, Sha256, sha256, SHA256, state: [u32; 8], counter: u64);
family!(sha384, Sha384, sha512, SHA384, state: [u64; 8], counter: u128);
family!(sha512, Sha512, sha512, SHA512, state: [u64; 8], counter: u128);
family!(sha512_256, Sha512_256, sha512, SHA512_256, state: [u64; 8], counter: u128);
family!(sm3, Sm3, sm3, SM3, state: [u32; 8], counter: u64);
