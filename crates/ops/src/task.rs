//! The shape of an operation: what families fill in, and the [`Operation`]s made from it.
//!
//! What depends on an algorithm is compiled for each: hundreds of times. So it is little: reading
//! an input, the loop that is timed, and encoding. A [`Description`] points to these; all else is
//! here once.

use std::hint::black_box;
use std::marker::PhantomData;

use crate::stream::Stream;
use crate::table::{Choice, Table, unknown};
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
    fn draw(stream: &mut Stream, bytes: usize) -> Item {
        Self::input(stream, bytes)
    }
    /// Parses one item.
    fn ready(table: Self::Table, input: &Item, bytes: usize) -> Result<Self::State, String>;
    /// The operation itself.
    fn run(state: &mut Self::State) -> Self::Output;
    /// The output of the last run as it travels. One that failed has no fields.
    fn encode(state: &Self::State, output: Self::Output) -> Item;

    /// How the outputs of another library are judged.
    const JUDGE: Judge = Judge::Portable(start::<Self>);
}

/// How to judge the output of another library.
#[derive(Clone, Copy)]
pub(crate) enum Judge {
    /// Determined results: they equal those of the portable implementation.
    Portable(Start),
    /// From input and output of one item.
    Each(fn(&Item, &Item) -> Result<(), String>),
    /// From those of a whole batch.
    All(fn(&[Item], &[Item]) -> Result<(), String>),
}

/// A task with a call that does many items at once.
pub(crate) trait BatchTask: Task {
    /// Does all items, `iterations` times; the outputs are those of the last time.
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output>;
}

/// The field of this name.
#[inline(never)]
pub(crate) fn field<'a>(item: &'a Item, name: &str) -> Result<&'a Vec<u8>, String> {
    item.get(name).ok_or_else(|| format!("{name} is missing"))
}

/// A copy of the field of this name.
#[inline(never)]
pub(crate) fn copied(item: &Item, name: &str) -> Result<Vec<u8>, String> {
    field(item, name).cloned()
}

/// An item from its fields.
#[inline]
pub(crate) fn item<const N: usize>(fields: [(&str, &[u8]); N]) -> Item {
    from_fields(&fields)
}

#[inline(never)]
fn from_fields(fields: &[(&str, &[u8])]) -> Item {
    let fields = fields.iter();
    fields
        .map(|&(name, value)| (name.to_owned(), value.to_vec()))
        .collect()
}

/// Adds a field.
#[inline(never)]
pub(crate) fn insert(item: &mut Item, name: &str, value: Vec<u8>) {
    item.insert(name.to_owned(), value);
}

/// An item of bytes from the stream alone: names and lengths.
#[inline(never)]
pub(crate) fn random(stream: &mut Stream, fields: &[(&str, usize)]) -> Item {
    let fields = fields.iter();
    fields
        .map(|&(name, len)| (name.to_owned(), stream.bytes(len)))
        .collect()
}

/// Makes room for items on an implementation, if this CPU can run it.
type Start = fn(Choice) -> Option<Box<dyn States>>;

/// What an operation is.
struct Description {
    length: Length,
    bytes: &'static [usize],
    is_batch: bool,
    is_search: bool,
    implementations: fn() -> Vec<&'static Implementation>,
    input: fn(&mut Stream, usize) -> Item,
    draw: fn(&mut Stream, usize) -> Item,
    start: Start,
    judge: Judge,
}

impl Description {
    const fn of<T: Task>(start: Start, is_batch: bool) -> Self {
        Description {
            length: T::LENGTH,
            bytes: T::BYTES,
            is_batch,
            is_search: T::SEARCH,
            implementations: T::Table::implementations,
            input: T::input,
            draw: T::draw,
            start,
            judge: T::JUDGE,
        }
    }
}

struct Single<T>(PhantomData<T>);

impl<T: Task> Single<T> {
    const DESCRIPTION: &Description = &Description::of::<T>(start::<T>, false);
}

struct Batch<T>(PhantomData<T>);

impl<T: BatchTask> Batch<T> {
    const DESCRIPTION: &Description = &Description::of::<T>(start_batch::<T>, true);
}

/// The registry while it fills.
#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) operations: Vec<Box<dyn Operation>>,
}

impl Registry {
    /// Adds the operation `name`.
    #[inline]
    pub(crate) fn single<T: Task>(&mut self, name: &str) {
        self.add(name, Single::<T>::DESCRIPTION);
    }

    /// Adds the operation `name`, which ends in `_batch`, on many items at once.
    #[inline]
    pub(crate) fn batch<T: BatchTask>(&mut self, name: &str) {
        self.add(name, Batch::<T>::DESCRIPTION);
    }

    /// Adds the operation `name` and, behind it, `name_batch`.
    #[inline]
    pub(crate) fn single_and_batch<T: BatchTask>(&mut self, name: &str) {
        self.add_both(name, Single::<T>::DESCRIPTION, Batch::<T>::DESCRIPTION);
    }

    fn add(&mut self, name: &str, of: &'static Description) {
        let name = name.to_owned();
        self.operations.push(Box::new(Described { name, of }));
    }

