//! The analyser on snippets: instructions on registers, each test with what is secret before.

mod every;

use crate::follow::Follower;
use crate::machine::Entry;
use crate::model::FLAGS;
use crate::shadow::Leak;
use crate::translate::Translator;
use adamant_testkit::skipped;
use iced_x86::Register::{self, *};
use iced_x86::{Code, Encoder, Instruction};

const VECTORS: usize = 16;

/// What is secret after the instructions, where these bytes of registers were before.
fn after(lines: &[Instruction], secrets: &[(usize, u64)], record: &[(usize, u64)]) -> Follower {
    let mut lines = lines.to_vec();
    lines.push(Instruction::with(Code::Retnq));
    let (mut encoder, mut at) = (Encoder::new(64), 0);
    for line in &lines {
        at += encoder.encode(line, at).unwrap() as u64;
    }
    let code = encoder.take_buffer().leak();
    let mut table = vec![Entry { from: 0, to: 0 }; 1 << crate::machine::TABLE_BITS];
    let mut translator = Translator::new(table.as_mut_ptr(), 0);
    let (_, block) = translator.block(code.as_ptr() as u64);
    let mut log = vec![0; block.record];
    for &(place, word) in record {
        log[place..place + 8].copy_from_slice(&word.to_ne_bytes());
    }
    let mut follower = Follower::new(0).unwrap();
    for &(register, bytes) in secrets {
        follower.registers[register] = bytes;
    }
    follower.secret = vec![false];
    follower.read(&[block], &log);
    follower
}

fn two(code: Code, a: Register, b: Register) -> Instruction {
    Instruction::with2(code, a, b).unwrap()
}

#[test]
fn words() {
    let state =
        |lines: &[Instruction], secrets: &[(usize, u64)]| after(lines, secrets, &[]).registers;
    let (rax, rcx) = (RAX.number(), RCX.number());
    // A carry goes upwards.
    let add = two(Code::Add_r64_rm64, RAX, RCX);
    assert_eq!(state(&[add], &[(rcx, 4)])[rax], 0xfc);
    // What is below a word's lower half clears the upper, a byte does not.
    let half = two(Code::Mov_r32_rm32, EAX, ECX);
    assert_eq!(state(&[half], &[(rax, 0xff), (rcx, 1)])[rax], 1);
    let byte = two(Code::Mov_r8_rm8, AL, R8L);
    assert_eq!(state(&[byte], &[(rax, 0xff)])[rax], 0xfe);
    // One register twice.
    for code in [Code::Xor_r64_rm64, Code::Sub_r64_rm64] {
        let state = state(&[two(code, RAX, RAX)], &[(rax, 0xff), (FLAGS, 7)]);
        assert_eq!((state[rax], state[FLAGS]), (0, 0));
    }
    let exchange = two(Code::Xchg_rm64_r64, RAX, RCX);
    let exchanged = state(&[exchange], &[(rax, 2)]);
    assert_eq!((exchanged[rax], exchanged[rcx]), (0, 2));
    let turned = Instruction::with1(Code::Bswap_r64, RAX).unwrap();
    assert_eq!(state(&[turned], &[(rax, 3)])[rax], 0xc0);
}

#[test]
fn two_chains_of_carries_are_two() {
    let (rax, rcx, rdx) = (RAX.number(), RCX.number(), RDX.number());
    let chains = [
        two(Code::Adcx_r64_rm64, RAX, RSI),
        two(Code::Adox_r64_rm64, RCX, RSI),
        two(Code::Adcx_r64_rm64, RDX, RSI),
    ];
    let registers = after(&chains, &[(rax, 1)], &[]).registers;
    assert_eq!(
        [registers[rax], registers[rcx], registers[rdx]],
        [0xff, 0, 0xff]
    );
    assert_eq!(registers[FLAGS] & 3, 1, "carry, but no overflow");
}

/// Whether instructions on vectors can be tried.
fn has_vectors() -> bool {
    let has = is_x86_feature_detected!("avx512bw");
    if !has {
        skipped("the model", "no AVX-512 here", "ADAMANT_REQUIRE_FOLLOW");
    }
    has
}

#[test]
fn vectors() {
    if !has_vectors() {
        return;
    }
    let vector = |n: usize| VECTORS + n;
    let three = |code, a, b, c| Instruction::with3(code, a, b, c).unwrap();
    let state = |line, secrets: &[(usize, u64)]| after(&[line], secrets, &[]).registers;
    let add = three(Code::VEX_Vpaddd_ymm_ymm_ymmm256, YMM0, YMM1, YMM2);
    assert_eq!(
        state(add, &[(vector(0), u64::MAX), (vector(2), 0x20)])[vector(0)],
        0xf0
    );
    let unpack = three(Code::VEX_Vpunpcklqdq_xmm_xmm_xmmm128, XMM0, XMM1, XMM2);
    assert_eq!(state(unpack, &[(vector(2), 0x01)])[vector(0)], 0x100);
    let shuffle = three(Code::VEX_Vpshufb_xmm_xmm_xmmm128, XMM0, XMM1, XMM2);
    let by = [(8, 0x80_0f), (16, 0)];
    let shuffled = after(&[shuffle], &[(vector(1), 0x8000)], &by).registers;
    assert_eq!(shuffled[vector(0)], 1);
    let by_secret = after(&[shuffle], &[(vector(2), 1)], &by).registers;
    assert_eq!(by_secret[vector(0)], 0xffff);
    let mut masked = two(Code::EVEX_Vmovdqu8_zmm_k1z_zmmm512, ZMM0, ZMM1);
    masked.set_op_mask(K1);
    let kept = [(vector(0), 0xf0), (vector(1), 0xff)];
    assert_eq!(
        after(&[masked], &kept, &[(8, 0x3)]).registers[vector(0)],
        0xf3
    );
    let zero = Instruction::with(Code::VEX_Vzeroupper);
    assert_eq!(state(zero, &[(vector(1), u64::MAX)])[vector(1)], 0xffff);
}

