//! The symbol that a register holds where it is called: for code at any address, compilers keep
//! the address of `memcpy` in a register where they call it several times.

use super::line::{is_instruction, label};
use std::collections::HashMap;

/// What a register holds before an instruction, as far as all the ways there agree.
#[derive(Clone, Copy, PartialEq)]
enum Held<'a> {
    /// No way there was found yet.
    Unreached,
    Symbol(&'a str),
    Anything,
}

/// The names of a register's parts: `r14` has `r14d` too.
const REGISTERS: [(&str, &[&str]); 8] = [
    ("rax", &["rax", "eax", "ax", "al", "ah"]),
    ("rbx", &["rbx", "ebx", "bx", "bl", "bh"]),
    ("rbp", &["rbp", "ebp", "bp", "bpl"]),
    ("r12", &["r12", "r12d", "r12w", "r12b"]),
    ("r13", &["r13", "r13d", "r13w", "r13b"]),
    ("r14", &["r14", "r14d", "r14w", "r14b"]),
    ("r15", &["r15", "r15d", "r15w", "r15b"]),
    ("r11", &["r11", "r11d", "r11w", "r11b"]),
];

/// The symbol whose address is in the register that line `at` calls (`callq *%r14`, AT&T syntax),
/// in the function that begins after line `begin`; `None` where it may hold anything else.
pub(super) fn symbol<'a>(lines: &[&'a str], begin: usize, at: usize) -> Option<&'a str> {
    let operand = operand(lines[at]);
    let called = operand.strip_prefix("*%")?;
    let len = lines[begin..]
        .iter()
        .position(|line| line.starts_with(".Lfunc_end"))?;
    symbol_in(&lines[begin..begin + len], at - begin, called, 1)
}

/// The symbol in a register before line `at` of a function, through so many copies of registers.
fn symbol_in<'a>(body: &[&'a str], at: usize, called: &str, copies: usize) -> Option<&'a str> {
    let (_, names) = REGISTERS.iter().find(|(name, _)| *name == called)?;
    let places: HashMap<&str, usize> = body
        .iter()
        .enumerate()
        .filter_map(|(number, line)| Some((label(line)?, number)))
        .collect();

    let mut held = vec![Held::Unreached; body.len()];
    let mut queue = vec![(0, Held::Anything)];
    while let Some((number, new)) = queue.pop() {
        let Some(old) = held.get_mut(number) else {
            continue;
        };
        let joined = match *old {
            Held::Unreached => new,
            old if old == new => continue,
            _ => Held::Anything,
        };
        if joined == *old {
            continue;
        }
        *old = joined;
        let line = body[number];
        let from = copied(line, called).filter(|_| copies > 0);
        let after = if !is_instruction(line) {
            joined
        } else if let Some(from) = from {
            symbol_in(body, number, from, copies - 1).map_or(Held::Anything, Held::Symbol)
        } else {
            behind(line, joined, called, names)
        };
        let mnemonic = line.split_whitespace().next().unwrap_or_default();
        let jumps = is_instruction(line) && mnemonic.starts_with('j');
        if jumps {
            // A jump to a computed or unnamed place may lead anywhere.
            match places.get(operand(line).as_str()) {
                Some(&target) => queue.push((target, after)),
                None if mnemonic.starts_with("jmp") => return None,
                None if operand(line).starts_with(|c: char| c.is_ascii_digit()) => return None,
                None => {} // leaves the function
            }
        }
        if !mnemonic.starts_with("jmp") && !mnemonic.starts_with("ret") && mnemonic != "ud2" {
            queue.push((number + 1, after));
        }
    }
    match held[at] {
        Held::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}

/// The register that an instruction copies to `called`.
fn copied<'a>(line: &'a str, called: &str) -> Option<&'a str> {
    let (from, to) = line.strip_prefix("movq")?.trim().split_once(", %")?;
    from.strip_prefix('%').filter(|_| to == called)
}

fn operand(line: &str) -> String {
    line.split_whitespace()
        .skip(1)
        .collect::<Vec<_>>()
        .join(" ")
}

/// What the register holds after an instruction.
fn behind<'a>(line: &'a str, before: Held<'a>, called: &str, names: &[&str]) -> Held<'a> {
    let mnemonic = line.split_whitespace().next().unwrap_or_default();
    let calls = mnemonic.starts_with("call");
    let mentioned = line
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| names.contains(&word));
    let load = line
        .split_once("@GOTPCREL(%rip), %")
        .filter(|(_, to)| mnemonic == "movq" && to.trim() == called);
    if let Some((from, _)) = load {
        return Held::Symbol(from.split_whitespace().last().unwrap_or_default());
    }
    // Functions keep rbx, rbp and r12 to r15.
    let kept = called != "rax" && called != "r11";
    // These write what they name alone.
    let plain = [
        "mov", "cmov", "v", "lea", "sh", "add", "sub", "and", "or", "xor", "cmp", "test", "inc",
        "dec", "j",
    ];
    let plain = plain.iter().any(|p| mnemonic.starts_with(p)) && !mnemonic.starts_with("cmpx");
    let unchanged = if calls {
        kept
    } else {
        !mentioned && mnemonic != "cpuid" && (kept || plain)
    };
    if unchanged { before } else { Held::Anything }
}

#[cfg(test)]
mod tests {
    use super::symbol;

    fn called(body: &str) -> Option<String> {
        let lines: Vec<&str> = body.lines().map(str::trim).collect();
        let at = lines.iter().position(|line| line.ends_with("here"))?;
        let mut lines = lines.clone();
        lines[at] = lines[at].trim_end_matches("here").trim();
        lines.push(".Lfunc_end0:");
        symbol(&lines, 0, at).map(str::to_owned)
    }

    #[test]
    fn one_symbol_on_every_way() {
        let loaded = "movq memcpy@GOTPCREL(%rip), %r14";
        let call = "callq *%r14 here";
        for (body, expected) in [
            (format!("{loaded}\n{call}"), true),
            (
                format!("{loaded}\ncallq other\n.L1:\n{call}\njne .L1"),
                true,
            ),
            (
                format!("{loaded}\n.L1:\n{call}\nincl %r14d\njne .L1"),
                false,
            ),
            (format!("je .L1\n{loaded}\n.L1:\n{call}"), false),
            (format!("{loaded}\nmovl %eax, %r14d\n{call}"), false),
            (
                format!("movl %eax, %r14d\njmp .L2\n.L1:\n{call}\nretq\n.L2:\n{loaded}\njmp .L1"),
                true,
            ),
            (format!("{loaded}\n{call}\njmpq *%rax"), false),
            (call.to_owned(), false),
        ] {
            let symbol = expected.then(|| "memcpy".to_owned());
            assert_eq!(called(&body), symbol, "{body}");
        }
        let call = "movq memset@GOTPCREL(%rip), %rax\ncallq *%rax here";
        assert_eq!(called(call).as_deref(), Some("memset"));
        let call = call.replace("\ncall", "\ncallq other\ncall");
        assert_eq!(called(&call), None);
        let copy =
            "movq memset@GOTPCREL(%rip), %r14\ncallq other\nmovq %r14, %rax\ncallq *%rax here";
        assert_eq!(called(copy).as_deref(), Some("memset"));
        assert_eq!(called(&copy.replace("callq other", "incl %r14d")), None);
        let frame = "movq memset@GOTPCREL(%rip), %rbp\nvzeroupper\ncallq *%rbp here";
        assert_eq!(called(frame).as_deref(), Some("memset"));
        assert_eq!(called(&frame.replace("vzeroupper", "movl $0, %ebp")), None);
    }
}
