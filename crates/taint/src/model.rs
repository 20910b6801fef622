//! What an instruction does to secrecy: from where to where, and what must not be secret in it.
//!
//! Every byte of a register is secret or not. By default every byte that an instruction writes is
//! secret if any byte that it reads is; moves, bitwise operations and operations on elements keep
//! bytes or elements apart.

use crate::moves::{Move, Permutation, Source};
use crate::shadow::{Leak, low};
use iced_x86::{
    FlowControl, Instruction, InstructionInfo, MemorySize, Mnemonic, OpAccess, OpKind, Register,
    RflagsBits, UsedMemory,
};

/// Registers of the state: 16 general ones, 32 vectors, 8 masks, all of x87, flags.
pub(crate) const REGISTERS: usize = 58;
const VECTORS: usize = 16;
const MASKS: usize = 48;
const X87: usize = 56;
/// Its bits are those of [`flags`].
pub(crate) const FLAGS: usize = 57;

/// Bytes of a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) register: usize,
    pub(crate) bytes: u64,
}

/// What is written of a register: these bytes; what is not kept and not written becomes zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) part: Part,
    pub(crate) kept: u64,
}

/// How secrecy of data goes to the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    /// From any byte to all.
    Any,
    /// From each byte to those at its place.
    Bytes,
    /// From each byte to those at its place and above, as carries go.
    Upwards,
    /// As the moves say.
    Moves,
    /// As the permutation says.
    Permutation,
    /// From any byte of an element of this many bytes to all of the element at its place.
    Elements(u32),
}

/// An address: in the program's image, or a word of the record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Address {
    Fixed(u64),
    Logged(u32),
    /// In thread-local storage.
    LoggedOfThread(u32),
}

/// A load, a store or both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) address: Address,
    pub(crate) size: u32,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// Perhaps it writes.
    pub(crate) perhaps: bool,
    /// Where in the record the mask of its elements is, and their size.
    pub(crate) mask: Option<(u32, u32)>,
}

/// What is not said by parts and accesses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Special {
    None,
    /// A request to Valgrind: its first three words are in the record, here.
    Mark(u32),
    /// `movs` or `stos`, repeated as often as the record says.
    Repeated(u32),
    /// Two registers change places.
    Exchange(Part, Part),
    /// Loads or stores of elements: base, indices and mask in the record.
    Elements(Scattered),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scattered {
    pub(crate) base: u32,
    pub(crate) indices: u32,
    /// Of a mask register; without, every element is taken.
    pub(crate) mask: Option<u32>,
    pub(crate) scale: u64,
    pub(crate) index_size: u32,
    pub(crate) element: u32,
    pub(crate) count: u32,
    pub(crate) writes: bool,
}

/// The mask of the elements that are written; the others are kept or become zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masked {
    /// Where in the record it is.
    pub(crate) place: u32,
    pub(crate) element: u32,
    pub(crate) zeroes: bool,
    /// A comparison: it is the elements that are read.
    pub(crate) reads: bool,
}

/// An instruction, as far as secrecy goes.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) at: u64,
    pub(crate) rule: Rule,
    /// Registers whose bytes go to the result by the rule.
    pub(crate) data: Box<[Part]>,
    /// Registers and flags any byte of which makes all of the result secret.
    pub(crate) control: Box<[Part]>,
    pub(crate) targets: Box<[Target]>,
    /// Flags that are written: bits of [`FLAGS`], and those that become public.
    pub(crate) flags: u64,
    pub(crate) cleared: u64,
    pub(crate) accesses: Box<[Access]>,
    /// Of which addresses are made.
    pub(crate) addresses: Box<[Part]>,
    /// What it is when data or control is secret.
    pub(crate) leak: Option<Leak>,
    pub(crate) special: Special,
    pub(crate) masked: Option<Masked>,
    /// Of the rule of moves: registers of the state, or memory, which is none of them.
    pub(crate) moves: Box<[(usize, Move)]>,
    pub(crate) permutation: Option<Box<Permutation>>,
    /// Of a conjunction.
    pub(crate) factors: Option<Factors>,
}

/// The operands of a conjunction: where one of them is public and zero, the result is.
pub(crate) type Factors = [Factor; 2];

#[derive(Clone, Copy, Debug)]
pub(crate) struct Factor {
    /// Of the state; or none of it, for memory and constants.
    pub(crate) register: usize,
    /// Its place in the record, or itself.
    pub(crate) value: Result<u32, u64>,
}

/// The bits of [`FLAGS`] of these flags: carry, overflow, and the others, which are written together.
fn flags(bits: u32) -> u64 {
    let has = |flag: u32| u64::from(bits & flag != 0);
    let others = RflagsBits::ZF | RflagsBits::SF | RflagsBits::PF | RflagsBits::AF;
    has(RflagsBits::CF) | has(RflagsBits::OF) << 1 | has(others) << 2
}

