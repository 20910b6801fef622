//! Instructions on general registers and flags, and jumps.

use super::state::{State, all, field, is, moved};
use crate::shadow::{Leak, low, upwards};

/// Bytes of the operands: 8, or 4.
fn width(word: u32) -> u32 {
    if word >> 31 != 0 { 8 } else { 4 }
}

/// The number that an immediate of a logical instruction stands for.
fn logical_immediate(word: u32) -> u64 {
    let (n, turn, ones) = (field(word, 22, 1), field(word, 16, 6), field(word, 10, 6));
    let size = 1 << (n << 6 | (!ones & 0x3f)).checked_ilog2().unwrap_or(0);
    let element = (1u128 << (1 + (ones & (size - 1)))) - 1;
    let turn = turn & (size - 1);
    let turned = element >> turn | element << (size - turn);
    let turned = turned as u64 & (u64::MAX >> (64 - size));
    (0..64 / size).fold(0, |value, n| value | turned << (n * size))
}

/// The bytes of a number that are this.
fn bytes_that_are(number: u64, byte: u8) -> u64 {
    let bytes = number.to_le_bytes().into_iter().enumerate();
    bytes.fold(0, |all, (n, b)| all | u64::from(b == byte) << n)
}

/// Bytes in the opposite order within groups of this many.
pub(super) fn reversed(bytes: u64, group: u32) -> u64 {
    (0..16).fold(0, |all, n| all | (bytes >> n & 1) << (n ^ (group - 1)))
}

impl State {
    /// Shifted as an instruction says: left, right, right with the sign, or around.
    fn shifted(&mut self, register: u32, kind: u32, by: u32, width: u32) -> u64 {
        let value = self.x(register, width);
        let (size, sign) = (8 * width, value >> (width - 1) != 0);
        match kind {
            _ if by == 0 || value == 0 => value,
            0 => moved(value, 0, size - by, by),
            1 => moved(value, by, size - by, 0),
            2 => {
                let filled = all(sign, width) & !low((size - by) / 8);
                moved(value, by, size - by, 0) | filled
            }
            _ => moved(value, by, size - by, 0) | moved(value, 0, by, size - by),
        }
    }

    /// Data processing with an immediate.
    pub(super) fn immediate(&mut self, word: u32) {
        let (rd, rn, width) = (field(word, 0, 5), field(word, 5, 5), width(word));
        let opcode = field(word, 29, 2);
        match field(word, 23, 3) {
            0 | 1 => self.set_x(rd, 0, 8),
            2 => {
                let value = self.x_or_sp(rn, width);
                if opcode & 1 != 0 {
                    self.flags = value != 0;
                    self.set_x(rd, upwards(value), width);
                } else {
                    self.set_x_or_sp(rd, upwards(value), width);
                }
            }
            4 => {
                let (value, by) = (self.x(rn, width), logical_immediate(word));
                match opcode {
                    1 => self.set_x_or_sp(rd, value & !bytes_that_are(by, 0xff), width),
                    2 => self.set_x_or_sp(rd, value, width),
                    _ => {
                        let value = value & !bytes_that_are(by, 0);
                        if opcode == 3 {
                            self.flags = value != 0;
                            self.set_x(rd, value, width);
                        } else {
                            self.set_x_or_sp(rd, value, width);
                        }
                    }
                }
            }
            5 => {
                // MOVK keeps the other bytes.
                let kept = all(opcode == 3, 8) & !(3 << (2 * field(word, 21, 2)));
                let value = self.x(rd, width) & kept;
                self.set_x(rd, value, width);
            }
            6 => self.bits(word, width),
            7 if opcode == 0 => {
                let (high, low) = (self.x(rn, width), self.x(field(word, 16, 5), width));
                let (by, size) = (field(word, 10, 6), 8 * width);
                let value = moved(low, by, size - by, 0) | moved(high, 0, by, size - by);
                self.set_x(rd, value, width);
            }
            _ => self.unknown(),
        }
    }

    /// UBFM, SBFM and BFM: shifts, extensions, and what moves bits.
    fn bits(&mut self, word: u32, width: u32) {
        let (rd, rn) = (field(word, 0, 5), field(word, 5, 5));
        let (r, s) = (field(word, 16, 6), field(word, 10, 6));
        let source = self.x(rn, width);
        let (from, len, to) = match s >= r {
            true => (r, s - r + 1, 0),
            false => (0, s + 1, 8 * width - r),
        };
        let mut value = moved(source, from, len, to);
        match field(word, 29, 2) {
            // The sign goes to all above.
            0 if source >> (s / 8) & 1 != 0 => value |= low(width) & !low((to + len) / 8),
            1 => {
                // What is not wholly written is kept.
                let written = low((to + len) / 8) & !low(to.div_ceil(8));
                value |= self.x(rd, width) & !written;
            }
            _ => {}
        }
        self.set_x(rd, value, width);
    }

