//! Instructions that only move bytes are found by trying: shuffles, unpackings, insertions,
//! extractions.
//!
//! An instruction on vectors is run on random operands, on small numbers, and on operands that are
//! alike. Where each byte of the result is, every time, a certain byte of the operands or a constant,
//! it moves bytes; what computes anything does not look so.

use crate::arena::map;
use iced_x86::{Code, Encoder, Instruction, MemoryOperand, Mnemonic, OpKind, Register};
use std::collections::BTreeMap;

/// Bytes of an operand that go to the result: those in `bytes`, by this many places up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Move {
    pub(crate) from: Source,
    pub(crate) bytes: u64,
    pub(crate) up: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A register that has its place here in the full set: general ones are 0 to 15.
    Register(Register),
    Memory,
}

/// A permutation by a vector, which is known when it runs.
#[derive(Clone, Debug)]
pub(crate) struct Permutation {
    /// The vector: its place in the record, or itself.
    pub(crate) by: Result<u32, [u8; 64]>,
    pub(crate) by_register: Option<Register>,
    /// One table, or two of equal length.
    pub(crate) tables: Vec<Source>,
    element: usize,
    bytes: usize,
    /// Bytes of `pshufb`: within lanes of 16, and zero by the highest bit.
    in_lanes: bool,
}

impl Permutation {
    /// Of an instruction; `constant` is its operand in memory, where that is known.
    pub(crate) fn new(line: &Instruction, constant: Option<[u8; 64]>) -> Option<Self> {
        let name = format!("{:?}", line.mnemonic()).to_lowercase();
        let name = name.strip_prefix('v').unwrap_or(&name);
        let last = line.op_count().checked_sub(1)?;
        let (by, tables) = match name {
            "pshufb" => (last, vec![last - 1]),
            "permb" | "permw" | "permd" | "permq" | "permps" | "permpd" => (1, vec![2]),
            _ if name.starts_with("permt2") => (1, vec![0, 2]),
            _ if name.starts_with("permi2") => (0, vec![1, 2]),
            _ => return None,
        };
        let source = |n| match line.op_kind(n) {
            OpKind::Register => Some(Source::Register(line.op_register(n).full_register())),
            OpKind::Memory => Some(Source::Memory),
            _ => None,
        };
        let (by, by_register) = match source(by)? {
            Source::Register(register) => (Ok(0), Some(register)),
            Source::Memory => (Err(constant?), None),
        };
        let element = match name.as_bytes().last()? {
            b'b' => 1,
            b'w' => 2,
            b'd' if !name.ends_with("pd") => 4,
            b's' => 4,
            _ => 8,
        };
        Some(Permutation {
            by,
            by_register,
            tables: tables.into_iter().map(source).collect::<Option<_>>()?,
            element,
            bytes: line.op0_register().size(),
            in_lanes: name == "pshufb",
        })
    }

    /// What of the tables gets to the result.
    pub(crate) fn apply(&self, by: &[u8], tables: [u64; 2]) -> u64 {
        let count = self.bytes / self.element;
        let mut result = 0;
        for n in 0..count {
            let at = n * self.element;
            let (from, table) = if self.in_lanes {
                if by[at] & 0x80 != 0 {
                    continue;
                }
                (n & !15 | usize::from(by[at] & 15), 0)
            } else {
                let place = usize::from(by[at]) & (count * self.tables.len() - 1);
                (place % count, place / count)
            };
            let bytes = tables[table] >> (from * self.element) & ((1 << self.element) - 1);
            result |= bytes << at;
        }
        result
    }
}

/// A place where instructions are tried, the operands, and what was found, by code and length of the
/// operand in memory: slots of operands in place of sources.
pub(crate) struct Trial {
    code: *mut u8,
    operands: Vec<Operands>,
    found: BTreeMap<(Vec<u8>, usize), Option<Found>>,
}

/// Bytes that go to the result, by the slot of their operand and how many places up.
type Found = BTreeMap<(usize, i32), u64>;

const SLOTS: usize = 5;
const RANDOM: usize = 8;
const RUNS: usize = RANDOM + 5 * (SLOTS + 1);

