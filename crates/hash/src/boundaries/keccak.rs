//! The SHA-3 family: the permutation and the sponge alone and in lanes, the functions over them,
//! outputs of any length read in pieces.

use super::{Item, batch, keys, messages};
use crate::hmac::BatchHash;
use crate::keccak::{Backend, Rate, Rounds, lanes};
use crate::kmac::{Kmac128, Kmac256, KmacXof128, KmacXof256};
use crate::reference::kdf::Hash as Reference;
use crate::reference::keccak::{self, Function};
use crate::sha3::{
    CShake128, CShake256, Domain, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256,
    TurboShake128, TurboShake256,
};
use crate::{Hmac, sha3::Reader};
use adamant_base::family::Hash;
use adamant_testkit::boundaries::{self, Cover, OFFSETS, counts, in_place, lengths, pieces};
use adamant_testkit::{TestRng, table};

boundaries::tests! { absorption sha3 outputs kmac digests batched_outputs tags tags_under_one_key absorb_messages }

/// Both numbers of rounds.
const ROUNDS: [(Rounds, usize); 2] = [(Rounds::ALL, 24), (Rounds::LAST_12, 12)];

/// Whole blocks of every size into any state.
fn absorption(cover: Cover) {
    let mut rng = TestRng::new(1);
    let rates: Vec<usize> = (8..=200).step_by(8).collect();
    for [bytes, blocks, more, offset, rounds] in
        cover.cases([&rates, &[0, 1, 2, 3, 5], &[0, 1, 7], &OFFSETS, &[0, 1]])
    {
        let rate = Rate::new(bytes).unwrap();
        let (rounds, number) = ROUNDS[rounds];
        let start: [u64; 25] = rng.words();
        let mut data = rng.bytes(blocks * bytes + more);
        let mut expected = start;
        for block in data.chunks_exact(bytes) {
            for (lane, word) in expected.iter_mut().zip(block.as_chunks().0) {
                *lane ^= u64::from_le_bytes(*word);
            }
            keccak::permute(&mut expected, number);
        }
        table!(Backend).for_each(|backend| {
            let mut state = start;
            in_place(&mut data, offset, |data| {
                backend.absorb(&mut state, data, rate, rounds)
            });
            assert_eq!(state, expected, "{blocks} blocks of {bytes} and {more}");
            backend.permute(&mut state, rounds);
            let mut permuted = expected;
            keccak::permute(&mut permuted, number);
            assert_eq!(state, permuted);
        });
    }
}

fn sha3(cover: Cover) {
    fn check<H: Hash>(cover: Cover, new: impl Fn(Backend) -> H) {
        let function = Function::sha3(H::OUTPUT_LEN);
        super::hash(
            cover,
            &table!(Backend),
            Backend::implementations(),
            &new,
            |backend, message| new(backend).finish_with(&[message]),
            &|message| function.output(message, H::OUTPUT_LEN),
        );
    }
    check(cover, Sha3_224::new_on);
    check(cover, Sha3_256::new_on);
    check(cover, Sha3_384::new_on);
    check(cover, Sha3_512::new_on);
}

/// Fills `len` bytes, in pieces.
fn read<const RATE: usize>(mut reader: Reader<RATE>, len: usize, piece: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    for part in boundaries::pieces_mut(&mut out, piece) {
        reader.read(part);
    }
    out
}

