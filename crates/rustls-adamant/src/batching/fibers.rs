//! Steps of many connections on one thread, each on a stack of its own: a step that needs an
//! operation with a batch stops there, the others go on until they need one too, and then all of
//! them are computed at once.
//!
//! Fibers begin and end in one call of [`together`] and never leave its thread.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::rc::Rc;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::any::{Functions, Item, Output};

/// Bytes of a stack, of which only those that were used take up memory: enough for any signature
/// in place.
const STACK: usize = 1 << 20;
/// Stacks that a thread keeps for the next call.
const KEPT: usize = 64;

/// What a fiber stops with: nothing goes in or out.
type Stop = Yielder<(), ()>;

thread_local! {
    /// The fiber that runs.
    static CURRENT: Cell<*const Stop> = const { Cell::new(ptr::null()) };
    /// Items of fibers that wait, of one operation each.
    static OPEN: RefCell<Vec<Rc<Gathered>>> = const { RefCell::new(Vec::new()) };
    static STACKS: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

/// Items whose results are due.
struct Gathered {
    functions: &'static Functions,
    items: RefCell<Vec<Item>>,
    outputs: RefCell<Vec<Option<Output>>>,
}

impl Gathered {
    fn compute(&self) {
        let items = self.items.take();
        let outputs = self.functions.compute(&items.iter().collect::<Vec<_>>());
        *self.outputs.borrow_mut() = outputs.into_iter().map(Some).collect();
    }
}

/// The open items of this operation.
fn open(functions: &'static Functions) -> Rc<Gathered> {
    OPEN.with_borrow_mut(|open| {
        let known = open.iter().find(|it| ptr::eq(it.functions, functions));
        if let Some(gathered) = known {
            return Rc::clone(gathered);
        }
        let gathered = Rc::new(Gathered {
            functions,
            items: RefCell::default(),
            outputs: RefCell::default(),
        });
        open.push(Rc::clone(&gathered));
        gathered
    })
}

/// The result of the item, together with those of other fibers; outside of fibers the item comes
/// back.
pub(super) fn wait(functions: &'static Functions, item: Item) -> Result<Output, Item> {
    let current = CURRENT.get();
    if current.is_null() {
        return Err(item);
    }
    let gathered = open(functions);
    let place = gathered.items.borrow().len();
    gathered.items.borrow_mut().push(item);
    stop(current);
    CURRENT.set(current);
    let output = gathered
        .outputs
        .borrow_mut()
        .get_mut(place)
        .and_then(Option::take);
    Ok(output.expect("a fiber goes on when its result is there"))
}

/// Stops the fiber that runs.
#[allow(unsafe_code)]
fn stop(current: *const Stop) {
    // SAFETY: `CURRENT` is set only by a fiber when it begins and when it goes on, to what lies on
    // its stack until it ends, and is set back whenever it stops or ends: this is that fiber.
    unsafe { &*current }.suspend(());
}

/// A connection with its step on the way.
struct Fiber<C, R> {
    coroutine: Option<Coroutine<(), (), (C, R)>>,
    done: Option<std::thread::Result<(C, R)>>,
}

impl<C: 'static, R: 'static> Fiber<C, R> {
    fn new(mut connection: C, step: Rc<impl Fn(&mut C) -> R + 'static>) -> Self {
        let stack = STACKS.with_borrow_mut(Vec::pop);
        let stack = stack.or_else(|| DefaultStack::new(STACK).ok());
        let Some(stack) = stack else {
            // No memory for it: at once then.
            let result = catch_unwind(AssertUnwindSafe(|| step(&mut connection)));
            return Fiber {
                coroutine: None,
                done: Some(result.map(|result| (connection, result))),
            };
        };
        // Where a fiber begins, what is aligned to more than its stack finds no place.
        let mut connection = Box::new(connection);
        let coroutine = Coroutine::with_stack(stack, move |stop: &Stop, ()| {
            CURRENT.set(stop);
            let result = step(&mut connection);
            (*connection, result)
        });
        Fiber {
            coroutine: Some(coroutine),
            done: None,
        }
    }

    /// Goes on to the next stop; whether there is one.
    fn resume(&mut self) -> bool {
        let Some(coroutine) = &mut self.coroutine else {
            return false;
        };
        let stopped = catch_unwind(AssertUnwindSafe(|| coroutine.resume(())));
        CURRENT.set(ptr::null());
        self.done = Some(match stopped {
            Ok(CoroutineResult::Yield(())) => return true,
            Ok(CoroutineResult::Return(result)) => Ok(result),
            Err(panic) => Err(panic),
        });
        if let Some(done) = self.coroutine.take() {
            STACKS.with_borrow_mut(|stacks| {
                if stacks.len() < KEPT {
                    stacks.push(done.into_stack());
                }
            });
        }
        false
    }
}

/// See [`super::together`].
pub(super) fn together<C: 'static, R: 'static>(
    connections: impl IntoIterator<Item = C>,
    step: impl Fn(&mut C) -> R + 'static,
) -> Vec<(C, R)> {
    let connections = connections.into_iter();
    // One has nobody to share with, and fibers have no fibers.
    if connections.size_hint().1 == Some(1) || !CURRENT.get().is_null() {
        let one = |mut connection| {
            let result = step(&mut connection);
            (connection, result)
        };
        return connections.map(one).collect();
    }
    let step = Rc::new(step);
    let mut fibers: Vec<_> = connections
        .map(|connection| Fiber::new(connection, Rc::clone(&step)))
        .collect();
    loop {
        let mut stopped = false;
        for fiber in &mut fibers {
            stopped |= fiber.resume();
        }
        if !stopped {
            break;
        }
        for gathered in OPEN.take() {
            gathered.compute();
        }
    }
    let done = fibers.into_iter().map(|fiber| match fiber.done {
        Some(Ok(done)) => done,
        Some(Err(panic)) => resume_unwind(panic),
        None => unreachable!("every fiber has ended"),
    });
    done.collect()
}
