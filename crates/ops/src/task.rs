//! The shape of an operation: what families fill in, and the [`Operation`]s made from it.
//!
//! Code that depends on an algorithm is compiled for each: hundreds of times. So it is little:
//! reading an item, the loop that is timed, and encoding. A [`Description`] points to these; all
//! else is here once.

use std::fmt;
use std::hint::black_box;
use std::slice;
use std::string::FromUtf8Error;

use crate::stream::Stream;
use crate::table::{Best, Choice, Table, unknown};
use crate::{Implementation, Item, Length, Operation, Prepared, Size};

/// The lengths that show the speed of most operations.
pub(crate) const LENGTHS: &[usize] = &[16, 64, 256, 1024, 8192, 16384];

/// What an operation does to one item.
pub(crate) trait Task: Sized + Sync + 'static {
    /// Its table of implementations.
    type Table: Table;
    /// An item with its keys parsed.
    type State: 'static;
    /// What a run gives, not yet encoded.
    type Output;

    /// What a length means to it.
    const LENGTH: Length;
    /// The lengths that show its speed.
    const BYTES: &'static [usize] = match Self::LENGTH {
        Length::None => &[0],
        Length::Message | Length::Output => LENGTHS,
    };

    /// Whether it searches for something, which takes as long as chance will have it.
    const SEARCH: bool = false;

    /// One item.
    fn input(stream: &mut Stream, bytes: usize) -> Item;
    /// One item for [`Operation::draw`]: secrets that [`Self::input`] leaves to chance among them.
    const DRAW: fn(&mut Stream, usize) -> Item = Self::input;
    /// One item for [`Operation::draw_judged`].
    const DRAW_JUDGED: fn(&mut Stream, usize) -> Item = Self::DRAW;
    /// Parses one item.
    fn ready(table: Self::Table, input: &Item, bytes: usize) -> Result<Self::State, Wrong>;
    /// The operation itself.
    fn run(state: &mut Self::State) -> Self::Output;
    /// The output of the last run as it travels. One that failed has no fields.
    fn encode(state: &Self::State, output: &Self::Output) -> Item;

    /// Reads its items: as another task does, where that reads and runs them alike, and as for a
    /// batch, where there is such a call.
    const START: Start = start::<Self>();
    /// How the outputs of another library are judged.
    const JUDGE: Judge = Judge::Portable(Self::START);
}

/// What is wrong with an item.
#[derive(Debug)]
pub(crate) struct Wrong(Box<dyn std::error::Error>);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Makes a [`Wrong`] of each of these, in a function that is there once: many calls can fail.
macro_rules! wrong {
    ($($error:ty),+) => { $(
        impl From<$error> for Wrong {
            #[cold]
            #[inline(never)]
            fn from(error: $error) -> Self {
                Wrong(error.into())
            }
        }
    )+ };
}
wrong!(String, &str, FromUtf8Error);
wrong!(adamant::Error, adamant::der::Error, adamant::x509::Error);

/// How to judge the output of another library.
#[derive(Clone, Copy)]
pub(crate) enum Judge {
    /// Determined results: they equal those of the portable implementation.
    Portable(Start),
    /// From input and output of one item.
    Each(fn(&Item, &Item) -> Result<(), Wrong>),
    /// From those of a whole batch.
    All(fn(&[Item], &[Item]) -> Result<(), Wrong>),
}

/// A task with a call that does many items at once.
pub(crate) trait BatchTask: Task {
    /// Reads the items of a batch.
    const START_BATCH: Start = start_batch::<Self>();

    /// Does all items, `iterations` times; the outputs are those of the last time.
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output>;
}

/// The field of this name.
#[inline(never)]
pub(crate) fn field<'a>(item: &'a Item, name: &str) -> Result<&'a Vec<u8>, Wrong> {
    item.get(name)
        .ok_or_else(|| format!("{name} is missing").into())
}

/// The fields of these names.
#[inline(never)]
pub(crate) fn fields<'a, const N: usize>(
    item: &'a Item,
    names: [&str; N],
) -> Result<[&'a [u8]; N], Wrong> {
    let mut values = [&[][..]; N];
    for (value, name) in values.iter_mut().zip(names) {
        *value = field(item, name)?;
    }
    Ok(values)
}

/// A copy of the field of this name.
#[inline(never)]
pub(crate) fn copied(item: &Item, name: &str) -> Result<Vec<u8>, Wrong> {
    field(item, name).cloned()
}

/// An item from its fields.
#[inline]
pub(crate) fn item<const N: usize>(fields: [(&str, &[u8]); N]) -> Item {
    from_fields(&fields)
}