/// Messages and outputs of SHAKE, cSHAKE, TurboSHAKE and KMACXOF, taken in and read in pieces.
fn outputs(cover: Cover) {
    macro_rules! check {
        ($rate:literal: $($new:expr, $take_in:expr, $expected:expr;)+) => { $({
            let mut rng = TestRng::new($rate);
            let lengths = lengths($rate, []);
            let of_pieces = [0, 1, 7, 8, $rate - 1, $rate, $rate + 1];
            for [len, output, piece, part] in
                cover.cases([&lengths, &lengths, &of_pieces, &of_pieces])
            {
                let message = rng.bytes(len);
                let expected: Vec<u8> = $expected(&message, output);
                table!(Backend).for_each(|backend| {
                    let mut hash = $new(backend);
                    pieces(&message, piece).for_each(|piece| $take_in(&mut hash, piece));
                    let out = read(hash.finalize_xof(), output, part);
                    assert!(
                        out == expected,
                        "{len} bytes by {piece}, {output} of output by {part}"
                    );
                });
            }
        })+ };
    }
    let domain = Domain::new(0x0b).unwrap();
    check! { 168:
        Shake128::new_on, Shake128::update,
            |m: &[u8], len| Function::shake(128).output(m, len);
        |backend| CShake128::new_on(b"name", b"custom", backend), CShake128::update,
            |m: &[u8], len| keccak::cshake(128, m, len, b"name", b"custom");
        |backend| TurboShake128::new_on(domain, backend), TurboShake128::update,
            |m: &[u8], len| Function::turboshake(128, 0x0b).output(m, len);
        |backend| KmacXof128::new_on(b"key", b"", backend), KmacXof128::update,
            |m: &[u8], len| keccak::kmac(128, b"key", m, len, b"", true);
    }
    check! { 136:
        Shake256::new_on, Shake256::update,
            |m: &[u8], len| Function::shake(256).output(m, len);
        |backend| CShake256::new_on(b"", b"custom", backend), CShake256::update,
            |m: &[u8], len| keccak::cshake(256, m, len, b"", b"custom");
        |backend| TurboShake256::new_on(domain, backend), TurboShake256::update,
            |m: &[u8], len| Function::turboshake(256, 0x0b).output(m, len);
        |backend| KmacXof256::new_on(b"key", b"custom", backend), KmacXof256::update,
            |m: &[u8], len| keccak::kmac(256, b"key", m, len, b"custom", true);
    }
}

/// Keys and customization strings of every length around a block, and messages.
fn kmac(cover: Cover) {
    macro_rules! check {
        ($kmac:ident, $security:literal, $rate:literal) => {{
            let mut rng = TestRng::new($security);
            let lengths = lengths($rate, []);
            // Some need a second byte for their length in bits, or a third.
            let of_keys = [
                0,
                1,
                31,
                32,
                33,
                $rate - 6,
                $rate - 5,
                $rate - 4,
                $rate,
                8192,
            ];
            for [of_key, of_custom, len] in cover.cases([&of_keys, &of_keys, &lengths]) {
                let (key, custom) = (rng.bytes(of_key), rng.bytes(of_custom));
                let message = rng.bytes(len);
                let expected = keccak::kmac($security, &key, &message, 32, &custom, false);
                table!(Backend).for_each(|backend| {
                    let mut mac = $kmac::<32>::new_on(&key, &custom, backend);
                    mac.update(&message);
                    assert!(
                        mac.finalize()[..] == expected,
                        "key of {of_key}, customization of {of_custom}, {len} bytes"
                    );
                });
            }
        }};
    }
    check!(Kmac128, 128, 168);
    check!(Kmac256, 256, 136);
}

fn many(
    cover: Cover,
    rate: usize,
    run: &dyn Fn(lanes::Backend, &[Item]) -> Vec<Vec<u8>>,
    expected: &dyn Fn(&Item) -> Vec<u8>,
) {
    let counts = counts(lanes::Backend::implementations());
    batch(
        cover,
        (&table!(lanes::Backend), &counts),
        rate,
        run,
        expected,
    );
}

fn list<const N: usize>(out: &[[u8; N]]) -> Vec<Vec<u8>> {
    out.iter().map(|out| out.to_vec()).collect()
}

fn digests(cover: Cover) {
    macro_rules! check {
        ($($hash:ident)+) => { $({
            const OUTPUT: usize = <$hash as Hash>::OUTPUT_LEN;
            many(
                cover,
                <$hash as Hash>::BLOCK_LEN,
                &|backend, items| {
                    let mut out = vec![[0; OUTPUT]; items.len()];
                    $hash::digest_batch_on(&messages(items), &mut out, backend).unwrap();
                    list(&out)
                },
                &|item| Function::sha3(OUTPUT).output(&item.message, OUTPUT),
            );
        })+ };
    }
    check!(Sha3_224 Sha3_256 Sha3_384 Sha3_512);
}

