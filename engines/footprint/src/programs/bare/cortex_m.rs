//! What takes the place of C on a Cortex-M: a start, and input and output by semihosting, with which a
//! debugger or an emulator reads and writes for the program.

use core::arch::{asm, global_asm};

// The table of vectors: the stack, the start, what is done about faults.
global_asm!(
    r#"
    .section .vectors, "a"
    .word __top
    .word __start
    .rept 14
    .word {abort}
    .endr

    .section .text.__start, "ax"
    .global __start
    .thumb_func
    __start:

    // Floating-point registers are off until they are asked for (CPACR).
    .if {has_float}
    ldr r0, =0xe000ed88
    ldr r1, [r0]
    orr r1, r1, #0xf00000
    str r1, [r0]
    dsb
    isb
    .endif
    bl main
    bl {exit}
    .ltorg
    "#,
    abort = sym abort,
    exit = sym exit,
    has_float = const cfg!(target_abi = "eabihf") as u32,
);

const SYS_OPEN: usize = 1;
const SYS_WRITE: usize = 5;
const SYS_READ: usize = 6;
const SYS_EXIT: usize = 0x18;
/// Reasons to end: the program is done, or something that it cannot go on after.
const APPLICATION_EXIT: usize = 0x20026;
const INTERNAL_ERROR: usize = 0x20024;

/// Asks whoever watches the CPU.
fn ask(operation: usize, argument: usize) -> usize {
    let answer;
    // SAFETY: the arguments are those of the operation, whose memory the callers own.
    unsafe {
        asm!("bkpt 0xab", inlateout("r0") operation => answer, in("r1") argument);
    }
    answer
}

/// Opens the console with this mode: 0 reads, 4 writes.
fn console(mode: usize) -> usize {
    let name = b":tt\0";
    ask(
        SYS_OPEN,
        [name.as_ptr() as usize, mode, 3].as_ptr() as usize,
    )
}

/// Until all is there, or nothing more comes.
#[unsafe(no_mangle)]
extern "C" fn read(_: i32, to: *mut u8, length: usize) -> isize {
    let console = console(0);
    let (mut missing, mut before) = (length, usize::MAX);
    while 0 < missing && missing < before {
        before = missing;
        let at = to as usize + (length - missing);
        missing = ask(SYS_READ, [console, at, missing].as_ptr() as usize);
    }
    (length - missing) as isize
}

#[unsafe(no_mangle)]
extern "C" fn write(_: i32, from: *const u8, length: usize) -> isize {
    let block = [console(4), from as usize, length];
    (length - ask(SYS_WRITE, block.as_ptr() as usize)) as isize
}

extern "C" fn exit(status: i32) -> ! {
    let reason = if status == 0 {
        APPLICATION_EXIT
    } else {
        INTERNAL_ERROR
    };
    loop {
        ask(SYS_EXIT, reason);
    }
}

pub(super) extern "C" fn abort() -> ! {
    exit(1)
}