/// A copy, made in a function that is there once.
#[inline(never)]
pub(crate) fn owned(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

/// An item of one field.
#[inline(never)]
pub(crate) fn value(name: &str, value: Vec<u8>) -> Item {
    let mut item = Item::new();
    insert(&mut item, name, value);
    item
}

/// An item of one field; of none where it failed.
#[inline(never)]
pub(crate) fn one_field(name: &str, value: Option<&[u8]>) -> Item {
    value.map_or_else(Item::new, |value| item([(name, value)]))
}

/// Field by field: a map that is collected sorts first, with a sort of its own for each kind of
/// iterator.
#[inline(never)]
fn from_fields(fields: &[(&str, &[u8])]) -> Item {
    let mut item = Item::new();
    for (name, value) in fields {
        insert(&mut item, name, value.to_vec());
    }
    item
}

/// Adds a field.
#[inline(never)]
pub(crate) fn insert(item: &mut Item, name: &str, value: Vec<u8>) {
    item.insert(name.to_owned(), value);
}

/// An item of bytes only from the stream: names and lengths.
#[inline(never)]
pub(crate) fn random(stream: &mut Stream, fields: &[(&str, usize)]) -> Item {
    let mut item = Item::new();
    for (name, len) in fields {
        insert(&mut item, name, stream.bytes(*len));
    }
    item
}

/// How items are parsed, on an implementation that this CPU can run.
#[derive(Clone, Copy)]
pub(crate) enum Start {
    /// One by itself.
    One(fn(Choice, &Item, usize) -> Result<Box<dyn States>, Wrong>),
    /// Those of a batch into one place, which is empty at first.
    Together(fn() -> Box<dyn Growing>),
}

impl Start {
    /// Parses the items of a batch, or one item.
    fn read(self, on: Choice, inputs: &[Item], bytes: usize) -> Result<Box<dyn States>, Wrong> {
        match self {
            Start::One(ready) => ready(on, &inputs[0], bytes),
            Start::Together(empty) => {
                let mut batch = empty();
                for input in inputs {
                    batch.add(on, input, bytes)?;
                }
                Ok(batch)
            }
        }
    }
}

/// What an operation is.
pub(crate) struct Description {
    length: Length,
    bytes: &'static [usize],
    is_batch: bool,
    is_search: bool,
    implementations: fn() -> Vec<&'static Implementation>,
    backend: fn(Choice) -> Option<&'static str>,
    input: fn(&mut Stream, usize) -> Item,
    draw: fn(&mut Stream, usize) -> Item,
    draw_judged: fn(&mut Stream, usize) -> Item,
    start: Start,
    judge: Judge,
}

impl Description {
    const fn new<T: Task>(start: Start, is_batch: bool) -> Self {
        Description {
            length: T::LENGTH,
            bytes: T::BYTES,
            is_batch,
            is_search: T::SEARCH,
            implementations: T::Table::implementations,
            backend: T::Table::backend,
            input: T::input,
            draw: T::DRAW,
            draw_judged: T::DRAW_JUDGED,
            start,
            judge: T::JUDGE,
        }
    }
}

/// An operation on one item.
pub(crate) const fn single<T: Task>() -> Description {
    Description::new::<T>(T::START, false)
}

/// An operation on many items at once; its name ends in `_batch`.
pub(crate) const fn batch<T: BatchTask>() -> Description {
    Description::new::<T>(T::START_BATCH, true)
}

/// The same where the call chooses its implementation itself.
pub(crate) const fn batch_on_best<T: BatchTask>() -> Description {
    Description {
        implementations: Best::<T::Table>::implementations,
        backend: Best::<T::Table>::backend,
        ..batch::<T>()
    }
}

/// The registry while it fills.
#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) operations: Vec<Box<dyn Operation>>,
}

impl Registry {
    /// Adds operations whose names begin alike: each with what follows.
    #[inline(never)]
    pub(crate) fn add(&mut self, name: &str, ends: &'static [(&'static str, Description)]) {
        for (end, of) in ends {
            let name = format!("{name}{end}");
            self.operations.push(Box::new(Described { name, of }));
        }
    }

    /// Adds the operation `name`.
    #[inline]
    pub(crate) fn single<T: Task>(&mut self, name: &str) {
        self.add(name, const { &[("", single::<T>())] });
    }

    /// Adds the operation `name`, which ends in `_batch`.
    #[inline]
    pub(crate) fn batch<T: BatchTask>(&mut self, name: &str) {
        self.add(name, const { &[("", batch::<T>())] });
    }

    /// Adds the operation `name` and, after it, `name_batch`.
    #[inline]
    pub(crate) fn single_and_batch<T: BatchTask>(&mut self, name: &str) {
        self.add(
            name,
            const { &[("", single::<T>()), ("_batch", batch::<T>())] },
        );
    }
}