    /// Data processing of registers.
    pub(super) fn register(&mut self, word: u32) {
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let (width, opcode, amount) = (width(word), field(word, 29, 2), field(word, 10, 6));
        let kind = field(word, 22, 2);
        let sets_flags = opcode & 1 != 0;
        if is!(word, "xxx01010") {
            let inverts = field(word, 21, 1) != 0;
            let second = self.shifted(rm, kind, amount, width);
            let mut value = second | self.x(rn, width);
            // One register twice: exclusive or, and AND NOT.
            let constant = (opcode == 2 && !inverts) || (matches!(opcode, 0 | 3) && inverts);
            if rn == rm && amount == 0 && constant {
                value = 0;
            }
            self.set_x(rd, value, width);
            if opcode == 3 {
                self.flags = value != 0;
            }
        } else if is!(word, "xxx01011") {
            let extended = field(word, 21, 1) != 0;
            let second = match extended {
                true => self.extended(rm, field(word, 13, 3), field(word, 10, 3)),
                false => self.shifted(rm, kind, amount, width),
            };
            let first = match extended {
                true => self.x_or_sp(rn, width),
                false => self.x(rn, width),
            };
            let difference = opcode >= 2 && !extended && rn == rm && amount == 0;
            let value = if difference {
                0
            } else {
                upwards(first | second)
            };
            if extended && !sets_flags {
                self.set_x_or_sp(rd, value, width);
            } else {
                self.set_x(rd, value, width);
            }
            if sets_flags {
                self.flags = value & low(width) != 0;
            }
        } else if is!(word, "xxx11010000xxxxx000000") {
            let mut value = upwards(self.x(rn, width) | self.x(rm, width));
            // Minus one, or zero, by the carry.
            if opcode >= 2 && rn == rm {
                value = 0;
            }
            let value = value | all(self.flags(), width);
            self.set_x(rd, value, width);
            if sets_flags {
                self.flags = value != 0;
            }
        } else if is!(word, "xx111010010") {
            let second = match field(word, 11, 1) {
                0 => self.x(rm, width),
                _ => 0,
            };
            self.flags = self.flags() | (second | self.x(rn, width) != 0);
        } else if is!(word, "xx011010100") {
            let mut value = self.x(rm, width);
            if field(word, 10, 1) != 0 {
                // One more, or the negative.
                value = upwards(value);
            }
            value |= self.x(rn, width);
            if self.flags() {
                // Zero or one is a byte.
                let is_bit = rn == 31 && rm == 31 && opcode < 2;
                value |= if is_bit { 1 } else { low(width) };
            }
            self.set_x(rd, value, width);
        } else if is!(word, "x0011010110") {
            let any = self.x(rn, width) | self.x(rm, 8) != 0;
            if let 2 | 3 = field(word, 10, 6) {
                self.must_be_public(any, Leak::Time);
            }
            self.set_x(rd, all(any, width), width);
        } else if is!(word, "x101101011000000") {
            let value = self.x(rn, width);
            let value = match field(word, 10, 6) {
                // RBIT, REV16, REV32 or REV, REV.
                0 | 3 => reversed(value, width),
                1 => reversed(value, 2),
                2 => reversed(value, 4),
                // A count.
                _ => u64::from(value != 0),
            };
            self.set_x(rd, value, width);
        } else if is!(word, "x0011011") {
            let (kind, ra) = (field(word, 21, 3), field(word, 10, 5));
            let of = if kind & 3 == 1 { 4 } else { width };
            let value = self.x(rn, of) | self.x(rm, of);
            let value = match kind & 3 {
                2 => all(value != 0, 8),
                _ => upwards(value | self.x(ra, width)),
            };
            self.set_x(rd, value, width);
        } else {
            self.unknown();
        }
    }

    /// An operand that is extended from so many bytes, and shifted to the left.
    pub(super) fn extended(&mut self, register: u32, option: u32, by: u32) -> u64 {
        let bytes = 1 << (option & 3);
        let mut value = self.x(register, bytes);
        if option & 4 != 0 && value >> (bytes - 1) != 0 {
            value |= low(8) & !low(bytes);
        }
        moved(value, 0, 64 - by, by)
    }

    /// Jumps, and instructions of the system.
    pub(super) fn branch(&mut self, word: u32) {
        let rt = field(word, 0, 5);
        if is!(word, "x00101") {
            if word >> 31 != 0 {
                self.set_x(30, 0, 8);
            }
        } else if is!(word, "x011010") {
            let value = self.x(rt, width(word));
            self.must_be_public(value != 0, Leak::Branch);
        } else if is!(word, "x011011") {
            let bit = field(word, 31, 1) << 5 | field(word, 19, 5);
            let value = self.x(rt, 8) >> (bit / 8) & 1;
            self.must_be_public(value != 0, Leak::Branch);
        } else if is!(word, "01010100") {
            // The last two conditions are none.
            let flags = field(word, 0, 4) < 14 && self.flags();
            self.must_be_public(flags, Leak::Branch);
        } else if is!(word, "1101011") {
            let target = self.x(field(word, 5, 5), 8);
            self.must_be_public(target != 0, Leak::Target);
            if field(word, 21, 2) == 1 {
                self.set_x(30, 0, 8);
            }
        } else if is!(word, "1101010100 0000 11 0010 xxxx xxx 11111") {
            // Hints: two of them are ours.
            self.mark = match field(word, 5, 7) {
                112 => Some((true, None)),
                113 => Some((false, None)),
                _ => self.mark,
            };
        } else if is!(word, "11010101000000110011") || is!(word, "1101010100000xxx0100") {
            // Barriers, and bits of the state of the processor.
        } else if is!(word, "110101010011") {
            let flags = is!(word, "11010101001 1 1 011 0100 0010 000") && self.flags();
            self.set_x(rt, if flags { 8 } else { 0 }, 8);
        } else if is!(word, "110101010001") {
            let value = self.x(rt, 8) != 0;
            match is!(word, "11010101000 1 1 011 0100 0010 000") {
                true => self.flags = value,
                false => self.must_be_public(value, Leak::Unknown),
            }
        } else if is!(word, "1101010100001") {
            // Caches, and DC ZVA: the zeros that it writes keep the secrecy of what was there.
            let address = self.x(rt, 8);
            self.must_be_public(address != 0, Leak::Address);
        } else if is!(word, "11010100") {
            // A call of the system.
            self.set_x(0, 0, 8);
        } else {
            self.unknown();
        }
    }
}
