//! scryptROMix with Salsa20/8 in the general registers of x86-64.
//!
//! Every step of Salsa20/8 waits for the one before, and there are 32 of three operations each: a
//! machine whose vector operations take two cycles is quicker with general registers, if no word
//! waits for memory. Differences from the portable code:
//!
//! 1. The working words stay in registers over the whole of scryptBlockMix. Thirteen of sixteen
//!    fit. A quarter round (a, b, c, d) ends with its b in memory, too, and the register then
//!    takes the d of the next quarter round: stored in the first step and not needed before the
//!    next round, b has the time to travel. After two rounds every word is back in its register.
//! 2. scryptBlockMix writes the copies where they stay, instead of into a block that is copied, and
//!    takes in two blocks at once where the standard adds a copy first.
//! 3. All of a copy is asked for as soon as it is known which: the reads wait together.
// The kernel is one block of assembly: the compiler cannot be told which words to keep where.
#![allow(unsafe_code)]

use super::Block;
use adamant_base::Wipe;
use adamant_base::simd::prefetch;

/// What the assembly finds through its one pointer; it knows the offsets.
#[repr(C, align(64))]
struct Frame {
    /// The input of the Salsa20/8 at hand, which is added to its result.
    input: [u32; 16],
    /// The words that have no register, each at its index.
    spilled: [u32; 16],
    /// Where the output goes next, and where after that.
    output: [*mut Block; 2],
    /// The block that the next Salsa20/8 takes in.
    next: *const Block,
    /// The last of these.
    last: *const Block,
    /// The way from these, in bytes, to the copy that is taken in with them.
    copy: usize,
    /// Blocks still to do.
    count: u64,
    /// The caller's registers.
    saved: [u64; 2],
}

/// The 32-bit name of a register.
macro_rules! e {
    (8) => {
        "r8d"
    };
    (9) => {
        "r9d"
    };
    (10) => {
        "r10d"
    };
    (11) => {
        "r11d"
    };
    (12) => {
        "r12d"
    };
    (13) => {
        "r13d"
    };
    (14) => {
        "r14d"
    };
    (15) => {
        "r15d"
    };
    ($name:ident) => {
        concat!("e", stringify!($name))
    };
}

/// The 64-bit name of a register.
macro_rules! r {
    ($name:tt) => {
        concat!("r", stringify!($name))
    };
}

/// A quarter round on the registers of a, b, c and d: d is loaded from the slot `$load`, if it is
/// not in its register already, and b is stored to the slot `$store`. The word a comes second in
/// an address: one of its registers cannot come first without an offset, which costs a cycle.
macro_rules! quarter {
    ($a:tt $b:tt $c:tt $d:tt, $(load $load:literal,)? store $store:literal) => {
        concat!(
            $("mov ", e!($d), ", [rsi + 64 + 4 * ", $load, "]\n",)?
            "lea edi, [", r!($d), " + ", r!($a), "]\n rol edi, 7\n xor ", e!($b), ", edi\n",
            "mov [rsi + 64 + 4 * ", $store, "], ", e!($b), "\n",
            "lea edi, [", r!($b), " + ", r!($a), "]\n rol edi, 9\n xor ", e!($c), ", edi\n",
            "lea edi, [", r!($c), " + ", r!($b), "]\n rol edi, 13\n xor ", e!($d), ", edi\n",
            "lea edi, [", r!($d), " + ", r!($c), "]\n rol edi, 18\n xor ", e!($a), ", edi\n",
        )
    };
}

/// A column round and a row round. Words 0, 5, 10 and 15 are in rax, rbp, r13 and r14; 2, 3, 4, 7,
/// 8, 9, 13 and 14 in rbx, rcx, rdx, r8, r9, r10, r11 and r12; and 12 in r15 between two of these.
macro_rules! double_round {
    () => {
        concat!(
            quarter!(ax dx 9 15, store 4),
            quarter!(bp 10 11 dx, load 1, store 9),
            quarter!(13 12 bx 10, load 6, store 14),
            quarter!(14 cx 8 12, load 11, store 3),
            quarter!(ax dx bx cx, store 1),
            quarter!(bp 10 8 dx, load 4, store 6),
            quarter!(13 12 9 10, load 9, store 11),
            quarter!(14 15 11 12, load 14, store 12),
        )
    };
}

