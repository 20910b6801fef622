//! The switch between the program, whose code runs from the cache, and the tool.

#![allow(unsafe_code)]

use core::arch::global_asm;

/// What the code in the cache finds at `gs:`, by these offsets.
#[repr(C)]
pub(crate) struct Context {
    /// Where the next record of the log begins.
    pub(crate) log: u64,
    /// The registers that instrumentation has borrowed.
    borrowed: [u64; 3],
    /// The address in the program that is to run next; then where its translation is.
    pub(crate) target: u64,
    dispatch: u64,
    /// Places of [`Entry`], by the low bits of an address in the program.
    pub(crate) table: *mut Entry,
    stack: u64,
    program_stack: u64,
    registers: *mut u8,
    translate: extern "C" fn(),
}

pub(crate) const LOG: i32 = 0;
pub(crate) const BORROWED: [i32; 2] = [8, 16];
pub(crate) const TARGET: i32 = 32;
pub(crate) const DISPATCH: i32 = 40;

/// An address in the program and the one of its translation.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) from: u64,
    pub(crate) to: u64,
}

/// Bits of an address that choose its place in the table.
pub(crate) const TABLE_BITS: u32 = 20;

impl Context {
    pub(crate) fn new(
        table: *mut Entry,
        stack: u64,
        registers: *mut u8,
        translate: extern "C" fn(),
    ) -> Self {
        Context {
            log: 0,
            borrowed: [0; 3],
            target: 0,
            dispatch: dispatch_address(),
            table,
            stack,
            program_stack: 0,
            registers,
            translate,
        }
    }
}

// `dispatch` goes to the translation of gs:[32], without a change of flags or registers. Where the
// table has none, all registers are kept and `translate` is called, which writes the place there.
// State components 0 to 2 and 5 to 7: x87, SSE, AVX and the three of AVX-512.
global_asm!(
    ".globl adamant_taint_dispatch",
    "adamant_taint_dispatch:",
    "mov gs:[8], rax",
    "mov gs:[16], rcx",
    "mov gs:[24], rdx",
    "mov rax, gs:[32]",
    "mov ecx, 44",
    "shlx rdx, rax, rcx",
    "shrx rdx, rdx, rcx",
    "lea rdx, [rdx * 8]",
    "mov rcx, gs:[48]",
    "lea rdx, [rcx + rdx * 2]",
    "mov rcx, [rdx]",
    "not rcx",
    "lea rcx, [rcx + rax + 1]",
    "jrcxz 2f",
    "jmp 3f",
    "2:",
    "mov rax, [rdx + 8]",
    "mov gs:[32], rax",
    "mov rax, gs:[8]",
    "mov rcx, gs:[16]",
    "mov rdx, gs:[24]",
    "jmp qword ptr gs:[32]",
    "3:",
    "mov rax, gs:[8]",
    "mov rcx, gs:[16]",
    "mov rdx, gs:[24]",
    "mov gs:[64], rsp",
    "mov rsp, gs:[56]",
    "pushfq",
    "push rax",
    "push rbx",
    "push rcx",
    "push rdx",
    "push rsi",
    "push rdi",
    "push rbp",
    "push r8",
    "push r9",
    "push r10",
    "push r11",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "cld",
    "mov rbx, gs:[72]",
    "mov eax, 0xe7",
    "xor edx, edx",
    "xsave64 [rbx]",
    "call qword ptr gs:[80]",
    "mov eax, 0xe7",
    "xor edx, edx",
    "xrstor64 [rbx]",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop r11",
    "pop r10",
    "pop r9",
    "pop r8",
    "pop rbp",
    "pop rdi",
    "pop rsi",
    "pop rdx",
    "pop rcx",
    "pop rbx",
    "pop rax",
    "popfq",
    "mov rsp, gs:[64]",
    "jmp qword ptr gs:[32]",
    // enter(function): runs it from the cache, until it returns to the label after it.
    ".globl adamant_taint_enter",
    "adamant_taint_enter:",
    "push rbx",
    "push rbp",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "sub rsp, 8",
    "mov gs:[32], rdi",
    "lea rax, [rip + adamant_taint_exit]",
    "push rax",
    "jmp adamant_taint_dispatch",
    ".globl adamant_taint_exit",
    "adamant_taint_exit:",
    "add rsp, 8",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbp",
    "pop rbx",
    "ret",
);

// SAFETY: the symbols of the assembly above.
unsafe extern "C" {
    fn adamant_taint_dispatch();
    fn adamant_taint_exit();
    fn adamant_taint_enter(function: extern "C" fn());
}

fn dispatch_address() -> u64 {
    adamant_taint_dispatch as *const () as u64
}

/// Where a followed function returns to, which no translation replaces.
pub(crate) fn exit_address() -> u64 {
    adamant_taint_exit as *const () as u64
}

/// Runs the translation of a function.
///
/// # Safety
/// `gs` is the base of a [`Context`], whose table has [`exit_address`].
pub(crate) unsafe fn enter(function: extern "C" fn()) {
    // SAFETY: the caller's promise; the code keeps the registers that a function keeps.
    unsafe { adamant_taint_enter(function) }
}
