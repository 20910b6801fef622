//! Instructions on vectors: secrecy stays in its element where it can.

use super::integer::reversed;
use super::state::{State, all, field, is};
use crate::shadow::{Leak, elements, low};

/// Elements of half the size, each secret if any byte of its whole is.
fn narrowed(bytes: u64, element: u32) -> u64 {
    let wide = elements(bytes, 2 * element);
    (0..64 / element / 2).fold(0, |all, n| {
        all | (wide >> (2 * n * element) & low(element)) << (n * element)
    })
}

/// Elements of twice the size, each secret if any byte of its half is.
fn widened(bytes: u64, element: u32) -> u64 {
    let whole = elements(bytes, element);
    let wide = (0..16 / element / 2).fold(0, |all, n| {
        all | (whole >> (n * element) & low(element)) << (2 * n * element)
    });
    elements(wide, 2 * element)
}

/// What becomes of the elements of two operands.
struct Result {
    value: u64,
    /// What was in the register stays a part of it.
    adds: bool,
}

impl State {
    pub(super) fn vector(&mut self, word: u32) {
        if is!(word, "11001110") {
            self.of_hashes(word);
        } else if is!(word, "x0x1111") {
            self.scalar_float(word);
        } else if is!(word, "01001110xx10100xxxxx10") || is!(word, "01011110xx10100xxxxx10") {
            // AES and SHA with two registers: AESMC and SHA1H have nothing of the first.
            let (rd, rn) = (field(word, 0, 5), field(word, 5, 5));
            let aes = word >> 28 & 1 == 0;
            let keeps = match field(word, 12, 5) {
                opcode if aes => opcode < 6,
                opcode => opcode != 0,
            };
            let kept = if keeps { self.v(rd) } else { 0 };
            let any = self.v(rn) | kept != 0;
            let bytes = if aes || keeps { 16 } else { 4 };
            self.set_v(rd, all(any, bytes));
        } else if is!(word, "01011110xx0xxxxx0xxx00") {
            let any =
                self.v(field(word, 0, 5)) | self.v(field(word, 5, 5)) | self.v(field(word, 16, 5));
            self.set_v(field(word, 0, 5), all(any != 0, 16));
        } else if word >> 31 != 0 {
            self.unknown();
        } else if is!(word, "xxxx1110xx1xxxxxxxxxx1") {
            self.three_same(word);
        } else if is!(word, "xxx01110xx1xxxxxxxxx00") {
            self.three_different(word);
        } else if is!(word, "xxxx1110xx10000xxxxx10") {
            self.two(word);
        } else if is!(word, "xxxx1110xx11000xxxxx10") {
            // Across the elements, or of a pair.
            let value = self.v(field(word, 5, 5)) & low(self.length(word).max(8) * 2);
            let element = 1 << field(word, 22, 2);
            self.set_v(field(word, 0, 5), all(value != 0, 2 * element));
        } else if is!(word, "0xx01110000xxxxx0xxxx1") || is!(word, "01011110000xxxxx000001") {
            self.copy(word);
        } else if is!(word, "0xx01110xx0xxxxxxxxxx1") {
            // Sums of products.
            self.any_of_three(word, true);
        } else if is!(word, "0x001110xx0xxxxx0xxx10") {
            self.permute(word);
        } else if is!(word, "0x101110000xxxxx0xxxx0") {
            let (first, second) = (self.v(field(word, 5, 5)), self.v(field(word, 16, 5)));
            let length = self.length(word);
            let both = first & low(length) | (second & low(length)) << length;
            self.set_v(field(word, 0, 5), both >> field(word, 11, 4) & low(length));
        } else if is!(word, "0x001110000xxxxx0xxx00") {
            self.lookup(word);
        } else if is!(word, "0xx0111100000xxxxxxxx1") {
            // A constant; or bits of one, in what was there.
            let (mode, rd) = (field(word, 12, 4), field(word, 0, 5));
            let kept = mode & 1 != 0 && mode < 12;
            let value = if kept { self.v(rd) } else { 0 };
            self.set_v(rd, value & low(self.length(word)));
        } else if is!(word, "xxxx11110xxxxxxxxxxxx1") {
            self.shift(word);
        } else if is!(word, "xxxx1111xxxxxxxxxxxxx0") {
            self.by_element(word);
        } else {
            self.unknown();
        }
    }

