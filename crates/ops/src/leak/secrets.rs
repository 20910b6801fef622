//! Which fields of an item are secret, told by the names that all operations share
//! (`engines/README.md`), and how one secret takes the place of another.

use adamant_tool::select::matches;

use crate::{Item, Operation};

/// Secret wherever they go in.
const SECRET: [&str; 10] = [
    "a",
    "b",
    "element",
    "key",
    "private_key",
    "scalar",
    "ikm",
    "password",
    "secret",
    "seed",
];

/// Where the message that goes in is secret.
const SECRET_MESSAGE: [&str; 4] = ["*/digest*", "*/seal*", "*/encrypt*", "*/wrap*"];

/// Operations whose time may depend on what goes in, and why.
const EXEMPT: [(&str, &str); 12] = [
    ("rsa-*/keygen*", TRIES),
    ("*-brainpool*/keygen*", TRIES),
    ("ml-dsa-*/keygen*", SAMPLES),
    ("ml-kem-*/keygen*", SAMPLES),
    ("*mlkem*/keygen*", SAMPLES),
    ("x-wing/keygen*", SAMPLES),
    ("ml-kem-*/decapsulate-encoded*", SAMPLES),
    (
        "pki/*",
        "the lengths of numbers in a certificate are public and follow the signature",
    ),
    ("scrypt/*", READS),
    ("argon2id/*", READS),
    ("argon2d/*", READS),
    ("*/*-vartime", "its name says that it is for public values"),
];

const TRIES: &str = "how many candidates are tried is public";
const SAMPLES: &str = "how many samples of the matrix are refused follows rho, which is public";
const READS: &str = "which memory is read follows the password, by design";

/// The names of the secret fields of the operation's items.
///
/// ```
/// use adamant_ops::{leak::secrets, registry};
/// let registry = registry();
/// let of = |name| secrets(registry.iter().find(|op| op.name() == name).unwrap().as_ref());
/// assert_eq!(of("hmac-sha256/mac"), Ok(vec!["key"]));
/// assert_eq!(of("sha256/digest"), Ok(vec!["message"]));
/// assert!(of("ed25519/verify").is_err());
/// ```
///
/// # Errors
/// The reason why there are none.
pub fn secrets(op: &dyn Operation) -> Result<Vec<&'static str>, &'static str> {
    let exempt = EXEMPT.iter().find(|(p, _)| matches(p, op.name()));
    if let Some((_, reason)) = exempt {
        return Err(reason);
    }
    let item = op.draw(op.default_bytes()[0], "secrets", None);
    let mut names = SECRET.to_vec();
    if SECRET_MESSAGE.iter().any(|p| matches(p, op.name())) {
        names.push("message");
    }
    names.retain(|&name| item.contains_key(name));
    if names.is_empty() {
        return Err("what goes in is public");
    }
    Ok(names)
}

/// What is public and new in each run. How often lattice signatures are begun again follows key and
/// message together; where the counters of GCM-SIV begin, and so whether they can overflow, its tag:
/// both are public, and one message, or nonce, would tell the keys apart.
pub(super) fn fresh(op: &dyn Operation) -> Option<&'static str> {
    let fields = [("*/sign*", "message"), ("*-gcm-siv/seal*", "nonce")];
    let mut fields = fields.into_iter();
    fields.find_map(|(pattern, field)| matches(pattern, op.name()).then_some(field))
}

/// `item` with the secrets of `donor`, and what belongs to them. A ciphertext belongs to the key,
/// the nonce and whatever else it was made with; but that of a mode, which has an `iv`, can be any,
/// and counters go their ways by that `iv`, which is public.
pub(super) fn exchange(item: &Item, donor: &Item, secrets: &[&str]) -> Item {
    let whole = donor.contains_key("ciphertext") && !donor.contains_key("iv");
    let taken = |name: &str| whole || name == "public_key" || secrets.contains(&name);
    let mut out = item.clone();
    let fields = donor.iter().filter(|(name, _)| taken(name));
    out.extend(fields.map(|(name, value)| (name.clone(), value.clone())));
    out
}

