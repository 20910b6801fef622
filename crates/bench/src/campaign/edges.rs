//! No operation panics: of every length around the ends of blocks, cut, stretched or missing fields, and
//! batches of none, it makes something or refuses them.

use adamant_engine::{Item, Size};
use adamant_ops::{Length, Operation, registry};

use super::draw::Class;
use super::quiet::caught;
use super::subject::{Subject, has_panicked, outcome};

/// Lengths of messages and outputs.
const EDGES: &[usize] = &[
    0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257,
];
/// Those on every implementation.
const FEW: &[usize] = &[0, 1, 15, 33, 257];
/// Lengths of fields.
const FIELDS: &[usize] = &[0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 257];

/// What panicked in an operation, a line each; and how much was tried.
#[derive(Default)]
struct Told {
    panicked: Vec<String>,
    tried: usize,
}

impl Told {
    fn call<T>(&mut self, what: &dyn Fn() -> String, call: impl FnOnce() -> T) -> Option<T> {
        self.tried += 1;
        let made = caught(call);
        if made.is_none() {
            self.panicked.push(what());
        }
        made
    }

    /// The inputs on an implementation, and the judge on its outputs.
    fn inputs(
        &mut self,
        op: &dyn Operation,
        bytes: usize,
        inputs: &[Item],
        row: Option<&str>,
        what: &str,
    ) -> Vec<Item> {
        let batch = inputs.len();
        let size = Size { bytes, batch };
        let name = || {
            format!(
                "{} on {row:?}, {bytes} bytes, batch of {batch}, {what}",
                op.name()
            )
        };
        self.tried += 1;
        let made = outcome(op, size, inputs, row);
        if has_panicked(&made) {
            self.panicked.push(name());
        }
        let outputs = made.unwrap_or_default();
        self.call(&|| format!("{}: judge", name()), || {
            drop(op.judge(size, inputs, &outputs));
        });
        outputs
    }

    fn operation(&mut self, subject: &Subject<'_>) {
        let op = subject.op;
        let is_cheap = !subject.is_dear();
        let lengths: &[usize] = match (op.length(), is_cheap) {
            (Length::None, _) => &[0],
            (_, true) => EDGES,
            (_, false) => &[0, 33],
        };
        let rows = op.implementations().into_iter();
        let rows: Vec<_> = rows.filter(|row| is_cheap && row.is_available()).collect();
        let batch = if op.is_batch() { 3 } else { 1 };
        for &bytes in lengths {
            let drawn = self.call(
                &|| format!("drawing {bytes} bytes of {}", op.name()),
                || {
                    let item = |i| op.draw_judged(bytes, &format!("edge {i}"), None);
                    (0..batch).map(item).collect::<Vec<_>>()
                },
            );
            let Some(inputs) = drawn else {
                continue;
            };
            let outputs = self.inputs(op, bytes, &inputs, None, "as drawn");
            let is_few = FEW.contains(&bytes);
            for row in rows.iter().filter(|_| is_few) {
                self.inputs(op, bytes, &inputs, Some(row.name), "as drawn");
            }
            if lengths == [0] || bytes == 33 {
                self.changed(op, bytes, &inputs, &outputs);
            }
        }
        if op.is_batch() {
            self.inputs(op, 0, &[], None, "none");
        }
    }

    /// The same with each field of the last item cut, stretched and left out; the outputs before the
    /// judge.
    fn changed(&mut self, op: &dyn Operation, bytes: usize, inputs: &[Item], outputs: &[Item]) {
        for (what, changed) in changes(inputs) {
            self.inputs(op, bytes, &changed, None, &what);
        }
        let batch = inputs.len();
        for (what, changed) in changes(outputs) {
            self.call(&|| format!("{}: judge of {what}", op.name()), || {
                drop(op.judge(Size { bytes, batch }, inputs, &changed));
            });
        }
    }
}

/// Items of whose last one a field is other than it was.
fn changes(items: &[Item]) -> impl Iterator<Item = (String, Vec<Item>)> {
    let last = items.last().cloned().unwrap_or_default();
    let lengths = || FIELDS.iter().map(|&len| Some(len)).chain([None]);
    let all = last
        .into_keys()
        .flat_map(move |name| lengths().map(move |len| (name.clone(), len)));
    all.map(move |(name, len)| {
        let mut items = items.to_vec();
        let item = items.last_mut().expect("it has a field");
        match len {
            Some(len) => item.get_mut(&name).expect("it is there").resize(len, 0),
            None => drop(item.remove(&name)),
        }
        (format!("{name} of {len:?} bytes"), items)
    })
}

/// The operations of these classes.
fn go_through(classes: &[Class]) {
    let mut told = Told::default();
    for op in registry() {
        let subject = Subject::new(op.as_ref(), None);
        if classes.contains(&subject.class) {
            told.operation(&subject);
        }
    }
    assert_eq!(told.panicked, [""; 0]);
    assert!(told.tried > 100, "{}", told.tried);
}

#[test]
fn no_operation_panics() {
    go_through(&[Class::Cheap, Class::Middle]);
}

#[test]
#[ignore = "minutes: cargo test -p adamant-bench --lib edges -- --ignored"]
fn no_dear_operation_panics() {
    go_through(&[Class::Dear, Class::Slow]);
}
