//! Operations that engines have and we do not: how their inputs are made, and what tells whether
//! their outputs are right. Engines [check each other](crate::cross_check) with that.
//!
//! Everything follows from the name, by the grammar in `engines/README.md`, which `forms.txt` has as
//! a table. What we have ourselves is never asked for: our own inputs and our own judgement are used
//! instead.
//!
//! | kind | inputs | right is |
//! |---|---|---|
//! | [`Kind::Same`] | bytes of a stream, keys of one engine | what the others give |
//! | [`Kind::Random`] | keys of one engine | what the others' inverse operation accepts |
//! | [`Kind::Inverse`] | what another engine's operation made | what that one started from |
//! | [`Kind::Keygen`] | none | a pair with which another engine works |

use adamant_engine::Item;
pub use adamant_ops::Stream;
use adamant_tool::select::matches;
use adamant_tool::text::distinct;

/// An operation by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbuilt {
    /// What precedes the slash.
    pub algorithm: String,
    /// Whether it works on several items.
    pub is_batch: bool,
    /// How it is judged.
    pub kind: Kind,
    /// Where its keys come from.
    pub keys: Keys,
    /// Of its row of the table: what an item holds besides keys, and the lengths of messages.
    fields: &'static str,
    lengths: &'static str,
    /// The lengths of the algorithm's key and block.
    own_lengths: [usize; 2],
}

/// How outputs are judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They are determined: every engine gives the same.
    Same,
    /// They are random: this operation undoes or verifies them.
    Random {
        /// Its name after the slash.
        inverse: &'static str,
    },
    /// They undo or verify what this operation made.
    Inverse {
        /// Its name after the slash.
        forward: &'static str,
        /// The field that has to come back as it was, or `valid`.
        field: &'static str,
    },
    /// They are keys.
    Keygen,
}

/// The keys that the inputs hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// None, or bytes of the stream.
    Stream,
    /// A pair: `private_key`, `public_key` and what else the maker gives.
    Pair,
    /// A private key and somebody else's public one.
    Peers,
    /// A scalar and somebody's public key as the `point`.
    Point,
}

