//! The protocol between the driver and an engine, version 1.
//!
//! An engine is a program that lets itself be measured: one library, wrapped. It reads requests
//! from standard input and writes replies to standard output, one JSON object a line, UTF-8,
//! each line ended by `\n` and shorter than [`LINE_LIMIT`]. Every request gets exactly one reply,
//! in order. An engine writes nothing else to standard output; what it writes to standard error
//! reaches the user's terminal. It ends when its standard input ends. On both sides a line with an
//! unknown field, a repeated one, one of another type or with one missing is an error that names
//! the field and the line: an engine refuses such a request, the driver lets go of such an engine.
//! Only `inputs` and `build` may be left out. A further field is a further version.
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
use std::fmt;

use crate::{Item, Size};
use adamant_tool::strict::{self, Object};
use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The version that this module speaks.
pub const VERSION: u32 = 1;

/// The longest line in bytes, that of the largest batch of the longest messages with room to
/// spare.
pub const LINE_LIMIT: usize = 256 << 20;

/// What the driver asks.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The operation's name.
    pub op: String,
    /// [`Size::bytes`].
    pub bytes: usize,
    /// [`Size::batch`].
    pub batch: usize,
    /// The inputs; without them, what was prepared last.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "strict::present"
    )]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[serde(deny_unknown_fields)]
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

/// The kind that a field of the line names.
fn kind<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    let read = serde_json::from_slice(line).map(|Object(kind)| kind);
    read.map_err(|e| sentence(&e))
}

/// The fields of the line but for the one that names its kind.
fn fields<T: DeserializeOwned>(line: &[u8], tag: &'static str) -> Result<T, String> {
    strict::beside(line, tag).map_err(|e| sentence(&e))
}

/// The error without its place in the text, which is one line.
fn sentence(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((text, _)) => text.to_owned(),
        None => text,
    }
}

/// No field at all.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl Request {
    /// The request that a line holds.
    ///
    /// # Errors
    /// A sentence that names the field which is unknown, missing, repeated or of another type.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Kind {
            request: String,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Hello {
            protocol: u32,
        }
        /// A [`Job`] and how often.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Run {
            op: String,
            bytes: usize,
            batch: usize,
            #[serde(default, deserialize_with = "strict::present")]
            inputs: Option<Vec<HexItem>>,
            iterations: u64,
        }
        const TAG: &str = "request";
        let Kind { request } = kind(line)?;
        Ok(match request.as_str() {
            "hello" => {
                let Hello { protocol } = fields(line, TAG)?;
                Request::Hello { protocol }
            }
            "list" => {
                let Nothing {} = fields(line, TAG)?;
                Request::List
            }
            "check" => Request::Check(fields(line, TAG)?),
            "run" => {
                let Run {
                    op,
                    bytes,
                    batch,
                    inputs,
                    iterations,
                } = fields(line, TAG)?;
                let job = Job {
                    op,
                    bytes,
                    batch,
                    inputs,
                };
                Request::Run { job, iterations }
            }
            "quit" => {
                let Nothing {} = fields(line, TAG)?;
                Request::Quit
            }
            other => return Err(format!("request: there is none called {other:?}")),
        })
    }
}

