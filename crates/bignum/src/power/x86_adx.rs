//! 64-bit limbs with two chains of carries side by side: `mulx` leaves the flags alone, `adcx`
//! carries in one of them and `adox` in the other.
//!
//! In assembly, as the compiler emits neither of the two additions.

use super::{Multiplier, Task, montgomery, strong};
use crate::Modulus;
use adamant_base::ct::Choice;

/// `acc += a b`; the limb that is carried out.
#[inline]
#[target_feature(enable = "adx,bmi2")]
#[allow(unsafe_code)]
fn add_multiple(acc: &mut [u64], a: &[u64], b: u64) -> u64 {
    assert_eq!(acc.len(), a.len());
    let (blocks, rest) = (a.len() / 4, a.len() % 4);
    let mut carry = 0u64;
    // SAFETY: the block reads 4 `blocks` limbs from `a` and reads and writes as many of `acc`,
    // which has the same length. The loop counts with `lea` and leaves with `jrcxz`, so both
    // carries live through it; it writes no other memory and uses no stack.
    unsafe {
        core::arch::asm!(
            "xor {low:e}, {low:e}", // clears both carries
            "jrcxz 3f",
            "2:",
            "mulx {high}, {low}, [{a}]",
            "adcx {low}, {carry}",
            "adox {low}, [{acc}]",
            "mov [{acc}], {low}",
            "mulx {carry}, {low}, [{a} + 8]",
            "adcx {low}, {high}",
            "adox {low}, [{acc} + 8]",
            "mov [{acc} + 8], {low}",
            "mulx {high}, {low}, [{a} + 16]",
            "adcx {low}, {carry}",
            "adox {low}, [{acc} + 16]",
            "mov [{acc} + 16], {low}",
            "mulx {carry}, {low}, [{a} + 24]",
            "adcx {low}, {high}",
            "adox {low}, [{acc} + 24]",
            "mov [{acc} + 24], {low}",
            "lea {a}, [{a} + 32]",
            "lea {acc}, [{acc} + 32]",
            "lea rcx, [rcx - 1]",
            "jrcxz 3f",
            "jmp 2b",
            "3:",
            "mov {low:e}, 0",
            "adcx {carry}, {low}",
            "adox {carry}, {low}",
            a = inout(reg) a.as_ptr() => _,
            acc = inout(reg) acc.as_mut_ptr() => _,
            low = out(reg) _,
            high = out(reg) _,
            carry = inout(reg) carry,
            inout("rcx") blocks => _,
            in("rdx") b,
            options(nostack)
        );
    }
    let done = a.len() - rest;
    for (t, a) in acc[done..].iter_mut().zip(&a[done..]) {
        (*t, carry) = crate::limbs::mul_add_carry(*t, *a, b, carry);
    }
    carry
}

#[target_feature(enable = "adx,bmi2")]
pub(super) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    let f = Multiplier::new(|acc: &mut [u64], a: &[u64], b| add_multiple(acc, a, b));
    montgomery::product(f, out, a, b);
}

#[inline(never)]
#[target_feature(enable = "adx,bmi2")]
pub(super) fn multiply(out: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
    let f = Multiplier::new(|acc: &mut [u64], a: &[u64], b| add_multiple(acc, a, b));
    montgomery::multiply(f, out, a, b, modulus.limbs(), modulus.n0());
}

#[target_feature(enable = "adx,bmi2")]
pub(super) fn power(tasks: &mut [Task<'_>]) {
    montgomery::power(|out, a, b, m| multiply(out, a, b, m), tasks);
}

#[target_feature(enable = "adx,bmi2")]
pub(super) fn power_vartime(tasks: &mut [Task<'_>]) {
    montgomery::power_vartime(|out, a, b, m| multiply(out, a, b, m), tasks);
}

#[target_feature(enable = "adx,bmi2")]
pub(super) fn strong_to_two(numbers: &[&[u64]], passed: &mut [Choice]) {
    strong::by_power(numbers, passed, |tasks| power(tasks));
}
