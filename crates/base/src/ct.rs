//! Constant-time building blocks: choices as masks, barriers that hide them from the optimiser,
//! and secrecy marks.
//!
//! A mask made by arithmetic is no protection by itself: the compiler recognises it as a boolean
//! and brings back the branch. Every mask therefore passes through [`barrier`], an empty `asm!`
//! block whose output the compiler knows nothing about.
//!
//! Secrecy marks say what is secret and where something stops being so. With the feature `taint`
//! (x86-64) they become Valgrind client requests: secret bytes count as uninitialised, so that
//! Memcheck reports every branch and address which depends on them. Otherwise they vanish.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// Hides `x` from the optimiser: the result equals `x`, but the compiler cannot know it.
#[inline(always)]
#[must_use]
#[allow(unsafe_code)]
pub fn barrier(x: u64) -> u64 {
    #[cfg(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "riscv64",
        target_arch = "s390x",
        target_arch = "loongarch64",
        all(target_arch = "powerpc64", target_endian = "little")
    ))]
    {
        let mut x = x;
        // SAFETY: the block is empty: it reads and writes one register and nothing else.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags))
        };
        x
    }
    #[cfg(any(target_arch = "x86", target_arch = "arm", target_arch = "riscv32"))]
    {
        let (mut lo, mut hi) = (x as u32, (x >> 32) as u32);
        // SAFETY: the block is empty: it reads and writes two registers and nothing else.
        unsafe {
            core::arch::asm!("/* {0} {1} */", inout(reg) lo, inout(reg) hi, options(pure, nomem, nostack, preserves_flags))
        };
        u64::from(lo) | u64::from(hi) << 32
    }
    #[cfg(not(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "riscv64",
        target_arch = "s390x",
        target_arch = "loongarch64",
        all(target_arch = "powerpc64", target_endian = "little"),
        target_arch = "x86",
        target_arch = "arm",
        target_arch = "riscv32"
    )))]
    {
        core::hint::black_box(x)
    }
}

/// A decision on secrets: all ones or all zeros.
///
/// ```
/// use adamant_base::ct::Choice;
/// let yes = Choice::eq_u64(3, 3);
/// assert_eq!(yes.select_u64(10, 20), 10);
/// assert!((!yes).or(yes).declassify());
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct Choice(u64);

impl Choice {
    /// True.
    pub const TRUE: Choice = Choice(u64::MAX);
    /// False.
    pub const FALSE: Choice = Choice(0);

    /// True where the lowest bit of `bit` is set; the other bits must be zero.
    #[inline(always)]
    pub fn from_bit(bit: u64) -> Self {
        debug_assert!(bit <= 1);
        Choice(barrier(bit.wrapping_neg()))
    }

    /// True where `a == b`.
    #[inline(always)]
    pub fn eq_u64(a: u64, b: u64) -> Self {
        !Self::nonzero(a ^ b)
    }

    /// True where `a < b`.
    #[inline(always)]
    pub fn lt_u64(a: u64, b: u64) -> Self {
        // The borrow of a - b, from the formula for the carry out of the top bit.
        Self::from_bit(((!a & b) | ((!a | b) & a.wrapping_sub(b))) >> 63)
    }

    /// True where `x != 0`.
    #[inline(always)]
    pub fn nonzero(x: u64) -> Self {
        let x = barrier(x);
        Self::from_bit((x | x.wrapping_neg()) >> 63)
    }

    /// The mask: all ones for true, zero for false.
    #[inline(always)]
    #[must_use]
    pub fn mask(self) -> u64 {
        barrier(self.0)
    }

    /// 1 for true, 0 for false.
    #[inline(always)]
    #[must_use]
    pub fn bit(self) -> u64 {
        self.mask() & 1
    }

    /// `a` where true, `b` where false.
    #[inline(always)]
    #[must_use]
    pub fn select_u64(self, a: u64, b: u64) -> u64 {
        b ^ (self.mask() & (a ^ b))
    }

    /// Sets `to` to `from` where true.
    #[inline(always)]
    pub fn assign<const N: usize>(self, to: &mut [u64; N], from: &[u64; N]) {
        for (t, f) in to.iter_mut().zip(from) {
            *t = self.select_u64(*f, *t);
        }
    }

    /// Exchanges `a` and `b` where true.
    #[inline(always)]
    pub fn swap<const N: usize>(self, a: &mut [u64; N], b: &mut [u64; N]) {
        for (x, y) in a.iter_mut().zip(b) {
            let t = self.mask() & (*x ^ *y);
            *x ^= t;
            *y ^= t;
        }
    }

    /// Logical and.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Choice(self.0 & other.0)
    }

    /// Logical or.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        Choice(self.0 | other.0)
    }

    /// Makes the decision public: from here on the program may branch on it. Say why at the call.
    #[inline(always)]
    #[must_use]
    pub fn declassify(self) -> bool {
        let mut bit = self.bit();
        mark_public_value(&mut bit);
        bit == 1
    }
}

