//! A test that every engine can be put through: known answers (`answers.txt` names the documents
//! that they are from), and what one operation makes goes into the other that undoes or checks it.
//!
//! Of the operations that an engine lists, those that neither a line of the file nor a pair covers
//! are left to the comparison, which judges every output anyway.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::op::{field, item};
use crate::protocol::HexItem;
use crate::serve::Engine;
use crate::{Item, Size};

const ANSWERS: &str = include_str!("answers.txt");

/// Puts an engine through known answers and round trips.
///
/// # Errors
/// A line for each operation that fails, or a word where no operation was tested.
pub fn check(engine: &Engine) -> Result<(), String> {
    let mut failures = Vec::new();
    let mut tested = 0;
    let mut keys = BTreeMap::new();
    for line in ANSWERS.lines().filter(|line| !line.starts_with('#')) {
        let answer = Answer::parse(line).map_err(|e| format!("{line:.60}: {e}"))?;
        if let Some((scheme, "keygen")) = answer.op.split_once('/') {
            keys.insert(scheme, answer.outputs);
        } else if engine.names().any(|name| name == answer.op) {
            tested += 1;
            if let Err(e) = answer.check(engine) {
                failures.push(format!("{}: {e}", answer.op));
            }
        }
    }
    for name in engine.names() {
        for test in [signature, encryption, encapsulation, agreement, generation] {
            match test(engine, name, &keys) {
                Some(Ok(())) => tested += 1,
                Some(Err(e)) => failures.push(format!("{name}: {e}")),
                None => {}
            }
        }
    }
    match failures.as_slice() {
        [] if tested == 0 => Err("no operation was tested".into()),
        [] => Ok(()),
        _ => Err(failures.join("\n")),
    }
}

/// A line of the file.
struct Answer {
    op: &'static str,
    bytes: usize,
    inputs: Item,
    outputs: Item,
}

impl Answer {
    fn parse(line: &'static str) -> Result<Self, String> {
        let (left, right) = line.split_once(" -> ").ok_or("there is no \"->\"")?;
        let mut left = left.split(' ');
        let op = left.next().ok_or("there is no operation")?;
        let bytes = left.next().and_then(|bytes| bytes.parse().ok());
        Ok(Answer {
            op,
            bytes: bytes.ok_or("there is no length")?,
            inputs: fields(left)?,
            outputs: fields(right.split(' '))?,
        })
    }

    fn check(&self, engine: &Engine) -> Result<(), String> {
        let outputs = run(engine, self.op, self.bytes, &self.inputs)?;
        for (name, expected) in &self.outputs {
            let value = field(&outputs, name)?;
            if value != *expected {
                let (value, expected) = (hex::encode(value), hex::encode(expected));
                return Err(format!("{name} is {value} and not {expected}"));
            }
        }
        Ok(())
    }
}

fn fields(words: impl Iterator<Item = &'static str>) -> Result<Item, String> {
    let words = words.filter(|word| !word.is_empty());
    let pairs = words.map(|word| {
        let (name, value) = word.split_once('=').ok_or("a field without \"=\"")?;
        Ok((name.to_owned(), value.to_owned()))
    });
    HexItem(pairs.collect::<Result<_, String>>()?).decode()
}

/// What the operation gives: again after a run, so that one which changes its input is caught
/// too; those that take long do without.
fn run(engine: &Engine, op: &str, bytes: usize, inputs: &Item) -> Result<Item, String> {
    let size = Size { bytes, batch: 1 };
    let mut task = engine.prepare(op, size, std::slice::from_ref(inputs))?;
    let start = Instant::now();
    let first = task.outputs()?;
    if start.elapsed() > Duration::from_millis(20) {
        return first.into_iter().next().ok_or("there is no output".into());
    }
    task.time(3)?;
    let again = task.outputs()?;
    match (first.as_slice(), again.as_slice()) {
        ([item], [other]) if item.keys().eq(other.keys()) => Ok(other.clone()),
        _ => Err("there is not one item as output each time".into()),
    }
}

/// The keys of schemes that have some in the file: those whose generation takes long.
type Keys = BTreeMap<&'static str, Item>;

fn pair(engine: &Engine, scheme: &str, keys: &Keys) -> Result<Item, String> {
    match keys.get(scheme) {
        Some(keys) => Ok(keys.clone()),
        None => run(engine, &format!("{scheme}/keygen"), 0, &Item::new()),
    }
}

fn has(engine: &Engine, op: &str) -> bool {
    engine.names().any(|name| name == op)
}

type Verdict = Option<Result<(), String>>;

