//! Operations by the patterns that fit their names.

use adamant_tool::select::{Unmatched, matches, select};

use crate::Operation;

/// Whether one call of the operation takes tenths of a second or more on some implementation that is
/// not slow for others: small signatures of SLH-DSA, long keys of RSA, long groups, Argon2. A look at every operation that has to be quick leaves these
/// out; others of the same family go through the same code.
///
/// ```
/// use adamant_ops::select::is_slow;
/// assert!(is_slow("slh-dsa-shake-256f/sign") && !is_slow("slh-dsa-shake-128f/sign"));
/// assert!(is_slow("rsa-4096/keygen") && !is_slow("rsa-4096/verify-pkcs1"));
/// ```
#[must_use]
pub fn is_slow(name: &str) -> bool {
    [
        "argon2*",
        "dh-*4096/*",
        "dh-*6144/*",
        "dh-*8192/*",
        "rsa-3072/keygen*",
        "rsa-4096/keygen*",
        "slh-dsa-*s/keygen_batch",
        "slh-dsa-*s/sign*",
        "slh-dsa-*-192f/sign*",
        "slh-dsa-*-256f/sign*",
    ]
    .iter()
    .any(|pattern| matches(pattern, name))
}

/// The operations that the patterns fit, as [`select`].
///
/// ```
/// use adamant_ops::{registry, select::operations};
/// let registry = registry();
/// let chosen = operations(&registry, &["sha256/*".into()]).unwrap();
/// assert!(chosen.iter().all(|op| op.algorithm() == "sha256"));
/// let unmatched = operations(&registry, &["sha257/digest".into()]).err().unwrap();
/// assert_eq!(unmatched.near[0], "sha256/digest");
/// ```
///
/// # Errors
/// [`Unmatched`] for the first pattern that fits no name.
pub fn operations<'a>(
    registry: &'a [Box<dyn Operation>],
    patterns: &[String],
) -> Result<Vec<&'a dyn Operation>, Unmatched> {
    let names: Vec<&str> = registry.iter().map(|op| op.name()).collect();
    let chosen = select(&names, patterns)?;
    Ok(chosen.into_iter().map(|i| registry[i].as_ref()).collect())
}
