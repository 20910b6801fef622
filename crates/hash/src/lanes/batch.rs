//! Many messages over the lanes of a hash of the MD4 family: a lane that is done takes the next
//! message at once, and the last messages, too few to fill the lanes, go through narrower
//! kernels.
//!
//! A lane takes blocks from two places: from the message where it lies, and from its side room,
//! where what precedes the message (the padded key of HMAC) and follows it (the padding) is
//! laid out. Lengths are public: they decide which lane does what.

use super::backend::Lanes;
use crate::merkle_damgard::MerkleDamgard;
use adamant_base::family::Hash;
use adamant_base::{Error, Secret, Wipe, same_length};

/// The most lanes that a kernel has.
const MOST: usize = 32;

/// The side room of a lane: the padding of a message takes two blocks at most.
pub(crate) type Side<const N: usize> = [[u8; N]; 2];

/// What a lane starts with.
pub(crate) struct Start<'m> {
    /// Blocks in the side room, to be taken in ahead of the message.
    pub(crate) ahead: usize,
    pub(crate) message: &'m [u8],
    /// Bytes of the hash's input before the message.
    pub(crate) before: u64,
}

/// What becomes of the messages.
pub(crate) trait Job<'m, H: MerkleDamgard<N>, const N: usize> {
    /// How many there are.
    fn count(&self) -> usize;
    /// Sets the state that message `i` begins with, and puts what goes ahead of it aside.
    fn start(&self, i: usize, state: &mut H::State, side: &mut Side<N>) -> Start<'m>;
    /// Takes the `state` after message `i`. If something is to be hashed then, puts it aside,
    /// sets the new state and returns the number of blocks; `again` is true after these.
    fn finish(&mut self, i: usize, again: bool, state: &mut H::State, side: &mut Side<N>) -> usize;
}

struct Lane<'m, const N: usize> {
    /// Which message.
    index: usize,
    /// The blocks of the side room that are to be taken in.
    from: usize,
    to: usize,
    /// After them, the whole blocks of the message and the bytes that are left.
    blocks: &'m [[u8; N]],
    tail: &'m [u8],
    /// Bytes of the whole input.
    length: u64,
    /// Whether the padding is in the side room or was taken in.
    padded: bool,
    again: bool,
}

impl<'m, const N: usize> Lane<'m, N> {
    const IDLE: Self = Lane {
        index: 0,
        from: 0,
        to: 0,
        blocks: &[],
        tail: &[],
        length: 0,
        padded: false,
        again: false,
    };

    #[inline]
    fn start<H: MerkleDamgard<N>>(
        index: usize,
        job: &impl Job<'m, H, N>,
        state: &mut H::State,
        side: &mut Side<N>,
    ) -> Self {
        let start = job.start(index, state, side);
        let (blocks, tail) = start.message.as_chunks();
        let mut lane = Lane {
            index,
            to: start.ahead,
            blocks,
            tail,
            length: start.before.wrapping_add(start.message.len() as u64),
            ..Self::IDLE
        };
        lane.prepare::<H>(side);
        lane
    }

    /// Pads the message once nothing else is left.
    #[inline]
    fn prepare<H: MerkleDamgard<N>>(&mut self, side: &mut Side<N>) {
        if self.from == self.to && self.blocks.is_empty() && !self.padded {
            self.from = 0;
            self.to = H::pad(self.tail, self.length, side);
            self.padded = true;
        }
    }

    /// The blocks that are next and lie together; none when the input ends here.
    #[inline]
    fn next<'s>(&self, side: &'s Side<N>) -> &'s [[u8; N]]
    where
        'm: 's,
    {
        if self.from < self.to {
            &side[self.from..self.to]
        } else {
            self.blocks
        }
    }

    /// Goes past `count` of these blocks. False when the lane has nothing to do any more.
    #[inline(always)] // A call costs short messages as much as the rest.
    fn advance<H: MerkleDamgard<N>>(
        &mut self,
        count: usize,
        job: &mut impl Job<'m, H, N>,
        state: &mut H::State,
        side: &mut Side<N>,
    ) -> bool {
        if self.from < self.to {
            self.from += count;
        } else {
            self.blocks = &self.blocks[count..];
        }
        self.prepare::<H>(side);
        if self.from < self.to || !self.blocks.is_empty() {
            return true;
        }
        (self.from, self.to) = (0, job.finish(self.index, self.again, state, side));
        self.again = true;
        self.to > 0
    }
}