impl Reply {
    /// The reply that a line holds.
    ///
    /// # Errors
    /// As [`Request::read`].
    pub fn read(line: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Kind {
            reply: String,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct List {
            operations: Vec<String>,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Outputs {
            outputs: Vec<HexItem>,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Ran {
            nanoseconds: u64,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Error {
            message: String,
        }
        const TAG: &str = "reply";
        let Kind { reply } = kind(line)?;
        Ok(match reply.as_str() {
            "hello" => Reply::Hello(fields(line, TAG)?),
            "list" => {
                let List { operations } = fields(line, TAG)?;
                Reply::List { operations }
            }
            "outputs" => {
                let Outputs { outputs } = fields(line, TAG)?;
                Reply::Outputs { outputs }
            }
            "ran" => {
                let Ran { nanoseconds } = fields(line, TAG)?;
                Reply::Ran { nanoseconds }
            }
            "error" => {
                let Error { message } = fields(line, TAG)?;
                Reply::Error { message }
            }
            "bye" => {
                let Nothing {} = fields(line, TAG)?;
                Reply::Bye
            }
            other => return Err(format!("reply: there is none called {other:?}")),
        })
    }
}

/// An [`Item`] as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct HexItem(pub BTreeMap<String, String>);

impl<'de> Deserialize<'de> for HexItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = HexItem;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of hexadecimal strings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<HexItem, A::Error> {
                let mut fields = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    let value = map
                        .next_value()
                        .map_err(|e| A::Error::custom(format_args!("{name}: {e}")))?;
                    if fields.contains_key(&name) {
                        return Err(A::Error::custom(format_args!("{name} stands there twice")));
                    }
                    fields.insert(name, value);
                }
                Ok(HexItem(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

impl From<&Item> for HexItem {
    fn from(item: &Item) -> Self {
        let mut fields = BTreeMap::new();
        for (name, value) in item {
            fields.insert(name.clone(), hex::encode(value));
        }
        HexItem(fields)
    }
}

impl HexItem {
    /// The bytes.
    ///
    /// # Errors
    /// A sentence that names the field which is not hexadecimal.
    pub fn decode(&self) -> Result<Item, String> {
        let mut item = Item::new();
        for (name, value) in &self.0 {
            let bytes =
                hex::decode(value).map_err(|e| format!("{name} is not hexadecimal: {e}"))?;
            item.insert(name.clone(), bytes);
        }
        Ok(item)
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
            assert_eq!(Request::read(text.as_bytes()), Ok(request));
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
            assert_eq!(Reply::read(text.as_bytes()), Ok(reply));
        }
    }

    /// What is said of a line: that it cannot be read, and which field is to blame.
    fn said<T: fmt::Debug>(read: Result<T, String>) -> String {
        read.expect_err("it was read")
    }

    #[test]
    fn wrong_requests_name_the_field() {
        let job = r#""op":"a/b","bytes":1,"batch":1"#;
        let check = |more: &str| format!(r#"{{"request":"check",{job},{more}}}"#);
        for (line, start) in [
            (
                r#"{"request":"quit","now":true}"#.into(),
                "unknown field `now`",
            ),
            (r#"{"request":"list","of":[]}"#.into(), "unknown field `of`"),
            (
                r#"{"request":"hello","protocol":1,"name":"x"}"#.into(),
                "unknown field `name`",
            ),
            (
                r#"{"request":"hello","protocol":"1"}"#.into(),
                "protocol: invalid type: string \"1\"",
            ),
            (r#"{"request":"hello"}"#.into(), "missing field `protocol`"),
            (check(r#""seed":1"#), "unknown field `seed`"),
            (check(r#""iterations":1"#), "unknown field `iterations`"),
            (check(r#""bytes":2"#), "duplicate field `bytes`"),
            (check(r#""request":"check""#), "duplicate field `request`"),
            (check(r#""inputs":null"#), "inputs: invalid type: null"),
            (check(r#""inputs":{}"#), "inputs: invalid type: map"),
            (check(r#""inputs":["00"]"#), "inputs: invalid type: string"),
            (
                check(r#""inputs":[{"key":0}]"#),
                "inputs: key: invalid type: integer `0`",
            ),
            (
                check(r#""inputs":[{"key":"","key":""}]"#),
                "inputs: key stands there twice",
            ),
            (
                format!(r#"{{"request":"run",{job}}}"#),
                "missing field `iterations`",
            ),
            (
                format!(r#"{{"request":"run",{job},"iterations":-1}}"#),
                "iterations: invalid value: integer `-1`",
            ),
            (
                format!(r#"{{"request":"run",{job},"iterations":1,"warm":1}}"#),
                "unknown field `warm`",
            ),
            (r#"{"request":5}"#.into(), "request: invalid type"),
            (
                r#"{"request":"ask"}"#.into(),
                r#"request: there is none called "ask""#,
            ),
            (r#"{"reply":"bye"}"#.into(), "missing field `request`"),
            (r#"["quit"]"#.into(), "invalid type: sequence"),
            (r#"{"request":"quit"} {}"#.into(), "trailing characters"),
            ("garbage".to_owned(), "expected value"),
        ] {
            let why = said(Request::read(line.as_bytes()));
            assert!(
                why.starts_with(start) && !why.contains(" line "),
                "{line}: {why}"
            );
        }
    }

    #[test]
    fn wrong_replies_name_the_field() {
        let hello = r#"{"reply":"hello","protocol":1,"name":"x","version":"1""#;
        let bare = Reply::read(format!("{hello}}}").as_bytes()).unwrap();
        assert!(matches!(bare, Reply::Hello(Hello { build, .. }) if build.is_empty()));
        for (line, start) in [
            (format!(r#"{hello},"cpu":""}}"#), "unknown field `cpu`"),
            (
                format!(r#"{hello},"build":null}}"#),
                "build: invalid type: null",
            ),
            (
                r#"{"reply":"ran","nanoseconds":7,"cycles":30}"#.into(),
                "unknown field `cycles`",
            ),
            (
                r#"{"reply":"ran","nanoseconds":7.5}"#.into(),
                "nanoseconds: invalid type: floating point `7.5`",
            ),
            (r#"{"reply":"ran"}"#.into(), "missing field `nanoseconds`"),
            (
                r#"{"reply":"list","operations":["a",1]}"#.into(),
                "operations: invalid type: integer `1`",
            ),
            (
                r#"{"reply":"outputs","outputs":[{"digest":[]}]}"#.into(),
                "outputs: digest: invalid type: sequence",
            ),
            (
                r#"{"reply":"error","message":"no","code":1}"#.into(),
                "unknown field `code`",
            ),
            (r#"{"reply":"error"}"#.into(), "missing field `message`"),
            (
                r#"{"reply":"bye","message":""}"#.into(),
                "unknown field `message`",
            ),
            (
                r#"{"reply":"no"}"#.into(),
                r#"reply: there is none called "no""#,
            ),
            (r#"{"reply":null}"#.to_owned(), "reply: invalid type: null"),
        ] {
            let why = said(Reply::read(line.as_bytes()));
            assert!(
                why.starts_with(start) && !why.contains(" line "),
                "{line}: {why}"
            );
        }
    }

    #[test]
    fn items_survive_the_journey() {
        assert_eq!(HexItem::from(&item()).decode(), Ok(item()));
        let odd = HexItem(BTreeMap::from([("key".into(), "0".into())]));
        assert!(odd.decode().unwrap_err().starts_with("key is not hex"));
    }
}
