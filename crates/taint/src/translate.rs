//! The translation: runs of instructions are copied to a cache near them, with instructions
//! between that write a log of what ran and which addresses it used.
//!
//! The additions change neither flags nor registers, and nothing of the program's memory: calls
//! push the addresses of the original, returns and computed jumps look them up. The log has, for
//! each run, a record: the number of the block, then the words that its steps name.

use crate::arena::map;
use crate::follow::Block;
use crate::logged::{Line, Logged, factors, logged, memory};
use crate::machine::{BORROWED, DISPATCH, Entry, LOG, TABLE_BITS, TARGET, exit_address};
use crate::model::{Access, Address, Special, mask, step};
use crate::moves::{Permutation, Trial};
use iced_x86::{
    Code, Decoder, DecoderOptions, Encoder, FlowControl, Instruction, InstructionInfoFactory,
    MemoryOperand, Mnemonic, OpKind, Register,
};
use std::collections::BTreeMap;

/// Steps in a block at most, and the longest record: within the page after the log.
const STEPS: usize = 64;
pub(crate) const RECORD: usize = 4096;
const CACHE: usize = 64 << 20;
/// Registers to borrow.
const SPARE: [Register; 4] = [Register::RAX, Register::RCX, Register::RDX, Register::RSI];

/// Code near the code that it was made from.
struct Cache {
    begin: u64,
    used: u64,
}

pub(crate) struct Translator {
    caches: Vec<Cache>,
    places: BTreeMap<u64, u64>,
    /// Jumps that go by way of the table until their target is translated.
    waiting: BTreeMap<u64, Vec<u64>>,
    table: *mut Entry,
    thread: u64,
    factory: InstructionInfoFactory,
    trial: Trial,
    pub(crate) blocks: Vec<Block>,
}

fn context(offset: i32) -> MemoryOperand {
    memory(Register::None, offset.into(), Register::GS)
}

fn load(register: Register, from: MemoryOperand) -> Instruction {
    Instruction::with2(Code::Mov_r64_rm64, register, from).expect("a move")
}

fn store(to: MemoryOperand, register: Register) -> Instruction {
    Instruction::with2(Code::Mov_rm64_r64, to, register).expect("a move")
}

fn lea(register: Register, of: MemoryOperand) -> Instruction {
    Instruction::with2(Code::Lea_r64_m, register, of).expect("an address")
}

fn constant(register: Register, value: u64) -> Instruction {
    Instruction::with2(Code::Mov_r64_imm64, register, value).expect("a constant")
}

/// Registers that an operand does not name.
fn spare(operand: &MemoryOperand) -> [Register; 2] {
    let mut free = SPARE
        .into_iter()
        .filter(|&r| r != operand.base && r != operand.index);
    [free.next(), free.next()].map(|r| r.expect("four less two"))
}

impl Translator {
    pub(crate) fn new(table: *mut Entry, thread: u64) -> Self {
        let mut new = Translator {
            caches: vec![],
            places: BTreeMap::new(),
            waiting: BTreeMap::new(),
            table,
            thread,
            factory: InstructionInfoFactory::new(),
            trial: Trial::new(),
            blocks: vec![],
        };
        new.remember(exit_address(), exit_address());
        new
    }

    /// The translation of the code at an address.
    pub(crate) fn place(&mut self, from: u64) -> u64 {
        let to = match self.places.get(&from) {
            Some(&to) => to,
            None => self.translate(from),
        };
        self.remember(from, to);
        to
    }

    #[allow(unsafe_code)]
    fn remember(&mut self, from: u64, to: u64) {
        self.places.insert(from, to);
        let place = from as usize & ((1 << TABLE_BITS) - 1);
        // SAFETY: the table has a place for each value of the low bits.
        unsafe { self.table.add(place).write(Entry { from, to }) };
    }

