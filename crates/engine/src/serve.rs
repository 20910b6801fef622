//! The engine's side of the protocol: bring the operations, this does the rest.
//!
//! ```
//! use adamant_engine::serve::{Engine, Single, serve};
//! use adamant_engine::Item;
//!
//! struct Reverse(Vec<u8>);
//! impl Single for Reverse {
//!     fn once(&mut self) -> Result<(), String> {
//!         self.0.reverse();
//!         Ok(())
//!     }
//!     fn output(&mut self) -> Result<Item, String> {
//!         Ok(Item::from([("reversed".into(), self.0.clone())]))
//!     }
//! }
//!
//! let mut engine = Engine::new("example", "1.0", "");
//! engine.single("bytes/reverse", |_, input| Ok(Reverse(input["message"].clone())));
//! let requests = concat!(
//!     r#"{"request":"check","op":"bytes/reverse","bytes":2,"batch":1,"inputs":[{"message":"0102"}]}"#,
//!     "\n",
//! );
//! let mut replies = Vec::new();
//! serve(&engine, requests.as_bytes(), &mut replies).unwrap();
//! assert_eq!(replies, b"{\"reply\":\"outputs\",\"outputs\":[{\"reversed\":\"0201\"}]}\n");
//! ```

use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use crate::protocol::{self, Hello, HexItem, Job, Reply, Request};
use crate::stopwatch::Stopwatch;
use crate::{Item, Size, vectors};

/// A prepared operation.
pub trait Task {
    /// Does it on the whole batch, `iterations` times.
    ///
    /// # Errors
    /// A sentence.
    fn run(&mut self, iterations: u64) -> Result<(), String>;

    /// How long that takes. A task that sets its inputs up between the runs leaves that out.
    ///
    /// # Errors
    /// A sentence.
    fn time(&mut self, iterations: u64) -> Result<Duration, String> {
        let watch = Stopwatch::start();
        self.run(iterations)?;
        Ok(watch.elapsed())
    }

    /// Does it once and gives an item for each item of the batch.
    ///
    /// # Errors
    /// A sentence.
    fn outputs(&mut self) -> Result<Vec<Item>, String>;
}

/// A prepared operation on one item.
pub trait Single {
    /// The operation itself, which is what is timed.
    ///
    /// # Errors
    /// A sentence.
    fn once(&mut self) -> Result<(), String>;

    /// What the last [`Self::once`] gave.
    ///
    /// # Errors
    /// A sentence.
    fn output(&mut self) -> Result<Item, String>;
}

impl<S: Single> Task for S {
    fn run(&mut self, iterations: u64) -> Result<(), String> {
        for _ in 0..iterations {
            black_box(&mut *self).once()?;
        }
        Ok(())
    }

    fn outputs(&mut self) -> Result<Vec<Item>, String> {
        self.once()?;
        Ok(vec![self.output()?])
    }
}

type Prepare = Box<dyn Fn(Size, &[Item]) -> Result<Box<dyn Task>, String>>;

/// What an engine has to say for itself and what it can do.
pub struct Engine {
    hello: Hello,
    operations: Vec<(String, Prepare)>,
}

impl Engine {
    /// An engine without operations.
    #[must_use]
    pub fn new(name: &str, version: &str, build: &str) -> Self {
        let hello = Hello {
            protocol: protocol::VERSION,
            name: name.to_owned(),
            version: version.to_owned(),
            build: build.to_owned(),
        };
        Engine {
            hello,
            operations: Vec::new(),
        }
    }

