//! The rules for the parameters of all algorithms in as few octets as they need, for small
//! code.

use super::{KNOWN, OF_SIGNATURES, Rule};

/// A rule has the place after its own here; 0 stands for none.
const RULES: [Rule; 4] = [
    Rule::Absent,
    Rule::Null,
    Rule::NullOrAbsent,
    Rule::NamedCurve,
];

/// One algorithm after another: how many octets its identifier has, its rule, and these octets.
static PACKED: [u8; pack().1] = {
    let (packed, len) = pack();
    *packed.split_at(len).0.first_chunk().unwrap()
};

/// The octets, and how many there are.
const fn pack() -> ([u8; 1024], usize) {
    let (mut packed, mut len, mut i) = ([0; 1024], 0, 0);
    while i < OF_SIGNATURES.len() + KNOWN.len() {
        let (oid, rule) = if i < OF_SIGNATURES.len() {
            OF_SIGNATURES[i]
        } else {
            let (oid, rule) = KNOWN[i - OF_SIGNATURES.len()];
            (oid, Some(rule))
        };
        let octets = oid.as_bytes();
        packed[len] = octets.len() as u8;
        packed[len + 1] = match rule {
            None => 0,
            Some(Rule::Absent) => 1,
            Some(Rule::Null) => 2,
            Some(Rule::NullOrAbsent) => 3,
            Some(Rule::NamedCurve) => 4,
        };
        len += 2;
        let mut j = 0;
        while j < octets.len() {
            packed[len] = octets[j];
            len += 1;
            j += 1;
        }
        i += 1;
    }
    (packed, len)
}

/// The rule of the algorithm with these octets for an identifier.
pub(super) fn rule(octets: &[u8]) -> Option<Rule> {
    let mut rest = &PACKED[..];
    while let [len, rule, after @ ..] = rest {
        let (known, after) = after.split_at_checked(usize::from(*len))?;
        if known == octets {
            return RULES.get(usize::from(*rule).checked_sub(1)?).copied();
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_has_its_rule() {
        let others = KNOWN.iter().map(|(oid, rule)| (*oid, Some(*rule)));
        for (oid, expected) in OF_SIGNATURES.iter().copied().chain(others) {
            assert!(rule(oid.as_bytes()) == expected, "{oid}");
        }
        assert!(rule(&[0x2a]).is_none());
    }
}
