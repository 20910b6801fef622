//! The model against an ARM64 CPU, or its emulator: of instructions at random, on registers, what
//! changes when bits of secret bytes do must count as secret.

#![allow(unsafe_code)]

use super::super::state::{State, is};
use crate::arena::map;
use crate::shadow::Leak;
use core::arch::global_asm;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Registers of each kind that are tried: others are read at most, and stay as they are.
const COUNT: usize = 16;
/// Instructions on the page.
const PAGE: usize = 2048;
const ROUNDS: usize = 60;
const TRIES: usize = 24;

#[derive(Clone, Copy, PartialEq)]
#[repr(C, align(16))]
struct Machine {
    general: [u64; COUNT],
    vectors: [u128; COUNT],
    flags: u64,
}

impl Machine {
    const ZERO: Self = Machine {
        general: [0; COUNT],
        vectors: [0; COUNT],
        flags: 0,
    };
}

// try(code, machine): loads the registers, calls the code and stores them.
global_asm!(
    ".globl adamant_taint_try",
    "adamant_taint_try:",
    "stp x29, x30, [sp, #-32]!",
    "stp x20, x21, [sp, #16]",
    "stp d8, d9, [sp, #-64]!",
    "stp d10, d11, [sp, #16]",
    "stp d12, d13, [sp, #32]",
    "stp d14, d15, [sp, #48]",
    "mov x21, x0",
    "mov x20, x1",
    "ldp q0, q1, [x20, #128]",
    "ldp q2, q3, [x20, #160]",
    "ldp q4, q5, [x20, #192]",
    "ldp q6, q7, [x20, #224]",
    "ldp q8, q9, [x20, #256]",
    "ldp q10, q11, [x20, #288]",
    "ldp q12, q13, [x20, #320]",
    "ldp q14, q15, [x20, #352]",
    "ldr x0, [x20, #384]",
    "msr nzcv, x0",
    "ldp x0, x1, [x20]",
    "ldp x2, x3, [x20, #16]",
    "ldp x4, x5, [x20, #32]",
    "ldp x6, x7, [x20, #48]",
    "ldp x8, x9, [x20, #64]",
    "ldp x10, x11, [x20, #80]",
    "ldp x12, x13, [x20, #96]",
    "ldp x14, x15, [x20, #112]",
    "blr x21",
    "stp x0, x1, [x20]",
    "stp x2, x3, [x20, #16]",
    "stp x4, x5, [x20, #32]",
    "stp x6, x7, [x20, #48]",
    "stp x8, x9, [x20, #64]",
    "stp x10, x11, [x20, #80]",
    "stp x12, x13, [x20, #96]",
    "stp x14, x15, [x20, #112]",
    "mrs x0, nzcv",
    "str x0, [x20, #384]",
    "stp q0, q1, [x20, #128]",
    "stp q2, q3, [x20, #160]",
    "stp q4, q5, [x20, #192]",
    "stp q6, q7, [x20, #224]",
    "stp q8, q9, [x20, #256]",
    "stp q10, q11, [x20, #288]",
    "stp q12, q13, [x20, #320]",
    "stp q14, q15, [x20, #352]",
    "ldp d10, d11, [sp, #16]",
    "ldp d12, d13, [sp, #32]",
    "ldp d14, d15, [sp, #48]",
    "ldp d8, d9, [sp], #64",
    "ldp x20, x21, [sp, #16]",
    "ldp x29, x30, [sp], #32",
    "ret",
);

// SAFETY: the symbol of the assembly above.
unsafe extern "C" {
    fn adamant_taint_try(code: *const u32, machine: *mut Machine);
}

static REFUSED: AtomicBool = AtomicBool::new(false);

/// An instruction that the CPU does not have: it is passed over.
extern "C" fn refused(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    REFUSED.store(true, Relaxed);
    // SAFETY: the system's own, for this handler.
    unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.pc += 4 };
}

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Often one on which carries run far, or comparisons hold.
    fn value(&mut self) -> u64 {
        match self.next() % 5 {
            0 => 0,
            1 => u64::MAX,
            2 => self.next() & 0xff,
            _ => self.next(),
        }
    }
}

/// Those of SM3 and SM4 and products of polynomials, and the bits that are registers and places: one in a
/// hundred is of them, as chance alone makes too few.
const RARE: [(u32, u32); 11] = [
    (0xce40_0000, 0x001f_7fff), // SM3SS1
    (0xce40_8000, 0x001f_33ff), // SM3TT1A, SM3TT1B, SM3TT2A and SM3TT2B
    (0xce40_8400, 0x001f_33ff),
    (0xce40_8800, 0x001f_33ff),
    (0xce40_8c00, 0x001f_33ff),
    (0xce60_c000, 0x001f_03ff), // SM3PARTW1 and SM3PARTW2
    (0xce60_c400, 0x001f_03ff),
    (0xcec0_8400, 0x0000_03ff), // SM4E
    (0xce60_c800, 0x001f_03ff), // SM4EKEY
    (0x0e20_e000, 0x401f_03ff), // PMULL and PMULL2, of bytes and of 64 bits
    (0x0ee0_e000, 0x401f_03ff),
];

