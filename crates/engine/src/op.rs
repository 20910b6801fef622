//! What the operations of an engine are made of: inputs read by name, and operations made of
//! closures.
//!
//! | made by | for |
//! |---|---|
//! | [`giving`] | an operation that gives its result: `(message) -> digest` |
//! | [`filling`] | one that writes into buffers of its own: `(message, &mut ciphertext)` |
//! | [`changing`] | one that changes its input and could go on doing so: encryption in place |
//! | [`consuming`] | one whose input is used up: decryption in place, which checks a tag |
//! | [`whole`] | a call on a whole batch |
//!
//! ```
//! use adamant_engine::op::{self, field, item};
//! use adamant_engine::serve::Engine;
//! use adamant_engine::{Item, Size};
//!
//! let mut engine = Engine::new("example", "1.0", "");
//! engine.single("sum/digest", |_, input| {
//!     let message = field(input, "message")?;
//!     Ok(op::giving(
//!         move || Ok(message.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte))),
//!         |sum| Ok(item([("digest", &[*sum])])),
//!     ))
//! });
//! let input = item([("message", &[1, 2, 3])]);
//! let size = Size { bytes: 3, batch: 1 };
//! let mut task = engine.prepare("sum/digest", size, &[input]).unwrap();
//! assert_eq!(task.outputs().unwrap(), [item([("digest", &[6])])]);
//! ```

use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::Item;
use crate::serve::{Single, Task};
use crate::stopwatch::Stopwatch;

/// The bytes of this name.
///
/// # Errors
/// A sentence if there are none.
pub fn field(input: &Item, name: &str) -> Result<Vec<u8>, String> {
    input
        .get(name)
        .cloned()
        .ok_or_else(|| format!("{name} is missing"))
}

/// The bytes of this name, `N` of them.
///
/// # Errors
/// A sentence if there are none, or more or less.
pub fn array<const N: usize>(input: &Item, name: &str) -> Result<[u8; N], String> {
    exactly(&field(input, name)?).map_err(|e| format!("{name}: {e}"))
}

/// These bytes, if there are `N` of them.
///
/// # Errors
/// A sentence where there are not.
pub fn exactly<const N: usize>(bytes: &[u8]) -> Result<[u8; N], String> {
    let len = bytes.len();
    bytes
        .try_into()
        .map_err(|_| format!("{len} bytes where {N} belong"))
}

/// The number of this name: four bytes, big-endian.
///
/// # Errors
/// As [`array()`].
pub fn number(input: &Item, name: &str) -> Result<u32, String> {
    array(input, name).map(u32::from_be_bytes)
}

/// An item from its fields.
#[must_use]
pub fn item<const N: usize>(fields: [(&str, &[u8]); N]) -> Item {
    from_fields(&fields)
}

/// Field by field: a map that is collected sorts first, with a sort of its own for each kind of
/// iterator.
fn from_fields(fields: &[(&str, &[u8])]) -> Item {
    let mut item = Item::new();
    for (name, value) in fields {
        item.insert((*name).to_owned(), value.to_vec());
    }
    item
}

/// What a verification gives.
#[must_use]
pub fn valid(valid: bool) -> Item {
    item([("valid", &[u8::from(valid)])])
}

/// The sentence of a library's error.
pub fn text(error: impl Debug) -> String {
    format!("the library says {error:?}")
}

/// An operation that gives its result; `encode` makes the output of it.
pub fn giving<R: 'static>(
    run: impl FnMut() -> Result<R, String> + 'static,
    encode: impl Fn(&R) -> Result<Item, String> + 'static,
) -> impl Single + 'static {
    Giving {
        run,
        encode,
        result: None,
    }
}

struct Giving<R, F, E> {
    run: F,
    encode: E,
    result: Option<R>,
}

impl<R, F, E> Single for Giving<R, F, E>
where
    F: FnMut() -> Result<R, String>,
    E: Fn(&R) -> Result<Item, String>,
{
    fn once(&mut self) -> Result<(), String> {
        self.result = Some((self.run)()?);
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        (self.encode)(self.result.as_ref().ok_or("nothing ran")?)
    }
}

/// An operation that fills what its state has ready; `encode` makes the output of the state.
pub fn filling<S: 'static>(
    state: S,
    run: impl FnMut(&mut S) -> Result<(), String> + 'static,
    encode: impl Fn(&S) -> Item + 'static,
) -> impl Single + 'static {
    telling(state, run, move |state| Ok(encode(state)))
}

