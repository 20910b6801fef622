//! A test that every engine can be put through: known answers (`answers.txt` names the documents
//! that they are from), and what one operation makes goes into the other that undoes or checks it.
//!
//! A `_batch` is put through the same, every item of it with the same inputs.
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
    for way in [SINGLE, BATCH] {
        check_way(&Tested { engine, way }, &mut failures, &mut tested);
    }
    match failures.as_slice() {
        [] if tested == 0 => Err("no operation was tested".into()),
        [] => Ok(()),
        _ => Err(failures.join("\n")),
    }
}

/// How operations are called: what their names end in, and with how many items.
#[derive(Clone, Copy)]
struct Way(&'static str, usize);

const SINGLE: Way = Way("", 1);
/// As many as fill no number of lanes.
const BATCH: Way = Way("_batch", 19);

/// An engine, of which the operations of one kind are tested.
struct Tested<'a> {
    engine: &'a Engine,
    way: Way,
}

impl Tested<'_> {
    /// The names of its operations, without what they end in.
    fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.engine.names();
        names.filter_map(|name| match self.way.0 {
            "" => (!name.ends_with(BATCH.0)).then_some(name),
            end => name.strip_suffix(end),
        })
    }
}

fn check_way(engine: &Tested<'_>, failures: &mut Vec<String>, tested: &mut usize) {
    let end = engine.way.0;
    let mut keys = BTreeMap::new();
    for line in ANSWERS.lines().filter(|line| !line.starts_with('#')) {
        let answer = match Answer::parse(line) {
            Ok(answer) => answer,
            Err(e) => {
                failures.push(format!("{line:.60}: {e}"));
                continue;
            }
        };
        if let Some((scheme, "keygen")) = answer.op.split_once('/') {
            keys.insert(scheme, answer.outputs);
        } else if engine.names().any(|name| name == answer.op) {
            *tested += 1;
            if let Err(e) = answer.check(engine) {
                failures.push(format!("{}{end}: {e}", answer.op));
            }
        }
    }
    for name in engine.names() {
        for test in [signature, encryption, encapsulation, agreement, generation] {
            match test(engine, name, &keys) {
                Some(Ok(())) => *tested += 1,
                Some(Err(e)) => failures.push(format!("{name}{end}: {e}")),
                None => {}
            }
        }
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

    fn check(&self, engine: &Tested<'_>) -> Result<(), String> {
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
    let mut fields = BTreeMap::new();
    for word in words.filter(|word| !word.is_empty()) {
        let (name, value) = word.split_once('=').ok_or("a field without \"=\"")?;
        fields.insert(name.to_owned(), value.to_owned());
    }
    HexItem(fields).decode()
}

/// What the operation gives: again after a run, so that one which changes its input is caught
/// too; those that take long do without. Of a batch it is the last item, and where the inputs
/// determine the outputs, as known answers do, the others have to be equal.
fn run(engine: &Tested<'_>, op: &str, bytes: usize, inputs: &Item) -> Result<Item, String> {
    let Way(end, batch) = engine.way;
    let size = Size { bytes, batch };
    let items = vec![inputs.clone(); batch];
    let mut task = engine.engine.prepare(&format!("{op}{end}"), size, &items)?;
    let start = Instant::now();
    let mut outputs = task.outputs()?;
    if start.elapsed() <= Duration::from_millis(20) {
        task.time(3)?;
        outputs = task.outputs()?;
    }
    let same_fields = |item: &Item| item.keys().eq(outputs[0].keys());
    if outputs.len() != batch || !outputs.iter().all(same_fields) {
        return Err(format!("there are not {batch} items as output each time"));
    }
    let is_determined = !["keygen", "sign", "encapsulate", "encrypt"]
        .iter()
        .any(|random| {
            op.split('/')
                .next_back()
                .is_some_and(|op| op.starts_with(random))
        });
    if is_determined && outputs.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err("the same inputs give different outputs".into());
    }
    outputs.pop().ok_or("there is no output".into())
}

/// The keys of schemes that have some in the file: those whose generation takes long.
type Keys = BTreeMap<&'static str, Item>;

fn pair(engine: &Tested<'_>, scheme: &str, keys: &Keys) -> Result<Item, String> {
    match keys.get(scheme) {
        Some(keys) => Ok(keys.clone()),
        None => run(engine, &format!("{scheme}/keygen"), 0, &Item::new()),
    }
}

fn has(engine: &Tested<'_>, op: &str) -> bool {
    engine.names().any(|name| name == op)
}

type Verdict = Option<Result<(), String>>;

/// A signature verifies, and that of another message does not.
fn signature(engine: &Tested<'_>, op: &str, keys: &Keys) -> Verdict {
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
fn encryption(engine: &Tested<'_>, op: &str, keys: &Keys) -> Verdict {
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
fn encapsulation(engine: &Tested<'_>, op: &str, keys: &Keys) -> Verdict {
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
fn agreement(engine: &Tested<'_>, op: &str, keys: &Keys) -> Verdict {
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
fn generation(engine: &Tested<'_>, op: &str, keys: &Keys) -> Verdict {
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
