//! The analysis: what is secret, step after step, from the log.

use crate::model::{
    Access, Address, FLAGS, Factors, Masked, REGISTERS, Rule, Scattered, Special, Step, Target,
    place,
};
use crate::moves::moved;
use crate::shadow::{Leak, Memory, elements, low, upwards};
use std::collections::BTreeSet;

/// Steps of a run of instructions, and the length of their record.
pub(crate) struct Block {
    pub(crate) steps: Vec<Step>,
    pub(crate) record: usize,
}

/// What is secret.
pub(crate) struct Follower {
    pub(crate) registers: [u64; REGISTERS],
    memory: Memory,
    /// The address of thread-local storage.
    thread: u64,
    pub(crate) leaks: BTreeSet<(u64, Leak)>,
    /// Blocks that a secret went through, by number.
    pub(crate) secret: Vec<bool>,
    /// Instructions.
    pub(crate) count: u64,
}

/// The bytes of elements whose bits a mask has.
fn masked(mask: u64, size: u32) -> u64 {
    match size {
        1 => mask,
        _ => (0..64 / size)
            .filter(|n| mask >> n & 1 != 0)
            .fold(0, |bytes, n| bytes | low(size) << (n * size)),
    }
}

impl Follower {
    /// None where the system does not give the address space.
    pub(crate) fn new(thread: u64) -> Option<Self> {
        Some(Follower {
            registers: [0; REGISTERS],
            memory: Memory::new()?,
            thread,
            leaks: BTreeSet::new(),
            secret: vec![],
            count: 0,
        })
    }

    /// Goes through a log: records that each begin with the number of a block.
    pub(crate) fn read(&mut self, blocks: &[Block], mut log: &[u8]) {
        while !log.is_empty() {
            let number = word(log, 0) as usize;
            let block = &blocks[number];
            let (record, rest) = log.split_at(block.record);
            let mut secret = false;
            for step in &block.steps {
                secret |= self.step(step, record);
            }
            if secret {
                self.secret[number] = true;
            }
            self.count += block.steps.len() as u64;
            log = rest;
        }
    }

    /// The first step of a block.
    #[cfg(test)]
    pub(crate) fn one(&mut self, block: &Block, record: &[u8]) {
        self.step(&block.steps[0], record);
    }

    #[inline(always)]
    fn address(&self, access: &Access, record: &[u8]) -> u64 {
        match access.address {
            Address::Fixed(address) => address,
            Address::Logged(place) => word(record, place),
            Address::LoggedOfThread(place) => word(record, place).wrapping_add(self.thread),
        }
    }

    /// The bytes that a public factor clears.
    fn zeros(&self, factors: &Factors, loaded: u64, record: &[u8]) -> u64 {
        factors.iter().fold(0, |zeros, factor| {
            let secret = self.registers.get(factor.register).copied();
            let value = match factor.value {
                Ok(place) => word(record, place),
                Err(constant) => constant,
            };
            let bytes = value.to_le_bytes().into_iter().enumerate();
            let own = bytes.fold(0, |own, (n, byte)| own | u64::from(byte == 0) << n);
            zeros | own & !secret.unwrap_or(loaded)
        })
    }