    /// Bytes of the operands: those of a scalar are 8 at most.
    fn length(&self, word: u32) -> u32 {
        match field(word, 30, 1) != 0 && field(word, 28, 1) == 0 {
            true => 16,
            false => 8,
        }
    }

    /// Any byte to all.
    fn any_of_three(&mut self, word: u32, keeps: bool) {
        let rd = field(word, 0, 5);
        let kept = if keeps { self.v(rd) } else { 0 };
        let value = self.v(field(word, 5, 5)) | self.v(field(word, 16, 5)) | kept;
        self.set_v(rd, all(value != 0, 16));
    }

    /// Writes elements, with those of the register where they are a part of the result.
    fn finish(&mut self, word: u32, result: Result, element: u32, length: u32) {
        let rd = field(word, 0, 5);
        let kept = if result.adds { self.v(rd) } else { 0 };
        // A scalar has one.
        let length = match field(word, 28, 1) {
            1 => element.min(8),
            _ => length,
        };
        self.set_v(rd, elements((result.value | kept) & low(length), element));
    }

    /// Writes what is half as long as its operands: to the upper half for the second form.
    fn narrow(&mut self, word: u32, value: u64) {
        let rd = field(word, 0, 5);
        let value = value & low(8);
        match self.length(word) {
            16 => {
                let kept = self.v(rd) & low(8);
                self.set_v(rd, kept | value << 8);
            }
            _ => self.set_v(rd, value),
        }
    }

    /// The half of a register that a widening instruction takes.
    fn half(&mut self, word: u32, register: u32) -> u64 {
        let value = self.v(register);
        match self.length(word) {
            16 => value >> 8,
            _ => value & low(8),
        }
    }

    fn three_same(&mut self, word: u32) {
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let (opcode, u) = (field(word, 11, 5), field(word, 29, 1));
        let (size, length) = (field(word, 22, 2), self.length(word));
        let mut value = self.v(rn) | self.v(rm);
        if opcode == 0b00011 {
            // AND, BIC, ORR, ORN; EOR, BSL, BIT, BIF.
            let value = match (u, size) {
                (1, 1..) => value | self.v(rd),
                (1, 0) | (0, 1) if rn == rm => 0,
                _ => value,
            };
            self.set_v(rd, value & low(length));
            return;
        }
        let is_float = opcode >= 0b11000;
        let element = match is_float {
            true => 4 << (size & 1),
            false => 1 << size,
        };
        match (u, opcode) {
            // Of pairs of neighbours.
            (_, 0b10100 | 0b10101) | (0, 0b10111) => {
                let both = self.v(rn) & low(length) | (self.v(rm) & low(length)) << length;
                self.set_v(rd, narrowed(both, element) & low(length));
                return;
            }
            (1, 0b11000 | 0b11010 | 0b11110) => return self.any_of_three(word, false),
            // Products of shorter elements.
            (0, 0b11101) | (1, 0b11001) => return self.any_of_three(word, true),
            (1, 0b11111) => self.must_be_public(value & low(length) != 0, Leak::Time),
            // A difference or a comparison with itself.
            (1, 0b10000 | 0b10001) if rn == rm => value = 0,
            _ => {}
        }
        let adds = matches!(opcode, 0b01111 | 0b10010 | 0b11001);
        self.finish(word, Result { value, adds }, element, length);
    }

    fn three_different(&mut self, word: u32) {
        let (rn, rm) = (field(word, 5, 5), field(word, 16, 5));
        let (opcode, element) = (field(word, 12, 4), 1 << field(word, 22, 2));
        if let 4 | 6 = opcode {
            let wide = self.v(rn) | self.v(rm);
            self.narrow(word, narrowed(wide, element));
            return;
        }
        let second = self.half(word, rm);
        let value = match opcode {
            1 | 3 => elements(self.v(rn), 2 * element) | widened(second, element),
            _ => {
                let first = self.half(word, rn);
                widened(first | second, element)
            }
        };
        let adds = matches!(opcode, 5 | 8..=11);
        self.finish(word, Result { value, adds }, 2 * element, 16);
    }

