//! The field of P-521: the product of nine words by nine, then the sum of its lower 521 bits and
//! those above.
#![allow(unsafe_code)] // assembly

use core::arch::asm;

/// What the assembly keeps in memory, as ten words of the product take nearly all registers.
#[repr(C)]
struct Scratch {
    /// The lower words of the product.
    low: [u64; 9],
    b: *const [u64; 9],
}

/// `t += a * b[i]` for ten words of t, of which the last is 0 before; the lowest is done, and its
/// register becomes 0.
#[rustfmt::skip] // an instruction a line
macro_rules! row {
    (@word $at:literal $t:literal $u:literal) => {
        concat!(
            "mulx rcx, rax, [rsi + ", $at, "]\n",
            "adcx ", $t, ", rax\n",
            "adox ", $u, ", rcx\n",
        )
    };
    ($at:literal, $t0:literal $t1:literal $t2:literal $t3:literal $t4:literal $t5:literal
        $t6:literal $t7:literal $t8:literal $t9:literal) => {
        concat!(
            "mov rdx, [rdi + 72]\n",
            "mov rdx, [rdx + ", $at, "]\n",
            "xor eax, eax\n",
            row!(@word 0 $t0 $t1),
            row!(@word 8 $t1 $t2),
            row!(@word 16 $t2 $t3),
            row!(@word 24 $t3 $t4),
            row!(@word 32 $t4 $t5),
            row!(@word 40 $t5 $t6),
            row!(@word 48 $t6 $t7),
            row!(@word 56 $t7 $t8),
            row!(@word 64 $t8 $t9),
            "mov edx, 0\n",
            "adcx ", $t9, ", rdx\n",
            "mov [rdi + ", $at, "], ", $t0, "\n",
            "mov ", $t0, ", rdx\n",
        )
    };
}

/// `a * b`.
#[inline]
#[target_feature(enable = "bmi2,adx")]
pub(crate) fn multiply(a: &[u64; 9], b: &[u64; 9]) -> [u64; 9] {
    let mut scratch = Scratch { low: [0; 9], b };
    // SAFETY: reads the nine words after each of the two references, and writes only registers and
    // the scratch; rbx and rbp, which cannot be operands, are restored; the features are the
    // function's.
    unsafe {
        asm!(
            concat!(
                "push rbx\n",
                "push rbp\n",
                "xor ebx, ebx\n",
                "xor ebp, ebp\n",
                row!(0, "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rbx" "rbp"),
                row!(8, "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rbx" "rbp" "r8"),
                row!(16, "r10" "r11" "r12" "r13" "r14" "r15" "rbx" "rbp" "r8" "r9"),
                row!(24, "r11" "r12" "r13" "r14" "r15" "rbx" "rbp" "r8" "r9" "r10"),
                row!(32, "r12" "r13" "r14" "r15" "rbx" "rbp" "r8" "r9" "r10" "r11"),
                row!(40, "r13" "r14" "r15" "rbx" "rbp" "r8" "r9" "r10" "r11" "r12"),
                row!(48, "r14" "r15" "rbx" "rbp" "r8" "r9" "r10" "r11" "r12" "r13"),
                row!(56, "r15" "rbx" "rbp" "r8" "r9" "r10" "r11" "r12" "r13" "r14"),
                row!(64, "rbx" "rbp" "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"),
                // The upper words are rbp and t0 to t6, of 1042 bits in all; from bit 521 on:
                "mov rax, [rdi + 64]\n",
                "mov rcx, rax\n",
                "and rcx, 511\n",
                "shrd rax, rbp, 9\n",
                "shrd rbp, r8, 9\n",
                "shrd r8, r9, 9\n",
                "shrd r9, r10, 9\n",
                "shrd r10, r11, 9\n",
                "shrd r11, r12, 9\n",
                "shrd r12, r13, 9\n",
                "shrd r13, r14, 9\n",
                "shr r14, 9\n",
                // One more than the sum has bit 521 set exactly if the sum is not below p.
                "stc\n",
                "adc rax, [rdi]\n",
                "adc rbp, [rdi + 8]\n",
                "adc r8, [rdi + 16]\n",
                "adc r9, [rdi + 24]\n",
                "adc r10, [rdi + 32]\n",
                "adc r11, [rdi + 40]\n",
                "adc r12, [rdi + 48]\n",
                "adc r13, [rdi + 56]\n",
                "adc r14, rcx\n",
                "cmp r14, 512\n",
                "sbb rax, 0\n",
                "sbb rbp, 0\n",
                "sbb r8, 0\n",
                "sbb r9, 0\n",
                "sbb r10, 0\n",
                "sbb r11, 0\n",
                "sbb r12, 0\n",
                "sbb r13, 0\n",
                "sbb r14, 0\n",
                "and r14, 511\n",
                "mov [rdi], rax\n",
                "mov [rdi + 8], rbp\n",
                "mov [rdi + 16], r8\n",
                "mov [rdi + 24], r9\n",
                "mov [rdi + 32], r10\n",
                "mov [rdi + 40], r11\n",
                "mov [rdi + 48], r12\n",
                "mov [rdi + 56], r13\n",
                "mov [rdi + 64], r14\n",
                "pop rbp\n",
                "pop rbx",
            ),
            in("rsi") a,
            in("rdi") &raw mut scratch,
            inout("r8") 0u64 => _,
            inout("r9") 0u64 => _,
            inout("r10") 0u64 => _,
            inout("r11") 0u64 => _,
            inout("r12") 0u64 => _,
            inout("r13") 0u64 => _,
            inout("r14") 0u64 => _,
            inout("r15") 0u64 => _,
            out("rax") _,
            out("rcx") _,
            out("rdx") _,
        );
    }
    scratch.low
}

/// `a^2`.
#[inline]
#[target_feature(enable = "bmi2,adx")]
pub(crate) fn square(a: &[u64; 9]) -> [u64; 9] {
    multiply(a, a)
}
