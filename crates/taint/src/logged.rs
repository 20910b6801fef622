//! What an instruction logs: the addresses that it uses, and the values without which nobody can say
//! what of its result is secret.

use crate::model::{
    Access, Address, Factor, Factors, Masked, REGISTERS, Scattered, Special, is_high,
    is_mask_apart, part,
};
use iced_x86::{
    Instruction, InstructionInfo, MemoryOperand, Mnemonic, OpAccess, OpKind, Register, UsedMemory,
};

/// What a record has beside the number of its block, at an offset.
pub(crate) enum Logged {
    /// What `lea` computes.
    Address(MemoryOperand),
    /// A word in memory.
    Word(MemoryOperand),
    /// All of a vector register.
    Vector(Register),
    Mask(Register),
}

/// An instruction and what it logs, at which places of the record.
pub(crate) type Line = (Instruction, Vec<(Logged, usize)>);

pub(crate) fn memory(base: Register, displacement: i64, segment: Register) -> MemoryOperand {
    MemoryOperand::new(base, Register::None, 1, displacement, 8, false, segment)
}

/// The accesses of an instruction, and what it logs for them.
pub(crate) fn logged(
    line: &Instruction,
    info: &InstructionInfo,
    thread: u64,
    marks: bool,
    log: &mut Vec<(Logged, usize)>,
    record: &mut usize,
) -> (Vec<Access>, Special, Option<Masked>) {
    let mut add = |what, len| {
        log.push((what, *record));
        *record += len;
        (*record - len) as u32
    };
    if marks {
        let first =
            [0, 8, 16].map(|n| add(Logged::Word(memory(Register::RAX, n, Register::None)), 8));
        return (vec![], Special::Mark(first[0]), None);
    }
    if let Some(operand) = info
        .used_memory()
        .iter()
        .find(|m| m.index().is_vector_register())
    {
        return (
            vec![],
            Special::Elements(scattered(line, operand, add)),
            None,
        );
    }
    let mask = match line.op_mask() {
        Register::None => None,
        mask => Some(add(Logged::Mask(mask), 8)),
    };
    let element = line.op_code().memory_size().element_size() as u32;
    let name = format!("{:?}", line.mnemonic());
    let mask = mask.filter(|_| element > 0 && !is_mask_apart(line));
    let mut accesses = vec![];
    for used in info.used_memory() {
        let (reads, writes, perhaps) = match used.access() {
            OpAccess::Read | OpAccess::CondRead => (true, false, false),
            OpAccess::Write => (false, true, false),
            OpAccess::ReadWrite => (true, true, false),
            OpAccess::CondWrite | OpAccess::ReadCondWrite => (true, true, true),
            _ => continue,
        };
        let of_thread = used.segment() == Register::FS;
        let address = if used.base() == Register::None && used.index() == Register::None {
            let base = if of_thread { thread } else { 0 };
            Address::Fixed(used.displacement().wrapping_add(base))
        } else {
            let (base, index) = (used.base(), used.index());
            let scale = used.scale();
            let operand = MemoryOperand::new(
                base,
                index,
                scale,
                used.displacement() as i64,
                8,
                false,
                Register::None,
            );
            let place = add(Logged::Address(operand), 8);
            match of_thread {
                true => Address::LoggedOfThread(place),
                false => Address::Logged(place),
            }
        };
        let size = used.memory_size().size() as u32;
        let broadcast = line.is_broadcast();
        let mask = mask.filter(|_| !broadcast).map(|place| (place, element));
        accesses.push(Access {
            address,
            size,
            reads,
            writes: writes && size > 0,
            perhaps,
            mask,
        });
    }
    let repeats =
        (line.has_rep_prefix() || line.has_repne_prefix()) && line.is_string_instruction();
    let copies = [
        "Movsb", "Movsw", "Movsd", "Movsq", "Stosb", "Stosw", "Stosd", "Stosq",
    ];
    if repeats && copies.contains(&name.as_str()) {
        // To rdi; iced does not say how much.
        let size = match name.as_bytes()[4] {
            b'b' => 1,
            b'w' => 2,
            b'd' => 4,
            _ => 8,
        };
        let used = info
            .used_memory()
            .iter()
            .filter(|m| m.access() != OpAccess::NoMemAccess);
        for (access, used) in accesses.iter_mut().zip(used) {
            access.writes = used.base() == Register::RDI;
            (access.size, access.reads) = (size, !access.writes);
        }
        let count = add(Logged::Address(memory(Register::RCX, 0, Register::None)), 8);
        return (accesses, Special::Repeated(count), None);
    }
    let masked = mask
        .filter(|_| line.op0_kind() == OpKind::Register)
        .map(|place| Masked {
            place,
            element,
            zeroes: line.zeroing_masking(),
            reads: line.op0_register().is_k(),
        });
    (accesses, Special::None, masked)
}

