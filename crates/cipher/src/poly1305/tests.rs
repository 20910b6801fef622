//! RFC 8439's vectors on every implementation, every implementation against the definition and
//! against the portable one.

use super::*;
use adamant_testkit::{TestRng, equivalence, table};
use hex_literal::hex;

fn tag(backend: Backend, key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let mut mac = Poly1305::new(OneTimeKey::new(*key).with_backend(backend));
    mac.update(message);
    let tag = mac.finalize();
    let whole = Poly1305::mac(OneTimeKey::new(*key).with_backend(backend), message);
    assert_eq!(whole, tag, "{backend:?}");
    tag
}

#[test]
fn choice_of_implementation() {
    let choices = [
        ("westmere", "portable64"),
        ("haswell", "portable64"),
        ("zen4", "x86_ifma512"),
        ("armv8", "arm_neon"),
        ("cortex-a72", "arm_neon"),
        ("neoverse-n1", "arm_neon"),
        ("apple-m1", "arm_neon"),
        ("neoverse-v1", "arm_neon"),
    ];
    adamant_testkit::check_choices(Backend::best_for, &choices);
}

/// RFC 8439, 2.5.2.
#[test]
fn example() {
    let key = hex!("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b");
    for backend in Backend::available() {
        let got = tag(backend, &key, b"Cryptographic Forum Research Group");
        assert_eq!(got, hex!("a8061dc1305136c6c22b8baf0c0127a9"), "{backend:?}");
    }
}

/// RFC 8439, A.3, test vectors 5 to 11: where sums pass 2^128, 2^130 or p.
#[test]
fn wrapping() {
    const FF: [u8; 16] = [0xff; 16];
    let key = |r: [u8; 16], s: [u8; 16]| -> [u8; 32] {
        core::array::from_fn(|i| if i < 16 { r[i] } else { s[i - 16] })
    };
    let number = |x: u128| x.to_le_bytes();
    let two = key(number(2), [0; 16]);
    let one = key(number(1), [0; 16]);
    let cases: [([u8; 32], Vec<[u8; 16]>, [u8; 16]); 7] = [
        (two, vec![FF], number(3)),
        (key(number(2), FF), vec![number(2)], number(3)),
        (
            one,
            vec![
                FF,
                hex!("f0ffffffffffffffffffffffffffffff"),
                hex!("11000000000000000000000000000000"),
            ],
            number(5),
        ),
        (
            one,
            vec![FF, hex!("fbfefefefefefefefefefefefefefefe"), [1; 16]],
            number(0),
        ),
        (
            two,
            vec![hex!("fdffffffffffffffffffffffffffffff")],
            hex!("faffffffffffffffffffffffffffffff"),
        ),
        (
            key(hex!("01000000000000000400000000000000"), [0; 16]),
            vec![
                hex!("e33594d7505e43b90000000000000000"),
                hex!("3394d7505e4379cd0100000000000000"),
                [0; 16],
                number(1),
            ],
            hex!("14000000000000005500000000000000"),
        ),
        (
            key(hex!("01000000000000000400000000000000"), [0; 16]),
            vec![
                hex!("e33594d7505e43b90000000000000000"),
                hex!("3394d7505e4379cd0100000000000000"),
                [0; 16],
            ],
            hex!("13000000000000000000000000000000"),
        ),
    ];
    for backend in Backend::available() {
        for (key, message, expected) in &cases {
            assert_eq!(
                tag(backend, key, message.as_flattened()),
                *expected,
                "{backend:?}"
            );
        }
    }
}

/// The sum modulo p as the document defines it, bit by bit.
fn by_definition(r: [u8; 16], message: &[u8]) -> [u8; 16] {
    /// Numbers below 2^131 as 32-bit digits.
    type Number = [u64; 5];
    fn reduce(mut x: Number) -> Number {
        loop {
            for i in 0..4 {
                x[i + 1] += x[i] >> 32;
                x[i] &= 0xffff_ffff;
            }
            let over = x[4] >> 2;
            if over == 0 {
                break;
            }
            x[4] &= 3;
            x[0] += 5 * over;
        }
        let p = [0xffff_fffb, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 3];
        if x.iter().rev().ge(p.iter().rev()) {
            [x[0] - p[0], 0, 0, 0, 0]
        } else {
            x
        }
    }
    let r = u128::from_le_bytes(r) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
    let mut sum: Number = [0; 5];
    for chunk in message.chunks(16) {
        let mut block = [0; 20];
        block[..chunk.len()].copy_from_slice(chunk);
        block[chunk.len()] = 1;
        for (digit, bytes) in sum.iter_mut().zip(block.as_chunks().0) {
            *digit += u64::from(u32::from_le_bytes(*bytes));
        }
        let factor = reduce(sum);
        sum = [0; 5];
        for bit in (0..128).rev() {
            for i in 0..5 {
                sum[i] = 2 * sum[i] + (r >> bit & 1) as u64 * factor[i];
            }
            sum = reduce(sum);
        }
    }
    core::array::from_fn(|i| (sum[i / 4] >> (8 * (i % 4))) as u8)
}