fn batched_outputs(cover: Cover) {
    macro_rules! check {
        ($shake:ident, $security:literal, $rate:literal) => {
            many(
                cover,
                $rate,
                &|backend, items| {
                    let mut out: Vec<Vec<u8>> =
                        items.iter().map(|item| vec![0; item.output]).collect();
                    $shake::FUNCTION
                        .batch(backend, &messages(items), &mut out)
                        .unwrap();
                    out
                },
                &|item| Function::shake($security).output(&item.message, item.output),
            );
        };
    }
    check!(Shake128, 128, 168);
    check!(Shake256, 256, 136);
}

/// HMAC over a hash of this output.
fn hmac(output: usize, key: &[u8], message: &[u8]) -> Vec<u8> {
    let function = Function::sha3(output);
    let hash = Reference {
        digest: &|message| function.output(message, output),
        block: function.rate,
    };
    hash.hmac(key, message)
}

fn tags(cover: Cover) {
    macro_rules! check {
        ($($hash:ident)+) => { $({
            const OUTPUT: usize = <$hash as Hash>::OUTPUT_LEN;
            many(
                cover,
                <$hash as Hash>::BLOCK_LEN,
                &|backend, items| {
                    let mut out = vec![[0; OUTPUT]; items.len()];
                    let (keys, messages) = (keys(items), messages(items));
                    $hash::hmac_batch_on(&keys, &messages, &mut out, backend).unwrap();
                    list(&out)
                },
                &|item| hmac(OUTPUT, &item.key, &item.message),
            );
        })+ };
    }
    check!(Sha3_224 Sha3_256 Sha3_384 Sha3_512);
}

fn tags_under_one_key(cover: Cover) {
    let (key, taken) = (TestRng::new(3).bytes(50), TestRng::new(4).bytes(2 * 136));
    for taken in [&[][..], &taken[..5], &taken] {
        many(
            cover,
            136,
            &|backend, items| {
                let mut out = vec![[0; 32]; items.len()];
                let mut keyed = Hmac::<Sha3_256>::new(&key);
                keyed.update(taken);
                let messages = messages(items);
                Sha3_256::hmac_batch_one_key_on(&keyed, &messages, &mut out, backend).unwrap();
                list(&out)
            },
            &|item| hmac(32, &key, &[taken, &item.message].concat()),
        );
    }
}

/// Blocks straight from where eight messages lie: as many as the shortest has.
fn absorb_messages(cover: Cover) {
    let mut rng = TestRng::new(7);
    let rates: Vec<usize> = (8..=200).step_by(8).collect();
    let blocks = [0, 1, 2, 5];
    for [bytes, blocks, more, shortest, offset, rounds] in
        cover.cases([&rates, &blocks, &[0, 1, 2], &[0, 3, 7], &OFFSETS, &[0, 1]])
    {
        let rate = Rate::new(bytes).unwrap();
        let (rounds, number) = ROUNDS[rounds];
        let states: lanes::States = core::array::from_fn(|_| rng.words());
        let mut data = rng.bytes(8 * (blocks + 2) * bytes + 8 * more);
        let each = (blocks + 2) * bytes;
        let len = |i| {
            blocks * bytes
                + if i == shortest {
                    more
                } else {
                    i % 3 * bytes + more
                }
        };
        let mut expected = states;
        for i in 0..8 {
            let mut state = states.map(|row| row[i]);
            for block in data[i * each..][..blocks * bytes].chunks_exact(bytes) {
                for (lane, word) in state.iter_mut().zip(block.as_chunks().0) {
                    *lane ^= u64::from_le_bytes(*word);
                }
                keccak::permute(&mut state, number);
            }
            expected
                .iter_mut()
                .zip(state)
                .for_each(|(row, word)| row[i] = word);
        }
        table!(lanes::Backend).for_each(|backend| {
            in_place(&mut data, offset, |data| {
                let messages: [&[u8]; 8] = core::array::from_fn(|i| &data[i * each..][..len(i)]);
                let mut got = states;
                backend.absorb_messages(&mut got, &messages, rate, rounds);
                assert_eq!(
                    got, expected,
                    "{blocks} blocks of {bytes}, shortest is {shortest}"
                );
            });
        });
    }
}
