//! What a line of assembly is.

/// The name, if it is a label.
pub(super) fn label(line: &str) -> Option<&str> {
    let name = line.strip_suffix(':')?.trim_matches('"');
    (!name.contains(char::is_whitespace)).then_some(name)
}

/// Whether it is an instruction.
pub(super) fn is_instruction(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '{') && label(line).is_none()
}
