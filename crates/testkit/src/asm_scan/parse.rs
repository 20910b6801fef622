//! Reads the compiler's x86-64 assembly, AT&T or Intel syntax: functions, jumps, calls.

use super::held;
use super::line::{is_instruction, label};
use std::collections::HashMap;

/// What an instruction does to the flow of control or, where it matters, to time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Jumps or not, back to what has run (a loop) or ahead.
    Conditional { backward: bool },
    /// Jumps to or calls a computed address.
    Indirect,
    /// Calls or goes on in this function.
    Call(String),
    /// Takes time that depends on operands, or loads from computed addresses.
    VariableTime,
}

/// An instruction with an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    pub(super) effect: Effect,
    /// The line, and before it the one that sets its flags or its address.
    pub(super) text: String,
}

/// An assembly file. Instructions are read where they are asked for: most functions never are.
pub(super) struct Assembly<'a> {
    lines: Vec<&'a str>,
    labels: HashMap<&'a str, Vec<usize>>,
    /// The line of each function's label, by symbol; none where another symbol stands for it.
    functions: HashMap<&'a str, Option<usize>>,
    /// Equal functions are merged: the lines by which one symbol stands for the other.
    aliases: Vec<usize>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(asm: &'a str) -> Self {
        let lines: Vec<&str> = asm.lines().map(clean).collect();
        let names = lines.iter().filter_map(|line| {
            let (name, kind) = line.strip_prefix(".type")?.trim().split_once(',')?;
            (kind.trim() == "@function").then_some(name.trim_matches('"'))
        });
        let mut functions: HashMap<&str, Option<usize>> = names.map(|name| (name, None)).collect();
        let mut aliases = vec![];
        for (number, line) in lines.iter().enumerate() {
            if let Some(begin) = label(line).and_then(|label| functions.get_mut(label)) {
                *begin = Some(number);
            } else if let Some((name, _)) = alias(line) {
                functions.entry(name).or_default();
                aliases.push(number);
            }
        }
        Assembly {
            labels: labels(&lines),
            lines,
            functions,
            aliases,
        }
    }

    /// The symbols of its functions.
    pub(super) fn symbols(&self) -> impl Iterator<Item = &'a str> {
        self.functions.keys().copied()
    }

    /// The symbol as the file has it, if it is that of a function.
    pub(super) fn symbol(&self, symbol: &str) -> Option<&'a str> {
        self.functions.get_key_value(symbol).map(|(name, _)| *name)
    }

    /// What has an effect in a function.
    pub(super) fn instructions(&self, symbol: &str) -> Vec<Instruction> {
        let alias_of = |line: &&'a str| alias(line).filter(|(name, _)| *name == symbol);
        let aliases = self.aliases.iter().map(|&number| self.lines[number]);
        let mut instructions: Vec<_> = aliases
            .filter_map(|line| {
                let (_, of) = alias_of(&line)?;
                Some(Instruction {
                    effect: Effect::Call(of.to_owned()),
                    text: line.to_owned(),
                })
            })
            .collect();
        let Some(Some(begin)) = self.functions.get(symbol).copied() else {
            return instructions;
        };
        let mut previous = "";
        for (number, line) in self.lines.iter().enumerate().skip(begin + 1) {
            let label = label(line);
            if label.is_some_and(|label| {
                label.starts_with(".Lfunc_end") || self.functions.contains_key(label)
            }) {
                break;
            }
            if label.is_some() || !is_instruction(line) {
                continue;
            }
            let jumps_back = |target: &str| jumps_back(&self.labels, target, number);
            for mut effect in effects(line, jumps_back) {
                if effect == Effect::Indirect
                    && let Some(symbol) = held::symbol(&self.lines, begin, number)
                {
                    effect = Effect::Call(symbol.to_owned());
                }
                let text = format!("{previous}; {line}");
                instructions.push(Instruction { effect, text });
            }
            previous = line;
        }
        instructions
    }
}

/// The line without comment, outer space and tabs.
fn clean(line: &str) -> &str {
    let code = line
        .split_once(" #")
        .or_else(|| line.split_once("\t#"))
        .map_or(line, |(code, _)| code);
    code.trim()
}

fn alias(line: &str) -> Option<(&str, &str)> {
    let (alias, of) = line.strip_prefix(".set")?.split_once(',')?;
    Some((alias.trim(), of.trim()))
}

