//! Patterns over names: an exact name, a glob (`*` and `?`), or `all`.

use std::fmt;

/// Nothing has a name that the pattern fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// The pattern.
    pub pattern: String,
    /// Names or patterns that may have been meant, nearest first.
    pub near: Vec<String>,
}

impl fmt::Display for Unmatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing matches {:?}", self.pattern)?;
        if !self.near.is_empty() {
            write!(f, "; near it: {}", self.near.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Unmatched {}

/// Whether the pattern fits the name, in capitals or not.
///
/// ```
/// use adamant_tool::select::matches;
/// assert!(matches("sha*/digest", "sha256/digest"));
/// assert!(matches("SHA256/*", "sha256/digest"));
/// assert!(matches("all", "sha256/digest"));
/// assert!(!matches("sha256", "sha256/digest"));
/// ```
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    pattern.eq_ignore_ascii_case("all") || glob(pattern.as_bytes(), name.as_bytes())
}

fn glob(pattern: &[u8], name: &[u8]) -> bool {
    // On a mismatch the last star takes one byte more.
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(b) if *b == b'?' || b.eq_ignore_ascii_case(&name[n]) => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((at, taken)) = star else {
                    return false;
                };
                star = Some((at, taken + 1));
                p = at + 1;
                n = taken + 1;
            }
        }
    }
    pattern[p..].iter().all(|&b| b == b'*')
}

/// The places of the names that the patterns fit, in the order of the names, each once; all of
/// them without a pattern.
///
/// # Errors
/// [`Unmatched`] for the first pattern that fits no name.
pub fn select(names: &[&str], patterns: &[String]) -> Result<Vec<usize>, Unmatched> {
    for pattern in patterns {
        if !names.iter().any(|name| matches(pattern, name)) {
            return Err(Unmatched {
                pattern: pattern.clone(),
                near: near(names, pattern),
            });
        }
    }
    let chosen = |name| patterns.is_empty() || patterns.iter().any(|p| matches(p, name));
    Ok((0..names.len()).filter(|&i| chosen(names[i])).collect())
}

/// Up to four names near the pattern: the pattern as the algorithm's part or a piece of names,
/// else the names that the fewest edits reach.
fn near(names: &[&str], pattern: &str) -> Vec<String> {
    let core = pattern.trim_matches(|c| "*?".contains(c)).to_lowercase();
    if core.is_empty() {
        return Vec::new();
    }
    for guess in [format!("{core}/*"), format!("{core}*"), format!("*{core}*")] {
        if guess != pattern && names.iter().any(|name| matches(&guess, name)) {
            return vec![guess];
        }
    }
    let mut near: Vec<(usize, &str)> = names.iter().map(|n| (edits(&core, n), *n)).collect();
    near.sort();
    near.into_iter()
        .filter(|(edits, name)| *edits <= core.len().max(name.len()) / 2)
        .take(4)
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// The least number of bytes to insert, delete or replace between two names.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &[
        "sha256/digest",
        "sha256/digest_batch",
        "ecdsa-p256/sign",
        "ecdsa-p256/verify",
        "x25519/derive",
    ];

    #[test]
    fn globs() {
        for (pattern, name, fits) in [
            ("", "", true),
            ("*", "", true),
            ("a", "", false),
            ("*b*c", "abcbc", true),
            ("a*a", "a", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("**", "abc", true),
            ("*/sign", "ecdsa-p256/sign", true),
            ("*/sign", "ecdsa-p256/sign_batch", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn selection_keeps_the_order() {
        let chosen = |patterns: &[&str]| {
            let patterns: Vec<_> = patterns.iter().map(|p| (*p).to_owned()).collect();
            select(NAMES, &patterns)
        };
        assert_eq!(
            chosen(&["ecdsa*", "sha256/digest", "*/sign"]),
            Ok(vec![0, 2, 3])
        );
        assert_eq!(chosen(&[]), Ok(vec![0, 1, 2, 3, 4]));
        assert_eq!(chosen(&["all"]).unwrap().len(), 5);
        assert_eq!(
            chosen(&["sha256/digest", "nothing"]).unwrap_err().pattern,
            "nothing"
        );
    }

    #[test]
    fn suggestions() {
        assert_eq!(near(NAMES, "sha256"), ["sha256/*"]);
        assert_eq!(near(NAMES, "ecdsa"), ["ecdsa*"]);
        assert_eq!(near(NAMES, "P256"), ["*p256*"]);
        assert_eq!(near(NAMES, "sha-256/digest")[0], "sha256/digest");
        assert_eq!(near(NAMES, "ecdsa-p256/sing")[0], "ecdsa-p256/sign");
        assert!(near(NAMES, "completely-different-name").is_empty());
        assert!(near(NAMES, "*").is_empty());
        let unmatched = select(NAMES, &["x25519".into()]).unwrap_err();
        assert_eq!(
            unmatched.to_string(),
            "nothing matches \"x25519\"; near it: x25519/*"
        );
    }
}
