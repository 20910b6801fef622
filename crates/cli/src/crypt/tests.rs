//! Files against those of an independent program, and everything that may be wrong with one.
//!
//! The expected bytes are those of a program in Python that follows the table of the format with
//! the package `cryptography` 48.0.0 (`Argon2id`, `HKDF`, `AESGCM`, `ChaCha20Poly1305`).

use super::header::{Cipher, Header, LEN, SEGMENT, Source};
use super::key::Known;
use super::segments::{self, Fault};
use crate::password::Password;
use adamant::hash::Sha256;
use adamant::{Error, Rng, Secret};
use hex_literal::hex;

/// Salt and prefix are known here.
struct Fixed;

impl Rng for Fixed {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let start = if out.len() == 32 { 0 } else { 0xa0 };
        for (byte, value) in out.iter_mut().zip(start..) {
            *byte = value;
        }
        Ok(())
    }
}

const CHEAP: Source = Source::Password {
    memory: 64,
    passes: 2,
    lanes: 4,
};

fn key_file() -> Known {
    Known::Key(Secret::new(core::array::from_fn(|i| 100 + i as u8)))
}

fn password() -> Known {
    Known::Password(Secret::new(Password(b"correct horse".to_vec())))
}

fn seal(cipher: Cipher, source: Source, known: &Known, text: &[u8]) -> Vec<u8> {
    let header = Header::new(cipher, source, &mut Fixed).unwrap();
    let key = known.file_key(&header).ok().unwrap();
    let mut sealed = Vec::new();
    segments::seal(&header, &key, &mut &*text, &mut sealed, |_| ()).unwrap();
    sealed
}

/// What `dec` does: the text, or what was written before the fault.
fn open(known: &Known, sealed: &[u8]) -> Result<Vec<u8>, (Vec<u8>, String)> {
    let told = |sentence: String| (Vec::new(), sentence);
    let (bytes, mut rest) = sealed
        .split_first_chunk::<LEN>()
        .ok_or(told("short".into()))?;
    let header = Header::parse(bytes).map_err(|e| told(e.into()))?;
    let key = known.file_key(&header).map_err(|e| told(e.sentence()))?;
    let mut text = Vec::new();
    match segments::open(&header, &key, &mut rest, &mut text, |_| ()) {
        Ok(()) => Ok(text),
        Err(Fault::Refused(opened)) => {
            assert_eq!(opened, text.len() as u64);
            Err((text, "refused".into()))
        }
        Err(fault) => panic!("{fault:?}"),
    }
}

#[test]
fn known_answers() {
    let password = password();
    let expected = hex!(
        "6164616d616e740a010101100000004000000002000000040001020304050607"
        "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1fa0a1a2a3a4a5a6b7"
        "c6e36d7b39e9657ce86c87cfb0ba642e8731f4c5c2f63621ef9aa8663f"
    );
    assert_eq!(
        seal(Cipher::Aes256Gcm, CHEAP, &password, b"attack at dawn"),
        expected
    );
    assert_eq!(open(&password, &expected).unwrap(), b"attack at dawn");
    let expected = hex!(
        "6164616d616e740a010200100000000000000000000000000001020304050607"
        "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1fa0a1a2a3a4a5a62c"
        "511b279a82cef645e03694f501572680596a160e547508eefda6321b04"
    );
    let sealed = seal(
        Cipher::ChaCha20Poly1305,
        Source::KeyFile,
        &key_file(),
        b"attack at dawn",
    );
    assert_eq!(sealed, expected);
    assert_eq!(open(&key_file(), &expected).unwrap(), b"attack at dawn");
}

/// The digests of longer files: around the edges of segments.
#[test]
fn known_answers_of_several_segments() {
    let long: Vec<u8> = (0..2 * SEGMENT + 100)
        .map(|i| (i * i % 251) as u8)
        .collect();
    let expected = [
        (
            0,
            hex!("0588baf9c9d8d9fff69b51747ccebe02b40ac8ffbdeedba867feb5cb65cc7abd"),
            hex!("9c6807b4d5e9056ea058e76e563033bff18d65b2e30eea7f8f6574c489b6feed"),
        ),
        (
            65536,
            hex!("d64235161ece2ce856a3d404e4c8965b5591afc6889717b4e6946709d6422f6f"),
            hex!("b5e88c919333a65ee4d88be99d189a55c81c9bcb099d66c9d09a7e3aee8df72f"),
        ),
        (
            131072,
            hex!("c7d0cd9049dd79974f74d9b616442b4018a3bf5691a41bd56454041080a396a7"),
            hex!("6964984b1345297ebc491f11c50b2569603056a6b72e1230e46bd422df2a700d"),
        ),
        (
            131172,
            hex!("cba415fcbad40f4abb37d5558d9e6a7d2096dcdae23f7c781384b090e3ff7ea4"),
            hex!("5b0734e3424b5769f88396227d6aee80b85b8ef3200f13e0df648248ce4bcab8"),
        ),
    ];
    for (len, gcm, chacha) in expected {
        for (cipher, expected) in [(Cipher::Aes256Gcm, gcm), (Cipher::ChaCha20Poly1305, chacha)] {
            let sealed = seal(cipher, Source::KeyFile, &key_file(), &long[..len]);
            assert_eq!(Sha256::digest(&sealed), expected, "{cipher:?} {len}");
            assert!(
                open(&key_file(), &sealed).unwrap() == long[..len],
                "{cipher:?} {len}"
            );
        }
    }
}