    fn two(&mut self, word: u32) {
        let (rd, rn) = (field(word, 0, 5), field(word, 5, 5));
        let (opcode, u) = (field(word, 12, 5), field(word, 29, 1));
        let (size, length) = (field(word, 22, 2), self.length(word));
        let (value, element) = (self.v(rn), 1 << size);
        let result = |value, adds| Result { value, adds };
        match (u, opcode) {
            // REV64, REV32, REV16.
            (_, 0 | 1) => {
                let container = [8, 4, 2, 2][(opcode << 1 | u) as usize];
                // All bytes turned, then those of each element turned back.
                let turned = reversed(reversed(value, container), element);
                self.set_v(rd, turned & low(length));
            }
            // Sums of pairs.
            (_, 0b00010 | 0b00110) => {
                self.finish(word, result(value, opcode == 0b00110), 2 * element, length);
            }
            // Bytes: CNT, NOT, RBIT.
            (_, 0b00101) => self.finish(word, result(value, false), 1, length),
            (_, 0b00011) => self.finish(word, result(value, true), element, length),
            // XTN takes the lower half of an element.
            (0, 0b10010) => self.narrow(word, lower_halves(value, element)),
            (1, 0b10010) | (_, 0b10100) => self.narrow(word, narrowed(value, element)),
            (_, 0b10110) => self.narrow(word, narrowed(value, 2 << (size & 1))),
            (1, 0b10011) => {
                let half = self.half(word, rn);
                self.set_v(rd, widened(half, element));
            }
            (0, 0b10111) => {
                let half = self.half(word, rn);
                self.set_v(rd, widened(half, 2 << (size & 1)));
            }
            _ => {
                let is_float = opcode >= 0b11000 || matches!(opcode, 0b01100..=0b01111);
                let element = if is_float { 4 << (size & 1) } else { element };
                if (u, opcode) == (1, 0b11111) {
                    self.must_be_public(value & low(length) != 0, Leak::Time);
                }
                self.finish(word, result(value, false), element, length);
            }
        }
    }

    fn copy(&mut self, word: u32) {
        let (rd, rn) = (field(word, 0, 5), field(word, 5, 5));
        let (immediate, kind) = (field(word, 16, 5), field(word, 11, 4));
        let shift = immediate.trailing_zeros().min(3);
        let element = 1 << shift;
        let index = (immediate >> (shift + 1)) * element;
        let length = match field(word, 28, 1) {
            1 => element,
            _ => self.length(word),
        };
        let at = |value: u64, index: u32| value >> index & low(element);
        let repeated =
            |part: u64| (0..length / element).fold(0, |all, n| all | part << (n * element));
        if field(word, 29, 1) != 0 {
            // From one vector to another.
            let part = at(self.v(rn), kind >> shift << shift);
            let kept = self.vectors[rd as usize] & !(low(element) << index);
            return self.set_v(rd, kept | part << index);
        }
        match kind {
            0 => {
                let part = at(self.v(rn), index);
                self.set_v(rd, repeated(part));
            }
            1 => {
                let part = self.x(rn, element);
                self.set_v(rd, repeated(part));
            }
            3 => {
                let part = self.x(rn, element);
                let kept = self.vectors[rd as usize] & !(low(element) << index);
                self.set_v(rd, kept | part << index);
            }
            5 | 7 => {
                let part = at(self.v(rn), index);
                let sign = kind == 5 && part >> (element - 1) != 0;
                let bytes = if field(word, 30, 1) != 0 { 8 } else { 4 };
                self.set_x(rd, part | all(sign, 8) & !low(element), bytes);
            }
            _ => self.unknown(),
        }
    }