/// The place of a source of moves: memory's is none of the state's.
pub(crate) fn place(source: Source) -> usize {
    match source {
        Source::Memory => REGISTERS,
        Source::Register(register) => part(register).map_or(REGISTERS, |p| p.register),
    }
}

/// The place of a register in the state; none of those that hold no data.
pub(crate) fn part(register: Register) -> Option<Part> {
    let bytes = low(register.size() as u32);
    let number = register.full_register().number();
    let part = |base: usize, bytes| {
        Some(Part {
            register: base + number,
            bytes,
        })
    };
    if register.is_gpr() {
        part(0, if is_high(register) { 2 } else { bytes })
    } else if register.is_vector_register() {
        part(VECTORS, bytes)
    } else if register.is_k() {
        part(MASKS, bytes)
    } else if register.is_st() || register.is_mm() || register.is_tmm() {
        Some(Part {
            register: X87,
            bytes: u64::MAX,
        })
    } else {
        None
    }
}

/// Whether it is the second byte of a register.
pub(crate) fn is_high(register: Register) -> bool {
    matches!(
        register,
        Register::AH | Register::BH | Register::CH | Register::DH
    )
}

/// Which rule an instruction goes by; its name without the `V` of AVX.
fn rule(i: &Instruction, name: &str) -> Rule {
    let starts = |names: &[&str]| names.iter().any(|n| name.starts_with(n));
    let moves_elsewhere = [
        "movs", "movmsk", "movddup", "movh", "movl", "movbe", "movdir",
    ];
    let scalar = name == "movss" || (name == "movsd" && i.op0_kind() != OpKind::MemoryESRDI);
    let logic = [
        "and", "or", "xor", "not", "pand", "por", "pxor", "pternlog", "kand", "kor", "kxor",
        "kxnor", "knot", "kmov", "test", "push", "pop", "cmov", "lddqu", "pblend", "blend",
        "pmaskmov",
    ];
    match name {
        // By the highest bit of each element of the mask.
        "blendvps" | "pmaskmovd" | "maskmovps" => return Rule::Elements(4),
        "blendvpd" | "pmaskmovq" | "maskmovpd" => return Rule::Elements(8),
        "pshufbitqmb" => return Rule::Any,
        _ => {}
    }
    let kept = starts(&["mov"]) && (scalar || !starts(&moves_elsewhere));
    if kept || (starts(&logic) && !starts(&["popcnt", "pushf", "popf"])) {
        return Rule::Bytes;
    }
    if let "add" | "sub" | "inc" | "dec" | "neg" | "adc" | "sbb" | "adcx" | "adox" | "lea" = name {
        return Rule::Upwards;
    }
    let last_is_vector = i.op_count() > 0
        && i.op_kind(i.op_count() - 1) == OpKind::Register
        && i.op_register(i.op_count() - 1).is_vector_register();
    // One count for all elements.
    let shifts_all = starts(&["psll", "psrl", "psra"])
        && !starts(&["psllv", "psrlv", "psrav"])
        && (last_is_vector || i.op_kind(i.op_count() - 1) == OpKind::Memory);
    let of_lane = [
        "aes", "pclmul", "punpck", "pshuf", "palignr", "pack", "permil", "sha", "pslldq", "psrldq",
        "unpck", "shufp", "mpsad", "phadd", "phsub", "dbpsad",
    ];
    if starts(&of_lane) {
        return Rule::Elements(16);
    }
    let of_eight = ["pmulud", "pmuldq", "psad", "gf2p8affine", "pmultishift"];
    if starts(&of_eight) {
        return Rule::Elements(8);
    }
    if starts(&["pmaddw", "pdp"]) {
        return Rule::Elements(4);
    }
    if starts(&["pmaddub"]) {
        return Rule::Elements(2);
    }
    let of_element = [
        "padd",
        "psub",
        "pmull",
        "pmulh",
        "pmin",
        "pmax",
        "pabs",
        "pavg",
        "psign",
        "psll",
        "psrl",
        "psra",
        "prol",
        "pror",
        "pshld",
        "pshrd",
        "pcmpeq",
        "pcmpgt",
        "pmadd52",
        "popcnt",
        "plzcnt",
        "gf2p8mulb",
    ];
    let element = match i.op_code().memory_size().element_size() as u32 {
        // By an immediate, before AVX-512, and never of memory.
        0 if starts(&["psll", "psrl", "psra"]) => match name.as_bytes().last() {
            Some(b'w') => 2,
            Some(b'd') => 4,
            _ => 8,
        },
        element => element,
    };
    if starts(&of_element) && !shifts_all && i.op0_register().is_vector_register() && element > 0 {
        return Rule::Elements(element);
    }
    Rule::Any
}