    /// A cache with room that reaches what the code at `from` names.
    fn cache(&mut self, from: u64) -> usize {
        const REACH: u64 = 3 << 29;
        let fits = |cache: &Cache| {
            cache.begin.abs_diff(from) < REACH && cache.used + (1 << 16) < CACHE as u64
        };
        if let Some(found) = self.caches.iter().position(fits) {
            return found;
        }
        let around = (1..REACH / CACHE as u64).flat_map(|n| {
            let away = n * CACHE as u64;
            [from.checked_add(away), from.checked_sub(away)]
        });
        let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        let begin = around
            .flatten()
            .map(|hint| map(hint as usize & !0xffff, CACHE, protection))
            .find(|place| !place.is_null())
            .expect("room for code near the program's");
        self.caches.push(Cache {
            begin: begin as u64,
            used: 0,
        });
        self.caches.len() - 1
    }

    /// The instructions at an address, up to a jump, and what each logs.
    pub(crate) fn block(&mut self, from: u64) -> (Vec<Line>, Block) {
        let (mut lines, mut steps, mut record) = (vec![], vec![], 8);
        let mut ip = from;
        loop {
            let line = decode(ip);
            assert!(!line.is_invalid(), "no instruction at {ip:x}");
            ip = line.next_ip();
            let mut log = vec![];
            let marks = line.code() == Code::Xchg_rm64_r64
                && line.op0_register() == Register::RBX
                && line.op1_register() == Register::RBX;
            let info = self.factory.info(&line);
            let (accesses, special, masked) =
                logged(&line, info, self.thread, marks, &mut log, &mut record);
            // What it does but for its mask.
            let mut plain = line;
            if masked.is_some() {
                plain.set_op_mask(Register::None);
                plain.set_zeroing_masking(false);
            }
            let size = accesses
                .iter()
                .find(|access| access.reads)
                .map_or(0, |access| access.size);
            let moves = match special {
                Special::None => self.trial.moves(&plain, size as usize),
                _ => None,
            };
            // Constants of the program are where it says; what else is in memory is not known.
            let constant = match accesses[..] {
                [
                    Access {
                        address: Address::Fixed(at),
                        size: size @ ..=64,
                        ..
                    },
                ] => {
                    let mut bytes = [0; 64];
                    bytes[..size as usize].copy_from_slice(code_at(at, size as usize));
                    Some(bytes)
                }
                _ => None,
            };
            let mut permutation = Permutation::new(&plain, constant);
            if let Some(permutation) = &mut permutation
                && let Some(register) = permutation.by_register
            {
                permutation.by = Ok(record as u32);
                log.push((Logged::Vector(register), record));
                record += 64;
            }
            let factors = factors(&line, &mut log, &mut record);
            let info = self.factory.info(&plain);
            let mut step = step(&plain, info, accesses, special, moves, permutation);
            step.factors = factors;
            if let Some(masked) = masked {
                step.masked = Some(masked);
                let mask = mask(&line).expect("a mask");
                step.control = step.control.iter().copied().chain([mask]).collect();
            }
            steps.push(step);
            let ends = !matches!(
                line.flow_control(),
                FlowControl::Next | FlowControl::Interrupt | FlowControl::Exception
            ) && line.mnemonic() != Mnemonic::Syscall;
            lines.push((line, log));
            if ends || lines.len() == STEPS || record > RECORD - 200 {
                break;
            }
        }
        (lines, Block { steps, record })
    }

