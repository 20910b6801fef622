//! The model against the CPU: of every instruction on registers that runs here, what changes when
//! a bit of what it reads does must count as secret when that byte is.

use super::VECTORS;
use crate::arena::map;
use crate::follow::Follower;
use crate::logged::Logged;
use crate::machine::{Entry, TABLE_BITS};
use crate::model::{FLAGS, part};
use crate::translate::Translator;
use adamant_base::cpu::features;
use adamant_testkit::skipped;
use iced_x86::{
    Code, CpuidFeature, Encoder, FlowControl, Instruction, InstructionInfoFactory, MemoryOperand,
    Mnemonic, OpAccess, OpCodeOperandKind as Kind, OpKind, Register,
};
use std::collections::BTreeSet;

const GENERAL: [Register; 8] = [
    Register::RAX,
    Register::RCX,
    Register::RDX,
    Register::RSI,
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
];
const MASKS: usize = 48;
const OF_MASKS: usize = 6;
const OF_VECTORS: usize = 6;

/// 64 bytes for each register, as the state of the follower has them: general ones, vectors,
/// masks; flags last.
type State = [[u8; 64]; 58];

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^ x >> 27
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 8) as usize % n
    }
}

/// Whether the CPU has it, of the sets that kernels and libraries use.
fn is_here(feature: CpuidFeature) -> bool {
    let name = format!("{feature:?}").to_lowercase();
    let old = [
        "intel8086",
        "intel386",
        "intel486",
        "x64",
        "cmov",
        "sse",
        "sse2",
    ];
    let name = match &*name {
        "sse4_1" => "sse4.1",
        "sse4_2" => "sse4.2",
        "aes" | "pclmulqdq" | "avx" | "sse3" | "ssse3" => &name,
        _ => &name.replace('_', ""),
    };
    old.contains(&name) || features().has(name)
}

/// The instruction on registers of ours; none where it has other operands, or does what a test cannot.
fn on_registers(code: Code, numbers: &mut Numbers) -> Option<Instruction> {
    let op = code.op_code();
    let apart = [
        Mnemonic::Div,
        Mnemonic::Idiv,
        Mnemonic::In,
        Mnemonic::Out,
        Mnemonic::Std,
        Mnemonic::Cld,
        Mnemonic::Cli,
        Mnemonic::Sti,
        Mnemonic::Xlatb,
        Mnemonic::Hlt,
        // Of segments.
        Mnemonic::Lar,
        Mnemonic::Lsl,
        Mnemonic::Verr,
        Mnemonic::Verw,
        Mnemonic::Ud0,
        Mnemonic::Ud1,
        Mnemonic::Ud2,
        // Their flag of direction or of traps would be the test's.
        Mnemonic::Popf,
        Mnemonic::Popfq,
    ];
    if !op.mode64()
        || !op.is_instruction()
        || op.is_privileged()
        || code.flow_control() != FlowControl::Next
        || apart.contains(&code.mnemonic())
        || !code
            .cpuid_features()
            .iter()
            .all(|&feature| is_here(feature))
    {
        return None;
    }
    let mut line = Instruction::default();
    line.set_code(code);
    for n in 0..op.op_count() {
        let at = numbers.below(5) as u32;
        let register = match op.op_kind(n) {
            Kind::xmm_or_mem
            | Kind::xmm_reg
            | Kind::xmm_rm
            | Kind::xmm_vvvv
            | Kind::xmm_is4
            | Kind::xmm_is5 => Register::XMM0 + at,
            Kind::ymm_or_mem
            | Kind::ymm_reg
            | Kind::ymm_rm
            | Kind::ymm_vvvv
            | Kind::ymm_is4
            | Kind::ymm_is5 => Register::YMM0 + at,
            Kind::zmm_or_mem | Kind::zmm_reg | Kind::zmm_rm | Kind::zmm_vvvv => Register::ZMM0 + at,
            Kind::k_or_mem | Kind::k_reg | Kind::k_rm | Kind::k_vvvv => Register::K1 + at,
            Kind::r64_or_mem | Kind::r64_reg | Kind::r64_rm | Kind::r64_vvvv | Kind::r64_opcode => {
                GENERAL[at as usize]
            }
            Kind::r32_or_mem | Kind::r32_reg | Kind::r32_rm | Kind::r32_vvvv | Kind::r32_opcode => {
                GENERAL[at as usize].full_register32()
            }
            Kind::r16_or_mem | Kind::r16_reg | Kind::r16_rm | Kind::r16_opcode => [
                Register::AX,
                Register::CX,
                Register::DX,
                Register::SI,
                Register::R8W,
            ][at as usize],
            Kind::r8_or_mem | Kind::r8_reg | Kind::r8_opcode => {
                // High halves go with no prefix.
                [
                    Register::AL,
                    Register::CL,
                    Register::DL,
                    Register::BH,
                    Register::DH,
                ][at as usize % 3]
            }
            Kind::al => Register::AL,
            Kind::cl => Register::CL,
            Kind::ax => Register::AX,
            Kind::eax => Register::EAX,
            Kind::rax => Register::RAX,
            Kind::imm8 | Kind::imm8sex16 | Kind::imm8sex32 | Kind::imm8sex64 => {
                let kind = match op.op_kind(n) {
                    Kind::imm8 => OpKind::Immediate8,
                    Kind::imm8sex16 => OpKind::Immediate8to16,
                    Kind::imm8sex32 => OpKind::Immediate8to32,
                    _ => OpKind::Immediate8to64,
                };
                line.set_op_kind(n, kind);
                line.set_immediate8(numbers.next() as u8);
                continue;
            }
            Kind::imm8_const_1 => {
                line.set_op_kind(n, OpKind::Immediate8);
                line.set_immediate8(1);
                continue;
            }
            _ => return None,
        };
        line.set_op_kind(n, OpKind::Register);
        line.set_op_register(n, register);
    }
    if op.can_use_op_mask_register() && (op.require_op_mask_register() || numbers.below(2) == 0) {
        line.set_op_mask(Register::K5);
        line.set_zeroing_masking(op.can_use_zeroing_masking() && numbers.below(2) == 0);
    }
    Some(line)
}