/// The same text for each word that has a register, with its index and this register, in the order
/// of the first quarter rounds.
macro_rules! each_register {
    ($text:ident) => {
        concat!(
            $text!(0 ax), $text!(4 dx), $text!(8 9), $text!(5 bp), $text!(9 10), $text!(13 11),
            $text!(10 13), $text!(14 12), $text!(2 bx), $text!(15 14), $text!(3 cx), $text!(7 8),
        )
    };
}

macro_rules! load {
    ($i:literal $r:tt) => {
        concat!("mov ", e!($r), ", [rdi + 4 * ", $i, "]\n")
    };
}

macro_rules! take_in {
    ($i:literal $r:tt) => {
        concat!("xor ", e!($r), ", [rdi + 4 * ", $i, "]\n")
    };
}

macro_rules! keep {
    ($i:literal $r:tt) => {
        concat!("mov [rsi + 4 * ", $i, "], ", e!($r), "\n")
    };
}

/// The result of Salsa20/8, to the output at r15.
macro_rules! finish {
    ($i:literal $r:tt) => {
        concat!(
            "add ",
            e!($r),
            ", [rsi + 4 * ",
            $i,
            "]\n mov [r15 + 4 * ",
            $i,
            "], ",
            e!($r),
            "\n",
        )
    };
}

/// The last block, with the copy's.
macro_rules! last {
    ($($copy:literal)?) => {
        concat!(
            "mov rdi, [rsi + 152]\n",
            each_register!(load),
            $("add rdi, [rsi + ", $copy, "]\n", each_register!(take_in),)?
            last!(@1, $($copy)?), last!(@6, $($copy)?), last!(@11, $($copy)?),
            last!(@12, $($copy)?),
        )
    };
    (@$i:literal, $($copy:literal)?) => {
        concat!(
            "mov rdi, [rsi + 152]\n mov r15d, [rdi + 4 * ", $i, "]\n",
            $("add rdi, [rsi + ", $copy, "]\n xor r15d, [rdi + 4 * ", $i, "]\n",)?
            "mov [rsi + 64 + 4 * ", $i, "], r15d\n",
        )
    };
}

/// The words that have no register, which are ready first: `$get` brings each to r15, and the next
/// block is taken in, and the copy's.
macro_rules! begin_spilled {
    ($get:ident, $($copy:literal)?) => {
        concat!(
            begin_spilled!(@12, $get, $($copy)?), begin_spilled!(@1, $get, $($copy)?),
            begin_spilled!(@6, $get, $($copy)?), begin_spilled!(@11, $get, $($copy)?),
        )
    };
    (@$i:literal, $get:ident, $($copy:literal)?) => {
        concat!(
            $get!($i),
            "mov rdi, [rsi + 144]\n xor r15d, [rdi + 4 * ", $i, "]\n",
            $("add rdi, [rsi + ", $copy, "]\n xor r15d, [rdi + 4 * ", $i, "]\n",)?
            "mov [rsi + 4 * ", $i, "], r15d\n mov [rsi + 64 + 4 * ", $i, "], r15d\n",
        )
    };
}

macro_rules! load_spilled {
    ($i:literal) => {
        concat!("mov r15d, [rsi + 64 + 4 * ", $i, "]\n")
    };
}

/// The result of Salsa20/8, to the output.
macro_rules! finish_spilled {
    ($i:literal) => {
        concat!(
            "mov r15d, [rsi + 64 + 4 * ",
            $i,
            "]\n add r15d, [rsi + 4 * ",
            $i,
            "]\n",
            "mov rdi, [rsi + 128]\n mov [rdi + 4 * ",
            $i,
            "], r15d\n",
        )
    };
}

/// Takes the next block and the copy's in, for the words that have a register; word 12 gets one.
macro_rules! begin {
    ($($copy:literal)?) => {
        concat!(
            "mov rdi, [rsi + 144]\n",
            each_register!(take_in),
            $("add rdi, [rsi + ", $copy, "]\n", each_register!(take_in),)?
            each_register!(keep),
            "mov r15d, [rsi + 4 * 12]\n",
        )
    };
}