    /// Adds an operation on single items: `prepare` makes it from the size in bytes and the
    /// item.
    pub fn single<S: Single + 'static>(
        &mut self,
        name: &str,
        prepare: impl Fn(usize, &Item) -> Result<S, String> + 'static,
    ) {
        self.batch(name, move |size, items| {
            Ok(Box::new(prepare(size.bytes, one(items)?)?))
        });
    }

    /// Adds an operation on single items that is a [`Task`] of its own kind.
    pub fn task<T: Task + 'static>(
        &mut self,
        name: &str,
        prepare: impl Fn(usize, &Item) -> Result<T, String> + 'static,
    ) {
        self.batch(name, move |size, items| {
            Ok(Box::new(prepare(size.bytes, one(items)?)?))
        });
    }

    /// Adds an operation on many items at once: `prepare` makes it from the size and the items.
    pub fn batch(
        &mut self,
        name: &str,
        prepare: impl Fn(Size, &[Item]) -> Result<Box<dyn Task>, String> + 'static,
    ) {
        self.add(name, Box::new(prepare));
    }

    fn add(&mut self, name: &str, prepare: Prepare) {
        self.operations.push((name.to_owned(), prepare));
    }

    /// Who it is.
    #[must_use]
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// The names of the operations.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.operations.iter().map(|(name, _)| name.as_str())
    }

    /// Prepares an operation.
    ///
    /// # Errors
    /// A sentence: an unknown name, inputs that do not parse.
    pub fn prepare(&self, op: &str, size: Size, inputs: &[Item]) -> Result<Box<dyn Task>, String> {
        let found = self.operations.iter().find(|(name, _)| name == op);
        let (_, prepare) = found.ok_or_else(|| format!("no operation is called {op:?}"))?;
        if inputs.len() != size.batch {
            let items = inputs.len();
            return Err(format!("{items} items for a batch of {}", size.batch));
        }
        prepare(size, inputs)
    }
}

/// The item of an operation that does one at a time.
fn one(items: &[Item]) -> Result<&Item, String> {
    match items {
        [item] => Ok(item),
        _ => Err(format!("it does one item at a time, not {}", items.len())),
    }
}

/// Stands in for an engine that cannot work: answers every request with the reason.
///
/// # Errors
/// As [`serve`].
pub fn refuse(message: &str, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.lines() {
        line?;
        let message = message.to_owned();
        write_line(&mut output, &Reply::Error { message })?;
    }
    Ok(())
}

fn write_line(mut output: impl Write, reply: &Reply) -> io::Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// What is ready to run.
type Ready = Option<(Job, Box<dyn Task>)>;

/// Serves requests until [`Request::Quit`] or the end of the input.
///
/// # Errors
/// When the input cannot be read or the output not be written.
pub fn serve(engine: &Engine, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut ready: Ready = None;
    for (number, line) in input.lines().enumerate() {
        let line = line?;
        let reply = Request::read(line.as_bytes())
            .map_err(|why| format!("line {}: {why}", number + 1))
            .and_then(|request| answer(engine, request, &mut ready))
            .unwrap_or_else(|message| Reply::Error { message });
        write_line(&mut output, &reply)?;
        if reply == Reply::Bye {
            break;
        }
    }
    Ok(())
}

fn answer(engine: &Engine, request: Request, ready: &mut Ready) -> Result<Reply, String> {
    Ok(match request {
        Request::Hello { .. } => Reply::Hello(engine.hello.clone()),
        Request::List => Reply::List {
            operations: engine.names().map(str::to_owned).collect(),
        },
        Request::Check(job) => {
            let outputs = prepared(engine, job, ready)?.outputs()?;
            Reply::Outputs {
                outputs: outputs.iter().map(HexItem::from).collect(),
            }
        }
        Request::Run { job, iterations } => {
            let task = prepared(engine, job, ready)?;
            vectors::clear_upper_halves();
            let nanoseconds = task.time(iterations)?.as_nanos();
            Reply::Ran {
                nanoseconds: u64::try_from(nanoseconds).unwrap_or(u64::MAX),
            }
        }
        Request::Quit => Reply::Bye,
    })
}

