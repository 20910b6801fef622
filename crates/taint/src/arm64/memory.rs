//! Loads and stores.

use super::state::{State, all, field, is};
use crate::shadow::{Leak, low};

impl State {
    /// The registers of which the address is made: a base, and perhaps an index.
    fn base(&mut self, word: u32, index: u64) {
        let base = self.x_or_sp(field(word, 5, 5), 8);
        self.must_be_public(base | index != 0, Leak::Address);
    }

    pub(super) fn access(&mut self, word: u32) {
        if is!(word, "0x00110") {
            self.structures(word);
        } else if is!(word, "xx001000") {
            self.exclusive(word);
        } else if is!(word, "xx011x00") {
            match word >> 26 & 1 {
                // Of the program's own constants.
                _ if field(word, 30, 2) == 3 && word >> 26 & 1 == 0 => {}
                0 => {
                    let bytes = 4 << field(word, 30, 1);
                    self.load_x(word, bytes, field(word, 30, 2) == 2, 8);
                }
                _ => self.load_v(field(word, 0, 5), 4 << field(word, 30, 2)),
            }
        } else if is!(word, "xx101x0") {
            self.pair(word);
        } else if is!(word, "xx111x01") {
            self.base(word, 0);
            self.single(word);
        } else if is!(word, "xx111x00xx1xxxxxxxxx10") {
            let index = self.extended(field(word, 16, 5), field(word, 13, 3), 0);
            self.base(word, index);
            self.single(word);
        } else if is!(word, "xx111x00xx0") {
            self.base(word, 0);
            self.single(word);
        } else if is!(word, "xx111000xx1xxxxxxxxx00") {
            self.atomic(word);
        } else if is!(word, "xx011001xx0xxxxxxxxx00") {
            self.base(word, 0);
            self.single(word);
        } else {
            self.unknown();
        }
    }

    /// Loads a general register, perhaps with the sign up to so many bytes.
    fn load_x(&mut self, word: u32, bytes: u32, signed: bool, up_to: u32) {
        let mut value = self.load(bytes);
        if signed && value >> (bytes - 1) & 1 != 0 {
            value |= low(8) & !low(bytes);
        }
        self.set_x(field(word, 0, 5), value, up_to);
        // After a mark come loads of its first and of its last byte.
        if let (Some((secret, first)), Some(place)) = (self.mark, self.place) {
            match first {
                None => self.mark = Some((secret, Some(place))),
                Some(first) => {
                    self.memory.fill(first, place - first + 1, secret);
                    self.mark = None;
                }
            }
        }
    }

    fn load_v(&mut self, register: u32, bytes: u32) {
        let value = self.load(bytes);
        self.set_v(register, value);
    }

    /// One register.
    fn single(&mut self, word: u32) {
        let (rt, size, opcode) = (field(word, 0, 5), field(word, 30, 2), field(word, 22, 2));
        if word >> 26 & 1 != 0 {
            let bytes = 1 << (size | (opcode & 2) << 1);
            match opcode & 1 {
                0 => {
                    let value = self.v(rt);
                    self.store(value, bytes);
                }
                _ => self.load_v(rt, bytes),
            }
            return;
        }
        match opcode {
            0 => {
                let value = self.x(rt, 8);
                self.store(value, 1 << size);
            }
            1 => self.load_x(word, 1 << size, false, 8),
            // A prefetch.
            2 if size == 3 => {}
            _ => self.load_x(word, 1 << size, true, if opcode == 2 { 8 } else { 4 }),
        }
    }

    fn pair(&mut self, word: u32) {
        let (first, second) = (field(word, 0, 5), field(word, 10, 5));
        let (opcode, loads) = (field(word, 30, 2), word >> 22 & 1 != 0);
        self.base(word, 0);
        if word >> 26 & 1 != 0 {
            let bytes = 4 << opcode;
            if loads {
                let value = self.load(2 * bytes);
                self.set_v(first, value & low(bytes));
                self.set_v(second, value >> bytes);
            } else {
                let value = self.v(first) & low(bytes) | (self.v(second) & low(bytes)) << bytes;
                self.store(value, 2 * bytes);
            }
            return;
        }
        let bytes = if opcode == 2 { 8 } else { 4 };
        if !loads {
            let value = self.x(first, bytes) | self.x(second, bytes) << bytes;
            self.store(value, 2 * bytes);
            return;
        }
        let value = self.load(2 * bytes);
        for (register, value) in [(first, value & low(bytes)), (second, value >> bytes)] {
            let sign = opcode == 1 && value >> (bytes - 1) & 1 != 0;
            self.set_x(register, value | all(sign, 8) & !low(bytes), 8);
        }
    }