/// A signature verifies, and that of another message does not.
fn signature(engine: &Engine, op: &str, keys: &Keys) -> Verdict {
    let (scheme, operation) = op.split_once('/')?;
    let variant = operation.strip_prefix("sign")?;
    let verify = format!("{scheme}/verify{variant}");
    if !has(engine, &verify)
        || !(keys.contains_key(scheme) || has(engine, &format!("{scheme}/keygen")))
    {
        return None;
    }
    let test = || {
        let mut inputs = pair(engine, scheme, keys)?;
        inputs.insert("message".into(), b"a message to be signed, long".to_vec());
        let signed = run(engine, op, 28, &inputs)?;
        inputs.insert("signature".into(), field(&signed, "signature")?);
        let verified = run(engine, &verify, 28, &inputs)?;
        inputs.insert("message".into(), b"a message that was not signed".to_vec());
        let other = run(engine, &verify, 29, &inputs)?;
        expect(&verified, "valid", &[1])?;
        expect(&other, "valid", &[0])
    };
    Some(test())
}

fn expect(outputs: &Item, name: &str, expected: &[u8]) -> Result<(), String> {
    let value = field(outputs, name)?;
    if value == expected {
        Ok(())
    } else {
        Err(format!("{name} is {} on the way back", hex::encode(value)))
    }
}

/// What was sealed or encrypted is opened, and not when the tag is wrong.
fn encryption(engine: &Engine, op: &str, keys: &Keys) -> Verdict {
    let (scheme, operation) = op.split_once('/')?;
    let back = match operation {
        "seal" => format!("{scheme}/open"),
        _ => format!("{scheme}/decrypt{}", operation.strip_prefix("encrypt")?),
    };
    let symmetric = ANSWERS
        .lines()
        .find(|line| line.starts_with(&format!("{op} ")));
    if !has(engine, &back) || symmetric.is_none() && !scheme.starts_with("rsa") && scheme != "sm2" {
        return None;
    }
    let test = || {
        let mut inputs = match symmetric {
            Some(line) => Answer::parse(line)?.inputs,
            None => pair(engine, scheme, keys)?,
        };
        for len in [16, 64, 160, 1024, 4096, 16384] {
            let len = if symmetric.is_some() {
                len
            } else {
                len.min(32)
            };
            let message: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            inputs.insert("message".into(), message.clone());
            inputs.extend(run(engine, op, len, &inputs)?);
            inputs.remove("message");
            expect(&run(engine, &back, len, &inputs)?, "message", &message)?;
        }
        if let Some(tag) = inputs.get_mut("tag") {
            tag[0] ^= 1;
            if run(engine, &back, 16384, &inputs).is_ok() {
                return Err("a wrong tag is accepted".into());
            }
        }
        Ok(())
    };
    Some(test())
}

/// Both sides have the same secret.
fn encapsulation(engine: &Engine, op: &str, keys: &Keys) -> Verdict {
    let (scheme, _) = op.split_once("/encapsulate")?;
    let (back, keygen) = (format!("{scheme}/decapsulate"), format!("{scheme}/keygen"));
    if !has(engine, &back) || !has(engine, &keygen) {
        return None;
    }
    let test = || {
        let mut inputs = pair(engine, scheme, keys)?;
        let made = run(engine, op, 0, &inputs)?;
        inputs.insert("ciphertext".into(), field(&made, "ciphertext")?);
        let secret = field(&made, "shared_secret")?;
        expect(&run(engine, &back, 0, &inputs)?, "shared_secret", &secret)
    };
    Some(test())
}

/// Two pairs of keys agree.
fn agreement(engine: &Engine, op: &str, keys: &Keys) -> Verdict {
    let (scheme, _) = op.split_once("/derive")?;
    if !has(engine, &format!("{scheme}/keygen")) {
        return None;
    }
    let test = || {
        let (a, b) = (pair(engine, scheme, keys)?, pair(engine, scheme, keys)?);
        let inputs = |own: &Item, peer: &Item| -> Result<Item, String> {
            Ok(item([
                ("private_key", &field(own, "private_key")?),
                ("peer_public_key", &field(peer, "public_key")?),
            ]))
        };
        let secret = field(&run(engine, op, 0, &inputs(&a, &b)?)?, "shared_secret")?;
        expect(
            &run(engine, op, 0, &inputs(&b, &a)?)?,
            "shared_secret",
            &secret,
        )
    };
    Some(test())
}

/// Two keys differ. Those in the file stand for the ones that take long.
fn generation(engine: &Engine, op: &str, keys: &Keys) -> Verdict {
    let scheme = op.strip_suffix("/keygen")?;
    if keys.contains_key(scheme) {
        return None;
    }
    let test = || {
        let (a, b) = (pair(engine, scheme, keys)?, pair(engine, scheme, keys)?);
        for name in ["private_key", "public_key"] {
            if field(&a, name)? == field(&b, name)? {
                return Err(format!("each {name} is the same"));
            }
        }
        Ok(())
    };
    Some(test())
}