    /// UZP, TRN and ZIP.
    fn permute(&mut self, word: u32) {
        let length = self.length(word);
        let element = 1 << field(word, 22, 2);
        let (first, second) = (self.v(field(word, 5, 5)), self.v(field(word, 16, 5)));
        let both = first & low(length) | (second & low(length)) << length;
        let (count, part) = (length / element, field(word, 14, 1));
        let from = |n: u32| match field(word, 12, 2) {
            1 => 2 * n + part,
            2 => (n & !1) + part + n % 2 * count,
            _ => n / 2 + part * count / 2 + n % 2 * count,
        };
        let value = (0..count).fold(0, |all, n| {
            all | (both >> (from(n) * element) & low(element)) << (n * element)
        });
        self.set_v(field(word, 0, 5), value);
    }

    /// TBL and TBX: from any byte of the table to all; by a secret, all.
    fn lookup(&mut self, word: u32) {
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let tables = 0..=field(word, 13, 2);
        let mut value = self.v(rm) & low(self.length(word));
        for n in tables {
            value |= self.v((rn + n) % 32);
        }
        let mut value = all(value != 0, self.length(word));
        if field(word, 12, 1) != 0 {
            value |= self.v(rd);
        }
        self.set_v(rd, value & low(self.length(word)));
    }

    fn shift(&mut self, word: u32) {
        let (rd, rn) = (field(word, 0, 5), field(word, 5, 5));
        let (opcode, u) = (field(word, 11, 5), field(word, 29, 1));
        let Some(size) = field(word, 19, 4).checked_ilog2() else {
            return self.unknown();
        };
        let (value, element) = (self.v(rn), 1 << size);
        match opcode {
            0b10000..=0b10011 => self.narrow(word, narrowed(value, element)),
            0b10100 => {
                let half = self.half(word, rn);
                self.set_v(rd, widened(half, element));
            }
            _ => {
                // SSRA, SRSRA, SRI and SLI.
                let adds =
                    matches!(opcode, 0b00010 | 0b00110 | 0b01000) || (u == 1 && opcode == 0b01010);
                let length = self.length(word);
                self.finish(word, Result { value, adds }, element, length);
            }
        }
    }

    /// By one element of the second operand.
    fn by_element(&mut self, word: u32) {
        let (opcode, u, size) = (field(word, 12, 4), field(word, 29, 1), field(word, 22, 2));
        let (l, m, h) = (field(word, 21, 1), field(word, 20, 1), field(word, 11, 1));
        let is_float = matches!((u, opcode), (0, 1 | 5) | (_, 9));
        let is_long = matches!((u, opcode), (_, 2 | 6 | 10) | (0, 3 | 7 | 11));
        let is_plain = matches!((u, opcode), (0, 8 | 12) | (1, 0 | 4 | 15) | (_, 13));
        let (element, register, index) = match size {
            0 if is_float => (2, field(word, 16, 4), h << 2 | l << 1 | m),
            1 if is_long || is_plain => (2, field(word, 16, 4), h << 2 | l << 1 | m),
            2 if is_float || is_long || is_plain => (4, field(word, 16, 5), h << 1 | l),
            3 if is_float => (8, field(word, 16, 5), h),
            // Of complex numbers, and of shorter elements, whose register has four bits.
            _ => {
                self.any_of_three(word, true);
                let value = self.v(field(word, 16, 4)) | self.vectors[field(word, 0, 5) as usize];
                return self.set_v(field(word, 0, 5), all(value != 0, 16));
            }
        };
        let by = self.v(register) >> (index * element) & low(element);
        // Accumulates: all but products, and SQRDMULH of the signed ones.
        let adds = !matches!(opcode, 8..=12) && (u, opcode) != (0, 13);
        if is_long {
            let half = self.half(word, field(word, 5, 5));
            let value = widened(half | all(by != 0, 8), element);
            return self.finish(word, Result { value, adds }, 2 * element, 16);
        }
        let value = self.v(field(word, 5, 5)) | all(by != 0, 16);
        let length = self.length(word);
        self.finish(word, Result { value, adds }, element, length);
    }