    fn translate(&mut self, from: u64) -> u64 {
        let cache = self.cache(from);
        let at = self.caches[cache].begin + self.caches[cache].used;
        let mut code = Emitter {
            encoder: Encoder::new(64),
            at,
            jumps: vec![],
        };

        let (lines, block) = self.block(from);
        let number = self.blocks.len();
        let record = block.record;
        self.blocks.push(block);

        let rax = Register::RAX;
        code.put(&store(context(BORROWED[0]), rax));
        code.put(&load(rax, context(LOG)));
        let touch = |offset, value| {
            let place = memory(Register::RAX, offset, Register::None);
            Instruction::with2(Code::Mov_rm64_imm32, place, value).expect("a move")
        };
        if record > 8 {
            // After the log is a page that faults: only here.
            code.put(&touch(record as i64 - 8, 0));
        }
        code.put(&touch(0, number as i32));
        code.put(&lea(rax, memory(rax, record as i64, Register::None)));
        code.put(&store(context(LOG), rax));
        code.put(&load(rax, context(BORROWED[0])));

        for (line, log) in &lines {
            for (logged, place) in log {
                code.log(logged, *place as i64 - record as i64);
            }
            code.line(line);
        }
        let last = &lines.last().expect("a line").0;
        if !code.ended(last) {
            code.go(last.next_ip());
        }
        let (bytes, jumps, len) = (code.encoder.take_buffer(), code.jumps, code.at - at);
        assert_eq!(bytes.len() as u64, len);
        write(at, &bytes);
        self.caches[cache].used += (len + 15) & !15;
        self.places.insert(from, at);
        for (place, target) in jumps {
            match self.places.get(&target) {
                Some(&to) => patch(place, to),
                None => self.waiting.entry(target).or_default().push(place),
            }
        }
        for place in self.waiting.remove(&from).unwrap_or_default() {
            patch(place, at);
        }
        at
    }
}

pub(crate) fn decode(ip: u64) -> Instruction {
    // Bytes past the instruction are not read.
    Decoder::with_ip(64, code_at(ip, 15), ip, DecoderOptions::NONE).decode()
}

#[allow(unsafe_code)]
fn code_at(ip: u64, len: usize) -> &'static [u8] {
    // SAFETY: the program is about to run what is here, and does not change it.
    unsafe { core::slice::from_raw_parts(ip as *const u8, len) }
}

#[allow(unsafe_code)]
fn write(at: u64, bytes: &[u8]) {
    // SAFETY: in a cache, at a place of this block.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), at as *mut u8, bytes.len()) };
}

