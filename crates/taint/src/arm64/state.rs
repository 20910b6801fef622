//! What is secret in ARM64's registers and memory, and how instructions read and write it.

use crate::shadow::{Leak, Memory, low};

/// Bits `at` and above of an instruction, so many of them.
pub(super) fn field(word: u32, at: u32, len: u32) -> u32 {
    word >> at & ((1 << len) - 1)
}

/// Which bits of an instruction are given, and what they are: `0`, `1`, or `x` for any, from bit 31 on;
/// those that are left out at the end may be anything, and spaces mean nothing.
pub(super) const fn pattern(text: &str) -> (u32, u32) {
    let (bytes, mut at, mut n) = (text.as_bytes(), 32, 0);
    let (mut mask, mut bits) = (0, 0);
    while n < bytes.len() {
        if bytes[n] != b' ' {
            at -= 1;
            if bytes[n] != b'x' {
                mask |= 1 << at;
                bits |= ((bytes[n] - b'0') as u32) << at;
            }
        }
        n += 1;
    }
    (mask, bits)
}

/// Whether an instruction is of a pattern.
macro_rules! is {
    ($word:expr, $pattern:literal) => {{
        const PATTERN: (u32, u32) = $crate::arm64::state::pattern($pattern);
        $word & PATTERN.0 == PATTERN.1
    }};
}
pub(super) use is;

/// A bit for each byte that is secret, and what the current instruction found.
pub(crate) struct State {
    /// 31 general registers and the stack pointer.
    pub(super) general: [u64; 32],
    /// 16 bytes each.
    pub(super) vectors: [u64; 32],
    /// Whether any of the four is secret.
    pub(super) flags: bool,
    pub(super) memory: Memory,
    /// A mark that has been announced: whether it is a secret, and its first byte.
    pub(super) mark: Option<(bool, Option<u64>)>,
    /// The lowest address that the instruction used.
    pub(super) place: Option<u64>,
    /// Whether the model knew that it would.
    pub(super) accessed: bool,
    /// Whether it read something secret.
    pub(super) touched: bool,
    pub(super) leak: Option<Leak>,
}

impl State {
    /// None where the system does not give the address space.
    pub(super) fn new() -> Option<Self> {
        Some(State {
            general: [0; 32],
            vectors: [0; 32],
            flags: false,
            memory: Memory::new()?,
            mark: None,
            place: None,
            accessed: false,
            touched: false,
            leak: None,
        })
    }

    fn read(&mut self, bytes: u64) -> u64 {
        self.touched |= bytes != 0;
        bytes
    }

    /// The lowest bytes of a general register, or of zero.
    pub(super) fn x(&mut self, register: u32, bytes: u32) -> u64 {
        match register {
            31 => 0,
            _ => self.x_or_sp(register, bytes),
        }
    }

    pub(super) fn x_or_sp(&mut self, register: u32, bytes: u32) -> u64 {
        self.read(self.general[register as usize] & low(bytes))
    }

    /// Writes the lowest bytes of a general register; those above become zero.
    pub(super) fn set_x(&mut self, register: u32, value: u64, bytes: u32) {
        if register != 31 {
            self.set_x_or_sp(register, value, bytes);
        }
    }

    pub(super) fn set_x_or_sp(&mut self, register: u32, value: u64, bytes: u32) {
        self.general[register as usize] = value & low(bytes);
    }

    pub(super) fn v(&mut self, register: u32) -> u64 {
        self.read(self.vectors[register as usize])
    }

    pub(super) fn set_v(&mut self, register: u32, value: u64) {
        self.vectors[register as usize] = value & 0xffff;
    }

    pub(super) fn flags(&mut self) -> bool {
        self.touched |= self.flags;
        self.flags
    }

    /// Reports it if that is secret.
    pub(super) fn must_be_public(&mut self, is_secret: bool, leak: Leak) {
        if is_secret {
            self.leak = Some(leak);
        }
    }

    /// An instruction that is not known: nobody knows what it reads either.
    pub(super) fn unknown(&mut self) {
        let registers = self.general.iter().chain(&self.vectors);
        let any = registers.fold(0, |any, bytes| any | bytes) != 0 || self.flags;
        self.touched |= any;
        self.must_be_public(any, Leak::Unknown);
    }

    /// Memory at the address that the instruction used; it must have used one.
    pub(super) fn load(&mut self, bytes: u32) -> u64 {
        self.accessed = true;
        match self.place {
            Some(place) => self.read(self.memory.load(place, bytes)),
            None => {
                self.unknown();
                0
            }
        }
    }

    pub(super) fn store(&mut self, value: u64, bytes: u32) {
        self.accessed = true;
        match self.place {
            Some(place) => self.memory.store(place, value, low(bytes)),
            None => self.unknown(),
        }
    }

    /// Any instruction.
    pub(super) fn step(&mut self, word: u32) {
        match field(word, 25, 4) {
            0b1000 | 0b1001 => self.immediate(word),
            0b1010 | 0b1011 => self.branch(word),
            0b0100 | 0b0110 | 0b1100 | 0b1110 => self.access(word),
            0b0101 | 0b1101 => self.register(word),
            0b0111 | 0b1111 => self.vector(word),
            _ => self.unknown(),
        }
    }
}

/// All bytes, if there are any.
pub(super) fn all(any: bool, bytes: u32) -> u64 {
    if any { low(bytes) } else { 0 }
}

/// So many bits of a register or of memory from `from` on, moved to `to`: the bytes that they get to.
pub(super) fn moved(bytes: u64, from: u32, len: u32, to: u32) -> u64 {
    let mut result = 0;
    if bytes == 0 || len == 0 {
        return 0;
    }
    for byte in to / 8..=(to + len - 1) / 8 {
        // The bits of this byte, and where they come from.
        let first = (8 * byte).max(to) - to + from;
        let last = (8 * byte + 7).min(to + len - 1) - to + from;
        let source = low(last / 8 + 1) & !low(first / 8);
        result |= u64::from(bytes & source != 0) << byte;
    }
    result
}