    /// Exclusive loads and stores, ordered ones, and comparisons with exchange.
    fn exclusive(&mut self, word: u32) {
        let (rt, rt2, rs) = (field(word, 0, 5), field(word, 10, 5), field(word, 16, 5));
        let (loads, pair) = (field(word, 22, 1) != 0, field(word, 21, 1) != 0);
        let ordered = field(word, 23, 1) != 0;
        let bytes = 1 << field(word, 30, 2);
        self.base(word, 0);
        if pair && (ordered || bytes < 4) {
            // CAS and CASP: what was there.
            let any = match (ordered, self.place) {
                (true, Some(_)) => self.load(bytes) | self.x(rs, bytes) | self.x(rt, bytes) != 0,
                _ => return self.unknown(),
            };
            self.set_x(rs, all(any, bytes), 8);
            self.store(all(any, bytes), bytes);
            return;
        }
        let whole = if pair { 2 * bytes } else { bytes };
        if loads {
            let value = self.load(whole);
            self.set_x(rt, value & low(bytes), 8);
            if pair {
                self.set_x(rt2, value >> bytes, 8);
            }
            return;
        }
        let mut value = self.x(rt, bytes);
        if pair {
            value |= self.x(rt2, bytes) << bytes;
        }
        // A store that fails has no address.
        if ordered || self.place.is_some() {
            self.store(value, whole);
        }
        if !ordered {
            self.set_x(rs, 0, 8);
        }
    }

    /// Atomic operations on memory, and LDAPR.
    fn atomic(&mut self, word: u32) {
        let (rt, rs, bytes) = (
            field(word, 0, 5),
            field(word, 16, 5),
            1 << field(word, 30, 2),
        );
        self.base(word, 0);
        let old = self.load(bytes);
        if !is!(word, "xxxxxxxxxxxxxxxx1100") {
            let any = old | self.x(rs, bytes) != 0;
            self.store(all(any, bytes), bytes);
        }
        self.set_x(rt, old, 8);
    }

    /// Vectors that are interleaved in memory, or an element of each.
    fn structures(&mut self, word: u32) {
        let index = match field(word, 23, 1) {
            0 => 0,
            _ => self.x(field(word, 16, 5), 8),
        };
        self.base(word, index);
        let (rt, loads) = (field(word, 0, 5), field(word, 22, 1) != 0);
        let (size, opcode) = (field(word, 10, 2), field(word, 12, 4));
        if word >> 24 & 1 != 0 {
            self.one_element(word);
            return;
        }
        let length = if word >> 30 & 1 != 0 { 16 } else { 8 };
        let (count, interleaved) = match opcode {
            0b0000 => (4, true),
            0b0010 => (4, false),
            0b0100 => (3, true),
            0b0110 => (3, false),
            0b0111 => (1, false),
            0b1000 => (2, true),
            0b1010 => (2, false),
            _ => return self.unknown(),
        };
        let element = 1 << size;
        // Where in memory a byte of a register is.
        let place = |register: u32, byte: u32| match interleaved {
            true => (byte / element * count + register) * element + byte % element,
            false => register * length + byte,
        };
        let mut memory = if loads { self.load(count * length) } else { 0 };
        for n in 0..count {
            let register = (rt + n) % 32;
            let bytes = 0..length;
            if loads {
                let value = bytes.fold(0, |all, b| all | (memory >> place(n, b) & 1) << b);
                self.set_v(register, value);
            } else {
                let value = self.v(register);
                memory |= bytes.fold(0, |all, b| all | (value >> b & 1) << place(n, b));
            }
        }
        if !loads {
            self.store(memory, count * length);
        }
    }

    fn one_element(&mut self, word: u32) {
        let (rt, loads) = (field(word, 0, 5), field(word, 22, 1) != 0);
        let (size, opcode) = (field(word, 10, 2), field(word, 13, 3));
        let (q, s) = (field(word, 30, 1), field(word, 12, 1));
        let count = (opcode & 1) * 2 + field(word, 21, 1) + 1;
        let (element, index) = match opcode >> 1 {
            0 => (1, q << 3 | s << 2 | size),
            1 => (2, q << 2 | s << 1 | size >> 1),
            2 if size & 1 != 0 => (8, q),
            2 => (4, q << 1 | s),
            _ => (1 << size, 0),
        };
        let repeats = opcode >> 1 == 3;
        let mut memory = if loads { self.load(count * element) } else { 0 };
        for n in 0..count {
            let register = (rt + n) % 32;
            let part = memory >> (n * element) & low(element);
            if repeats {
                let length = if q != 0 { 16 } else { 8 };
                let value = (0..length / element).fold(0, |all, n| all | part << (n * element));
                self.set_v(register, value);
            } else if loads {
                let kept = self.vectors[register as usize] & !(low(element) << (index * element));
                self.set_v(register, kept | part << (index * element));
            } else {
                let value = self.v(register);
                memory |= (value >> (index * element) & low(element)) << (n * element);
            }
        }
        if !loads {
            self.store(memory, count * element);
        }
    }
}