impl Unbuilt {
    /// The operation of this name; `None` where the name tells nothing.
    ///
    /// ```
    /// use adamant_bench::unbuilt::{Kind, Unbuilt};
    /// let verify = Unbuilt::named("ed448/verify").unwrap();
    /// assert_eq!(verify.kind, Kind::Inverse { forward: "sign", field: "valid" });
    /// assert!(Unbuilt::named("tea/brew").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let (algorithm, rest) = name.split_once('/')?;
        let operation = rest.strip_suffix("_batch").unwrap_or(rest);
        let fits = |patterns: &str, name| patterns.split(' ').any(|one| matches(one, name));
        let own = own_lengths(algorithm);
        let row = rows().find(|[algorithms, operations, fields, _, _, _]| {
            let is_known = own.is_some() || !fields.contains(['K', 'S']);
            fits(algorithms, algorithm) && fits(operations, operation) && is_known
        });
        let [_, _, fields, lengths, keys, judged] = row?;
        Some(Unbuilt {
            algorithm: algorithm.to_owned(),
            // A sum is of all items, whatever its name ends in.
            is_batch: operation != rest || operation.starts_with("msm"),
            kind: match judged.split(' ').collect::<Vec<_>>()[..] {
                ["random", inverse] => Kind::Random { inverse },
                ["inverse", forward, field] => Kind::Inverse { forward, field },
                ["keys"] => Kind::Keygen,
                _ => Kind::Same,
            },
            keys: match keys {
                "pair" => Keys::Pair,
                "peers" => Keys::Peers,
                "point" => Keys::Point,
                _ => Keys::Stream,
            },
            fields,
            lengths,
            own_lengths: own.unwrap_or_default(),
        })
    }

    /// The lengths to check.
    pub(crate) fn lengths(&self) -> Vec<usize> {
        self.lengths.split(' ').flat_map(str::parse).collect()
    }

    /// What an item of the inputs holds besides keys.
    pub(crate) fn input(&self, stream: &mut Stream, bytes: usize) -> Item {
        let [key, block] = self.own_lengths;
        let fields = self.fields.split_whitespace().map(|field| {
            let (name, of) = field.split_once('=').unwrap_or((field, "M"));
            let value = match of {
                "M" => stream.bytes(bytes),
                "K" => stream.bytes(key),
                "2K" => stream.bytes(2 * key),
                "B" => stream.bytes(block),
                // Below the order, whichever end comes first.
                "S" => [&[0], &stream.bytes(key - 2)[..], &[1]].concat(),
                "P" => point(&self.algorithm, stream.bytes(1)[0]),
                of => match of.strip_prefix("0x") {
                    Some(literal) => hex::decode(literal).unwrap_or_default(),
                    None => stream.bytes(of.parse().unwrap_or_default()),
                },
            };
            (name.to_owned(), value)
        });
        fields.collect()
    }

    /// The operations that make keys for it, best first: ECDH, ECDSA and the bare curve have the same.
    pub(crate) fn keygens(&self) -> Vec<String> {
        let name = self.algorithm.as_str();
        let of_curve = name.strip_prefix("ecdh-").or(name.strip_prefix("ecdsa-"));
        match of_curve.or((self.keys == Keys::Point).then_some(name)) {
            Some(curve) => ["ecdh-", "ecdsa-", ""]
                .map(|kind| format!("{kind}{curve}/keygen"))
                .into(),
            None => vec![self.sibling("keygen")],
        }
    }

    /// The name of another operation of the same algorithm.
    pub(crate) fn sibling(&self, operation: &str) -> String {
        format!("{}/{operation}", self.algorithm)
    }

    /// The pairs of operations, one of which undoes the other, that put a pair of keys to use.
    pub(crate) fn uses(&self) -> Vec<(String, String)> {
        let pairs = rows().filter_map(|[_, operations, _, _, _, judged]| {
            let (forward, _) = judged.strip_prefix("inverse ")?.split_once(' ')?;
            let inverse = operations.split(' ').next()?;
            Some((self.sibling(forward), self.sibling(inverse)))
        });
        distinct(pairs)
    }
}

/// The rows of the table that have so many columns.
fn rows<const N: usize>() -> impl Iterator<Item = [&'static str; N]> {
    // Comments have no columns.
    include_str!("forms.txt").lines().filter_map(|line| {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        columns.try_into().ok()
    })
}

/// The lengths that the name of an algorithm tells.
fn own_lengths(algorithm: &str) -> Option<[usize; 2]> {
    let has_part = |[parts, ..]: &[&str; 3]| parts.split(' ').any(|part| algorithm.contains(part));
    let [_, key, block] = rows().find(has_part)?;
    Some([key.parse().ok()?, block.parse().ok()?])
}