/// The operands of a conjunction, where their values can be logged.
pub(crate) fn factors(
    line: &Instruction,
    log: &mut Vec<(Logged, usize)>,
    record: &mut usize,
) -> Option<Factors> {
    let is_high = (0..line.op_count()).any(|n| is_high(line.op_register(n)));
    if !matches!(line.mnemonic(), Mnemonic::And | Mnemonic::Test)
        || line.op0_kind() != OpKind::Register
        || is_high
    {
        return None;
    }
    let one = |register: Register| memory(register, 0, Register::None);
    let second = match line.op1_kind() {
        OpKind::Register => Ok(Logged::Address(one(line.op1_register().full_register()))),
        OpKind::Memory => {
            let (base, index) = (line.memory_base(), line.memory_index());
            let is_plain = line.memory_size().size() == 8
                && base.is_gpr64()
                && line.segment_prefix() == Register::None;
            let operand = MemoryOperand::new(
                base,
                index,
                line.memory_index_scale(),
                line.memory_displacement64() as i64,
                8,
                false,
                Register::None,
            );
            is_plain.then_some(Ok(Logged::Word(operand)))?
        }
        _ => Err(line.immediate(1)),
    };
    let mut add = |what| {
        log.push((what, *record));
        *record += 8;
        (*record - 8) as u32
    };
    let place = |n| match line.op_kind(n) {
        OpKind::Register => part(line.op_register(n)).map_or(REGISTERS, |part| part.register),
        _ => REGISTERS,
    };
    let first = Logged::Address(one(line.op0_register().full_register()));
    Some([
        Factor {
            register: place(0),
            value: Ok(add(first)),
        },
        Factor {
            register: place(1),
            value: second.map(add),
        },
    ])
}

fn scattered(
    line: &Instruction,
    operand: &UsedMemory,
    mut add: impl FnMut(Logged, usize) -> u32,
) -> Scattered {
    let base = memory(
        operand.base(),
        operand.displacement() as i64,
        Register::None,
    );
    let data = (0..line.op_count())
        .filter(|&n| line.op_kind(n) == OpKind::Register)
        .map(|n| line.op_register(n))
        .find(|r| r.is_vector_register())
        .unwrap_or(Register::ZMM0);
    let element = operand.memory_size().size() as u32;
    let index_size = if line.is_vsib32() { 4 } else { 8 };
    let index = operand.index();
    let index_bytes = index.size() as u32;
    let count = (data.size() as u32 / element).min(index_bytes / index_size);
    let number = index.number() as u32;
    let whole = Register::ZMM0 + number;
    Scattered {
        base: add(Logged::Address(base), 8),
        indices: add(Logged::Vector(whole), 64),
        mask: match line.op_mask() {
            Register::None => None,
            mask => Some(add(Logged::Mask(mask), 8)),
        },
        scale: u64::from(operand.scale()),
        index_size,
        element,
        count,
        writes: operand.access() == OpAccess::Write || operand.access() == OpAccess::CondWrite,
    }
}