/// As [`filling`], where the output may not be had.
pub fn telling<S: 'static>(
    state: S,
    run: impl FnMut(&mut S) -> Result<(), String> + 'static,
    encode: impl Fn(&S) -> Result<Item, String> + 'static,
) -> impl Single + 'static {
    Filling { state, run, encode }
}

struct Filling<S, F, E> {
    state: S,
    run: F,
    encode: E,
}

impl<S, F, E> Single for Filling<S, F, E>
where
    F: FnMut(&mut S) -> Result<(), String>,
    E: Fn(&S) -> Result<Item, String>,
{
    #[inline]
    fn once(&mut self) -> Result<(), String> {
        (self.run)(&mut self.state)
    }
    fn output(&mut self) -> Result<Item, String> {
        (self.encode)(&self.state)
    }
}

/// An operation that changes its input, which takes the same time on what it has changed: only
/// for the outputs is the input set up anew.
pub fn changing<S: 'static>(
    state: S,
    mut set_up: impl FnMut(&mut S) + 'static,
    mut run: impl FnMut(&mut S) -> Result<(), String> + 'static,
    encode: impl Fn(&S) -> Item + 'static,
) -> impl Task + 'static {
    let run_changed = move |state: &mut S, fresh: bool| {
        if fresh {
            set_up(state);
        }
        run(state)
    };
    Changing {
        state,
        run: run_changed,
        encode,
    }
}

struct Changing<S, F, E> {
    state: S,
    run: F,
    encode: E,
}

impl<S, F, E> Task for Changing<S, F, E>
where
    F: FnMut(&mut S, bool) -> Result<(), String>,
    E: Fn(&S) -> Item,
{
    fn run(&mut self, iterations: u64) -> Result<(), String> {
        for _ in 0..iterations {
            let this = black_box(&mut *self);
            (this.run)(&mut this.state, false)?;
        }
        Ok(())
    }
    fn outputs(&mut self) -> Result<Vec<Item>, String> {
        (self.run)(&mut self.state, true)?;
        Ok(vec![(self.encode)(&self.state)])
    }
}

/// How many times a state of `bytes` bytes is laid ready for [`consuming`]: enough that the clock
/// does not count, few enough that they stay in the nearest cache.
#[must_use]
pub fn copies(bytes: usize) -> usize {
    (16384 / bytes.max(1)).clamp(2, 64)
}

/// An operation that uses its input up. Each state is set up outside the timing and run once;
/// [`copies`] says how many states there should be.
pub fn consuming<S: 'static>(
    states: Vec<S>,
    set_up: impl FnMut(&mut S) + 'static,
    run: impl FnMut(&mut S) -> Result<(), String> + 'static,
    encode: impl Fn(&S) -> Item + 'static,
) -> impl Task + 'static {
    Consuming {
        states,
        set_up,
        run,
        encode,
    }
}

struct Consuming<S, U, F, E> {
    states: Vec<S>,
    set_up: U,
    run: F,
    encode: E,
}

impl<S, U, F, E> Consuming<S, U, F, E>
where
    U: FnMut(&mut S),
    F: FnMut(&mut S) -> Result<(), String>,
{
    /// Does it on the first `count` states.
    fn some(&mut self, count: usize) -> Result<Duration, String> {
        let states = &mut self.states[..count];
        states.iter_mut().for_each(&mut self.set_up);
        let start = Instant::now();
        black_box(states).iter_mut().try_for_each(&mut self.run)?;
        Ok(start.elapsed())
    }
}

impl<S, U, F, E> Task for Consuming<S, U, F, E>
where
    U: FnMut(&mut S),
    F: FnMut(&mut S) -> Result<(), String>,
    E: Fn(&S) -> Item,
{
    fn run(&mut self, iterations: u64) -> Result<(), String> {
        self.time(iterations).map(|_| ())
    }
    fn time(&mut self, iterations: u64) -> Result<Duration, String> {
        let all = self.states.len();
        if all == 0 {
            return Err("there is no state to run on".into());
        }
        let mut left = iterations;
        let mut time = Duration::ZERO;
        let (watch, start) = (Stopwatch::start(), Instant::now());
        while left > 0 {
            let count = usize::try_from(left).map_or(all, |left| left.min(all));
            time += self.some(count)?;
            left -= count as u64;
        }
        // The runs' share of the time that was spent waiting for a core.
        let working = watch.elapsed().as_secs_f64() / start.elapsed().as_secs_f64();
        Ok(if working.is_finite() {
            time.mul_f64(working.min(1.0))
        } else {
            time
        })
    }
    fn outputs(&mut self) -> Result<Vec<Item>, String> {
        self.time(1)?;
        let state = self.states.first();
        Ok(state.map(&self.encode).into_iter().collect())
    }
}