impl core::ops::Not for Choice {
    type Output = Choice;
    #[inline(always)]
    fn not(self) -> Choice {
        Choice(!self.0)
    }
}

/// True where the two byte strings are equal. Their lengths are public.
#[inline]
pub fn eq(a: &[u8], b: &[u8]) -> Choice {
    if a.len() != b.len() {
        return Choice::FALSE;
    }
    let mut difference = 0u64;
    for (x, y) in a.iter().zip(b) {
        difference |= u64::from(x ^ y);
    }
    !Choice::nonzero(difference)
}

/// The text of some bytes of ASCII. Nothing looks at them, as a check of UTF-8 does: a byte that is not
/// of ASCII loses its top bit.
///
/// ```
/// assert_eq!(adamant_base::ct::ascii(b"text".to_vec()), "text");
/// ```
#[cfg(feature = "alloc")]
#[inline]
#[must_use]
#[allow(unsafe_code)]
pub fn ascii(mut bytes: Vec<u8>) -> String {
    bytes.iter_mut().for_each(|byte| *byte &= 0x7f);
    // SAFETY: bytes below 80 are UTF-8.
    unsafe { String::from_utf8_unchecked(bytes) }
}

/// Has this thread's instructions take the same time whatever their data are, where that is a mode
/// of the CPU: ARM64 with FEAT_DIT promises it only while the bit DIT of the thread's state is set.
/// It stays set: the program pays little for it, and operations on secrets follow each other. Calls
/// of implementations (see [`backends!`](crate::backends)) do this themselves.
#[inline(always)]
pub fn keep_time() {
    #[cfg(target_arch = "aarch64")]
    dit::set();
}

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod dit {
    /// Whether the CPU has the bit, whatever `ADAMANT_CPU` takes away: nothing is to be chosen here.
    #[inline(always)]
    fn exists() -> bool {
        #[cfg(feature = "std")]
        return std::arch::is_aarch64_feature_detected!("dit");
        #[cfg(not(feature = "std"))]
        return cfg!(target_feature = "dit");
    }

    #[inline(always)]
    pub(super) fn set() {
        if exists() {
            // SAFETY: the CPU has the bit.
            unsafe {
                if !is_set() {
                    set_bit();
                }
            }
        }
    }

    /// Registers have their numbers here: assemblers for older CPUs do not know their names.
    ///
    /// # Safety
    /// The CPU has the bit.
    #[inline(always)]
    unsafe fn is_set() -> bool {
        let state: u64;
        // SAFETY: `mrs x, dit`: programs may read the register that the CPU has.
        unsafe {
            core::arch::asm!(
                "mrs {}, s3_3_c4_c2_5",
                out(reg) state,
                options(nomem, nostack, preserves_flags)
            );
        }
        state >> 24 & 1 == 1
    }

    /// # Safety
    /// The CPU has the bit.
    #[inline(always)]
    unsafe fn set_bit() {
        // SAFETY: `msr dit, #1`: programs may set the bit that the CPU has.
        unsafe {
            core::arch::asm!(
                "msr s0_3_c4_c1_2, xzr",
                options(nomem, nostack, preserves_flags)
            );
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        crate::backends! {
            /// What any operation is.
            struct Backend {
                /// Does nothing.
                fn nothing();
            }
            _ => portable;
        }
        mod portable {
            pub(super) fn nothing() {}
        }

        #[test]
        fn a_call_of_an_implementation_sets_it() {
            Backend::portable().nothing();
            // SAFETY: the bit is looked at where it is.
            assert!(!exists() || unsafe { is_set() });
        }

        /// Emulators have the bit without telling programs; the CPU's own word is this register's
        /// (ID_AA64PFR0, bits 48 to 51).
        #[test]
        #[cfg(target_os = "linux")]
        fn the_bit_is_that_bit() {
            if crate::cpu::main_id().is_none() {
                return;
            }
            let features: u64;
            // SAFETY: the system lets programs read registers that identify the CPU.
            unsafe { core::arch::asm!("mrs {}, id_aa64pfr0_el1", out(reg) features) };
            if features >> 48 & 0xf != 0 {
                // SAFETY: the CPU has the bit.
                unsafe {
                    set_bit();
                    assert!(is_set());
                }
            }
        }
    }
}

/// Marks the bytes of `value` as secret: under the taint check, a branch or an address that
/// depends on them is reported.
#[inline(always)]
pub fn mark_secret(value: &[u8]) {
    request(MAKE_MEM_UNDEFINED, value.as_ptr() as usize, value.len());
}

/// Marks the bytes of `value` as public again. Say why at the call.
#[inline(always)]
pub fn mark_public(value: &[u8]) {
    request(MAKE_MEM_DEFINED, value.as_ptr() as usize, value.len());
}

/// Marks an integer, or an array of integers, as secret.
///
/// The reference is exclusive, so that the compiler cannot go on with a copy that it holds in a
/// register and that would keep its old mark.
#[inline(always)]
pub fn mark_secret_value<T: Copy>(value: &mut T) {
    request(
        MAKE_MEM_UNDEFINED,
        core::ptr::from_mut(value) as usize,
        size_of::<T>(),
    );
}

/// Marks an integer, or an array of integers, as public again. Say why at the call.
#[inline(always)]
pub fn mark_public_value<T: Copy>(value: &mut T) {
    request(
        MAKE_MEM_DEFINED,
        core::ptr::from_mut(value) as usize,
        size_of::<T>(),
    );
}

/// Memcheck's client requests (`memcheck.h`): the tool's letters "MC", then the number.
const MAKE_MEM_UNDEFINED: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16 | 1;
const MAKE_MEM_DEFINED: usize = MAKE_MEM_UNDEFINED + 1;

/// Sends a request to Valgrind, if this runs under it: a sequence of rotations that add up to
/// nothing on the CPU, and that Valgrind recognises (`valgrind.h`, amd64).
#[cfg(all(feature = "taint", target_arch = "x86_64"))]
#[inline(always)]
#[allow(unsafe_code)]
fn request(request: usize, address: usize, len: usize) {
    let arguments: [usize; 6] = [request, address, len, 0, 0, 0];
    // SAFETY: the rotations of rdi add up to 128 bits and the exchange is of a register with
    // itself: on the CPU the block changes only flags. Valgrind reads `arguments`, sets its own
    // books for the named bytes and writes its answer to rdx. The block counts as reading and
    // writing memory, so values are in memory before it and are loaded again after it.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            inout("rdx") 0usize => _,
            in("rax") arguments.as_ptr(),
            options(nostack)
        );
    }
}