/// The lines of each label; numeric ones may come again.
fn labels<'a>(lines: &[&'a str]) -> HashMap<&'a str, Vec<usize>> {
    let mut labels: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        if let Some(label) = label(line) {
            labels.entry(label).or_default().push(number);
        }
    }
    labels
}

fn jumps_back(labels: &HashMap<&str, Vec<usize>>, target: &str, from: usize) -> bool {
    match local_number(target) {
        Some(backward) => backward,
        None => labels.get(target).is_some_and(|lines| lines[0] <= from),
    }
}

/// For a reference to a numeric label (`2b`, `3f`), whether it points back.
fn local_number(target: &str) -> Option<bool> {
    let (digits, direction) = target.split_at_checked(target.len().checked_sub(1)?)?;
    let numeric = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    match direction {
        "b" if numeric => Some(true),
        "f" if numeric => Some(false),
        _ => None,
    }
}

fn effects(line: &str, jumps_back: impl Fn(&str) -> bool) -> Vec<Effect> {
    const PREFIXES: [&str; 7] = ["notrack", "bnd", "lock", "rep", "repz", "repe", "repne"];
    let mut words = line
        .split_whitespace()
        .skip_while(|word| PREFIXES.contains(word));
    let mnemonic = words.next().unwrap_or_default();
    let operand = words.collect::<Vec<_>>().join(" ");
    match mnemonic {
        "jmp" | "jmpq" | "call" | "callq" => match target(&operand) {
            Target::Computed => vec![Effect::Indirect],
            Target::Local => vec![],
            Target::Symbol(symbol) => vec![Effect::Call(symbol.to_owned())],
        },
        _ if mnemonic.starts_with('j') || mnemonic.starts_with("loop") => {
            let mut effects = vec![Effect::Conditional {
                backward: jumps_back(&operand),
            }];
            if let Target::Symbol(symbol) = target(&operand) {
                effects.push(Effect::Call(symbol.to_owned()));
            }
            effects
        }
        _ if is_division(mnemonic) || is_gather(mnemonic) => vec![Effect::VariableTime],
        _ => vec![],
    }
}

/// Integer division; AT&T adds the size to the name.
fn is_division(mnemonic: &str) -> bool {
    let name = mnemonic.strip_prefix('i').unwrap_or(mnemonic);
    matches!(name, "div" | "divb" | "divw" | "divl" | "divq")
}

fn is_gather(mnemonic: &str) -> bool {
    ["vpgather", "vgather", "vpscatter", "vscatter"]
        .iter()
        .any(|p| mnemonic.starts_with(p))
}

enum Target<'a> {
    Computed,
    Local,
    Symbol(&'a str),
}

fn target(operand: &str) -> Target<'_> {
    // Through the linker's table of addresses: a direct call in effect.
    if let Some((before, _)) = operand.split_once("@GOTPCREL") {
        let start = before
            .rfind(|c: char| "*[+ ".contains(c))
            .map_or(0, |i| i + 1);
        return Target::Symbol(&before[start..]);
    }
    let register = operand.len() <= 3 && operand.starts_with('r');
    if operand.starts_with('*') || operand.contains('[') || register {
        return Target::Computed;
    }
    if operand.starts_with(".L") || local_number(operand).is_some() {
        return Target::Local;
    }
    Target::Symbol(
        operand
            .split('@')
            .next()
            .unwrap_or(operand)
            .trim_matches('"'),
    )
}

/// Where `path` (`sha256::x86_sha::compress`) ends the path that a mangled symbol (v0) names, the
/// number of the last name among equal ones in its scope.
pub(super) fn matches(symbol: &str, path: &str) -> Option<usize> {
    let tokens = tokens(symbol);
    let segments: Vec<&str> = path.split("::").collect();
    let position = tokens
        .windows(segments.len())
        .enumerate()
        .position(|(start, window)| {
            let names = window.iter().map(|token| token.map(|(_, name)| name));
            // A further name would be an item inside this one.
            names.eq(segments.iter().copied().map(Some))
                && tokens
                    .get(start + segments.len())
                    .is_none_or(Option::is_none)
        })?;
    tokens[position + segments.len() - 1].map(|(number, _)| number)
}