/// The assembly; a literal where a copy is taken in: its offset in the frame.
macro_rules! assembly {
    ($frame:ident $(, $copy:literal)?) => {
        core::arch::asm!(
            "mov [rsi + 176], rbx",
            "mov [rsi + 184], rbp",
            last!($($copy)?),
            begin_spilled!(load_spilled, $($copy)?),
            begin!($($copy)?),
            // Two outputs take turns: the next one, and after it this one's next block.
            "mov edi, 64",
            "movq {step}, rdi",
            "pslldq {step}, 8",
            ".p2align 5",
            "2:",
            double_round!(),
            double_round!(),
            double_round!(),
            double_round!(),
            "mov rdi, [rsi + 144]",
            "lea r15, [rdi + 64]",
            "cmp rdi, [rsi + 152]",
            "cmovne rdi, r15",
            "mov [rsi + 144], rdi",
            begin_spilled!(finish_spilled, $($copy)?),
            "mov r15, [rsi + 128]",
            each_register!(finish),
            begin!($($copy)?),
            "pshufd {outputs}, [rsi + 128], 0x4e",
            "paddq {outputs}, {step}",
            "movdqa [rsi + 128], {outputs}",
            "dec qword ptr [rsi + 168]",
            "jnz 2b",
            "mov rbx, [rsi + 176]",
            "mov rbp, [rsi + 184]",
            in("rsi") core::ptr::from_mut($frame),
            step = out(xmm_reg) _,
            outputs = out(xmm_reg) _,
            out("rax") _, out("rcx") _, out("rdx") _, out("rdi") _,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            options(nostack),
        )
    };
}

impl Frame {
    fn new() -> Self {
        const {
            use core::mem::offset_of;
            assert!(offset_of!(Frame, spilled) == 64 && offset_of!(Frame, output) == 128);
            assert!(offset_of!(Frame, next) == 144 && offset_of!(Frame, last) == 152);
            assert!(offset_of!(Frame, copy) == 160 && offset_of!(Frame, count) == 168);
            assert!(offset_of!(Frame, saved) == 176);
        }
        Frame {
            input: [0; 16],
            spilled: [0; 16],
            output: [core::ptr::null_mut(); 2],
            next: core::ptr::null(),
            last: core::ptr::null(),
            copy: 0,
            count: 0,
            saved: [0; 2],
        }
    }

    /// RFC 7914, 4: scryptBlockMix from `b`, or from `b` xor `copy`, to `y`. All have the same
    /// number of blocks, which is even and not zero.
    #[inline(always)]
    fn block_mix(&mut self, b: &[Block], copy: Option<&[Block]>, y: &mut [Block]) {
        assert!(b.len() == y.len() && copy.is_none_or(|c| c.len() == b.len()));
        assert!(b.len() >= 2 && b.len().is_multiple_of(2));
        let (even, odd) = y.split_at_mut(b.len() / 2);
        self.output = [even.as_mut_ptr(), odd.as_mut_ptr()];
        self.next = b.as_ptr();
        self.last = &b[b.len() - 1];
        self.copy = copy.map_or(0, |c| c.as_ptr().addr().wrapping_sub(b.as_ptr().addr()));
        self.count = b.len() as u64;
        // SAFETY: the assembly reads and writes the frame; reads the blocks of `b`, as `next` is
        // not moved on from the last, and those of `copy`, at the same places; and writes `count`
        // blocks, in turn to the halves of `y`, which have half of them each. rbx and rbp are
        // saved in the frame and brought back.
        unsafe {
            match copy {
                None => assembly!(self),
                Some(_) => assembly!(self, 160),
            }
        }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.input.wipe();
        self.spilled.wipe();
    }
}

/// RFC 7914, 5: scryptROMix.
pub(super) fn ro_mix(b: &mut [Block], v: &mut [Block], x: &mut [Block]) {
    let len = b.len();
    let n = v.len() / len;
    super::check(b, v, x, 1);
    let mut frame = Frame::new();
    v[..len].copy_from_slice(b);
    for i in 1..n {
        let (done, free) = v.split_at_mut(i * len);
        frame.block_mix(&done[(i - 1) * len..], None, &mut free[..len]);
    }
    frame.block_mix(&v[(n - 1) * len..], None, b);
    let (mut from, mut to) = (b, x);
    for _ in 0..n {
        let j = super::integerify(from, n);
        let copy = &v[j * len..][..len];
        copy.iter().for_each(prefetch);
        frame.block_mix(from, Some(copy), to);
        (from, to) = (to, from);
    }
    // N is even: the result lies in `b`.
}
