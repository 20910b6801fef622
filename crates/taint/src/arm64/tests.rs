//! The model on single instructions, each with what is secret before.

#[cfg(target_arch = "aarch64")]
mod every;

use super::state::State;
use crate::shadow::Leak;

const PLACE: u64 = 0x1000;

/// A state in which these bytes are secret.
fn state(general: &[(usize, u64)], vectors: &[(usize, u64)]) -> State {
    let mut state = State::new().expect("address space");
    for &(register, bytes) in general {
        state.general[register] = bytes;
    }
    for &(register, bytes) in vectors {
        state.vectors[register] = bytes;
    }
    state.place = Some(PLACE);
    state
}

/// Bytes of x0 after an instruction.
fn x0(word: u32, general: &[(usize, u64)]) -> u64 {
    let mut state = state(general, &[]);
    state.step(word);
    assert_eq!(state.leak, None, "{word:x}");
    state.general[0]
}

/// Bytes of v0 after an instruction.
fn v0(word: u32, vectors: &[(usize, u64)]) -> u64 {
    let mut state = state(&[], vectors);
    state.step(word);
    assert_eq!(state.leak, None, "{word:x}");
    state.vectors[0]
}

#[test]
fn words() {
    let of = |word, x1, x2| x0(word, &[(0, 0xff), (1, x1), (2, x2)]);
    assert_eq!(of(0x8b02_0020, 0, 4), 0xfc, "add x0, x1, x2");
    assert_eq!(of(0x0b02_0020, 1, 0), 0x0f, "add w0, w1, w2");
    assert_eq!(of(0xca01_0020, 0xff, 0), 0, "eor x0, x1, x1");
    assert_eq!(of(0x9278_1c20, 0xff, 0), 2, "and x0, x1, #0xff00");
    assert_eq!(of(0xb240_1c20, 0xff, 0), 0xfe, "orr x0, x1, #0xff");
    assert_eq!(of(0xd374_cc20, 1, 0), 0b110, "lsl x0, x1, #12");
    assert_eq!(of(0xd378_fc20, 0x80, 0), 1, "lsr x0, x1, #56");
    assert_eq!(of(0xd378_fc20, 0x7f, 0), 0, "lsr x0, x1, #56");
    assert_eq!(of(0x9348_fc20, 0x80, 0), 0xc0, "asr x0, x1, #8");
    assert_eq!(of(0xd348_3c20, 0xfd, 0), 0, "ubfx x0, x1, #8, #8");
    assert_eq!(of(0xd348_3c20, 2, 0), 1, "ubfx x0, x1, #8, #8");
    assert_eq!(of(0x9340_1c20, 1, 0), 0xff, "sxtb x0, w1");
    assert_eq!(of(0x9340_1c20, 2, 0), 0, "sxtb x0, w1");
    assert_eq!(of(0xb378_1c20, 0, 0), 0xfd, "bfi x0, x1, #8, #8");
    assert_eq!(of(0x93c2_2020, 1, 2), 0x81, "extr x0, x1, x2, #8");
    assert_eq!(of(0xdac0_0c20, 3, 0), 0xc0, "rev x0, x1");
    assert_eq!(of(0xdac0_0820, 1, 0), 8, "rev32 x0, x1");
    assert_eq!(of(0xf2a0_0020, 0, 0), 0xf3, "movk x0, #1, lsl #16");
    assert_eq!(of(0x9a82_0020, 1, 2), 3, "csel x0, x1, x2, eq");
    assert_eq!(of(0xda01_0020, 0xff, 0), 0, "sbc x0, x1, x1");
    assert_eq!(of(0x9b02_7c20, 4, 0), 0xfc, "mul x0, x1, x2");
    assert_eq!(of(0x9bc2_7c20, 4, 0), 0xff, "umulh x0, x1, x2");
}

#[test]
fn flags_are_followed() {
    let (subs, cset, csel) = (0xeb02_0020, 0x9a9f_17e0, 0x9a82_0020);
    let mut secret = state(&[(2, 1)], &[]);
    secret.step(subs);
    assert!(secret.flags);
    secret.step(cset);
    assert_eq!(secret.general[0], 1);
    secret.step(csel);
    assert_eq!(secret.general[0], 0xff);
    // ccmp x1, x2, #0, eq
    secret.general[2] = 0;
    secret.step(0xfa42_0020);
    assert!(secret.flags, "the condition was secret");
    secret.step(0xd53b_4200);
    assert_eq!(secret.general[0], 8, "mrs x0, nzcv");
    secret.step(subs);
    assert!(!secret.flags);
}