struct Described {
    name: String,
    of: &'static Description,
}

impl Described {
    fn stream(&self, name: &str, ones: Option<f64>) -> Stream {
        let name = format!("{} {name}", self.name);
        match ones {
            Some(ones) => Stream::with_ones(&name, ones),
            None => Stream::new(&name),
        }
    }
}

impl Operation for Described {
    fn name(&self) -> &str {
        &self.name
    }
    fn length(&self) -> Length {
        self.of.length
    }
    fn default_bytes(&self) -> &'static [usize] {
        self.of.bytes
    }
    fn is_batch(&self) -> bool {
        self.of.is_batch
    }
    fn is_search(&self) -> bool {
        self.of.is_search
    }
    fn implementations(&self) -> Vec<&'static Implementation> {
        (self.of.implementations)()
    }
    fn inputs(&self, size: Size) -> Vec<Item> {
        let stream = |i| Stream::new(&format!("{} {i}", self.name));
        (0..size.batch)
            .map(|i| (self.of.input)(&mut stream(i), size.bytes))
            .collect()
    }
    fn draw(&self, bytes: usize, name: &str, ones: Option<f64>) -> Item {
        (self.of.draw)(&mut self.stream(name, ones), bytes)
    }
    fn draw_judged(&self, bytes: usize, name: &str, ones: Option<f64>) -> Item {
        (self.of.draw_judged)(&mut self.stream(name, ones).of_any_length(), bytes)
    }
    fn prepare(
        &self,
        size: Size,
        inputs: &[Item],
        backend: Option<&str>,
    ) -> Result<Box<dyn Prepared>, String> {
        let choice = backend.map_or(Choice::Best, Choice::Named);
        let name = (self.of.backend)(choice).ok_or_else(|| {
            let all = (self.of.implementations)();
            unknown(backend.unwrap_or_default(), &all)
        })?;
        same_count(size, inputs.len())?;
        let at_once = match self.of.is_batch {
            true => inputs.len().max(1),
            false => 1,
        };
        let read = |inputs: &[Item]| self.of.start.read(choice, inputs, size.bytes);
        let states = match inputs {
            // A batch of none.
            [] if self.of.is_batch => read(inputs).map(|states| vec![states]),
            _ => inputs.chunks(at_once).map(read).collect(),
        };
        let states = states.map_err(|wrong| wrong.to_string())?;
        Ok(Box::new(Ready {
            states,
            is_batch: self.of.is_batch,
            items: inputs.len(),
            backend: name,
        }))
    }
    fn judge(&self, size: Size, inputs: &[Item], outputs: &[Item]) -> Result<(), String> {
        same_count(size, inputs.len())?;
        same_count(size, outputs.len())?;
        if let Judge::All(judge) = self.of.judge {
            return judge(inputs, outputs).map_err(|e| e.to_string());
        }
        for (i, (input, output)) in inputs.iter().zip(outputs).enumerate() {
            let right = match self.of.judge {
                Judge::Portable(start) => equals_portable(start, input, output, size.bytes),
                Judge::Each(judge) => judge(input, output),
                Judge::All(_) => Ok(()),
            };
            right.map_err(|e| format!("item {i}: {e}"))?;
        }
        Ok(())
    }
}

fn same_count(size: Size, items: usize) -> Result<(), String> {
    if items == size.batch {
        Ok(())
    } else {
        Err(format!("{items} items for a batch of {}", size.batch))
    }
}

/// Whether an output has every field of the portable implementation's.
fn equals_portable(start: Start, input: &Item, output: &Item, bytes: usize) -> Result<(), Wrong> {
    let mut states = start.read(Choice::Portable, slice::from_ref(input), bytes)?;
    let ours = run_once(&mut *states);
    if ours.is_empty() {
        return Err("the operation fails on this input".into());
    }
    for (name, value) in &ours {
        if field(output, name)? != value {
            return Err(format!("{name} is wrong").into());
        }
    }
    Ok(())
}

struct Ready {
    /// Those of the batch, or one for each item.
    states: Vec<Box<dyn States>>,
    is_batch: bool,
    items: usize,
    backend: &'static str,
}

