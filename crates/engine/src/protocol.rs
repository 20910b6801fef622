//! The protocol between the driver and an engine, version 1.
//!
//! An engine is a program that lets itself be measured: one library, wrapped. It reads requests
//! from standard input and writes replies to standard output, one JSON object a line, UTF-8,
//! each line ended by `\n` and shorter than [`LINE_LIMIT`]. Every request gets exactly one reply,
//! in order. An engine writes nothing else to standard output; what it writes to standard error
//! reaches the user's terminal. It ends when its standard input ends. Unknown fields are ignored,
//! on both sides.
//!
//! Byte strings are lowercase hexadecimal. An *item* is an object of named byte strings, as
//! [`crate::Item`] lists them; keys travel encoded.
//!
//! | request | reply |
//! |---|---|
//! | `{"request":"hello","protocol":1}` | `{"reply":"hello","protocol":1,"name":"…","version":"…","build":"…"}`: the engine's short name, the version that the library itself tells, the flags it was built with and, where it tells, the CPU path it took |
//! | `{"request":"list"}` | `{"reply":"list","operations":["sha256/digest",…]}` |
//! | `{"request":"check","op":"…","bytes":N,"batch":N,"inputs":[item,…]}` | `{"reply":"outputs","outputs":[item,…]}`: what the operation gives, an item for each item of the inputs |
//! | `{"request":"run","op":"…","bytes":N,"batch":N,"inputs":[item,…],"iterations":N}` | `{"reply":"ran","nanoseconds":N}`: how long it took to do the whole batch `iterations` times |
//! | `{"request":"quit"}` | `{"reply":"bye"}`, and the engine ends |
//! | anything that fails | `{"reply":"error","message":"a sentence"}`, and the engine goes on |
//!
//! `op` and the sizes mean what the registry of `adamant-ops` says: `bytes` is the length of the
//! message, of the output for key derivation, and 0 where there is neither; `batch` is the number
//! of items, 1 but for operations whose name ends in `_batch` and multi-scalar multiplications.
//! An engine lists a `_batch` operation only where its library has such a call.
//!
//! `check` and a `run` with `inputs` prepare the operation: parse keys, schedule them, build
//! tables, allocate. A `run` without `inputs` runs what was prepared last, which has to be of the
//! same `op`, `bytes` and `batch`. Only the operation itself is timed, by a monotonic clock, less
//! the time that the engine waited for its core where the system tells that ([`crate::stopwatch`]:
//! our side is timed so too); nonces, randomness and tags are inside. A run that fails on the way
//! gives an error, no time.
//!
//! The outputs are judged before anything is timed: by equality where the result is determined,
//! by verification where it is randomised. An engine that disagrees is reported, not timed.

use std::collections::BTreeMap;

use crate::{Item, Size};
use serde::{Deserialize, Serialize};

/// The version that this module speaks.
pub const VERSION: u32 = 1;

/// The longest line in bytes, that of the largest batch of the longest messages with room to
/// spare.
pub const LINE_LIMIT: usize = 256 << 20;

/// What the driver asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "lowercase")]
pub enum Request {
    /// Who are you?
    Hello {
        /// The version that the driver speaks.
        protocol: u32,
    },
    /// What can you do?
    List,
    /// Do this once and show what comes out.
    Check(Job),
    /// Do this often and say how long it took.
    Run {
        /// What to do.
        #[serde(flatten)]
        job: Job,
        /// How often.
        iterations: u64,
    },
    /// Good-bye.
    Quit,
}

/// One operation at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The operation's name.
    pub op: String,
    /// [`Size::bytes`].
    pub bytes: usize,
    /// [`Size::batch`].
    pub batch: usize,
    /// The inputs; without them, what was prepared last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<HexItem>>,
}

impl Job {
    /// The job of this operation at this size on these inputs.
    #[must_use]
    pub fn new(op: &str, size: Size, inputs: Option<&[Item]>) -> Self {
        Job {
            op: op.to_owned(),
            bytes: size.bytes,
            batch: size.batch,
            inputs: inputs.map(|items| items.iter().map(HexItem::from).collect()),
        }
    }

    /// The size.
    #[must_use]
    pub fn size(&self) -> Size {
        Size {
            bytes: self.bytes,
            batch: self.batch,
        }
    }

    /// Whether it differs from another in nothing but its inputs.
    #[must_use]
    pub fn same_operation(&self, other: &Job) -> bool {
        self.op == other.op && self.size() == other.size()
    }
}