#[test]
fn vectors() {
    let of = |word, v1, v2| v0(word, &[(0, 0xffff), (1, v1), (2, v2)]);
    let fresh = |word, v1, v2| v0(word, &[(1, v1), (2, v2)]);
    assert_eq!(of(0x4ea2_8420, 1, 0x20), 0xff, "add v0.4s, v1.4s, v2.4s");
    assert_eq!(of(0x4ea2_9420, 0, 0), 0xffff, "mla v0.4s, v1.4s, v2.4s");
    assert_eq!(of(0x6e21_1c20, 0xffff, 0), 0, "eor v0.16b, v1.16b, v1.16b");
    assert_eq!(fresh(0x6e62_1c20, 1, 2), 3, "bsl v0.16b, v1.16b, v2.16b");
    assert_eq!(of(0x4ee2_bc20, 1, 0), 0xff, "addp v0.2d, v1.2d, v2.2d");
    assert_eq!(
        of(0x2ea2_c020, 0x10, 0),
        0xff00,
        "umull v0.2d, v1.2s, v2.2s"
    );
    assert_eq!(
        of(0x6ea2_c020, 0xff, 0x100),
        0xff,
        "umull2 v0.2d, v1.4s, v2.4s"
    );
    assert_eq!(
        fresh(0x2fa2_2020, 0, 0x10),
        0xffff,
        "umlal v0.2d, v1.2s, v2.s[1]"
    );
    assert_eq!(fresh(0x2fa2_2020, 0, 1), 0, "umlal v0.2d, v1.2s, v2.s[1]");
    assert_eq!(of(0x0ea1_2820, 0x0ff1, 0), 0xf1, "xtn v0.2s, v1.2d");
    assert_eq!(of(0x4ea1_2820, 1, 0), 0x1ff, "xtn2 v0.4s, v1.2d");
    assert_eq!(of(0x0f38_8420, 0x100, 0), 0xf0, "shrn v0.2s, v1.2d, #8");
    assert_eq!(of(0x2f20_a420, 0x10, 0), 0xff00, "ushll v0.2d, v1.2s, #0");
    assert_eq!(of(0x4e20_0820, 0x101, 0), 0x8080, "rev64 v0.16b, v1.16b");
    assert_eq!(of(0x6e60_0820, 1, 0), 4, "rev32 v0.8h, v1.8h");
    assert_eq!(of(0x4e82_3820, 0x10, 1), 0x110, "zip1 v0.4s, v1.4s, v2.4s");
    assert_eq!(
        of(0x4e82_5820, 0x10, 0x1001),
        0x1001,
        "uzp2 v0.4s, v1.4s, v2.4s"
    );
    assert_eq!(
        of(0x4e82_6820, 0x10, 0x1000),
        0x1001,
        "trn2 v0.4s, v1.4s, v2.4s"
    );
    assert_eq!(
        of(0x6e02_2020, 0x10, 1),
        0x1001,
        "ext v0.16b, v1.16b, v2.16b, #4"
    );
    assert_eq!(of(0x4e02_0020, 0, 1), 0xffff, "tbl v0.16b, v1.16b, v2.16b");
    assert_eq!(of(0x4e0c_0420, 0x10, 0), 0x1111, "dup v0.4s, v1.s[1]");
    assert_eq!(of(0x6e14_6420, 0, 0), 0xf0ff, "mov v0.s[2], v1.s[3]");
    assert_eq!(of(0x4f43_5420, 1, 0), 0xff, "shl v0.2d, v1.2d, #3");
    assert_eq!(of(0x6f7d_4420, 0, 0), 0xffff, "sri v0.2d, v1.2d, #3");
    assert_eq!(of(0x4f00_e420, 0xffff, 0), 0, "movi v0.16b, #1");
    assert_eq!(fresh(0x4e28_4820, 1, 0), 0xffff, "aese v0.16b, v1.16b");
    assert_eq!(of(0x4e28_6820, 0, 0), 0, "aesmc v0.16b, v1.16b");
    assert_eq!(fresh(0x5e02_4020, 0, 1), 0xffff, "sha256h q0, q1, v2.4s");
    assert_eq!(of(0x0ee2_e020, 0, 1), 0xffff, "pmull v0.1q, v1.1d, v2.1d");
    assert_eq!(
        of(0xce02_0c20, 1, 2),
        3,
        "eor3 v0.16b, v1.16b, v2.16b, v3.16b"
    );
    assert_eq!(of(0xce82_1c20, 1, 0), 0xff, "xar v0.2d, v1.2d, v2.2d, #7");
    assert_eq!(of(0xce62_8020, 0, 0), 0xffff, "sha512h q0, q1, v2.2d");
    assert_eq!(
        of(0xce42_0c20, 0, 0),
        0,
        "sm3ss1 v0.4s, v1.4s, v2.4s, v3.4s"
    );
    assert_eq!(
        of(0xce42_8020, 0, 0),
        0xffff,
        "sm3tt1a v0.4s, v1.4s, v2.s[0]"
    );
    assert_eq!(
        fresh(0xce62_c020, 0, 1),
        0xffff,
        "sm3partw1 v0.4s, v1.4s, v2.4s"
    );
    assert_eq!(fresh(0xcec0_8420, 1, 0), 0xffff, "sm4e v0.4s, v1.4s");
    assert_eq!(of(0xce62_c820, 0, 0), 0, "sm4ekey v0.4s, v1.4s, v2.4s");
    assert_eq!(of(0x4eb1_b820, 0x8000, 0), 0xff, "addv s0, v1.4s");
    assert_eq!(
        of(0x4f72_8020, 0, 0x40),
        0xffff,
        "mul v0.8h, v1.8h, v2.h[3]"
    );
    assert_eq!(of(0x6ea0_2820, 1, 0), 0xff, "uaddlp v0.2d, v1.4s");
    let mut both = state(&[(1, 2)], &[(0, 0xffff), (1, 0x200)]);
    both.step(0x4e18_1c20);
    assert_eq!(both.vectors[0], 0x2ff, "mov v0.d[1], x1");
    both.step(0x4e18_3c20);
    assert_eq!(both.general[0], 2, "mov x0, v1.d[1]");
    both.step(0x4e08_0c20);
    assert_eq!(both.vectors[0], 0x202, "dup v0.2d, x1");
    both.step(0x9e66_0020);
    assert_eq!(both.general[0], 0, "fmov x0, d1");
}