/// Where `path` (`sha256::compress`) is a function of a table of implementations, and the symbol that
/// of one of its rows: which. The macro wraps the function of each row, under its name, inside the
/// static `ROWS` of the table's method.
pub(super) fn matches_column(symbol: &str, path: &str) -> Option<usize> {
    let (module, function) = path.rsplit_once("::")?;
    let tokens = tokens(symbol);
    let names = tokens.iter().map(|token| token.map(|(_, name)| name));
    let names: Vec<Option<&str>> = names.collect();
    let module: Vec<Option<&str>> = module.split("::").map(Some).collect();
    let ends = |start: usize| names.get(start).is_none_or(Option::is_none);
    let mut modules = names.windows(module.len()).enumerate();
    let behind = modules.find_map(|(start, window)| {
        let end = start + module.len();
        (window == module && ends(end)).then_some(end)
    })?;
    let inside = [Some(function), Some("ROWS"), Some(function)];
    let mut columns = names.windows(inside.len()).enumerate().skip(behind);
    let last = columns.find_map(|(start, window)| {
        let end = start + inside.len();
        (window == inside && ends(end)).then_some(end - 1)
    })?;
    tokens[last].map(|(number, _)| number)
}

/// The names in a mangled symbol, each with its number among equal ones, and `None` for anything
/// else: adjacent names form a path.
fn tokens(mut symbol: &str) -> Vec<Option<(usize, &str)>> {
    let mut tokens = vec![];
    let mut number = 0;
    let mut tag = ' ';
    while let Some(c) = symbol.chars().next() {
        let after_number = base62(&symbol[c.len_utf8()..]);
        if let ('s', Some((n, rest))) = (c, after_number) {
            (number, symbol) = (n + 1, rest);
            tag = ' ';
        } else if let ('B' | 'L' | 'G', Some((_, rest))) = (c, after_number) {
            tokens.push(None);
            symbol = rest;
            tag = ' ';
        } else if !c.is_ascii_digit() {
            tokens.push(None);
            symbol = &symbol[c.len_utf8()..];
            tag = c;
        } else if tag.is_ascii_lowercase() && tag != 'p' {
            // The value of a constant, after the letter of its type.
            symbol = symbol.split_once('_').map_or("", |(_, rest)| rest);
            tag = ' ';
        } else {
            let Some((name, rest)) = name(symbol) else {
                break;
            };
            tokens.push(Some((number, name)));
            (number, symbol, tag) = (0, rest, ' ');
        }
    }
    tokens
}

/// A name after its length, set off by `_` where it starts like a number itself.
fn name(symbol: &str) -> Option<(&str, &str)> {
    let digits = match symbol.strip_prefix('0') {
        Some(_) => 1,
        None => symbol.find(|c: char| !c.is_ascii_digit())?,
    };
    let (len, rest) = symbol.split_at(digits);
    rest.strip_prefix('_')
        .unwrap_or(rest)
        .split_at_checked(len.parse().ok()?)
}