/// 64 bytes each.
#[derive(Clone)]
#[repr(C, align(64))]
struct Operands([[u8; 64]; SLOTS]);

/// Operands for each run: random ones first. Then one operand after another is small numbers or
/// nothing but ones, or all are alike: with only random operands, comparisons, shifts and
/// saturations look like constants.
fn operands() -> Vec<Operands> {
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 56) as u8
    };
    let run = |run: usize| {
        let mut operands = Operands([[0; 64]; SLOTS]);
        operands.0.as_flattened_mut().fill_with(&mut random);
        let Some(kind) = run.checked_sub(RANDOM) else {
            return operands;
        };
        let (slot, every) = (kind % (SLOTS + 1), [1, 2, 4, 8, 64][kind / (SLOTS + 1)]);
        let first = operands.0[0];
        for (n, operand) in operands.0.iter_mut().enumerate() {
            for (at, byte) in operand.iter_mut().enumerate() {
                *byte = match every {
                    _ if slot == SLOTS => first[at % every],
                    _ if n != slot => *byte,
                    1 => 0xff,
                    // A small number below random ones.
                    64 if at >= 8 => *byte,
                    _ => u8::from(at % every == 0) * 3,
                };
            }
        }
        operands
    };
    (0..RUNS).map(run).collect()
}

impl Trial {
    pub(crate) fn new() -> Self {
        let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        Trial {
            code: map(0, 4096, protection),
            operands: operands(),
            found: BTreeMap::new(),
        }
    }

    /// The moves of an instruction, if that is all it does. `size` is of its operand in memory.
    pub(crate) fn moves(&mut self, line: &Instruction, size: usize) -> Option<Vec<Move>> {
        let of_vectors = (0..line.op_count()).any(|n| {
            line.op_kind(n) == OpKind::Register && line.op_register(n).is_vector_register()
        });
        let plain = line.op_mask() == Register::None
            && line.op0_kind() == OpKind::Register
            && (line.op0_register().is_vector_register() || line.op0_register().size() >= 4)
            && !line.is_vsib()
            && line.rflags_read() == 0;
        let of_words = matches!(
            line.mnemonic(),
            Mnemonic::Bswap | Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Rol | Mnemonic::Ror
        );
        // It looks at signs, which random numbers seldom tell.
        let of_signs = format!("{:?}", line.mnemonic()).starts_with("Vrange");
        if of_signs
            || !(of_words || (of_vectors && line.rflags_modified() == 0))
            || !plain
            || self.code.is_null()
        {
            return None;
        }
        // The same instruction on registers of our choice, the result first.
        let (mut own, mut sources) = (*line, vec![]);
        let mut vectors = 0;
        for n in 0..line.op_count() {
            match line.op_kind(n) {
                OpKind::Register => {
                    let register = line.op_register(n);
                    let full = register.full_register();
                    if full.is_k() || (register.is_gpr() && register.size() < 4) {
                        return None;
                    }
                    let slot = match sources.iter().position(|&s| s == Source::Register(full)) {
                        Some(slot) => slot,
                        None => {
                            sources.push(Source::Register(full));
                            sources.len() - 1
                        }
                    };
                    own.set_op_register(n, own_register(register, slot)?);
                    vectors += 1;
                }
                OpKind::Memory => {
                    sources.push(Source::Memory);
                    own.set_memory_base(Register::RDI);
                    own.set_memory_index(Register::None);
                    own.set_memory_index_scale(1);
                    own.set_memory_displacement64(64 * (sources.len() as u64 - 1));
                    own.set_memory_displ_size(8);
                    own.set_segment_prefix(Register::None);
                }
                _ => {}
            }
        }
        if vectors == 0 || sources.len() > SLOTS {
            return None;
        }
        let code = function(&own, &sources)?;
        let key = (code, size);
        if !self.found.contains_key(&key) {
            let found = self.run(&key.0, line.op0_register(), &sources, size);
            self.found.insert(key.clone(), found);
        }
        let moves = self.found[&key].as_ref()?.iter();
        let moves = moves.map(|(&(slot, up), &bytes)| Move {
            from: sources[slot],
            bytes,
            up,
        });
        Some(moves.collect())
    }