/// Says the same to the follower of secrets, which sees instructions and addresses in an emulator: a
/// hint, which no CPU knows and all pass over, and loads of the first and the last byte.
#[cfg(all(feature = "taint", target_arch = "aarch64"))]
#[inline(always)]
#[allow(unsafe_code)]
fn request(request: usize, address: usize, len: usize) {
    let Some(above) = len.checked_sub(1) else {
        return;
    };
    // SAFETY: both bytes are of the value, and what is loaded goes nowhere. The block counts as
    // reading and writing memory, as above.
    unsafe {
        if request == MAKE_MEM_UNDEFINED {
            core::arch::asm!("hint #112", "ldrb wzr, [{first}]", "ldrb wzr, [{last}]",
                first = in(reg) address, last = in(reg) address + above, options(nostack));
        } else {
            core::arch::asm!("hint #113", "ldrb wzr, [{first}]", "ldrb wzr, [{last}]",
                first = in(reg) address, last = in(reg) address + above, options(nostack));
        }
    }
}

#[cfg(not(all(
    feature = "taint",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
#[inline(always)]
fn request(_request: usize, _address: usize, _len: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_agree_with_plain_comparisons() {
        let edges = [
            0,
            1,
            2,
            0x7fff_ffff_ffff_ffff,
            1 << 63,
            u64::MAX - 1,
            u64::MAX,
        ];
        for a in edges {
            assert_eq!(Choice::nonzero(a).declassify(), a != 0);
            for b in edges {
                assert_eq!(Choice::eq_u64(a, b).declassify(), a == b);
                assert_eq!(Choice::lt_u64(a, b).declassify(), a < b, "{a} {b}");
                assert_eq!(
                    Choice::eq_u64(a, b).select_u64(1, 2),
                    if a == b { 1 } else { 2 }
                );
            }
        }
    }

    #[test]
    #[cfg(feature = "alloc")]
    fn ascii_is_itself_and_all_else_becomes_it() {
        let all: Vec<u8> = (0..=255).collect();
        let text = ascii(all.clone());
        assert_eq!(text.as_bytes()[..128], all[..128]);
        assert_eq!(text.as_bytes()[128..], all[..128]);
    }

    #[test]
    fn swap_and_assign() {
        let (mut a, mut b) = ([1, 2], [3, 4]);
        Choice::FALSE.swap(&mut a, &mut b);
        assert_eq!((a, b), ([1, 2], [3, 4]));
        Choice::TRUE.swap(&mut a, &mut b);
        assert_eq!((a, b), ([3, 4], [1, 2]));
        Choice::FALSE.assign(&mut a, &b);
        assert_eq!(a, [3, 4]);
        Choice::TRUE.assign(&mut a, &b);
        assert_eq!(a, [1, 2]);
    }

    #[test]
    fn byte_strings() {
        assert!(eq(b"", b"").declassify());
        assert!(eq(b"abc", b"abc").declassify());
        assert!(!eq(b"abc", b"abd").declassify());
        assert!(!eq(b"abc", b"ab").declassify());
    }
}
