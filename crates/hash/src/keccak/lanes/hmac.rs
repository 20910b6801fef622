//! HMAC over SHA-3 on the lanes: the states after the padded keys, eight at once, and from them
//! the messages and then their digests.

use super::batch::Function;
use super::{Backend, Blocks, States};
use crate::Hmac;
use crate::hmac::{batch::pad_key, one_by_one};
use crate::keccak::State;
use adamant_base::family::Hash;
use adamant_base::{Error, Secret, Wipe, same_length};

/// Messages that share the lanes.
const MANY: usize = 32;

struct Room<const N: usize> {
    /// After K ⊕ ipad and K ⊕ opad of each key.
    inner: [State; MANY],
    outer: [State; MANY],
    digests: [[u8; N]; MANY],
    states: States,
    blocks: Blocks,
}

impl<const N: usize> Wipe for Room<N> {
    fn wipe(&mut self) {
        self.inner.wipe();
        self.outer.wipe();
        self.digests.wipe();
        self.states.wipe();
        self.blocks.wipe();
    }
}

impl<const N: usize> Room<N> {
    fn new() -> Secret<Self> {
        Secret::new(Room {
            inner: [[0; 25]; MANY],
            outer: [[0; 25]; MANY],
            digests: [[0; N]; MANY],
            states: [[0; 8]; 25],
            blocks: [[0; 192]; 8],
        })
    }
}

impl<const RATE: usize> Function<RATE> {
    /// The tags of the messages, each under the key of the same index.
    ///
    /// # Errors
    /// [`Error::BadLength`] when there are not as many keys, or places, as messages; `out` is then
    /// untouched.
    pub(crate) fn hmac_batch<H: Hash<Output = [u8; N]>, const N: usize>(
        self,
        backend: Backend,
        keys: &[&[u8]],
        messages: &[&[u8]],
        out: &mut [[u8; N]],
    ) -> Result<(), Error> {
        same_length(messages.len(), keys.len())?;
        same_length(messages.len(), out.len())?;
        if messages.len() < backend.break_even() {
            for ((key, message), tag) in keys.iter().zip(messages).zip(out) {
                *tag = Hmac::<H>::mac(key, message);
            }
            return Ok(());
        }
        let mut room = Room::<N>::new();
        let groups = messages.chunks(MANY).zip(out.chunks_mut(MANY));
        for (keys, (messages, out)) in keys.chunks(MANY).zip(groups) {
            let Room {
                inner,
                outer,
                states,
                blocks,
                ..
            } = &mut *room;
            for (pad, keyed) in [(0x36, inner), (0x5c, outer)] {
                for (keys, keyed) in keys.chunks(8).zip(keyed.chunks_mut(8)) {
                    for (key, block) in keys.iter().zip(blocks.iter_mut()) {
                        let block = block.first_chunk_mut().expect("RATE <= 192");
                        pad_key::<H, RATE>(key, pad, block);
                    }
                    *states = [[0; 8]; 25];
                    backend.absorb(states, blocks, self.rounds);
                    for (i, state) in keyed.iter_mut().enumerate() {
                        for (word, row) in state.iter_mut().zip(&*states) {
                            *word = row[i];
                        }
                    }
                }
            }
            let Room {
                inner,
                outer,
                digests,
                ..
            } = &mut *room;
            self.tags(backend, [inner, outer], messages, digests, out)?;
        }
        Ok(())
    }

    /// The tags of what `keyed` has taken in and the messages after it; `inner` and `outer` are
    /// its states, where they lie between two blocks.
    ///
    /// # Errors
    /// [`Error::BadLength`] when there are not as many places as messages; `out` is then untouched.
    pub(crate) fn hmac_one_key<H: Hash<Output = [u8; N]>, const N: usize>(
        self,
        backend: Backend,
        keyed: &Hmac<H>,
        states: [Option<&State>; 2],
        messages: &[&[u8]],
        out: &mut [[u8; N]],
    ) -> Result<(), Error> {
        same_length(messages.len(), out.len())?;
        let [Some(inner), Some(outer)] = states else {
            one_by_one(keyed, messages, out);
            return Ok(());
        };
        let states = [inner, outer].map(core::slice::from_ref);
        let mut digests = Secret::new([[0; N]; MANY]);
        for (messages, out) in messages.chunks(MANY).zip(out.chunks_mut(MANY)) {
            self.tags(backend, states, messages, &mut digests, out)?;
        }
        Ok(())
    }

    /// The tags of up to [`MANY`] messages.
    fn tags<const N: usize>(
        self,
        backend: Backend,
        [inner, outer]: [&[State]; 2],
        messages: &[&[u8]],
        digests: &mut [[u8; N]; MANY],
        out: &mut [[u8; N]],
    ) -> Result<(), Error> {
        let digests = &mut digests[..messages.len()];
        self.batch_from(backend, inner, messages, digests)?;
        let mut places: [&[u8]; MANY] = [&[]; MANY];
        for (place, digest) in places.iter_mut().zip(&*digests) {
            *place = digest;
        }
        self.batch_from(backend, outer, &places[..messages.len()], out)
    }
}