/// The ones among the bits of the secrets.
pub(super) fn weight(item: &Item, secrets: &[&str]) -> u32 {
    let bytes = secrets.iter().flat_map(|&name| &item[name]);
    bytes.map(|byte| byte.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use crate::task::item;

    #[test]
    fn secrets_change_places() {
        let ours = item([
            ("private_key", &[1]),
            ("public_key", &[2]),
            ("message", &[3]),
        ]);
        let donor = item([
            ("private_key", &[15]),
            ("public_key", &[5]),
            ("message", &[6]),
        ]);
        let out = exchange(&ours, &donor, &["private_key"]);
        let expected = [
            ("private_key", &[15][..]),
            ("public_key", &[5]),
            ("message", &[3]),
        ];
        assert_eq!(out, item(expected));
        assert_eq!(weight(&out, &["private_key"]), 4);
        let open = item([("key", &[7]), ("nonce", &[8]), ("ciphertext", &[9])]);
        assert_eq!(exchange(&Item::new(), &open, &["key"]), open);
        let mode = item([("key", &[7]), ("iv", &[8]), ("ciphertext", &[9])]);
        assert_eq!(
            exchange(&Item::new(), &mode, &["key"]),
            item([("key", &[7])])
        );
    }

    /// Donors have the length of generated keys, 225 bits here. Judged keys have longer ones too.
    #[test]
    fn donors_are_as_long_as_generated_keys() {
        let registry = registry();
        let op = registry
            .iter()
            .find(|op| op.name() == "dh-ffdhe2048/derive");
        let op = op.unwrap();
        let is_short = |item: Item| {
            item["private_key"][..256 - 32]
                .iter()
                .all(|byte| *byte == 0)
        };
        let names = ["0", "1", "2", "3"];
        for ones in [0.1, 0.5, 0.9] {
            assert!(
                names
                    .iter()
                    .all(|name| is_short(op.draw(0, name, Some(ones))))
            );
        }
        assert!(
            !names
                .iter()
                .any(|name| is_short(op.draw_judged(0, name, Some(0.1))))
        );
    }

    #[test]
    fn operations_on_secrets_are_known() {
        for op in registry() {
            let name = op.name();
            let of = |kinds: &[&str]| kinds.iter().any(|kind| name.contains(kind));
            let known = secrets(op.as_ref()).is_ok();
            if EXEMPT.iter().any(|(p, _)| matches(p, name)) {
                assert!(!known, "{name}");
                continue;
            }
            if of(&[
                "/digest", "/mac", "/derive", "/sign", "/mul", "/keygen", "/seal", "/open",
            ]) {
                assert!(known, "{name}");
            }
            if of(&["/verify", "/parse"]) {
                assert!(!known, "{name}");
            }
        }
    }

    #[test]
    fn exchanged_items_are_valid() {
        exchanged_items_fit(false);
    }

    #[test]
    #[ignore = "a minute: cargo test -p adamant-ops --lib -- --ignored"]
    fn exchanged_items_of_slow_operations_are_valid() {
        exchanged_items_fit(true);
    }

    /// The items of every operation that is slow, or is not, still fit it with other secrets in
    /// them.
    fn exchanged_items_fit(slow: bool) {
        let registry = registry().into_iter();
        for op in registry.filter(|op| crate::select::is_slow(op.name()) == slow) {
            let Ok(names) = secrets(op.as_ref()) else {
                continue;
            };
            let size = op.sizes(None, &[1])[0];
            for ones in [None, Some(0.1), Some(0.9)] {
                let donor = op.draw(size.bytes, "donor", ones);
                let inputs = [exchange(&op.inputs(size)[0], &donor, &names)];
                let mut prepared = op.prepare(size, &inputs, None).unwrap();
                let outputs = prepared.outputs();
                let name = op.name();
                op.judge(size, &inputs, &outputs)
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
    }

    /// Secrets that are bytes of any kind follow the part of ones that was asked for.
    #[test]
    fn weights_spread() {
        let registry = registry();
        for (name, field) in [
            ("hmac-sha256/mac", "key"),
            ("ecdsa-p256/sign", "private_key"),
            ("x25519/derive", "private_key"),
            ("p256/mul", "scalar"),
        ] {
            let op = registry.iter().find(|op| op.name() == name).unwrap();
            let weight = |ones| weight(&op.draw(64, "weights", ones), &[field]);
            assert!((1..64).contains(&weight(Some(0.1))), "{name}");
            assert!((80..176).contains(&weight(None)), "{name}");
            assert!((192..256).contains(&weight(Some(0.9))), "{name}");
        }
    }
}