    /// SHA-3, SHA-512, SM3 and SM4.
    fn of_hashes(&mut self, word: u32) {
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let two = |state: &mut Self| state.v(rn) | state.v(rm);
        let value = if is!(word, "11001110000") || is!(word, "11001110001") {
            // EOR3 and BCAX.
            two(self) | self.v(field(word, 10, 5))
        } else if is!(word, "11001110100") || is!(word, "11001110011xxxxx100011") {
            // XAR and RAX1.
            elements(two(self), 8)
        } else if is!(word, "11001110010xxxxx0") {
            // SM3SS1.
            all(two(self) | self.v(field(word, 10, 5)) != 0, 16)
        } else if is!(word, "11001110011xxxxx110010") {
            // SM4EKEY.
            all(two(self) != 0, 16)
        } else if is!(word, "110011100") {
            all(two(self) | self.v(rd) != 0, 16)
        } else if is!(word, "1100111011000000100") {
            all(self.v(rn) | self.v(rd) != 0, 16)
        } else {
            return self.unknown();
        };
        self.set_v(rd, value);
    }

    /// Floating point, one number at a time, and moves between the two kinds of registers.
    fn scalar_float(&mut self, word: u32) {
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let general = if word >> 31 != 0 { 8 } else { 4 };
        if is!(word, "x0011111") {
            // Products with sums.
            let any = self.v(rn) | self.v(rm) | self.v(field(word, 10, 5));
            self.set_v(rd, all(any & 0xff != 0, 8));
        } else if is!(word, "x0011110xx1xxxxx000000") || is!(word, "x0011110xx0") {
            match field(word, 16, 5) {
                0b00110 => {
                    let value = self.v(rn);
                    self.set_x(rd, value, general);
                }
                0b01110 => {
                    let value = self.v(rn) >> 8;
                    self.set_x(rd, value, 8);
                }
                0b00111 => {
                    let value = self.x(rn, general);
                    self.set_v(rd, value);
                }
                0b01111 => {
                    let value = self.x(rn, 8);
                    let kept = self.vectors[rd as usize] & 0xff;
                    self.set_v(rd, kept | value << 8);
                }
                opcode if matches!(opcode & 7, 2 | 3) => {
                    let value = self.x(rn, general);
                    self.set_v(rd, all(value != 0, 8));
                }
                _ => {
                    let value = self.v(rn) & 0xff;
                    self.set_x(rd, all(value != 0, general), general);
                }
            }
        } else if is!(word, "00011110xx1xxxxxxxx10000000") {
            self.set_v(rd, 0);
        } else if is!(word, "00011110xx1xxxxxxx1000") {
            // A comparison, of the second with zero perhaps.
            let second = if field(word, 3, 1) != 0 {
                0
            } else {
                self.v(rm)
            };
            self.flags = (self.v(rn) | second) & 0xff != 0;
        } else if is!(word, "00011110xx1xxxxxxxxx01") {
            self.flags = self.flags() | ((self.v(rn) | self.v(rm)) & 0xff != 0);
        } else if is!(word, "00011110xx1xxxxxxxxx11") {
            let value = (self.v(rn) | self.v(rm)) & 0xff;
            let value = value | all(self.flags(), 8);
            self.set_v(rd, value);
        } else if is!(word, "00011110xx1xxxxxxxxx10") {
            let any = (self.v(rn) | self.v(rm)) & 0xff != 0;
            self.must_be_public(any && field(word, 12, 4) == 1, Leak::Time);
            self.set_v(rd, all(any, 8));
        } else if is!(word, "00011110xx1xxxxxx10000") {
            let value = self.v(rn) & 0xff;
            let opcode = field(word, 15, 6);
            self.must_be_public(value != 0 && opcode == 3, Leak::Time);
            // FMOV only moves.
            self.set_v(
                rd,
                if opcode == 0 {
                    value
                } else {
                    all(value != 0, 8)
                },
            );
        } else {
            self.unknown();
        }
    }
}

/// The lower halves of elements, side by side.
fn lower_halves(bytes: u64, element: u32) -> u64 {
    (0..16 / element / 2).fold(0, |all, n| {
        all | (bytes >> (2 * n * element) & low(element)) << (n * element)
    })
}