    /// Whether something secret was read.
    #[inline(always)]
    fn step(&mut self, step: &Step, record: &[u8]) -> bool {
        for part in &step.addresses {
            if self.registers[part.register] & part.bytes != 0 {
                self.leaks.insert((step.at, Leak::Address));
            }
        }
        if step.special != Special::None {
            return self.special(step, record);
        }
        let mut value = 0;
        let mut loaded = 0;
        for part in &step.data {
            value |= self.registers[part.register] & part.bytes;
        }
        let mut all = false;
        for part in &step.control {
            all |= self.registers[part.register] & part.bytes != 0;
        }
        for access in step.accesses.iter().filter(|access| access.reads) {
            let read = self.memory.load(self.address(access, record), access.size);
            loaded = match access.mask {
                Some((place, size)) => read & masked(word(record, place), size),
                None => read,
            };
            value |= loaded;
        }
        let mask = step
            .masked
            .map(|m| (m, masked(word(record, m.place), m.element)));
        if let Some((Masked { reads: true, .. }, mask)) = mask {
            value &= mask;
        }
        if let Some(factors) = &step.factors
            && value != 0
        {
            value &= !self.zeros(factors, loaded, record);
        }
        all |= step.rule == Rule::Any && value != 0;
        let secret = all || value != 0;
        if all {
            value = u64::MAX;
        } else if step.rule == Rule::Upwards {
            value = upwards(value);
        } else if step.rule == Rule::Moves {
            value = 0;
            for (from, moves) in &step.moves {
                let source = self.registers.get(*from).copied().unwrap_or(loaded);
                value |= moved(source & moves.bytes, moves.up);
            }
        } else if let Some(permutation) = &step.permutation {
            let table = |n: usize| {
                let table = permutation
                    .tables
                    .get(n)
                    .map_or(REGISTERS, |&source| place(source));
                self.registers.get(table).copied().unwrap_or(loaded)
            };
            let by = match &permutation.by {
                Ok(place) => &record[*place as usize..][..64],
                Err(constant) => &constant[..],
            };
            value = permutation.apply(by, [table(0), table(1)]);
        } else if let Rule::Elements(size) = step.rule {
            value = elements(value, size);
        }
        if secret && let Some(leak) = step.leak {
            self.leaks.insert((step.at, leak));
        }
        // A secret mask says nothing of what is kept.
        if !all
            && let Some((
                Masked {
                    reads: false,
                    zeroes,
                    ..
                },
                mask,
            )) = mask
            && let [target] = &*step.targets
        {
            let old = if zeroes {
                0
            } else {
                self.registers[target.part.register]
            };
            value = value & mask | old & !mask;
        }
        self.write(&step.targets, value);
        if step.flags | step.cleared != 0 {
            let flags = self.registers[FLAGS] & !(step.flags | step.cleared);
            self.registers[FLAGS] = flags | if secret { step.flags } else { 0 };
        }
        for access in step.accesses.iter().filter(|access| access.writes) {
            let address = self.address(access, record);
            let written = low(access.size);
            match access.mask {
                Some((place, size)) => {
                    self.memory
                        .store(address, value, written & masked(word(record, place), size))
                }
                None if access.perhaps => self.memory.store(address, u64::MAX, value & written),
                None => self.memory.store(address, value, written),
            }
        }
        secret
    }

    #[inline(always)]
    fn write(&mut self, targets: &[Target], value: u64) {
        for target in targets {
            let register = &mut self.registers[target.part.register];
            *register = *register & target.kept | value & target.part.bytes;
        }
    }

    #[cold]
    fn special(&mut self, step: &Step, record: &[u8]) -> bool {
        match step.special {
            Special::None => false,
            Special::Mark(place) => {
                let [request, address, len] = [0, 8, 16].map(|n| word(record, place + n));
                // `memcheck.h`: MAKE_MEM_UNDEFINED and MAKE_MEM_DEFINED.
                if let 0x4d43_0001 | 0x4d43_0002 = request {
                    self.memory.fill(address, len, request == 0x4d43_0001);
                }
                false
            }
            Special::Repeated(place) => {
                let count = word(record, place);
                if self.registers[1] != 0 {
                    self.leaks.insert((step.at, Leak::Time));
                }
                let find = |writes| step.accesses.iter().find(|a| a.writes == writes);
                let to = find(true).expect("movs and stos write");
                let len = count * u64::from(to.size);
                let at = self.address(to, record);
                match find(false) {
                    Some(from) => self.memory.copy(at, self.address(from, record), len),
                    None => self.memory.fill(at, len, self.registers[0] != 0),
                }
                false
            }
            Special::Exchange(a, b) => {
                let [old_a, old_b] = [a, b].map(|part| self.registers[part.register]);
                // Four bytes, and no fewer, clear those above.
                let kept = if a.bytes == 0xf { 0 } else { !a.bytes };
                self.registers[a.register] = old_a & kept | old_b & a.bytes;
                self.registers[b.register] = old_b & kept | old_a & b.bytes;
                (old_a | old_b) & a.bytes != 0
            }
            Special::Elements(scattered) => self.scattered(step, record, &scattered),
        }
    }

    /// The indices are checked as parts of the address.
    fn scattered(&mut self, step: &Step, record: &[u8], s: &Scattered) -> bool {
        let mut value = 0;
        let control = step.control.iter().chain(&step.data);
        let all = control.fold(0, |all, part| {
            all | self.registers[part.register] & part.bytes
        }) != 0;
        let mask = s.mask.map_or(u64::MAX, |place| word(record, place));
        for n in (0..s.count).filter(|n| mask >> n & 1 != 0) {
            let at = s.indices + n * s.index_size;
            let index = match s.index_size {
                4 => word(record, at) as u32 as i32 as u64,
                _ => word(record, at),
            };
            let address = word(record, s.base).wrapping_add(index.wrapping_mul(s.scale));
            if s.writes {
                self.memory
                    .store(address, if all { u64::MAX } else { 0 }, low(s.element));
            } else if self.memory.load(address, s.element) != 0 {
                value |= low(s.element) << (n * s.element);
            }
        }
        if all {
            value = u64::MAX;
        }
        self.write(&step.targets, value);
        value != 0
    }
}

#[inline(always)]
fn word(record: &[u8], place: u32) -> u64 {
    let place = place as usize;
    u64::from_ne_bytes(record[place..place + 8].try_into().expect("eight bytes"))
}