#[test]
fn conjunctions() {
    let (rax, rcx) = (RAX.number(), RCX.number());
    let by = |line: Instruction, values: &[(usize, u64)], secrets: &[(usize, u64)]| {
        let found = after(&[line], secrets, values).registers;
        (found[rax], found[FLAGS])
    };
    let and = two(Code::And_r64_rm64, RAX, RCX);
    let values = [(8, u64::MAX), (16, 0xff00)];
    assert_eq!(by(and, &values, &[(rax, 0xff)]), (2, 4));
    // What a secret clears is secret; where all is cleared, so are the flags.
    assert_eq!(by(and, &values, &[(rax, 0xff), (rcx, 1)]), (3, 4));
    assert_eq!(by(and, &[(8, 0x00ff), (16, 0)], &[(rcx, 0xfe)]), (0, 0));
    let test = two(Code::Test_rm8_r8, AL, CL);
    assert_eq!(by(test, &[(8, 1), (16, 1 << 8)], &[(rax, 1)]).1, 0);
    assert_eq!(by(test, &[(8, 1), (16, 1)], &[(rax, 1)]).1, 4);
    let constant = Instruction::with2(Code::And_rm32_imm8, EAX, 0x70).unwrap();
    assert_eq!(by(constant, &[(8, 0)], &[(rax, 0xff)]), (1, 4));
    let memory = iced_x86::MemoryOperand::with_base_displ(RCX, 8);
    let loaded = Instruction::with2(Code::And_r64_rm64, RAX, memory).unwrap();
    let values = [(8, 1 << 20), (16, u64::MAX), (24, 0xff)];
    assert_eq!(by(loaded, &values, &[(rax, 0xff)]), (1, 4));
}

/// Shifts that have no operand in memory, in all their widths: the elements stay apart.
#[test]
fn shifts_by_immediates() {
    if !has_vectors() {
        return;
    }
    let shifts = [
        (Code::VEX_Vpsllw_ymm_ymm_imm8, 0b11),
        (Code::VEX_Vpsrlw_ymm_ymm_imm8, 0b11),
        (Code::VEX_Vpsraw_ymm_ymm_imm8, 0b11),
        (Code::VEX_Vpslld_ymm_ymm_imm8, 0xf),
        (Code::VEX_Vpsrld_ymm_ymm_imm8, 0xf),
        (Code::VEX_Vpsrad_ymm_ymm_imm8, 0xf),
        (Code::VEX_Vpsllq_ymm_ymm_imm8, 0xff),
        (Code::VEX_Vpsrlq_ymm_ymm_imm8, 0xff),
    ];
    for (code, element) in shifts {
        let line = Instruction::with3(code, YMM0, YMM1, 5).unwrap();
        let state = after(&[line], &[(VECTORS + 1, 1 << 16)], &[]).registers;
        assert_eq!(state[VECTORS], element << 16, "{code:?}");
    }
    let old = [
        (Code::Psllw_xmm_imm8, 0b11),
        (Code::Psrld_xmm_imm8, 0xf),
        (Code::Psllq_xmm_imm8, 0xff),
    ];
    for (code, element) in old {
        let line = Instruction::with2(code, XMM0, 5).unwrap();
        let state = after(&[line], &[(VECTORS, 1)], &[]).registers;
        assert_eq!(state[VECTORS], element, "{code:?}");
    }
}

#[test]
fn leaks() {
    let leaks = |lines: &[Instruction], secret: Register| {
        let found = after(lines, &[(secret.number(), 1)], &[]).leaks;
        found.into_iter().map(|(_, leak)| leak).collect::<Vec<_>>()
    };
    let divide = Instruction::with1(Code::Div_rm64, RCX).unwrap();
    assert_eq!(leaks(&[divide], RCX), [Leak::Time]);
    assert_eq!(leaks(&[divide], RSI), []);
    let load = Instruction::with2(
        Code::Mov_r64_rm64,
        RAX,
        iced_x86::MemoryOperand::with_base_index_scale(RCX, RSI, 8),
    );
    let load = load.unwrap();
    assert_eq!(leaks(&[load], RSI), [Leak::Address]);
    assert_eq!(leaks(&[load], RAX), []);
    let jump = Instruction::with_branch(Code::Je_rel32_64, 0).unwrap();
    let compare = two(Code::Cmp_r64_rm64, RAX, RCX);
    assert_eq!(leaks(&[compare, jump], RCX), [Leak::Branch]);
    assert_eq!(leaks(&[compare, jump], RSI), []);
    let target = Instruction::with1(Code::Jmp_rm64, RCX).unwrap();
    assert_eq!(leaks(&[target], RCX), [Leak::Target]);
}