fn point(group: &str, choice: u8) -> Vec<u8> {
    let found = rows().find(|[known, _]| *known == group);
    let points = found.map_or("", |[_, points]| points).split(' ');
    hex::decode(points.cycle().nth(choice.into()).unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Option<(Kind, Keys)> {
        Unbuilt::named(name).map(|op| (op.kind, op.keys))
    }

    #[test]
    fn names_tell_kinds() {
        let inverse = |forward, field| Kind::Inverse { forward, field };
        let random = |inverse| Kind::Random { inverse };
        for (name, expected, keys) in [
            ("whirlpool/digest", Kind::Same, Keys::Stream),
            ("cmac-sm4/mac", Kind::Same, Keys::Stream),
            ("gmac-aes-128/mac", Kind::Same, Keys::Stream),
            ("argon2id/derive", Kind::Same, Keys::Stream),
            ("aes-256-xts/decrypt", Kind::Same, Keys::Stream),
            ("sm4-gcm/seal", Kind::Same, Keys::Stream),
            ("sm4-gcm/open", inverse("seal", "message"), Keys::Stream),
            ("ecdh-p384/derive", Kind::Same, Keys::Peers),
            ("ecdsa-p384/sign", random("verify"), Keys::Pair),
            ("ed448/sign", Kind::Same, Keys::Pair),
            ("rsa-2048/sign-pkcs1", Kind::Same, Keys::Pair),
            ("rsa-2048/sign-pss", random("verify-pss"), Keys::Pair),
            (
                "rsa-2048/verify-pss",
                inverse("sign-pss", "valid"),
                Keys::Pair,
            ),
            ("sm2/encrypt", random("decrypt"), Keys::Pair),
            ("sm2/decrypt", inverse("encrypt", "message"), Keys::Pair),
            ("ml-kem-768/encapsulate", random("decapsulate"), Keys::Pair),
            (
                "ml-kem-768/decapsulate",
                inverse("encapsulate", "shared_secret"),
                Keys::Pair,
            ),
            ("slh-dsa-sha2-128f/keygen", Kind::Keygen, Keys::Stream),
            ("p521/mul", Kind::Same, Keys::Point),
            ("sm2/mul", Kind::Same, Keys::Point),
            ("bignum-256/mul", Kind::Same, Keys::Stream),
            ("aes-256-kw/wrap", Kind::Same, Keys::Stream),
            (
                "aes-256-kw/unwrap",
                inverse("wrap", "message"),
                Keys::Stream,
            ),
            ("x448/derive-encoded", Kind::Same, Keys::Peers),
            (
                "ml-kem-512/encapsulate-encoded",
                random("decapsulate"),
                Keys::Pair,
            ),
            ("p521/mul-base", Kind::Same, Keys::Stream),
            ("aegis-256/open", inverse("seal", "message"), Keys::Stream),
            ("edwards25519/mul", Kind::Same, Keys::Stream),
            ("ristretto255/msm-vartime", Kind::Same, Keys::Stream),
            ("scalar25519/invert", Kind::Same, Keys::Stream),
            ("tls12-prf-sha256/derive", Kind::Same, Keys::Stream),
        ] {
            assert_eq!(kind(name), Some((expected, keys)), "{name}");
        }
        assert_eq!(kind("x/y"), None);
        assert_eq!(kind("digest"), None);
        // A key of unknown length is no input.
        for (name, keys) in [
            ("tea-256/mul", None),
            ("seed-cbc/encrypt", Some(Keys::Pair)),
        ] {
            assert_eq!(kind(name).map(|(_, keys)| keys), keys, "{name}");
        }
        let batch = Unbuilt::named("ecdsa-p384/verify-encoded_batch").unwrap();
        assert!(batch.is_batch && batch.kind == inverse("sign", "valid"));
        assert!(Unbuilt::named("edwards25519/msm").unwrap().is_batch);
    }

    #[test]
    fn inputs_have_the_documented_fields() {
        let fields = |name: &str, bytes| {
            let op = Unbuilt::named(name).unwrap();
            let item = op.input(&mut Stream::new(name), bytes);
            let lengths = item.iter().map(|(name, value)| (name.clone(), value.len()));
            lengths.collect::<Vec<_>>()
        };
        let expected = |fields: &[(&str, usize)]| {
            let owned = fields.iter().map(|&(name, len)| (name.to_owned(), len));
            owned.collect::<Vec<_>>()
        };
        for (name, bytes, fields_of) in [
            ("sha3-512/digest", 9, &[("message", 9)][..]),
            ("siphash-2-4/mac", 9, &[("key", 16), ("message", 9)]),
            ("cmac-aes-192/mac", 9, &[("key", 24), ("message", 9)]),
            (
                "gmac-sm4/mac",
                9,
                &[("key", 16), ("message", 9), ("nonce", 12)],
            ),
            (
                "3des-cbc/encrypt",
                64,
                &[("iv", 8), ("key", 24), ("message", 64)],
            ),
            (
                "aes-256-xts/decrypt",
                64,
                &[("ciphertext", 64), ("iv", 16), ("key", 64)],
            ),
            ("aes-128-ecb/encrypt", 64, &[("key", 16), ("message", 64)]),
            (
                "chacha20/encrypt",
                5,
                &[("key", 32), ("message", 5), ("nonce", 12)],
            ),
            (
                "xchacha20-poly1305/seal",
                5,
                &[("aad", 13), ("key", 32), ("message", 5), ("nonce", 24)],
            ),
            ("p384/mul-base", 0, &[("scalar", 48)]),
            (
                "aegis-128l/seal",
                5,
                &[("aad", 13), ("key", 16), ("message", 5), ("nonce", 16)],
            ),
            ("ghash/mac", 64, &[("key", 16), ("message", 64)]),
            ("edwards25519/add", 0, &[("other", 32), ("point", 32)]),
            (
                "ristretto255/double-base-vartime",
                0,
                &[("base_scalar", 32), ("point", 32), ("scalar", 32)],
            ),
            ("scalar25519/mul", 0, &[("other", 32), ("scalar", 32)]),
            (
                "kbkdf-hmac-sha256/derive",
                32,
                &[("context", 16), ("key", 32), ("label", 16)],
            ),
            ("x963-sm3/derive", 32, &[("info", 16), ("secret", 32)]),
            ("bignum-512/add", 0, &[("a", 64), ("b", 64)]),
            ("aes-192-kw/unwrap", 32, &[("key", 24), ("message", 32)]),
            ("secp256k1/mul", 0, &[("scalar", 32)]),
            ("ml-kem-768/encapsulate", 0, &[]),
            ("ecdsa-p384/sign", 32, &[("message", 32)]),
        ] {
            assert_eq!(fields(name, bytes), expected(fields_of), "{name}");
        }
        // Numbers are four bytes, big-endian.
        let op = Unbuilt::named("scrypt/derive").unwrap();
        let item = op.input(&mut Stream::new("x"), 32);
        assert_eq!(
            (&item["n"], &item["r"]),
            (&vec![0, 0, 4, 0], &vec![0, 0, 0, 8])
        );
        // The same on every machine, and of its own for each name.
        let digest = |name: &str| Stream::new(name).bytes(4);
        assert_eq!(digest("a"), digest("a"));
        assert_ne!(digest("a"), digest("b"));
    }

    #[test]
    fn lengths_suit_the_modes() {
        let lengths = |name: &str| Unbuilt::named(name).unwrap().lengths();
        assert!(lengths("sm4-cbc/encrypt").iter().all(|n| n % 16 == 0));
        assert!(lengths("sm4-ctr/encrypt").iter().any(|n| n % 16 != 0));
        assert_eq!(lengths("ml-kem-512/keygen"), [0]);
        assert_eq!(lengths("ecdh-p521/derive"), [0]);
        assert_eq!(lengths("pbkdf2-hmac-sha256/derive"), [32]);
    }

    #[test]
    fn keys_come_from_where_they_are_made() {
        let op = Unbuilt::named("ecdh-p384/derive").unwrap();
        let all = ["ecdh-p384/keygen", "ecdsa-p384/keygen", "p384/keygen"];
        assert_eq!(op.keygens(), all);
        let op = Unbuilt::named("p384/mul").unwrap();
        assert_eq!(op.keygens(), all);
        let op = Unbuilt::named("rsa-2048/sign-pss").unwrap();
        assert_eq!(op.keygens(), ["rsa-2048/keygen"]);
        assert!(
            op.uses()
                .contains(&("rsa-2048/sign-pss".into(), "rsa-2048/verify-pss".into()))
        );
    }
}