#[test]
fn memory() {
    let mut state = state(&[], &[]);
    state.memory.store(PLACE, 0x8421_0001, u64::MAX);
    let mut loaded = |word: u32| {
        state.step(word);
        assert_eq!(state.leak, None, "{word:x}");
        let general = [state.general[0], state.general[1]];
        let vectors = [0, 1, 2].map(|n| state.vectors[n]);
        (state.general, state.vectors) = ([0; 32], [0; 32]);
        (general, vectors)
    };
    assert_eq!(loaded(0xf940_0020).0, [1, 0], "ldr x0, [x1]");
    assert_eq!(loaded(0xa940_0440).0, [1, 0], "ldp x0, x1, [x2]");
    assert_eq!(loaded(0x3dc0_0020).1, [1, 0, 0], "ldr q0, [x1]");
    assert_eq!(loaded(0x4c40_a020).1, [1, 0x8421, 0], "ld1 of two");
    assert_eq!(loaded(0x4c40_8820).1, [0x4101, 0x8200, 0], "ld2 of words");
    assert_eq!(loaded(0x4c40_4020).1, [0x81, 0x420, 0x100], "ld3 of bytes");
    assert_eq!(
        loaded(0x0d40_9020).1,
        [0x10, 0, 0],
        "ld1 to the second word"
    );
    assert_eq!(loaded(0x4d40_cc20).1, [0x101, 0, 0], "ld1r of a long word");
    state.vectors[..4].copy_from_slice(&[1, 2, 4, 8]);
    // st4 {v0.2d-v3.2d}, [x1], then stp x1, x2, [x3].
    state.step(0x4c00_0c20);
    assert_eq!(state.memory.load(PLACE, 64), 0x0804_0201);
    state.general[2] = 0x80;
    state.step(0xa900_0861);
    assert_eq!(state.memory.load(PLACE, 64), 0x0804_8000);
    // Without an address the model is wrong.
    state.place = None;
    state.step(0xf940_0020);
    assert_eq!(state.leak, Some(Leak::Unknown));
}