/// An instruction on registers, of which it writes one of the first.
fn instruction(numbers: &mut Numbers) -> u32 {
    let classes = [0b1000, 0b1001, 0b0101, 0b1101, 0b0111, 0b1111];
    let mut word = numbers.next() as u32;
    if numbers.next().is_multiple_of(100) {
        let (name, operands) = RARE[numbers.next() as usize % RARE.len()];
        return (name | word & operands) & !(1 << 4 | 1 << 9);
    }
    let class = classes[(numbers.next() % 6) as usize];
    word = word & !(0xf << 25) | class << 25;
    // QEMU ends itself on some of half precision that no CPU has.
    match is!(word, "xxxx1110x111100xxxxx10") {
        true => instruction(numbers),
        false => word & !(1 << 4 | 1 << 9),
    }
}

/// The model's state after an instruction, or none where it does not know it.
fn modelled(model: &mut State, word: u32, secret: &Machine) -> bool {
    let bytes = |value: u64| {
        let bytes = value.to_le_bytes().into_iter().enumerate();
        bytes.fold(0, |all, (n, byte)| all | u64::from(byte != 0) << n)
    };
    model.general = [0; 32];
    model.vectors = [0; 32];
    for n in 0..COUNT {
        model.general[n] = bytes(secret.general[n]);
        let vector = secret.vectors[n];
        model.vectors[n] = bytes(vector as u64) | bytes((vector >> 64) as u64) << 8;
    }
    model.flags = secret.flags != 0;
    model.leak = None;
    model.step(word);
    model.leak != Some(Leak::Unknown)
}

#[test]
fn instructions_on_registers() {
    let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    let page = map(0, 8 * PAGE, protection).cast::<u32>();
    assert!(!page.is_null());
    let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = refused;
    // SAFETY: the handler is for this signal.
    unsafe {
        let mut action: libc::sigaction = core::mem::zeroed();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigaction(libc::SIGILL, &raw const action, core::ptr::null_mut());
    }
    let mut model = State::new().expect("address space");
    let mut numbers = Numbers(1);
    let (mut tried, mut changed, mut wrong) = (0, 0, vec![]);
    for _ in 0..ROUNDS {
        let words: Vec<u32> = (0..PAGE).map(|_| instruction(&mut numbers)).collect();
        for (n, &word) in words.iter().enumerate() {
            // SAFETY: in the mapping, which nothing runs from now: the instruction and a return.
            unsafe {
                page.add(2 * n).write_volatile(word);
                page.add(2 * n + 1).write_volatile(0xd65f_03c0);
            }
        }
        // SAFETY: what was written is seen by what runs; the code is the page's.
        unsafe {
            for line in (0..8 * PAGE).step_by(16) {
                let at = page.cast::<u8>().add(line);
                core::arch::asm!("dc cvau, {0}", "dsb ish", "ic ivau, {0}", in(reg) at);
            }
            core::arch::asm!("dsb ish", "isb");
        }
        for (n, &word) in words.iter().enumerate() {
            REFUSED.store(false, Relaxed);
            let mut machine = Machine::ZERO;
            // SAFETY: an instruction on registers, which writes one of those that are stored, and a
            // return; the CPU may refuse it.
            unsafe { adamant_taint_try(page.add(2 * n), &mut machine) };
            if REFUSED.load(Relaxed) {
                continue;
            }
            let mut is_tried = false;
            for _ in 0..TRIES {
                let mut before = Machine::ZERO;
                before.flags = (numbers.next() & 0xf) << 28;
                before.general.fill_with(|| numbers.value());
                before
                    .vectors
                    .fill_with(|| u128::from(numbers.value()) << 64 | u128::from(numbers.value()));
                // Bits of a byte or two of a register that it names, or flags.
                let mut secret = Machine::ZERO;
                for _ in 0..=numbers.next() % 2 {
                    let named = [0, 5, 16, 10][(numbers.next() % 4) as usize];
                    let register = (word >> named) as usize % COUNT;
                    let bits = u128::from(numbers.next() as u8 | 1) << (numbers.next() % 16 * 8);
                    match numbers.next() % 8 {
                        0 => secret.flags = (numbers.next() & 0xf) << 28,
                        1..=4 => secret.vectors[register] |= bits,
                        _ => secret.general[register] |= bits as u64,
                    }
                }
                if !modelled(&mut model, word, &secret) {
                    continue;
                }
                let mut other = before;
                for n in 0..COUNT {
                    other.general[n] ^= secret.general[n];
                    other.vectors[n] ^= secret.vectors[n];
                }
                other.flags ^= secret.flags;
                for state in [&mut before, &mut other] {
                    // In one place, whose address a register has.
                    machine = *state;
                    // SAFETY: as above.
                    unsafe { adamant_taint_try(page.add(2 * n), &mut machine) };
                    *state = machine;
                }
                is_tried = true;
                let is_known = |n: usize| {
                    let general = before.general[n] ^ other.general[n];
                    let vector = before.vectors[n] ^ other.vectors[n];
                    let allowed = |bytes: u64, b: u32| bytes >> b & 1 != 0;
                    (0..8).all(|b| general >> (8 * b) & 0xff == 0 || allowed(model.general[n], b))
                        && (0..16)
                            .all(|b| vector >> (8 * b) & 0xff == 0 || allowed(model.vectors[n], b))
                };
                let flags = before.flags == other.flags || model.flags;
                changed += usize::from(before != other);
                if !flags || !(0..COUNT).all(is_known) {
                    wrong.push(word);
                    break;
                }
            }
            tried += usize::from(is_tried);
        }
    }
    wrong.sort_unstable();
    assert!(wrong.is_empty(), "{} of {tried}: {wrong:x?}", wrong.len());
    assert!(tried > 20_000 && changed > 100_000, "{tried}, {changed}");
}