    #[allow(unsafe_code)]
    fn run(
        &mut self,
        code: &[u8],
        result: Register,
        sources: &[Source],
        size: usize,
    ) -> Option<Found> {
        // SAFETY: the page is our own, and longer; what is written is such a function, which changes
        // registers that a call may change.
        let function: extern "sysv64" fn(&mut Operands) = unsafe {
            core::ptr::copy_nonoverlapping(code.as_ptr(), self.code, code.len());
            core::mem::transmute(self.code)
        };
        let before = &self.operands;
        let mut after = before.clone();
        after.iter_mut().for_each(|operands| function(operands));
        let length = |n: usize| match sources[n] {
            Source::Memory => size,
            Source::Register(register) => register.size(),
        };
        let mut found = Found::new();
        for byte in 0..if result.is_gpr() { 8 } else { 64 } {
            let same = |place: usize| {
                (0..RUNS).all(|run| after[run].0[0][byte] == before[run].0[place / 64][place % 64])
            };
            let constant = after
                .iter()
                .all(|run| run.0[0][byte] == after[0].0[0][byte]);
            if constant {
                continue;
            }
            let place = (0..64 * sources.len())
                .find(|&place| place % 64 < length(place / 64) && same(place))?;
            let up = byte as i32 - (place % 64) as i32;
            *found.entry((place / 64, up)).or_default() |= 1 << (place % 64);
        }
        Some(found)
    }
}

/// `fn(operands)`: loads the registers, runs the instruction and stores the first.
fn function(own: &Instruction, sources: &[Source]) -> Option<Vec<u8>> {
    let slot = |n: usize| MemoryOperand::with_base_displ(Register::RDI, 64 * n as i64);
    let mut encoder = Encoder::new(64);
    let mut at = 0;
    let mut put = |line: Instruction| {
        at += encoder.encode(&line, at).ok()? as u64;
        Some(())
    };
    let is_general = |s: &Source| matches!(s, Source::Register(r) if r.is_gpr());
    for (n, source) in sources
        .iter()
        .enumerate()
        .filter(|(_, s)| **s != Source::Memory)
    {
        let load = match is_general(source) {
            true => {
                Instruction::with2(Code::Mov_r64_rm64, own_register(Register::RAX, n)?, slot(n))
            }
            false => Instruction::with2(
                Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512,
                Register::ZMM0 + n as u32,
                slot(n),
            ),
        };
        put(load.ok()?)?;
    }
    put(*own)?;
    let store = match is_general(&sources[0]) {
        true => Instruction::with2(Code::Mov_rm64_r64, slot(0), own_register(Register::RAX, 0)?),
        false => Instruction::with2(
            Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm,
            slot(0),
            Register::ZMM0,
        ),
    };
    put(store.ok()?)?;
    put(Instruction::with(Code::Retnq))?;
    Some(encoder.take_buffer())
}

/// A register of the same kind for an operand.
fn own_register(register: Register, slot: usize) -> Option<Register> {
    let slot = slot as u32;
    let general = [
        Register::RAX,
        Register::RCX,
        Register::RDX,
        Register::RSI,
        Register::R8,
    ];
    let first = if register.is_xmm() {
        Register::XMM0
    } else if register.is_ymm() {
        Register::YMM0
    } else if register.is_zmm() {
        Register::ZMM0
    } else if register.is_gpr64() {
        return Some(general[slot as usize]);
    } else if register.is_gpr32() {
        return Some(
            [
                Register::EAX,
                Register::ECX,
                Register::EDX,
                Register::ESI,
                Register::R8D,
            ][slot as usize],
        );
    } else {
        return None;
    };
    Some(first + slot)
}

/// Bytes this many places up.
#[inline(always)]
pub(crate) fn moved(bytes: u64, up: i32) -> u64 {
    if up >= 0 { bytes << up } else { bytes >> -up }
}