/// Every bit of the header counts, under a password as with a key file.
#[test]
fn changed_headers() {
    for (source, known) in [(CHEAP, password()), (Source::KeyFile, key_file())] {
        let sealed = seal(Cipher::Aes256Gcm, source, &known, b"attack at dawn");
        for bit in 0..8 * LEN {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let (text, _) = open(&known, &changed).unwrap_err();
            assert_eq!(text, b"", "{source:?} {bit}");
        }
    }
}

/// Cut around every edge, a file gives its whole segments and then the fault.
#[test]
fn cut_files() {
    let text = vec![5; 3 * SEGMENT];
    let sealed = seal(Cipher::Aes256Gcm, Source::KeyFile, &key_file(), &text);
    let edges = (0..4).map(|i| LEN + i * (SEGMENT + 16));
    let lengths = edges.flat_map(|edge| [edge - 1, edge, edge + 1, edge + 16, edge + 17]);
    for len in lengths.filter(|len| *len < sealed.len()) {
        let (got, _) = open(&key_file(), &sealed[..len]).unwrap_err();
        // The last whole segment is not known to be one until something follows.
        let whole = len.saturating_sub(LEN + 1) / (SEGMENT + 16);
        assert_eq!(got.len(), whole * SEGMENT, "{len}");
    }
    for behind in [1, 16, 17, SEGMENT + 16] {
        let mut longer = sealed.clone();
        longer.resize(sealed.len() + behind, 0);
        let (got, _) = open(&key_file(), &longer).unwrap_err();
        assert_eq!(got.len(), 2 * SEGMENT, "{behind}");
    }
}

/// Segments that change places, are left out or come twice.
#[test]
fn moved_segments() {
    let text: Vec<u8> = (0..3 * SEGMENT).map(|i| (i >> 10) as u8).collect();
    let sealed = seal(
        Cipher::ChaCha20Poly1305,
        Source::KeyFile,
        &key_file(),
        &text,
    );
    let (header, rest) = sealed.split_at(LEN);
    let parts: Vec<_> = rest.chunks(SEGMENT + 16).collect();
    for order in [
        &[1, 0, 2][..],
        &[0, 2],
        &[0, 0, 1, 2],
        &[0, 1, 1, 2],
        &[2],
        &[0, 1, 2, 2],
    ] {
        let mut moved = header.to_vec();
        order.iter().for_each(|i| moved.extend(parts[*i]));
        assert!(open(&key_file(), &moved).is_err(), "{order:?}");
    }
}

#[test]
fn headers_that_ask_for_too_much() {
    let bytes = |memory, passes, lanes| {
        let source = Source::Password {
            memory,
            passes,
            lanes,
        };
        Header::new(Cipher::Aes256Gcm, source, &mut Fixed)
            .unwrap()
            .to_bytes()
    };
    for (memory, passes, lanes, right) in [
        (1 << 20, 64, 64, true),
        ((1 << 20) + 1, 3, 4, false),
        (1 << 16, 65, 4, false),
        (1 << 16, 0, 4, false),
        (1 << 16, 3, 0, false),
        (1 << 16, 3, 65, false),
        (31, 3, 4, false),
        (32, 3, 4, true),
    ] {
        let parsed = Header::parse(&bytes(memory, passes, lanes));
        assert_eq!(parsed.is_ok(), right, "{memory} {passes} {lanes}");
    }
}

/// Memory, once for each pass, at its bound: one pass less, the bound, a KiB more, and the most
/// that a header can say.
#[test]
fn work_is_bounded() {
    let password = |memory, passes| Source::Password {
        memory,
        passes,
        lanes: 4,
    };
    let gib = 1 << 20;
    for (source, most, fits) in [
        (Source::KeyFile, 0, true),
        (password(32, 1), 0, false),
        (password(64 << 10, 3), 1, true),
        (password(gib, 15), 16, true),
        (password(gib, 16), 16, true),
        (password(gib, 17), 16, false),
        (password(gib - 1, 17), 16, false),
        (password(gib, 64), 63, false),
        (password(gib, 64), 64, true),
        (password(u32::MAX, u32::MAX), u32::MAX, false),
    ] {
        let verdict = source.afford(most);
        assert_eq!(verdict.is_ok(), fits, "{source:?} {most}");
        if let Err(sentence) = verdict {
            assert!(sentence.contains("--max-work"), "{sentence}");
        }
    }
}