/// The task of a job: made from its inputs, or the one that is ready.
fn prepared<'a>(
    engine: &Engine,
    mut job: Job,
    ready: &'a mut Ready,
) -> Result<&'a mut dyn Task, String> {
    if let Some(inputs) = job.inputs.take() {
        *ready = None;
        let task = engine.prepare(&job.op, job.size(), &protocol::decode(&inputs)?)?;
        *ready = Some((job.clone(), task));
    }
    match ready {
        Some((prepared, task)) if prepared.same_operation(&job) => Ok(task.as_mut()),
        _ => Err(format!("{} is not prepared: send inputs", job.op)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Count(u64, u64);

    impl Single for Count {
        fn once(&mut self) -> Result<(), String> {
            self.0 += 1;
            if self.0 > self.1 {
                return Err("enough".into());
            }
            Ok(())
        }
        fn output(&mut self) -> Result<Item, String> {
            Ok(Item::from([("count".into(), vec![self.0 as u8])]))
        }
    }

    fn replies(requests: &str) -> Vec<String> {
        let mut engine = Engine::new("test", "1", "");
        engine.single("test/count", |bytes, item| {
            item.get("go").ok_or("go is missing")?;
            Ok(Count(0, bytes as u64))
        });
        let mut out = Vec::new();
        serve(&engine, requests.as_bytes(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_conversation() {
        let job = r#""op":"test/count","bytes":10,"batch":1"#;
        let requests = [
            r#"{"request":"hello","protocol":1}"#.to_owned(),
            r#"{"request":"list"}"#.to_owned(),
            format!(r#"{{"request":"run",{job},"iterations":1}}"#),
            format!(r#"{{"request":"check",{job},"inputs":[{{"go":""}}]}}"#),
            format!(r#"{{"request":"run",{job},"iterations":9}}"#),
            format!(r#"{{"request":"run",{job},"iterations":1}}"#),
            format!(r#"{{"request":"run",{job},"iterations":5,"inputs":[{{"go":""}}]}}"#),
            r#"{"request":"run","op":"test/count","bytes":9,"batch":1,"iterations":1}"#.to_owned(),
            format!(r#"{{"request":"check",{job},"inputs":[{{}}]}}"#),
            format!(r#"{{"request":"check",{job},"inputs":[]}}"#),
            format!(r#"{{"request":"check",{job},"inputs":[{{"go":"xx"}}]}}"#),
            r#"{"request":"check","op":"no","bytes":0,"batch":1,"inputs":[{}]}"#.to_owned(),
            "garbage".to_owned(),
            format!(r#"{{"request":"check",{job},"inputs":[{{"go":""}}],"seed":1}}"#),
            r#"{"request":"hello","protocol":"1"}"#.to_owned(),
            r#"{"request":"quit","now":true}"#.to_owned(),
            r#"{"request":"quit"}"#.to_owned(),
            r#"{"request":"list"}"#.to_owned(),
        ];
        let replies = replies(&requests.join("\n"));
        let starts = [
            r#"{"reply":"hello","protocol":1,"name":"test""#,
            r#"{"reply":"list","operations":["test/count"]}"#,
            r#"{"reply":"error","message":"test/count is not prepared"#,
            r#"{"reply":"outputs","outputs":[{"count":"01"}]}"#,
            r#"{"reply":"ran","nanoseconds":"#,
            r#"{"reply":"error","message":"enough"}"#,
            r#"{"reply":"ran","nanoseconds":"#,
            r#"{"reply":"error","message":"test/count is not prepared"#,
            r#"{"reply":"error","message":"go is missing"}"#,
            r#"{"reply":"error","message":"0 items for a batch of 1"}"#,
            r#"{"reply":"error","message":"go is not hexadecimal"#,
            r#"{"reply":"error","message":"no operation is called \"no\""}"#,
            r#"{"reply":"error","message":"line 13: expected value"#,
            r#"{"reply":"error","message":"line 14: unknown field `seed`"#,
            r#"{"reply":"error","message":"line 15: protocol: invalid type"#,
            r#"{"reply":"error","message":"line 16: unknown field `now`"#,
            r#"{"reply":"bye"}"#,
        ];
        assert_eq!(replies.len(), starts.len(), "{replies:#?}");
        for (reply, start) in replies.iter().zip(starts) {
            assert!(reply.starts_with(start), "{reply} should start {start}");
        }
    }
}