impl Prepared for Ready {
    fn run(&mut self, iterations: u64) {
        match &mut self.states[..] {
            [batch] if self.is_batch => batch.run_all(iterations, None),
            [state] => state.run(iterations, None),
            states => {
                for _ in 0..iterations {
                    states.iter_mut().for_each(|state| state.run(1, None));
                }
            }
        }
    }
    fn outputs(&mut self) -> Vec<Item> {
        match &mut self.states[..] {
            [batch] if self.is_batch => {
                let mut outputs = vec![Item::new(); self.items];
                batch.run_all(1, Some(&mut outputs));
                outputs
            }
            states => states
                .iter_mut()
                .map(|state| run_once(&mut **state))
                .collect(),
        }
    }
    fn backend(&self) -> &'static str {
        self.backend
    }
}

/// One item of an operation, or the items of a batch.
pub(crate) trait States {
    /// Does the first item this many times; the output of the last time goes where it is asked for.
    fn run(&mut self, iterations: u64, output: Option<&mut Item>);
    /// Does all items in one call, this many times, where there is such a call; so with outputs.
    fn run_all(&mut self, _iterations: u64, _outputs: Option<&mut [Item]>) {}
}

/// The output of one more run.
fn run_once(states: &mut dyn States) -> Item {
    let mut item = Item::new();
    states.run(1, Some(&mut item));
    item
}

/// The start of an operation on one item.
pub(crate) const fn start<T: Task>() -> Start {
    Start::One(ready::<T>)
}

fn ready<T: Task>(on: Choice, input: &Item, bytes: usize) -> Result<Box<dyn States>, Wrong> {
    match T::ready(T::Table::chosen(on), input, bytes) {
        Ok(state) => Ok(Box::new(Single::<T>(state))),
        Err(wrong) => Err(wrong),
    }
}

/// The start of items that are also done in one call.
pub(crate) const fn start_batch<T: BatchTask>() -> Start {
    Start::Together(empty::<T>)
}

fn empty<T: BatchTask>() -> Box<dyn Growing> {
    Box::<Batch<T>>::default()
}

/// A batch while its items are read.
pub(crate) trait Growing: States {
    fn add(&mut self, on: Choice, input: &Item, bytes: usize) -> Result<(), Wrong>;
}

struct Single<T: Task>(T::State);

impl<T: Task> States for Single<T> {
    fn run(&mut self, iterations: u64, output: Option<&mut Item>) {
        run::<T>(&mut self.0, iterations, output);
    }
}

struct Batch<T: Task>(Vec<T::State>);

/// Made in its box, not moved there.
impl<T: Task> Default for Batch<T> {
    fn default() -> Self {
        Batch(Vec::new())
    }
}

impl<T: BatchTask> Growing for Batch<T> {
    fn add(&mut self, on: Choice, input: &Item, bytes: usize) -> Result<(), Wrong> {
        match T::ready(T::Table::chosen(on), input, bytes) {
            Ok(state) => self.0.push(state),
            Err(wrong) => return Err(wrong),
        }
        Ok(())
    }
}

impl<T: BatchTask> States for Batch<T> {
    fn run(&mut self, iterations: u64, output: Option<&mut Item>) {
        run::<T>(&mut self.0[0], iterations, output);
    }
    fn run_all(&mut self, iterations: u64, outputs: Option<&mut [Item]>) {
        let made = T::run_batch(black_box(&mut self.0), iterations);
        black_box(&made);
        if let Some(outputs) = outputs {
            for at in 0..outputs.len() {
                encode::<T>(&self.0[at], &made[at], &mut outputs[at]);
            }
        }
    }
}

/// The loop that is timed.
#[inline]
fn run<T: Task>(state: &mut T::State, iterations: u64, item: Option<&mut Item>) {
    let mut left = iterations;
    while left > 0 {
        let output = T::run(black_box(state));
        black_box(&output);
        left -= 1;
        if left == 0 {
            // What is asked for must not make two loops of this one.
            if let Some(item) = black_box(item) {
                encode::<T>(state, &output, item);
            }
            return;
        }
    }
}

/// One function for [`States::run`] and [`States::run_all`].
#[inline(never)]
fn encode<T: Task>(state: &T::State, output: &T::Output, to: &mut Item) {
    set(to, T::encode(state, output));
}

#[inline(never)]
fn set(to: &mut Item, item: Item) {
    *to = item;
}

/// What a batch call takes of each item, in a loop: `collect` is several functions for each type.
pub(crate) fn each<'a, S, V>(states: &'a [S], view: impl Fn(&'a S) -> V) -> Vec<V> {
    let mut views = Vec::with_capacity(states.len());
    for state in states {
        views.push(view(state));
    }
    views
}