/// A page with `fn(state)`: loads registers, runs the instruction, and stores them.
struct Runner(*mut u8);

impl Runner {
    /// Where the instruction is; none where there is no such encoding.
    #[allow(unsafe_code)]
    fn write(&self, line: &Instruction) -> Option<u64> {
        let place = |n: usize| MemoryOperand::with_base_displ(Register::RDI, 64 * n as i64);
        let (mut encoder, mut at) = (Encoder::new(64), self.0 as u64);
        let mut put = |line: Instruction| {
            at += encoder.encode(&line, at).ok()? as u64;
            Some(at)
        };
        for n in 0..OF_MASKS {
            let k = Register::K1 + n as u32;
            put(Instruction::with2(Code::VEX_Kmovq_kr_km64, k, place(MASKS + 1 + n)).ok()?)?;
        }
        for n in 0..OF_VECTORS {
            let zmm = Register::ZMM0 + n as u32;
            let code = Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512;
            put(Instruction::with2(code, zmm, place(VECTORS + n)).ok()?)?;
        }
        put(Instruction::with1(Code::Push_rm64, place(FLAGS)).ok()?)?;
        put(Instruction::with(Code::Popfq))?;
        for register in GENERAL {
            let from = place(register.number());
            put(Instruction::with2(Code::Mov_r64_rm64, register, from).ok()?)?;
        }
        let own = put(Instruction::with(Code::Nopd))?;
        put(*line)?;
        for register in GENERAL {
            let to = place(register.number());
            put(Instruction::with2(Code::Mov_rm64_r64, to, register).ok()?)?;
        }
        put(Instruction::with(Code::Pushfq))?;
        put(Instruction::with1(Code::Pop_rm64, place(FLAGS)).ok()?)?;
        for n in 0..OF_VECTORS {
            let zmm = Register::ZMM0 + n as u32;
            let code = Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm;
            put(Instruction::with2(code, place(VECTORS + n), zmm).ok()?)?;
        }
        for n in 0..OF_MASKS {
            let k = Register::K1 + n as u32;
            put(Instruction::with2(Code::VEX_Kmovq_m64_kr, place(MASKS + 1 + n), k).ok()?)?;
        }
        put(Instruction::with(Code::Retnq))?;
        let bytes = encoder.take_buffer();
        // SAFETY: the page is our own, and longer.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), self.0, bytes.len()) };
        Some(own)
    }

    #[allow(unsafe_code)]
    fn run(&self, state: &State) -> State {
        // SAFETY: it was written as such a function, which changes what a call may change.
        let function: extern "sysv64" fn(&mut State) = unsafe { core::mem::transmute(self.0) };
        let mut state = *state;
        function(&mut state);
        state
    }
}

