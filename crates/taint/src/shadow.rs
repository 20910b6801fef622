//! What is secret, byte by byte: the part that no architecture changes.

use crate::arena::reserve;

/// What must not depend on a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leak {
    /// The condition of a jump.
    Branch,
    /// The address that a jump, a call or a return goes to.
    Target,
    /// The address of a load or a store.
    Address,
    /// An operand of an instruction whose time depends on it.
    Time,
    /// A secret reached an instruction that the tool does not know.
    Unknown,
}

/// Bytes of the address space: of programs; on ARM64 it is only tests' of the model.
const SPACE: usize = if cfg!(target_arch = "x86_64") {
    1 << 47
} else {
    1 << 20
};

/// A bit for each byte of the address space: pages of it exist where they were written.
pub(crate) struct Memory(*mut u8);

impl Memory {
    pub(crate) fn new() -> Option<Self> {
        let place = reserve(0, SPACE >> 3);
        (!place.is_null()).then_some(Memory(place))
    }

    /// Up to 64 bytes.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn load(&self, address: u64, size: u32) -> u64 {
        let place = (address as usize & (SPACE - 1)) >> 3;
        // SAFETY: in the mapping, whose last bytes are of addresses that no program has.
        let bits = unsafe { self.0.add(place).cast::<u128>().read_unaligned() };
        (bits >> (address & 7)) as u64 & low(size)
    }

    /// Sets those of the bytes that are in `written`.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn store(&mut self, address: u64, value: u64, written: u64) {
        if self.load(address, 64) & written == value & written {
            return;
        }
        let place = (address as usize & (SPACE - 1)) >> 3;
        // SAFETY: as above.
        unsafe {
            let place = self.0.add(place).cast::<u128>();
            let shift = address & 7;
            let bits = place.read_unaligned() & !(u128::from(written) << shift);
            place.write_unaligned(bits | u128::from(value & written) << shift);
        }
    }

    pub(crate) fn fill(&mut self, address: u64, len: u64, secret: bool) {
        for at in (0..len).step_by(64) {
            let written = low((len - at).min(64) as u32);
            self.store(address + at, if secret { written } else { 0 }, written);
        }
    }

    #[cfg(target_arch = "x86_64")]
    pub(crate) fn copy(&mut self, to: u64, from: u64, len: u64) {
        for at in (0..len).step_by(64) {
            let size = (len - at).min(64) as u32;
            self.store(to + at, self.load(from + at, size), low(size));
        }
    }
}

impl Drop for Memory {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and nothing points to it.
        unsafe { libc::munmap(self.0.cast(), SPACE >> 3) };
    }
}

/// The lowest `count` bits.
pub(crate) fn low(count: u32) -> u64 {
    match count {
        64.. => u64::MAX,
        _ => (1 << count) - 1,
    }
}

/// Every byte of an element whose any byte is in `bytes`.
#[inline(always)]
pub(crate) fn elements(bytes: u64, size: u32) -> u64 {
    let lowest = match size {
        1 => return bytes,
        2 => 0x5555_5555_5555_5555,
        4 => 0x1111_1111_1111_1111,
        8 => 0x0101_0101_0101_0101,
        16 => 0x0001_0001_0001_0001,
        32 => 0x0000_0001_0000_0001u64,
        _ => 1,
    };
    let mut any = bytes;
    let mut width = 1;
    while width < size.min(64) {
        any |= any >> width;
        width *= 2;
    }
    (any & lowest).wrapping_mul(low(size))
}

/// The lowest of the bytes, and all above it: how far a carry gets.
pub(crate) fn upwards(bytes: u64) -> u64 {
    !(bytes & bytes.wrapping_neg()).wrapping_sub(1) & if bytes == 0 { 0 } else { u64::MAX }
}
