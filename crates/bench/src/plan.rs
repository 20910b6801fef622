//! What to measure.

use adamant_ops::select::operations;
use adamant_ops::{Operation, Size};
use adamant_tool::select::Unmatched;

/// The rows of a quick look, what a newcomer asks for first, with their sizes in bytes; 0 where an
/// operation has no message.
const QUICK: &[(&str, &[usize])] = &[
    ("sha256/digest", &[64, 1024, 16384]),
    ("sha512/digest", &[64, 1024, 16384]),
    ("sha3-256/digest", &[16384]),
    ("hmac-sha256/mac", &[1024]),
    ("hkdf-sha256/derive", &[32]),
    ("aes-128-gcm/seal", &[1350, 16384]),
    ("aes-256-gcm/seal", &[1350, 16384]),
    ("chacha20-poly1305/seal", &[1350, 16384]),
    ("rsa-2048/sign-pkcs1", &[32]),
    ("rsa-2048/verify-pkcs1", &[32]),
    ("ecdsa-p256/keygen", &[0]),
    ("ecdsa-p256/sign", &[32]),
    ("ecdsa-p256/verify", &[32]),
    ("ecdh-p256/derive", &[0]),
    ("ed25519/keygen", &[0]),
    ("ed25519/sign", &[32]),
    ("ed25519/verify", &[32]),
    ("x25519/keygen", &[0]),
    ("x25519/derive", &[0]),
    ("ml-kem-768/keygen", &[0]),
    ("ml-kem-768/encapsulate", &[0]),
    ("ml-kem-768/decapsulate", &[0]),
    ("ml-dsa-65/keygen", &[0]),
    ("ml-dsa-65/sign", &[32]),
    ("ml-dsa-65/verify", &[32]),
];

/// One operation at one size, still to be measured.
#[derive(Clone, Copy)]
pub struct Planned<'a> {
    /// The operation.
    pub op: &'a dyn Operation,
    /// The size.
    pub size: Size,
    /// The implementation of ours to run; without it, the best.
    pub forced: Option<&'static str>,
}

impl PartialEq for Planned<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.op.name(), self.size, self.forced) == (other.op.name(), other.size, other.forced)
    }
}

/// The rows that the patterns choose, all without a pattern; `quick` keeps to a few.
///
/// `bytes` are the lengths of all messages, where they are given; otherwise each operation has its
/// own, and a quick look takes the quick ones of those that have any.
///
/// ```
/// let registry = adamant_ops::registry();
/// let rows = adamant_bench::plan::plan(&registry, &["sha256/*".into()], true, None, &[64])?;
/// assert_eq!(rows[0].op.name(), "sha256/digest");
/// # Ok::<(), adamant_tool::select::Unmatched>(())
/// ```
///
/// # Errors
/// [`Unmatched`] for the first pattern that fits no operation.
pub fn plan<'a>(
    registry: &'a [Box<dyn Operation>],
    patterns: &[String],
    quick: bool,
    bytes: Option<&[usize]>,
    batches: &[usize],
) -> Result<Vec<Planned<'a>>, Unmatched> {
    let mut rows = Vec::new();
    for op in operations(registry, patterns)? {
        let listed = QUICK.iter().find(|(name, _)| *name == op.name());
        let short = match listed {
            Some((_, bytes)) if quick => Some(*bytes),
            None if quick && patterns.is_empty() => continue,
            _ => None,
        };
        let sizes = op.sizes(bytes.or(short), batches);
        rows.extend(sizes.into_iter().map(|size| Planned {
            op,
            size,
            forced: None,
        }));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_rows_exist() {
        let registry = adamant_ops::registry();
        let rows = plan(&registry, &[], true, None, &[64]).unwrap();
        for (name, bytes) in QUICK {
            let found = rows.iter().filter(|row| row.op.name() == *name);
            let sizes: Vec<_> = found.map(|row| row.size.bytes).collect();
            assert_eq!(&sizes, bytes, "{name}");
        }
    }

    #[test]
    fn lengths_are_asked_for() {
        let registry = adamant_ops::registry();
        let sizes = |op: &str, bytes: Option<&[usize]>| {
            let rows = plan(&registry, &[op.into()], true, bytes, &[64]).unwrap();
            let sizes = rows.iter().map(|row| row.size.bytes);
            sizes.collect::<Vec<_>>()
        };
        let two = Some(&[1350, 65536][..]);
        assert_eq!(sizes("aes-128-gcm/seal", two), [1350, 65536]);
        assert_eq!(sizes("sha256/digest", two), [1350, 65536]);
        assert_eq!(sizes("x25519/derive", two), [0]);
        // What is measured without being asked for.
        for (op, bytes) in [
            ("aes-128-gcm/seal", 1350),
            ("chacha20-poly1305/open", 1350),
            ("blake3/digest", 65536),
        ] {
            assert!(sizes(op, None).contains(&bytes), "{op}");
        }
    }

    #[test]
    fn patterns_choose() {
        let registry = adamant_ops::registry();
        let all = plan(&registry, &[], false, None, &[2, 64]).unwrap();
        assert!(all.len() > registry.len());
        let batches = all
            .iter()
            .filter(|row| row.op.name() == "sha256/digest_batch");
        assert!(batches.clone().any(|row| row.size.batch == 2));
        let quick = plan(&registry, &["sha384/digest".into()], true, None, &[64]).unwrap();
        assert_eq!(quick.len(), quick[0].op.default_bytes().len());
        assert!(plan(&registry, &["nothing".into()], true, None, &[64]).is_err());
    }
}