/// Random bytes, or few different ones: elements that are equal, small or extreme.
fn state(numbers: &mut Numbers) -> State {
    let mut state = [[0; 64]; 58];
    let alike = numbers.below(4) == 0;
    let same = numbers.next();
    for register in &mut state {
        let kind = numbers.below(5);
        let small = numbers.below(9) as u8;
        let every = [2, 4, 8][numbers.below(3)];
        for (n, byte) in register.iter_mut().enumerate() {
            *byte = match kind {
                _ if alike => same.to_le_bytes()[n % 8],
                0 | 1 => numbers.next() as u8,
                2 => [0, 0xff, 0x80, 0x7f][numbers.below(4)],
                3 if n % every == 0 => small,
                3 => 0,
                _ => (numbers.next() & numbers.next() & numbers.next()) as u8,
            };
        }
    }
    state[FLAGS] = [0; 64];
    // Carry and overflow, and what is always set.
    state[FLAGS][..2]
        .copy_from_slice(&[2 | (numbers.next() & 1) as u8, (numbers.next() & 8) as u8]);
    state
}

/// Whether the flags differ, as the bits of the follower's.
fn flags(a: &State, b: &State) -> u64 {
    let word = |state: &State| u16::from_le_bytes([state[FLAGS][0], state[FLAGS][1]]);
    let differ = word(a) ^ word(b);
    u64::from(differ & 1)
        | u64::from(differ >> 11 & 1) << 1
        | u64::from(differ & 0b1101_0100 != 0) << 2
}

#[test]
fn what_a_secret_changes_is_secret() {
    let has = ["avx512f", "avx512bw", "bmi2"].map(|name| features().has(name));
    if has.contains(&false) {
        return skipped("the model", "no AVX-512 here", "ADAMANT_REQUIRE_FOLLOW");
    }
    let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    let runner = Runner(map(0, 1 << 16, protection));
    let mut table = vec![Entry { from: 0, to: 0 }; 1 << TABLE_BITS];
    let mut translator = Translator::new(table.as_mut_ptr(), 0);
    let mut factory = InstructionInfoFactory::new();
    let mut follower = Follower::new(0).expect("address space");
    let mut numbers = Numbers(1);
    let (mut wrong, mut tried) = (BTreeSet::new(), BTreeSet::new());
    for (code, _) in Code::values().flat_map(|code| (0..3).map(move |n| (code, n))) {
        let Some(line) = on_registers(code, &mut numbers) else {
            continue;
        };
        let info = factory.info(&line);
        let read = info.used_registers().iter().filter(|used| {
            !matches!(
                used.access(),
                OpAccess::Write | OpAccess::None | OpAccess::NoMemAccess
            )
        });
        let mut read: Vec<_> = read.filter_map(|used| part(used.register())).collect();
        read.retain(|part| part.register != 0 || part.bytes != 0);
        let free = info.used_memory().is_empty() && !line.is_stack_instruction();
        if !free || read.is_empty() {
            continue;
        }
        let Some(at) = runner.write(&line) else {
            continue;
        };
        let (lines, block) = translator.block(at);
        tried.insert(code);
        for _ in 0..80 {
            let before = state(&mut numbers);
            let secret = read[numbers.below(read.len())];
            let bytes: Vec<u32> = (0..64).filter(|n| secret.bytes >> n & 1 != 0).collect();
            let byte = bytes[numbers.below(bytes.len())];
            let mut changed = before;
            changed[secret.register][byte as usize] ^= match numbers.below(2) {
                0 => 1 << numbers.below(8),
                _ => numbers.next() as u8,
            };
            let (a, b) = (runner.run(&before), runner.run(&changed));
            let mut log = vec![0; block.record];
            for (what, place) in &lines[0].1 {
                let (register, len) = match what {
                    Logged::Vector(register) => (register, 64),
                    Logged::Mask(register) => (register, 8),
                    Logged::Address(operand) if operand.index == Register::None => {
                        (&operand.base, 8)
                    }
                    _ => panic!("{line}: an address"),
                };
                let from = part(*register).expect("a register").register;
                log[*place..place + len].copy_from_slice(&before[from][..len]);
            }
            follower.registers = [0; 58];
            follower.registers[secret.register] = 1 << byte;
            follower.one(&block, &log);
            for (n, (a, b)) in a.iter().zip(&b).enumerate().take(FLAGS) {
                let differ = (0..64).filter(|&at| a[at] != b[at]);
                let differ = differ.fold(0u64, |bytes, at| bytes | 1 << at);
                if differ & !follower.registers[n] != 0 {
                    wrong.insert(format!("{line} ({code:?}): register {n}"));
                }
            }
            if flags(&a, &b) & !follower.registers[FLAGS] != 0 {
                wrong.insert(format!("{line} ({code:?}): flags"));
            }
        }
    }
    let wrong: Vec<_> = wrong.iter().collect();
    assert!(
        wrong.is_empty(),
        "{} of {}: {wrong:#?}",
        wrong.len(),
        tried.len()
    );
    assert!(tried.len() > 1000, "{}", tried.len());
}
