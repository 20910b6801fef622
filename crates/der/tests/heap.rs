//! What was decoded, or is to be encoded, is in no memory that is given back, but for what is the
//! caller's. An allocator sees that, and so this is a program of its own.

use adamant_der::{Writer, base64, ber, pem};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::slice;

/// The system's allocator, which looks at what this thread gives back.
struct Watching;

/// What is looked for: eight octets.
const NONE: [u8; 8] = [0; 8];
const SECRET: [u8; 8] = [0xa5; 8];
/// The same in base64, wherever it begins.
const TEXT: [u8; 8] = *b"paWlpaWl";

thread_local! {
    static WATCHED: Cell<[u8; 8]> = const { Cell::new(NONE) };
    static SEEN: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is left to the system's allocator.
#[allow(unsafe_code)] // An allocator is one.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's own until now, and every octet was zero at first.
        let octets = unsafe { slice::from_raw_parts(at, layout.size()) };
        let watched = WATCHED.get();
        if watched != NONE && octets.windows(8).any(|window| window == watched) {
            SEEN.set(SEEN.get() + 1);
        }
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static WATCHING: Watching = Watching;

/// In how many pieces of memory these octets were when `operation` gave them back; its result is given
/// back later.
fn left<T>(watched: [u8; 8], operation: impl FnOnce() -> T) -> usize {
    SEEN.set(0);
    WATCHED.set(watched);
    let result = operation();
    WATCHED.set(NONE);
    drop(result);
    SEEN.get()
}

/// Of these lengths, eight octets and what makes a copy where there is no room.
fn secrets() -> impl Iterator<Item = Vec<u8>> {
    (8..400)
        .chain([1000, 5000, 40_000])
        .map(|length| vec![SECRET[0]; length])
}

#[test]
fn the_watcher_sees() {
    assert_eq!(left(SECRET, || drop(vec![SECRET[0]; 8])), 1);
    assert_eq!(left(TEXT, || drop(base64::encode(&[SECRET[0]; 8]))), 1);
    assert_eq!(left(SECRET, || vec![SECRET[0]; 8]), 0);
}

#[test]
fn base64_leaves_nothing() {
    for secret in secrets() {
        assert_eq!(left(TEXT, || base64::encode(&secret)), 0);
        let text = base64::encode(&secret);
        assert_eq!(left(SECRET, || base64::decode(&text)), 0);
        // What is refused after it was decoded: a character, the padding, the bits below it.
        for refused in [
            format!("{text}A="),
            format!("{text}AAA*"),
            format!("{text}AB=="),
        ] {
            assert_eq!(
                left(SECRET, || assert!(base64::decode(&refused).is_err())),
                0
            );
        }
    }
}

#[test]
fn pem_leaves_nothing() {
    for secret in secrets() {
        assert_eq!(left(TEXT, || pem::encode("A", &secret)), 0);
        let text = pem::encode("A", &secret);
        let seen = left(SECRET, || {
            pem::decode(&text).for_each(|block| assert_eq!(block.unwrap().der(), secret));
        });
        assert_eq!(seen, 0);
        let seen = left(SECRET, || {
            pem::decode_first(&text, &["A"]).map(pem::Block::into_der)
        });
        assert_eq!(seen, 0);
        let refused = text.replace("\n-----END", "A\n-----END");
        assert_eq!(
            left(SECRET, || assert!(
                pem::decode_first(&refused, &["A"]).is_err()
            )),
            0
        );
    }
}

#[test]
fn ber_leaves_nothing() {
    // Lengths in as many octets as there are, and two more than indefinite ones take.
    let element = |tag: u8, parts: &[&[u8]]| {
        let contents = parts.concat();
        let length = (contents.len() as u32).to_be_bytes();
        [&[tag, 0x84], &length[..], &contents].concat()
    };
    for length in [8, 9, 127, 128, 255, 256, 65_535, 65_536, 70_000] {
        let secret = &vec![SECRET[0]; length][..];
        let whole = element(4, &[secret]);
        // Strings of bits are given the octet that they lack.
        let lacking = [&whole[..], &[0x23, 0].repeat(4 * length)].concat();
        let mut inner = [
            whole.clone(),
            element(0x23, &[&element(3, &[&[0], secret])[..]; 2]),
            lacking,
        ];
        for around in [0, 1, 58] {
            for of in &mut inner {
                for _ in 0..around {
                    *of = [&[0x30, 0x80], &of[..], &[0, 0]].concat();
                }
                assert_eq!(left(SECRET, || ber::to_der(of).unwrap()), 0);
                // What is refused at its end.
                let longer = [&of[..], &[4]].concat();
                assert_eq!(left(SECRET, || ber::to_der(&longer).unwrap_err()), 0);
            }
        }
    }
}

#[test]
fn a_writer_with_room_leaves_nothing() {
    for secret in secrets() {
        let seen = left(SECRET, || {
            let mut w = Writer::with_capacity(secret.len() + 8);
            w.sequence(|w| w.octet_string(&secret));
            w.finish()
        });
        assert_eq!(seen, 0);
    }
}