/// Lets a jump go straight to its target.
fn patch(place: u64, to: u64) {
    let mut bytes = [0xff, 0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    bytes[6..].copy_from_slice(&to.to_le_bytes());
    write(place, &bytes);
}

struct Emitter {
    encoder: Encoder,
    at: u64,
    /// Places of jumps that can be patched, and their targets.
    jumps: Vec<(u64, u64)>,
}

impl Emitter {
    fn put(&mut self, line: &Instruction) {
        self.at += self.encoder.encode(line, self.at).expect("an encoding") as u64;
    }

    fn raw(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.encoder.write_u8(byte));
        self.at += bytes.len() as u64;
    }

    /// Writes to the record, so far from where the next one begins.
    fn log(&mut self, what: &Logged, offset: i64) {
        let none = memory(Register::None, 0, Register::None);
        let operand = match what {
            Logged::Address(operand) | Logged::Word(operand) => operand,
            _ => &none,
        };
        let [value, log] = spare(operand);
        let place = memory(log, offset, Register::None);
        self.put(&store(context(BORROWED[0]), value));
        self.put(&store(context(BORROWED[1]), log));
        match what {
            Logged::Address(operand) => self.put(&lea(value, *operand)),
            Logged::Word(operand) => self.put(&load(value, *operand)),
            _ => {}
        }
        self.put(&load(log, context(LOG)));
        let written = match *what {
            Logged::Address(_) | Logged::Word(_) => store(place, value),
            Logged::Vector(register) => {
                let code = Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm;
                Instruction::with2(code, place, register).expect("a move")
            }
            Logged::Mask(register) => {
                let code = Code::VEX_Kmovq_m64_kr;
                Instruction::with2(code, place, register).expect("a move")
            }
        };
        self.put(&written);
        self.put(&load(value, context(BORROWED[0])));
        self.put(&load(log, context(BORROWED[1])));
    }

    /// A place for a jump to an address of the program.
    fn go(&mut self, target: u64) {
        self.jumps.push((self.at, target));
        self.put(&store(context(BORROWED[0]), Register::RAX));
        self.put(&constant(Register::RAX, target));
        self.put(&store(context(TARGET), Register::RAX));
        self.put(&load(Register::RAX, context(BORROWED[0])));
        self.dispatch();
    }

    fn dispatch(&mut self) {
        self.put(&Instruction::with1(Code::Jmp_rm64, context(DISPATCH)).expect("a jump"));
    }

    /// Sets the target to an operand, and pushes a return address.
    fn computed(&mut self, line: &Instruction) {
        let operand = MemoryOperand::new(
            line.memory_base(),
            line.memory_index(),
            line.memory_index_scale(),
            line.memory_displacement64() as i64,
            8,
            false,
            line.memory_segment(),
        );
        let [rax, _] = spare(&operand);
        self.put(&store(context(BORROWED[0]), rax));
        match line.op0_kind() {
            OpKind::Register => {
                let copy = Instruction::with2(Code::Mov_r64_rm64, rax, line.op0_register());
                self.put(&copy.expect("a move"));
            }
            _ => self.put(&load(rax, operand)),
        }
        self.put(&store(context(TARGET), rax));
        self.put(&load(rax, context(BORROWED[0])));
    }

    fn push(&mut self, address: u64) {
        let rax = Register::RAX;
        self.put(&store(context(BORROWED[0]), rax));
        self.put(&constant(rax, address));
        self.put(&lea(
            Register::RSP,
            memory(Register::RSP, -8, Register::None),
        ));
        self.put(&store(memory(Register::RSP, 0, Register::None), rax));
        self.put(&load(rax, context(BORROWED[0])));
    }

    /// An instruction of the program.
    fn line(&mut self, line: &Instruction) {
        match line.flow_control() {
            FlowControl::UnconditionalBranch => self.go(line.near_branch_target()),
            FlowControl::ConditionalBranch => self.branch(line),
            FlowControl::IndirectBranch => {
                self.computed(line);
                self.dispatch();
            }
            FlowControl::Call if line.mnemonic() == Mnemonic::Call => {
                self.push(line.next_ip());
                self.go(line.near_branch_target());
            }
            FlowControl::IndirectCall => {
                self.computed(line);
                self.push(line.next_ip());
                self.dispatch();
            }
            FlowControl::Return => {
                let freed = if line.op_count() > 0 {
                    i64::from(line.immediate16())
                } else {
                    0
                };
                let (rax, rsp) = (Register::RAX, Register::RSP);
                self.put(&store(context(BORROWED[0]), rax));
                self.put(&load(rax, memory(rsp, 0, Register::None)));
                self.put(&store(context(TARGET), rax));
                self.put(&load(rax, context(BORROWED[0])));
                self.put(&lea(rsp, memory(rsp, 8 + freed, Register::None)));
                self.dispatch();
            }
            _ if line.is_ip_rel_memory_operand() => self.put(line),
            _ => self.raw(code_at(line.ip(), line.len())),
        }
    }

    /// Around the jump that is taken where the condition does not hold.
    fn branch(&mut self, line: &Instruction) {
        // Both ways are places of equal length.
        let code = line.condition_code();
        let mut place = Emitter {
            encoder: Encoder::new(64),
            at: self.at,
            jumps: vec![],
        };
        place.go(line.next_ip());
        let len = (place.at - self.at) as i32;
        if line.is_jcx_short() || line.is_loop() || line.is_loopcc() {
            // These reach 127 bytes: over a jump to the place of those not taken, which is second.
            let bytes = code_at(line.ip(), line.len());
            self.raw(&bytes[..bytes.len() - 1]);
            self.raw(&[5, 0xe9]);
            self.raw(&len.to_le_bytes());
            self.go(line.near_branch_target());
            self.go(line.next_ip());
            return;
        }
        self.raw(&[0x0f, 0x80 + (code as u8 - 1)]);
        self.raw(&len.to_le_bytes());
        self.go(line.next_ip());
        self.go(line.near_branch_target());
    }

    /// Whether the program goes on only where the last line says.
    fn ended(&self, last: &Instruction) -> bool {
        !matches!(
            last.flow_control(),
            FlowControl::Next | FlowControl::Interrupt | FlowControl::Exception | FlowControl::Call
        ) || last.mnemonic() == Mnemonic::Call
    }
}