    fn add_both(&mut self, name: &str, single: &'static Description, batch: &'static Description) {
        self.add(name, single);
        self.add(&format!("{name}_batch"), batch);
    }
}

struct Described {
    name: String,
    of: &'static Description,
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
        let stream = |i| Stream::new(format!("{} {i}", self.name));
        (0..size.batch)
            .map(|i| (self.of.input)(&mut stream(i), size.bytes))
            .collect()
    }
    fn draw(&self, bytes: usize, name: &str, ones: Option<f64>) -> Item {
        let name = format!("{} {name}", self.name);
        let mut stream = match ones {
            Some(ones) => Stream::with_ones(name, ones),
            None => Stream::new(name),
        };
        (self.of.draw)(&mut stream, bytes)
    }
    fn prepare(
        &self,
        size: Size,
        inputs: &[Item],
        backend: Option<&str>,
    ) -> Result<Box<dyn Prepared>, String> {
        let states = (self.of.start)(backend.map_or(Choice::Best, Choice::Named));
        let all = self.of.implementations;
        let mut states = states.ok_or_else(|| unknown(backend.unwrap_or_default(), &all()))?;
        same_count(size, inputs.len())?;
        for input in inputs {
            states.add(input, size.bytes)?;
        }
        Ok(states)
    }
    fn judge(&self, size: Size, inputs: &[Item], outputs: &[Item]) -> Result<(), String> {
        same_count(size, inputs.len())?;
        same_count(size, outputs.len())?;
        if let Judge::All(judge) = self.of.judge {
            return judge(inputs, outputs);
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
fn equals_portable(start: Start, input: &Item, output: &Item, bytes: usize) -> Result<(), String> {
    let mut states = start(Choice::Portable).ok_or("there is no portable implementation")?;
    states.add(input, bytes)?;
    let ours = states.outputs().pop().unwrap_or_default();
    if ours.is_empty() {
        return Err("the operation fails on this input".into());
    }
    for (name, value) in &ours {
        if field(output, name)? != value {
            return Err(format!("{name} is wrong"));
        }
    }
    Ok(())
}

/// A prepared operation while it takes its items in.
pub(crate) trait States: Prepared {
    /// Parses one more item.
    fn add(&mut self, input: &Item, bytes: usize) -> Result<(), String>;
}

struct Ready<T: Task> {
    table: T::Table,
    states: Vec<T::State>,
}

impl<T: Task> Ready<T> {
    #[inline]
    fn new(table: T::Table) -> Self {
        let states = Vec::new();
        Ready { table, states }
    }

    #[inline(never)]
    fn add(&mut self, input: &Item, bytes: usize) -> Result<(), String> {
        self.states.push(T::ready(self.table, input, bytes)?);
        Ok(())
    }
}

/// Starts a single operation.
pub(crate) fn start<T: Task>(choice: Choice) -> Option<Box<dyn States>> {
    let table = T::Table::pick(choice)?;
    Some(Box::new(ReadySingle(Ready::<T>::new(table))))
}

fn start_batch<T: BatchTask>(choice: Choice) -> Option<Box<dyn States>> {
    let table = T::Table::pick(choice)?;
    Some(Box::new(ReadyBatch(Ready::<T>::new(table))))
}

struct ReadySingle<T: Task>(Ready<T>);

struct ReadyBatch<T: Task>(Ready<T>);

impl<T: Task> States for ReadySingle<T> {
    fn add(&mut self, input: &Item, bytes: usize) -> Result<(), String> {
        self.0.add(input, bytes)
    }
}

impl<T: BatchTask> States for ReadyBatch<T> {
    fn add(&mut self, input: &Item, bytes: usize) -> Result<(), String> {
        self.0.add(input, bytes)
    }
}

impl<T: Task> Prepared for ReadySingle<T> {
    fn run(&mut self, iterations: u64) {
        for _ in 0..iterations {
            for state in &mut self.0.states {
                black_box(T::run(black_box(state)));
            }
        }
    }
    fn outputs(&mut self) -> Vec<Item> {
        let mut each = self.0.states.iter_mut();
        collect(&mut || {
            let state = each.next()?;
            let output = T::run(state);
            Some(T::encode(state, output))
        })
    }
    fn backend(&self) -> &'static str {
        self.0.table.name()
    }
}

impl<T: BatchTask> Prepared for ReadyBatch<T> {
    fn run(&mut self, iterations: u64) {
        black_box(T::run_batch(black_box(&mut self.0.states), iterations));
    }
    fn outputs(&mut self) -> Vec<Item> {
        let outputs = T::run_batch(&mut self.0.states, 1);
        let mut each = self.0.states.iter().zip(outputs);
        collect(&mut || each.next().map(|(state, output)| T::encode(state, output)))
    }
    fn backend(&self) -> &'static str {
        self.0.table.name()
    }
}

/// All that comes.
fn collect(next: &mut dyn FnMut() -> Option<Item>) -> Vec<Item> {
    std::iter::from_fn(next).collect()
}