/// What an engine answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "lowercase")]
pub enum Reply {
    /// Who it is.
    Hello(Hello),
    /// The names of its operations.
    List {
        /// They.
        operations: Vec<String>,
    },
    /// What a check gave.
    Outputs {
        /// An item for each item of the inputs.
        outputs: Vec<HexItem>,
    },
    /// How long a run took.
    Ran {
        /// By a monotonic clock, for all iterations of the whole batch.
        nanoseconds: u64,
    },
    /// Why there is no answer.
    Error {
        /// A sentence.
        message: String,
    },
    /// Good-bye.
    Bye,
}

/// Who an engine is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The protocol version that the engine speaks.
    pub protocol: u32,
    /// A short name, as in `openssl-system`.
    pub name: String,
    /// The version that the library itself tells.
    pub version: String,
    /// How the library was built and, where it tells, the CPU path that it took.
    #[serde(default)]
    pub build: String,
}

/// An [`Item`] as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HexItem(pub BTreeMap<String, String>);

impl From<&Item> for HexItem {
    fn from(item: &Item) -> Self {
        let fields = item.iter();
        HexItem(
            fields
                .map(|(name, value)| (name.clone(), hex::encode(value)))
                .collect(),
        )
    }
}

impl HexItem {
    /// The bytes.
    ///
    /// # Errors
    /// A sentence that names the field which is not hexadecimal.
    pub fn decode(&self) -> Result<Item, String> {
        let fields = self.0.iter().map(|(name, value)| {
            let bytes =
                hex::decode(value).map_err(|e| format!("{name} is not hexadecimal: {e}"))?;
            Ok((name.clone(), bytes))
        });
        fields.collect()
    }
}

/// The bytes of several items.
///
/// # Errors
/// As [`HexItem::decode`].
pub fn decode(items: &[HexItem]) -> Result<Vec<Item>, String> {
    items.iter().map(HexItem::decode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> Item {
        Item::from([
            ("key".into(), vec![0, 1, 0xfe]),
            ("message".into(), Vec::new()),
        ])
    }

    #[test]
    fn requests_are_as_documented() {
        let size = Size {
            bytes: 64,
            batch: 1,
        };
        let job = Job::new("hmac-sha256/mac", size, Some(&[item()]));
        let bare = Job::new("hmac-sha256/mac", size, None);
        for (request, text) in [
            (
                Request::Hello { protocol: 1 },
                r#"{"request":"hello","protocol":1}"#,
            ),
            (Request::List, r#"{"request":"list"}"#),
            (
                Request::Check(job),
                r#"{"request":"check","op":"hmac-sha256/mac","bytes":64,"batch":1,"inputs":[{"key":"0001fe","message":""}]}"#,
            ),
            (
                Request::Run {
                    job: bare,
                    iterations: 9,
                },
                r#"{"request":"run","op":"hmac-sha256/mac","bytes":64,"batch":1,"iterations":9}"#,
            ),
            (Request::Quit, r#"{"request":"quit"}"#),
        ] {
            assert_eq!(serde_json::to_string(&request).unwrap(), text);
            assert_eq!(serde_json::from_str::<Request>(text).unwrap(), request);
        }
    }

    #[test]
    fn replies_are_as_documented() {
        let hello = Hello {
            protocol: 1,
            name: "x".into(),
            version: "X 1.0".into(),
            build: "-O2".into(),
        };
        for (reply, text) in [
            (
                Reply::Hello(hello),
                r#"{"reply":"hello","protocol":1,"name":"x","version":"X 1.0","build":"-O2"}"#,
            ),
            (
                Reply::List {
                    operations: vec!["a/b".into()],
                },
                r#"{"reply":"list","operations":["a/b"]}"#,
            ),
            (
                Reply::Outputs {
                    outputs: vec![(&item()).into()],
                },
                r#"{"reply":"outputs","outputs":[{"key":"0001fe","message":""}]}"#,
            ),
            (
                Reply::Ran { nanoseconds: 7 },
                r#"{"reply":"ran","nanoseconds":7}"#,
            ),
            (
                Reply::Error {
                    message: "no".into(),
                },
                r#"{"reply":"error","message":"no"}"#,
            ),
            (Reply::Bye, r#"{"reply":"bye"}"#),
        ] {
            assert_eq!(serde_json::to_string(&reply).unwrap(), text);
            assert_eq!(serde_json::from_str::<Reply>(text).unwrap(), reply);
        }
        // Unknown fields are ignored.
        let more = r#"{"reply":"ran","nanoseconds":7,"cycles":30}"#;
        assert_eq!(
            serde_json::from_str::<Reply>(more).unwrap(),
            Reply::Ran { nanoseconds: 7 }
        );
    }

    #[test]
    fn items_survive_the_journey() {
        assert_eq!(HexItem::from(&item()).decode(), Ok(item()));
        let odd = HexItem(BTreeMap::from([("key".into(), "0".into())]));
        assert!(odd.decode().unwrap_err().starts_with("key is not hex"));
    }
}