/// The bytes of its mask that an instruction looks at: a bit for each element.
pub(crate) fn mask(i: &Instruction) -> Option<Part> {
    let vectors = (0..i.op_count()).filter(|&n| i.op_kind(n) == OpKind::Register);
    let vectors = vectors
        .map(|n| i.op_register(n))
        .filter(|r| r.is_vector_register());
    let size = vectors.map(|r| r.size()).max().unwrap_or(64);
    let elements = size / i.op_code().memory_size().element_size().clamp(1, size);
    let whole = part(i.op_mask())?;
    if is_mask_apart(i) {
        return Some(whole);
    }
    Some(Part {
        bytes: low(elements.div_ceil(8) as u32),
        ..whole
    })
}

/// Whether the result of an instruction on one register twice does not depend on it.
fn is_constant(i: &Instruction, name: &str) -> bool {
    let of_two = ["pxor", "psub", "kxor", "kxnor", "pcmpeq", "pandn"];
    let of_words = [
        "xor", "xorps", "xorpd", "sub", "sbb", "andn", "andnps", "andnpd",
    ];
    let last = i.op_count().wrapping_sub(1);
    let twice = i.op_count() >= 2
        && i.op_kind(last) == OpKind::Register
        && i.op_kind(last - 1) == OpKind::Register
        && i.op_register(last) == i.op_register(last - 1)
        && i.op_mask() == Register::None;
    let ternary = name.starts_with("pternlog") && matches!(i.immediate8(), 0 | 0xff);
    let of_two = of_two.iter().any(|n| name.starts_with(n)) || of_words.contains(&name);
    (twice && of_two) || ternary
}

/// Whether a mask is not of the elements that memory would have, is only of the lowest, or chooses
/// among the operands: then any element may be any operand's, or kept.
pub(crate) fn is_mask_apart(line: &Instruction) -> bool {
    let name = format!("{:?}", line.mnemonic());
    let name = name.strip_prefix('V').unwrap_or(&name);
    if !line.op_code().memory_size().is_packed() && !name.contains("broadcast") {
        return true;
    }
    [
        "compress",
        "pcompress",
        "expand",
        "pexpand",
        "blendm",
        "pblendm",
        "pmov",
        "pmadd",
        "pack",
        "cvt",
        "dbpsadbw",
        "pmuludq",
        "pmuldq",
        "pmultishift",
        "pshufbit",
        "pdp",
    ]
    .iter()
    .any(|apart| name.to_lowercase().starts_with(apart))
        && !name.starts_with("pmadd52")
}

/// Instructions whose time depends on their operands.
fn is_variable(name: &str) -> bool {
    ["div", "idiv", "fdiv", "fidiv", "sqrt", "fsqrt"]
        .iter()
        .any(|n| name.starts_with(n))
}

