//! The shape of an operation: what families fill in, and the [`Operation`]s made from it.

use std::hint::black_box;
use std::marker::PhantomData;

use crate::stream::Stream;
use crate::table::Table;
use crate::{Implementation, Item, Length, Operation, Prepared, Size};

/// The lengths that show the speed of most operations.
pub(crate) const LENGTHS: &[usize] = &[16, 64, 256, 1024, 8192, 16384];

/// What an operation does to one item.
pub(crate) trait Task: Sync + 'static {
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

    /// Judges the outputs of a batch.
    fn judge_all(inputs: &[Item], outputs: &[Item], bytes: usize) -> Result<(), String> {
        for (i, (input, output)) in inputs.iter().zip(outputs).enumerate() {
            Self::judge(input, output, bytes).map_err(|e| format!("item {i}: {e}"))?;
        }
        Ok(())
    }

    /// Judges the output of another library: for determined results, by equality with the
    /// portable implementation's.
    fn judge(input: &Item, output: &Item, bytes: usize) -> Result<(), String> {
        let mut state = Self::ready(Self::Table::portable(), input, bytes)?;
        let result = Self::run(&mut state);
        let ours = Self::encode(&state, result);
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
}

/// A task with a call that does many items at once.
pub(crate) trait BatchTask: Task {
    /// Does all items, `iterations` times; the outputs are those of the last time.
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output>;
}

/// The field of this name.
pub(crate) fn field<'a>(item: &'a Item, name: &str) -> Result<&'a Vec<u8>, String> {
    item.get(name).ok_or_else(|| format!("{name} is missing"))
}

/// An item from its fields.
pub(crate) fn item<const N: usize>(fields: [(&str, &[u8]); N]) -> Item {
    fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_vec()))
        .collect()
}

/// The registry while it fills.
#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) operations: Vec<Box<dyn Operation>>,
}

impl Registry {
    /// Adds the operation `name`.
    pub(crate) fn single<T: Task>(&mut self, name: &str) {
        self.operations.push(Box::new(Single::<T> {
            name: name.to_owned(),
            task: PhantomData,
        }));
    }

    /// Adds the operation `name`, which ends in `_batch`, on many items at once.
    pub(crate) fn batch<T: BatchTask>(&mut self, name: &str) {
        self.operations.push(Box::new(Batch::<T> {
            name: name.to_owned(),
            task: PhantomData,
        }));
    }

    /// Adds the operation `name` and, behind it, `name_batch`.
    pub(crate) fn single_and_batch<T: BatchTask>(&mut self, name: &str) {
        self.single::<T>(name);
        self.batch::<T>(&format!("{name}_batch"));
    }
}

struct Single<T> {
    name: String,
    task: PhantomData<fn(T)>,
}

struct Batch<T> {
    name: String,
    task: PhantomData<fn(T)>,
}

/// What single and batch operations share; they differ in how a prepared one runs.
macro_rules! operation {
    ($operation:ident, $task:ident, $is_batch:literal, $prepared:ident) => {
        impl<T: $task> Operation for $operation<T> {
            fn name(&self) -> &str {
                &self.name
            }
            fn length(&self) -> Length {
                T::LENGTH
            }
            fn default_bytes(&self) -> &'static [usize] {
                T::BYTES
            }
            fn is_batch(&self) -> bool {
                $is_batch
            }
            fn is_search(&self) -> bool {
                T::SEARCH
            }
            fn implementations(&self) -> Vec<&'static Implementation> {
                T::Table::implementations()
            }
            fn inputs(&self, size: Size) -> Vec<Item> {
                let stream = |i| Stream::new(format!("{} {i}", self.name));
                (0..size.batch)
                    .map(|i| T::input(&mut stream(i), size.bytes))
                    .collect()
            }
            fn draw(&self, bytes: usize, name: &str, ones: Option<f64>) -> Item {
                let name = format!("{} {name}", self.name);
                let mut stream = match ones {
                    Some(ones) => Stream::with_ones(name, ones),
                    None => Stream::new(name),
                };
                T::draw(&mut stream, bytes)
            }
            fn prepare(
                &self,
                size: Size,
                inputs: &[Item],
                backend: Option<&str>,
            ) -> Result<Box<dyn Prepared>, String> {
                let table = T::Table::pick(backend)?;
                same_count(size, inputs.len())?;
                let states = inputs
                    .iter()
                    .map(|input| T::ready(table, input, size.bytes));
                Ok(Box::new($prepared::<T> {
                    states: states.collect::<Result<_, _>>()?,
                    backend: table.name(),
                }))
            }
            fn judge(&self, size: Size, inputs: &[Item], outputs: &[Item]) -> Result<(), String> {
                same_count(size, inputs.len())?;
                same_count(size, outputs.len())?;
                T::judge_all(inputs, outputs, size.bytes)
            }
        }
    };
}

operation!(Single, Task, false, PreparedSingle);
operation!(Batch, BatchTask, true, PreparedBatch);

fn same_count(size: Size, items: usize) -> Result<(), String> {
    if items == size.batch {
        Ok(())
    } else {
        Err(format!("{items} items for a batch of {}", size.batch))
    }
}

struct PreparedSingle<T: Task> {
    states: Vec<T::State>,
    backend: &'static str,
}

impl<T: Task> Prepared for PreparedSingle<T> {
    fn run(&mut self, iterations: u64) {
        for _ in 0..iterations {
            for state in &mut self.states {
                black_box(T::run(black_box(state)));
            }
        }
    }
    fn outputs(&mut self) -> Vec<Item> {
        let each = self.states.iter_mut();
        each.map(|state| {
            let output = T::run(state);
            T::encode(state, output)
        })
        .collect()
    }
    fn backend(&self) -> &'static str {
        self.backend
    }
}

struct PreparedBatch<T: BatchTask> {
    states: Vec<T::State>,
    backend: &'static str,
}

impl<T: BatchTask> Prepared for PreparedBatch<T> {
    fn run(&mut self, iterations: u64) {
        black_box(T::run_batch(black_box(&mut self.states), iterations));
    }
    fn outputs(&mut self) -> Vec<Item> {
        let outputs = T::run_batch(&mut self.states, 1);
        let each = self.states.iter().zip(outputs);
        each.map(|(state, output)| T::encode(state, output))
            .collect()
    }
    fn backend(&self) -> &'static str {
        self.backend
    }
}
