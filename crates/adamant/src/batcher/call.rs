//! A call of a task.

use super::{Batcher, Closed, Entered, Operation, Place};
use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

/// The future of [`Batcher::call_async`].
#[must_use = "futures do nothing unless they are polled"]
pub struct Call<'a, O: Operation> {
    batcher: &'a Batcher<O>,
    state: State<'a, O>,
}

enum State<'a, O: Operation> {
    /// Not polled yet.
    New(O::Item),
    Waiting {
        place: Place<'a, O>,
        /// Items that there were at the last look.
        seen: usize,
        /// Who is woken when the results are there.
        waker: Option<Waker>,
    },
    Done,
}

// Nothing in it refers to itself.
impl<O: Operation> Unpin for Call<'_, O> {}

impl<'a, O: Operation> Call<'a, O> {
    pub(super) fn new(batcher: &'a Batcher<O>, item: O::Item) -> Self {
        let state = State::New(item);
        Call { batcher, state }
    }
}

impl<O: Operation> Future for Call<'_, O> {
    type Output = Result<O::Output, Closed>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let batcher = self.batcher;
        // A panic goes on from here, and leaves a call that is done.
        match mem::replace(&mut self.state, State::Done) {
            State::New(item) => {
                let place = match batcher.enter(item) {
                    Err(closed) => return Poll::Ready(Err(closed)),
                    Ok(Entered::Alone(_inside, item)) => return Poll::Ready(Ok(O::one(&item))),
                    Ok(Entered::Waiting(place)) => place,
                };
                if let Some(output) = place.output() {
                    return Poll::Ready(Ok(output));
                }
                // The others' turn.
                context.waker().wake_by_ref();
                self.state = State::Waiting {
                    seen: place.index + 1,
                    place,
                    waker: None,
                };
                Poll::Pending
            }
            State::Waiting {
                place,
                mut seen,
                mut waker,
            } => {
                if place.grows(&mut seen, batcher.deadline) {
                    context.waker().wake_by_ref();
                } else {
                    place.lead();
                    if let Some(output) = place.output() {
                        return Poll::Ready(Ok(output));
                    }
                    let known = waker.as_ref().is_some_and(|w| w.will_wake(context.waker()));
                    if !known {
                        waker = Some(context.waker().clone());
                        if !place.batch.wake_later(context.waker().clone()) {
                            let output = place.output().expect("the results are there");
                            return Poll::Ready(Ok(output));
                        }
                    }
                }
                self.state = State::Waiting { place, seen, waker };
                Poll::Pending
            }
            State::Done => panic!("polled after it was done"),
        }
    }
}

impl<O: Operation> Drop for Call<'_, O> {
    fn drop(&mut self) {
        if let State::Waiting { place, .. } = &self.state {
            place.leave();
        }
    }
}

impl<O: Operation> fmt::Debug for Call<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").finish_non_exhaustive()
    }
}