/// The step of an instruction; its accesses are known.
pub(crate) fn step(
    i: &Instruction,
    info: &InstructionInfo,
    accesses: Vec<Access>,
    special: Special,
    moves: Option<Vec<Move>>,
    permutation: Option<Permutation>,
) -> Step {
    // Without the letter of AVX, lower case.
    let name = format!("{:?}", i.mnemonic()).to_lowercase();
    let name = name.strip_prefix('v').unwrap_or(&name);
    let mut step = Step {
        at: i.ip(),
        rule: rule(i, name),
        data: [].into(),
        control: [].into(),
        targets: [].into(),
        flags: flags(i.rflags_written() | i.rflags_undefined()),
        cleared: flags(i.rflags_cleared() | i.rflags_set()),
        accesses: accesses.into(),
        addresses: [].into(),
        leak: None,
        special,
        masked: None,
        moves: [].into(),
        permutation: permutation.map(Box::new),
        factors: None,
    };
    if step.permutation.is_some() {
        step.rule = Rule::Permutation;
    }
    if let Some(moves) = moves {
        step.rule = Rule::Moves;
        step.moves = moves.into_iter().map(|m| (place(m.from), m)).collect();
    }
    if special == Special::None
        && i.mnemonic() == Mnemonic::Xchg
        && i.op0_kind() == OpKind::Register
    {
        let parts =
            [i.op0_register(), i.op1_register()].map(|r| if is_high(r) { None } else { part(r) });
        if let [Some(a), Some(b)] = parts {
            step.special = Special::Exchange(a, b);
            return step;
        }
    }
    let address_only = i.mnemonic() != Mnemonic::Lea && !name.starts_with("nop");
    let memory = info.used_memory().iter().filter(|_| address_only);
    let addresses = memory
        .flat_map(|m| [part(m.base()), part(m.index())])
        .flatten();
    step.addresses = addresses.collect();
    let constant = is_constant(i, name);
    let (mut data, mut control, mut targets) = (vec![], vec![], vec![]);
    for used in info.used_registers() {
        let Some(mut whole) = part(used.register()) else {
            continue;
        };
        // Pushes and pops move the stack pointer by what is public.
        if i.is_stack_instruction() && whole.register == Register::RSP.number() {
            continue;
        }
        let (reads, writes) = match used.access() {
            OpAccess::Read | OpAccess::CondRead => (true, false),
            OpAccess::Write => (false, true),
            OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
            _ => (false, false),
        };
        // Registers of which addresses are made are no data, unless they are operands too.
        let only_address = step.addresses.iter().any(|a| a.register == whole.register)
            && !(0..i.op_count()).any(|n| {
                i.op_kind(n) == OpKind::Register
                    && part(i.op_register(n)).is_some_and(|p| p.register == whole.register)
            })
            && !writes;
        if reads && !constant && !only_address {
            let permutes = step.permutation.as_ref().and_then(|p| p.by_register);
            let is_by = permutes == Some(used.register().full_register());
            let is_mask = is_by || i.op_mask() == used.register() && i.op_mask() != Register::None;
            if is_mask && !is_by {
                whole = mask(i).unwrap_or(whole);
            }
            if is_mask { &mut control } else { &mut data }.push(whole);
        }
        if writes {
            // What is written above the operand is zero.
            let operand = (0..i.op_count())
                .filter(|&n| i.op_kind(n) == OpKind::Register)
                .filter_map(|n| part(i.op_register(n)))
                .find(|p| p.register == whole.register);
            // Of a product of bytes, both bytes are no operand.
            let operand = operand.filter(|_| whole.bytes > 3);
            let bytes = operand.map_or(whole.bytes, |p| p.bytes & whole.bytes);
            let zeroes = whole.register < VECTORS && bytes == 0xf;
            // Whether the upper half becomes zero depends on the operands.
            let perhaps = matches!(
                i.mnemonic(),
                Mnemonic::Bsf | Mnemonic::Bsr | Mnemonic::Cmpxchg
            );
            let kept = match used.access() {
                _ if perhaps => u64::MAX,
                OpAccess::CondWrite | OpAccess::ReadCondWrite => u64::MAX,
                _ if zeroes => 0,
                _ => !whole.bytes,
            };
            let bytes = if perhaps { 0xff } else { bytes };
            targets.push(Target {
                part: Part { bytes, ..whole },
                kept,
            });
        }
        if is_high(used.register()) {
            step.rule = Rule::Any;
        }
    }
    // Of a comparison that is masked, not all may be read.
    if step.rule == Rule::Any && !i.op0_register().is_k() {
        control.append(&mut data);
    }
    let read = flags(i.rflags_read());
    if read != 0 {
        control.push(Part {
            register: FLAGS,
            bytes: read,
        });
    }
    step.leak = match i.flow_control() {
        FlowControl::ConditionalBranch => Some(Leak::Branch),
        FlowControl::IndirectBranch | FlowControl::IndirectCall | FlowControl::Return => {
            Some(Leak::Target)
        }
        _ if is_variable(name) => Some(Leak::Time),
        _ if i.has_rep_prefix() || i.has_repne_prefix() => match special {
            Special::Repeated(_) => None,
            _ if i.is_string_instruction() => Some(Leak::Unknown),
            _ => None,
        },
        _ if info.used_memory().iter().any(is_unknown) => Some(Leak::Unknown),
        _ => None,
    };
    if i.flow_control() == FlowControl::ConditionalBranch && read == 0 {
        control.push(Part {
            register: Register::RCX.number(),
            bytes: 0xff,
        });
    }
    if i.mnemonic() == Mnemonic::Vzeroupper {
        let register = |n| Part {
            register: VECTORS + n,
            bytes: 0,
        };
        targets = (0..16)
            .map(|n| Target {
                part: register(n),
                kept: 0xffff,
            })
            .collect();
        control.clear();
    }
    if i.mnemonic() == Mnemonic::Syscall {
        targets = [0, 1, 11]
            .map(|register| Target {
                part: Part {
                    register,
                    bytes: 0xff,
                },
                kept: 0,
            })
            .into();
        control.clear();
    }
    (step.data, step.control, step.targets) = (data.into(), control.into(), targets.into());
    step
}

/// An access of unknown length.
fn is_unknown(memory: &UsedMemory) -> bool {
    memory.access() != OpAccess::NoMemAccess
        && (memory.memory_size() == MemorySize::Unknown || memory.memory_size().size() == 0)
}