/// What the lanes work on.
struct Room<S, const N: usize> {
    states: [S; MOST],
    sides: [Side<N>; MOST],
}

impl<S: Wipe, const N: usize> Wipe for Room<S, N> {
    fn wipe(&mut self) {
        self.states.wipe();
        self.sides.wipe();
    }
}

/// Does the job.
pub(crate) fn run<'m, H: MerkleDamgard<N>, const N: usize>(
    backend: H::Lanes,
    job: &mut impl Job<'m, H, N>,
) {
    let mut room = Secret::new(Room {
        states: [H::INITIAL; MOST],
        sides: [[[0; N]; 2]; MOST],
    });
    let Room { states, sides } = &mut *room;
    let mut lanes = [Lane::IDLE; MOST];
    let width = backend.lanes().min(MOST);
    let (mut active, mut queue) = (0, 0..job.count());
    loop {
        while active < width
            && let Some(index) = queue.next()
        {
            lanes[active] = Lane::start(index, job, &mut states[active], &mut sides[active]);
            active += 1;
        }
        let Some(kernel) = backend.for_states(active) else {
            break;
        };
        let mut messages: [&[[u8; N]]; MOST] = [&[]; MOST];
        let mut shortest = usize::MAX;
        for ((message, lane), side) in messages.iter_mut().zip(&lanes[..active]).zip(&*sides) {
            *message = lane.next(side);
            shortest = shortest.min(message.len());
        }
        kernel.compress(&mut states[..active], &messages[..active]);
        let mut left = active;
        let rooms = states.iter_mut().zip(&mut *sides);
        for (lane, (state, side)) in lanes[..active].iter_mut().zip(rooms) {
            if !lane.advance(shortest, job, state, side) {
                match queue.next() {
                    Some(index) => *lane = Lane::start(index, job, state, side),
                    None => left -= 1,
                }
            }
        }
        // Those that are left move together.
        for i in (0..active).rev() {
            if left < active && lanes[i].next(&sides[i]).is_empty() {
                active -= 1;
                if i < active {
                    lanes.swap(i, active);
                    states.swap(i, active);
                    sides.swap(i, active);
                }
            }
        }
    }
    // Too few are left for any kernel.
    for i in 0..active {
        finish_alone(&mut lanes[i], job, &mut states[i], &mut sides[i]);
    }
    for index in queue {
        let mut lane = Lane::start(index, job, &mut states[0], &mut sides[0]);
        finish_alone(&mut lane, job, &mut states[0], &mut sides[0]);
    }
}

#[inline(never)]
fn finish_alone<'m, H: MerkleDamgard<N>, const N: usize>(
    lane: &mut Lane<'m, N>,
    job: &mut impl Job<'m, H, N>,
    state: &mut H::State,
    side: &mut Side<N>,
) {
    loop {
        let blocks = lane.next(side);
        H::Lanes::alone(state, blocks);
        if !lane.advance(blocks.len(), job, state, side) {
            return;
        }
    }
}

/// The digests of the messages, in their order.
///
/// # Errors
/// [`Error::BadLength`] when there are not as many places as messages; `out` is then untouched.
pub(crate) fn digest<H: MerkleDamgard<N>, const N: usize>(
    backend: H::Lanes,
    messages: &[&[u8]],
    out: &mut [H::Output],
) -> Result<(), Error> {
    same_length(messages.len(), out.len())?;
    if backend.for_states(messages.len()).is_none() {
        for (message, digest) in messages.iter().zip(out) {
            *digest = <H as Hash>::digest(message);
        }
        return Ok(());
    }
    run::<H, N>(backend, &mut Digests { messages, out });
    Ok(())
}

struct Digests<'m, 'o, O> {
    messages: &'m [&'m [u8]],
    out: &'o mut [O],
}

impl<'m, H: MerkleDamgard<N>, const N: usize> Job<'m, H, N> for Digests<'m, '_, H::Output> {
    #[inline]
    fn count(&self) -> usize {
        self.messages.len()
    }
    #[inline]
    fn start(&self, i: usize, state: &mut H::State, _: &mut Side<N>) -> Start<'m> {
        *state = H::INITIAL;
        Start {
            ahead: 0,
            message: self.messages[i],
            before: 0,
        }
    }
    #[inline]
    fn finish(&mut self, i: usize, _: bool, state: &mut H::State, _: &mut Side<N>) -> usize {
        self.out[i] = H::output(state);
        0
    }
}