/// Numbers at the edges of limbs and of p, as keys and messages.
#[test]
fn edges_of_limbs() {
    let patterns: Vec<[u8; 16]> = vec![
        [0xff; 16],
        [0; 16],
        hex!("faffffffffffffffffffffffffffffff"),
        hex!("fbffffffffffffffffffffffffffffff"),
        hex!("fcffffffffffffffffffffffffffffff"),
        (u128::MAX << 44).to_le_bytes(),
        (u128::MAX << 26).to_le_bytes(),
        (u128::MAX >> 40).to_le_bytes(),
        (1u128 << 127).to_le_bytes(),
    ];
    for r in &patterns {
        for pattern in &patterns {
            for count in [1, 2, 24, 31, 40, 64, 71, 96, 200] {
                let message = vec![*pattern; count];
                let expected = by_definition(*r, message.as_flattened());
                let mut key = [0; 32];
                key[..16].copy_from_slice(r);
                for backend in Backend::available() {
                    let got = tag(backend, &key, message.as_flattened());
                    assert_eq!(got, expected, "{backend:?} {count} of {pattern:x?}, {r:x?}");
                }
            }
        }
    }
}

/// Every length, misaligned.
#[test]
fn implementations_agree() {
    let key: [u8; 32] = TestRng::new(1).array();
    equivalence::in_place(
        &table!(Backend),
        (0..=1100).chain([4096, 5003]),
        |backend, data| tag(backend, &key, data),
    );
}

/// However a message is split.
#[test]
fn split_updates() {
    let key: [u8; 32] = TestRng::new(2).array();
    for len in [64, 512, 1024] {
        equivalence::streaming(
            &table!(Backend),
            len,
            |backend| Poly1305::new(OneTimeKey::new(key).with_backend(backend)),
            Poly1305::update,
            Poly1305::finalize,
        );
    }
}

#[test]
fn random_messages_by_definition() {
    let mut rng = TestRng::new(3);
    for len in (0..100).chain([512, 1024, 1500, 4100]) {
        let (key, message): ([u8; 32], _) = (rng.array(), rng.bytes(len));
        let (r, _) = key.split_first_chunk::<16>().unwrap();
        let s = u128::from_le_bytes(*key.last_chunk().unwrap());
        let sum = u128::from_le_bytes(by_definition(*r, &message));
        for backend in Backend::available() {
            let got = u128::from_le_bytes(tag(backend, &key, &message));
            assert_eq!(got, sum.wrapping_add(s), "{backend:?} {len}");
        }
    }
}

/// Sums of all lengths, around p and its multiples, and below 2^131.
#[test]
fn tags_in_digits_are_those_in_words() {
    let mut rng = TestRng::new(27);
    let near = |wide: u64, low: u64| [low, if low >> 63 == 1 { u64::MAX } else { 0 }, wide];
    let edges = (0..8u64).flat_map(|wide| (0..16).map(move |i: u64| near(wide, i.wrapping_sub(8))));
    let random: Vec<[u64; 3]> = (0..1000)
        .map(|i| {
            let [a, b, c]: [u64; 3] = core::array::from_fn(|_| rng.next_u64());
            [a, b, c & [7, 3, 1, 0][i % 4]]
        })
        .collect();
    for (i, sum) in edges.chain(random).enumerate() {
        let mut key: [u8; 32] = rng.array();
        if i % 3 == 0 {
            key[16..].fill(0xff);
        }
        let mut state = State::new(&key);
        state.sum = sum;
        assert_eq!(small::tag(&state), state.tag_of_words(), "{sum:x?}");
    }
}

#[test]
fn verification() {
    let verify = |tag: &[u8]| {
        let mut mac = Poly1305::new(OneTimeKey::new([9; 32]));
        mac.update(b"message");
        mac.verify(tag)
    };
    let mut tag = Poly1305::mac(OneTimeKey::new([9; 32]), b"message");
    assert_eq!(verify(&tag), Ok(()));
    assert_eq!(verify(&tag[..15]), Err(Error::BadTag));
    for bit in 0..128 {
        tag[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(verify(&tag), Err(Error::BadTag));
        tag[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn wiped() {
    for backend in Backend::available() {
        let mut state = State::new(&[0xff; 32]);
        backend.update(&mut state, &[[0xff; 16]; 64], 1);
        state.wipe();
        assert_eq!((state.sum, state.r, state.s), ([0; 3], [0; 2], [0; 2]));
    }
}

#[test]
fn keys_have_their_row() {
    for backend in Backend::available() {
        let key = OneTimeKey::new([1; 32]).with_backend(backend);
        let row = Poly1305::new(key).backend;
        assert_eq!(format!("{row:?}"), format!("{backend:?}"));
    }
}
