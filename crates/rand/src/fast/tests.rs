use super::*;

const SEED: [u8; 32] = {
    let mut seed = [0; 32];
    let mut i = 0;
    while i < 32 {
        seed[i] = i as u8 + 1;
        i += 1;
    }
    seed
};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// What another implementation of ChaCha20 makes of the definition: the start of the first
/// stream, where the first and the second meet, and the start of the third.
#[test]
fn known_answers() {
    for backend in Backend::available() {
        let mut out = [0; 2048];
        FastRng::from_seed_on(backend, SEED).fill(&mut out).unwrap();
        assert_eq!(
            hex(&out[..48]),
            concat!(
                "0f6ae77c4dc90b31073aa31a94c9be897b89a6702aa6c1c983b1ab2251676120",
                "638ad71667c2a9399b4b365097dead38"
            )
        );
        assert_eq!(
            hex(&out[960..1024]),
            concat!(
                "ee3496c03948892343887128fcb93b9c78fb4c5d3a03f5d2621ccd13dffeb642",
                "0c1c981d4d64643633670e938d44051d9417654ac4b3f095d11af3ec98f87459"
            )
        );
        assert_eq!(
            hex(&out[1984..2048]),
            concat!(
                "04000e435e51597eb2a5c6ee42ba0bc86b21b9b5873fd7bf9726e2354ddc7448",
                "3562b5a7ed86163f9da0f2a44237d2f7ae09c20548ca3cbe1931b80a2be4eb47"
            )
        );
    }
}

#[test]
fn requests_of_any_size_give_the_same_stream() {
    let mut whole = [0; 4000];
    FastRng::from_seed(SEED).fill(&mut whole).unwrap();
    for size in [1, 7, 32, 64, 991, 992, 993, 1984, 2000] {
        let mut rng = FastRng::from_seed(SEED);
        let mut parts = [0; 4000];
        for part in parts.chunks_mut(size) {
            rng.fill(part).unwrap();
        }
        assert_eq!(parts, whole, "{size}");
    }
}

#[test]
fn what_was_handed_out_is_gone() {
    let mut rng = FastRng::from_seed(SEED);
    for size in [1, 100, 800, 91, 0, 1, 3000] {
        let mut out = vec![0; size];
        rng.fill(&mut out).unwrap();
        let (gone, ready) = rng.state.stream().split_at(rng.next);
        assert!(gone.iter().all(|b| *b == 0));
        assert!(ready.len() < 16 || ready.iter().any(|b| *b != 0));
        assert_ne!(rng.state.key(), SEED);
    }
}

#[test]
#[cfg(feature = "std")]
fn generators_differ() {
    let (mut one, mut other) = ([0; 32], [0; 32]);
    FastRng::new().unwrap().fill(&mut one).unwrap();
    FastRng::new().unwrap().fill(&mut other).unwrap();
    assert_ne!(one, other);
}

/// As if the generator had come into another process: nothing of the old key stream is used.
#[test]
#[cfg(feature = "std")]
fn reseeds_in_another_process_and_after_a_while() {
    let mut rng = FastRng::new().unwrap();
    let mut out = [0; 32];
    rng.fill(&mut out).unwrap();

    for change in [
        |rng: &mut FastRng| rng.system.as_mut().unwrap().process ^= 1,
        |rng: &mut FastRng| rng.system.as_mut().unwrap().machine ^= 1,
        |rng: &mut FastRng| rng.system.as_mut().unwrap().bytes = Seeding::INTERVAL,
        |rng: &mut FastRng| {
            let key: [u8; KEY_LEN] = rng.state.key().try_into().unwrap();
            rng.state = State::confined();
            rng.state.key_mut().copy_from_slice(&key);
        },
    ] {
        let old_key: [u8; KEY_LEN] = rng.state.key().try_into().unwrap();
        let mut expected = FastRng::from_seed(old_key);
        expected.state = rng.state.copied();
        expected.next = rng.next;
        let mut not_expected = [0; 32];
        expected.fill(&mut not_expected).unwrap();

        change(&mut rng);
        rng.fill(&mut out).unwrap();
        assert_ne!(out, not_expected);
        assert_ne!(rng.state.key(), old_key);
        let seeding = rng.system.as_ref().unwrap();
        assert_eq!(seeding.process, process::instance());
        assert_eq!(seeding.machine, process::vm_generation());
        assert!(seeding.bytes < Seeding::INTERVAL && !rng.state.is_wiped());
    }
}

/// In the child of a fork that the C library knows nothing of.
#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
#[allow(unsafe_code)]
fn a_bare_fork() {
    use core::ffi::{c_int, c_long};
    use std::io::{Read, Write};

    // SAFETY: the signatures are those of the C library.
    unsafe extern "C" {
        fn syscall(number: c_long, ...) -> c_long;
        fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
        fn _exit(status: c_int) -> !;
    }
    const CLONE: c_long = if cfg!(target_arch = "x86_64") {
        56
    } else {
        220
    };
    const SIGCHLD: c_long = 17;

    let mut rng = FastRng::new().unwrap();
    rng.fill(&mut [0; 7]).unwrap();
    assert!(
        rng.next < STREAM_LEN,
        "there are bytes that could be handed out twice"
    );
    let before = process::instance();
    let (mut from_child, mut to_parent) = std::io::pipe().unwrap();
    let none: c_long = 0;
    // SAFETY: without further flags this is a fork; the child calls nothing that allocates or
    // locks, and leaves at once.
    let pid = unsafe { syscall(CLONE, SIGCHLD, none, none, none, none) };
    let mut out = [0; 64];
    if pid == 0 {
        let unnoticed = process::instance() == before;
        let done = rng.fill(&mut out).is_ok() && to_parent.write_all(&out).is_ok();
        // SAFETY: it ends the child.
        unsafe { _exit(c_int::from(!(done && unnoticed))) };
    }
    drop(to_parent);
    let mut childs = [0; 64];
    from_child.read_exact(&mut childs).unwrap();
    let mut status = -1;
    // SAFETY: `status` is valid for the write.
    assert_eq!(
        unsafe { waitpid(pid as c_int, &mut status, 0) },
        pid as c_int
    );
    assert_eq!(status, 0);
    rng.fill(&mut out).unwrap();
    assert_ne!(out, childs);
}