/// A number in base 62 up to `_`: none is 0, `0` is 1 and so on.
fn base62(text: &str) -> Option<(usize, &str)> {
    let (digits, rest) = text.split_once('_')?;
    let mut number = 0usize;
    for digit in digits.bytes() {
        let value = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'z' => digit - b'a' + 10,
            b'A'..=b'Z' => digit - b'A' + 36,
            _ => return None,
        };
        // The hash of a crate wraps; it is not a number among equal names.
        number = number.wrapping_mul(62).wrapping_add(usize::from(value));
    }
    let nonempty = usize::from(!digits.is_empty());
    Some((number.wrapping_add(nonempty) & usize::MAX >> 1, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Effect::{Call, Conditional, Indirect, VariableTime};

    fn scan(body: &str) -> Vec<Effect> {
        let asm = format!("\t.type\tf,@function\nf:\n{body}\n.Lfunc_end0:\n\tjne .LBB9_9\n");
        let instructions = Assembly::new(&asm).instructions("f");
        instructions.into_iter().map(|i| i.effect).collect()
    }

    #[test]
    fn att_syntax() {
        let body = "
        .cfi_startproc
        testq %rsi, %rsi  # a comment: jne .LBB0_1
        je .LBB0_3
.LBB0_1:
        cmovneq %rdx, %rax
        sete %al
        divps %xmm0, %xmm1
        decq %rsi
        jne .LBB0_1
.LBB0_3:
        jmp .LBB0_4
.LBB0_4:
        jmpq *%rax
        jmpq *.LJTI0_0(,%rax,8)
        callq *8(%rcx)
        callq *memcpy@GOTPCREL(%rip)
        callq other@PLT
        lock cmpxchgq %rax, (%rdi)
        divq %rcx
        vpgatherqq %ymm0, (%rax,%ymm1,8), %ymm2
        jae other
        notrack jmpq *%rdx
        retq";
        let expected = [
            Conditional { backward: false },
            Conditional { backward: true },
            Indirect,
            Indirect,
            Indirect,
            Call("memcpy".into()),
            Call("other".into()),
            VariableTime,
            VariableTime,
            Conditional { backward: false },
            Call("other".into()),
            Indirect,
        ];
        assert_eq!(scan(body), expected);
    }

    #[test]
    fn intel_syntax_and_numeric_labels() {
        let body = "
2:
        add rax, qword ptr [rdi + 8]
        jz 3f
        jnz 2b
3:
        jmp rax
        jmp r11
        jmp qword ptr [rcx + 8*rax]
        call qword ptr [rip + memcmp@GOTPCREL]
        call other
        idiv ecx
        jrcxz 2b
        loop 2b
        ret";
        let expected = [
            Conditional { backward: false },
            Conditional { backward: true },
            Indirect,
            Indirect,
            Indirect,
            Call("memcmp".into()),
            Call("other".into()),
            VariableTime,
            Conditional { backward: true },
            Conditional { backward: true },
        ];
        assert_eq!(scan(body), expected);
    }

    #[test]
    fn merged_functions_lead_to_their_other_name() {
        let asm = ".type a,@function\na:\n ja 1f\n1:\n.Lfunc_end0:\n.set b, a\n";
        let merged = Assembly::new(asm).instructions("b");
        assert_eq!(merged[0].effect, Call("a".into()));
    }

    #[test]
    fn symbols_are_matched_by_their_segments() {
        let krate = "_RNvNtNtCs1Fp0SiPHoMf_4hash6sha256";
        let found = |tail: &str, path| matches(&format!("{krate}{tail}"), path);
        assert_eq!(
            found("7x86_sha8compress", "sha256::x86_sha::compress"),
            Some(0)
        );
        assert_eq!(found("7x86_sha8compress", "x86_sha::compress"), Some(0));
        assert_eq!(
            found("7x86_sha8compressKj4_EB4_", "x86_sha::compress"),
            Some(0)
        );
        assert_eq!(found("1ts_8compress", "sha256::t::compress"), Some(1));
        assert_eq!(found("1ts1_8compress", "sha256::t::compress"), Some(3));
        assert_eq!(found("1tsZ_8compress", "sha256::t::compress"), Some(63));
        assert_eq!(found("3x8610__compress_", "x86::__compress_"), None);
        assert_eq!(found("3x8611___compress_", "x86::__compress_"), Some(0));
        assert_eq!(found("4x86_8compress", "x86::compress"), None);
        assert_eq!(found("11precompress", "sha256::compress"), None);
        assert_eq!(found("8compress5inner", "sha256::compress"), None);
        assert_eq!(found("8compress0B5_", "sha256::compress"), None);
        let method = "_RNvMNtCs1Fp0SiPHoMf_4hash6sha256NtB2_6Sha2566update";
        assert_eq!(matches(method, "Sha256::update"), Some(0));
        let generic = "_RINvNtCs1_4hash3mac3runAhj20_NtB2_1HE";
        assert_eq!(matches(generic, "mac::run"), Some(0));
        assert_eq!(matches("memcpy", "mac::run"), None);
    }

    #[test]
    fn rows_are_matched_by_their_column() {
        let row = |tail: &str, path| {
            let method = "_RNvNvNvMs6_NtNtCs1Fp0SiPHoMf_4hash6sha2565lanesNtB9_7Backend";
            matches_column(&format!("{method}{tail}"), path)
        };
        let path = "sha256::lanes::compress";
        assert_eq!(row("8compress4ROWS8compress", path), Some(0));
        assert_eq!(row("8compress4ROWSs_8compress", path), Some(1));
        assert_eq!(
            row("8compress4ROWSs1_8compress", "lanes::compress"),
            Some(3)
        );
        assert_eq!(row("8compress4ROWS8compress", "sha256::compress"), None);
        assert_eq!(row("13compress_pair4ROWS13compress_pair", path), None);
        assert_eq!(row("8compress4ROWS8compress5inner", path), None);
        assert_eq!(row("8compress", path), None);
    }
}