#[test]
fn marks() {
    let mut state = state(&[], &[]);
    for (hint, expected) in [(0xd503_2e1f, 0x3ff), (0xd503_2e3f, 0)] {
        for (word, place) in [
            (hint, None),
            (0x3940_003f, Some(PLACE)),
            (0x3940_003f, Some(PLACE + 9)),
        ] {
            state.place = place;
            state.step(word);
        }
        assert_eq!(state.memory.load(PLACE, 64), expected);
    }
}

#[test]
fn leaks() {
    let leak = |word, x1: u64, v1: u64| {
        let mut state = state(&[(1, x1)], &[(1, v1)]);
        state.step(word);
        state.leak
    };
    for (word, expected, text) in [
        (0xb400_0001, Leak::Branch, "cbz x1, ."),
        (0xd61f_0020, Leak::Target, "br x1"),
        (0x9ac2_0820, Leak::Time, "udiv x0, x1, x2"),
        (0xf862_6820, Leak::Address, "ldr x0, [x1, x2]"),
        (0xf861_6840, Leak::Address, "ldr x0, [x2, x1]"),
        (0xf980_0020, Leak::Address, "prfm pldl1keep, [x1]"),
        (0x4c00_0c20, Leak::Address, "st4 {v0.2d-v3.2d}, [x1]"),
        (0x1e62_1820, Leak::Time, "fdiv d0, d1, d2"),
        (0x6e62_fc20, Leak::Time, "fdiv v0.2d, v1.2d, v2.2d"),
        (0x1e61_c020, Leak::Time, "fsqrt d0, d1"),
        // Of another extension.
        (0x0400_0000, Leak::Unknown, "add z0.b, p0/m, z0.b, z0.b"),
    ] {
        assert_eq!(leak(word, 1, 1), Some(expected), "{text}");
        assert_eq!(leak(word, 0, 0), None, "{text}");
    }
    // By the bit: tbz w1, #9, .
    assert_eq!(leak(0x3648_0001, 2, 0), Some(Leak::Branch));
    assert_eq!(leak(0x3648_0001, 1, 0), None);
    let mut state = state(&[], &[]);
    state.flags = true;
    state.step(0x5400_0000);
    assert_eq!(state.leak, Some(Leak::Branch), "b.eq .");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn blocks_are_followed() {
    let program = std::path::Path::new("/proc/self/exe");
    let mut follower = super::Follower::new(program, 0).expect("address space");
    let words = |words: &[u32]| (0u64..).step_by(4).zip(words.iter().copied()).collect();
    // A mark, and a branch on what was marked: cbz x1, ., of a byte and of the one after it.
    let mark = follower.block(words(&[0xd503_2e1f, 0x3940_003f, 0x3940_003f]));
    let branch = follower.block(words(&[0x3940_0001, 0xb400_0001]));
    let begins = follower.block(words(&[0xd503_2e5f]));
    assert_eq!(follower.run(Some(mark)), []);
    follower.accessed(1, PLACE);
    follower.accessed(2, PLACE + 3);
    let found: Vec<_> = [3, 3, 4]
        .into_iter()
        .map(|at| {
            follower.run(Some(branch));
            follower.accessed(0, PLACE + at);
            follower.run(Some(begins))
        })
        .collect();
    assert_eq!(
        found,
        [vec![(4, Leak::Branch)], vec![(4, Leak::Branch)], vec![]]
    );
    // An access that the instruction does not have, while something is secret.
    follower.run(Some(mark));
    follower.accessed(1, PLACE);
    follower.accessed(2, PLACE + 3);
    follower.run(Some(branch));
    follower.accessed(0, PLACE);
    follower.accessed(1, PLACE);
    assert_eq!(follower.run(None), [(4, Leak::Unknown)]);
    assert_eq!(follower.count(), 17);
    assert!(follower.name(0).contains(" in "));
}