/// A call on a whole batch, boxed as [`crate::serve::Engine::batch`] takes it; `encode` makes an
/// item for each item of the batch.
pub fn whole<S: 'static>(
    state: S,
    run: impl FnMut(&mut S) -> Result<(), String> + 'static,
    encode: impl Fn(&S) -> Vec<Item> + 'static,
) -> Box<dyn Task> {
    Box::new(Whole { state, run, encode })
}

struct Whole<S, F, E> {
    state: S,
    run: F,
    encode: E,
}

impl<S, F, E> Task for Whole<S, F, E>
where
    F: FnMut(&mut S) -> Result<(), String>,
    E: Fn(&S) -> Vec<Item>,
{
    fn run(&mut self, iterations: u64) -> Result<(), String> {
        for _ in 0..iterations {
            let this = black_box(&mut *self);
            (this.run)(&mut this.state)?;
        }
        Ok(())
    }
    fn outputs(&mut self) -> Result<Vec<Item>, String> {
        (self.run)(&mut self.state)?;
        Ok((self.encode)(&self.state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reverse(bytes: &[u8]) -> Vec<u8> {
        bytes.iter().rev().copied().collect()
    }

    #[test]
    fn each_kind_gives_the_same_however_often_it_ran() {
        let message = vec![1, 2, 3];
        let out = |bytes: &[u8]| item([("out", bytes)]);
        let (m, n) = (message.clone(), message.clone());
        let (o, p) = (message.clone(), message.clone());
        let mut tasks: Vec<Box<dyn Task>> = vec![
            Box::new(giving(move || Ok(reverse(&m)), move |r| Ok(out(r)))),
            Box::new(filling(
                vec![0; 3],
                move |state: &mut Vec<u8>| {
                    state.clone_from(&reverse(&n));
                    Ok(())
                },
                move |state| out(state),
            )),
            Box::new(changing(
                message.clone(),
                move |state| state.clone_from(&o),
                |state: &mut Vec<u8>| {
                    state.reverse();
                    Ok(())
                },
                move |state| out(state),
            )),
            // An empty state would be an error: what was consumed is set up anew.
            Box::new(consuming(
                vec![(Vec::new(), Vec::new()); 2],
                move |state: &mut (Vec<u8>, Vec<u8>)| state.0.clone_from(&p),
                |(from, to)| {
                    if from.is_empty() {
                        return Err("used up".into());
                    }
                    *to = reverse(from);
                    from.clear();
                    Ok(())
                },
                move |state| out(&state.1),
            )),
            whole(
                message,
                |_| Ok(()),
                move |state: &Vec<u8>| vec![out(&reverse(state))],
            ),
        ];
        for task in &mut tasks {
            for iterations in [0, 1, 2, 5] {
                task.run(iterations).unwrap();
                task.time(iterations).unwrap();
                assert_eq!(task.outputs().unwrap(), [out(&[3, 2, 1])]);
            }
        }
    }

    #[test]
    fn what_fails_says_so() {
        let mut task = giving(|| Err::<(), _>("no".into()), |()| Ok(Item::new()));
        assert_eq!(Task::run(&mut task, 1), Err("no".into()));
        assert_eq!(task.output(), Err("nothing ran".into()));
        let input = item([("key", &[0; 3])]);
        assert_eq!(
            array::<4>(&input, "key").unwrap_err(),
            "key: 3 bytes where 4 belong"
        );
        assert_eq!(field(&input, "iv").unwrap_err(), "iv is missing");
        assert_eq!(number(&item([("n", &[0, 0, 1, 2])]), "n"), Ok(0x102));
        let none: Vec<()> = Vec::new();
        assert!(
            consuming(none, |()| (), |()| Ok(()), |()| Item::new())
                .run(1)
                .is_err()
        );
    }
}
