//! A call of a task.

use super::batch::Batch;
use super::{Batcher, Closed, Entered, Inside, Operation};
use alloc::sync::Arc;
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
        batch: Arc<Batch<O>>,
        place: usize,
        /// Items that there were at the last look.
        seen: usize,
        /// Who is woken when the results are there.
        waker: Option<Waker>,
        _inside: Inside<'a>,
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
                let (inside, batch, place) = match batcher.enter(item) {
                    Err(closed) => return Poll::Ready(Err(closed)),
                    Ok((_inside, Entered::Alone(item))) => return Poll::Ready(Ok(O::one(&item))),
                    Ok((inside, Entered::Waiting(batch, place))) => (inside, batch, place),
                };
                if let Some(output) = batch.output(place) {
                    return Poll::Ready(Ok(output));
                }
                // The others' turn.
                context.waker().wake_by_ref();
                self.state = State::Waiting {
                    batch,
                    place,
                    seen: place + 1,
                    waker: None,
                    _inside: inside,
                };
                Poll::Pending
            }
            State::Waiting {
                batch,
                place,
                mut seen,
                mut waker,
                _inside,
            } => {
                if batcher.grows(&batch, &mut seen) {
                    context.waker().wake_by_ref();
                } else {
                    batcher.lead(&batch);
                    if let Some(output) = batch.output(place) {
                        return Poll::Ready(Ok(output));
                    }
                    let known = waker.as_ref().is_some_and(|w| w.will_wake(context.waker()));
                    if !known {
                        waker = Some(context.waker().clone());
                        if !batch.wake_later(context.waker().clone()) {
                            let output = batch.output(place).expect("the results are there");
                            return Poll::Ready(Ok(output));
                        }
                    }
                }
                self.state = State::Waiting {
                    batch,
                    place,
                    seen,
                    waker,
                    _inside,
                };
                Poll::Pending
            }
            State::Done => panic!("polled after it was done"),
        }
    }
}

impl<O: Operation> Drop for Call<'_, O> {
    fn drop(&mut self) {
        if let State::Waiting { batch, place, .. } = &self.state {
            self.batcher.leave(batch, *place);
        }
    }
}

impl<O: Operation> fmt::Debug for Call<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").finish_non_exhaustive()
    }
}
