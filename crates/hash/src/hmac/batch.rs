//! Many tags at once, over the lanes of the hashes of the MD4 family.

use super::{Hmac, one_by_one};
use crate::lanes::backend::Lanes;
use crate::lanes::batch::{Job, Side, Start, run};
use crate::merkle_damgard::MerkleDamgard;
use adamant_base::family::Hash;
use adamant_base::{Error, Wipe, same_length};

/// The tags of the messages, each under the key of the same index.
///
/// # Errors
/// [`Error::BadLength`] when there are not as many keys, or places, as messages; `out` is then
/// untouched.
pub(crate) fn hmac_batch<H: MerkleDamgard<N>, const N: usize>(
    backend: H::Lanes,
    keys: &[&[u8]],
    messages: &[&[u8]],
    out: &mut [H::Output],
) -> Result<(), Error> {
    same_length(messages.len(), keys.len())?;
    same_length(messages.len(), out.len())?;
    if backend.for_states(messages.len()).is_none() {
        for ((key, message), tag) in keys.iter().zip(messages).zip(out) {
            *tag = Hmac::<H>::mac(key, message);
        }
        return Ok(());
    }
    let keys = Keys::Bytes(keys);
    run::<H, N>(
        backend,
        &mut Tags::<H, N> {
            keys,
            messages,
            out,
        },
    );
    Ok(())
}

/// The tags of what `keyed` has taken in and the messages after it.
///
/// # Errors
/// [`Error::BadLength`] when there are not as many places as messages; `out` is then untouched.
pub(crate) fn hmac_one_key<H: MerkleDamgard<N>, const N: usize>(
    backend: H::Lanes,
    keyed: &Hmac<H>,
    messages: &[&[u8]],
    out: &mut [H::Output],
) -> Result<(), Error> {
    same_length(messages.len(), out.len())?;
    let (inner, outer) = keyed.states();
    let (Some((inner, before)), Some((outer, _))) = (inner.state(), outer.state()) else {
        one_by_one(keyed, messages, out);
        return Ok(());
    };
    if backend.for_states(messages.len()).is_none() {
        one_by_one(keyed, messages, out);
        return Ok(());
    }
    let keys = Keys::States {
        inner,
        before,
        outer,
    };
    run::<H, N>(
        backend,
        &mut Tags::<H, N> {
            keys,
            messages,
            out,
        },
    );
    Ok(())
}

enum Keys<'m, S> {
    /// One for each message.
    Bytes(&'m [&'m [u8]]),
    /// The same for all: the states after the padded keys; `before` bytes lead to the inner one.
    States {
        inner: &'m S,
        before: u64,
        outer: &'m S,
    },
}

struct Tags<'m, 'o, H: MerkleDamgard<N>, const N: usize> {
    keys: Keys<'m, H::State>,
    messages: &'m [&'m [u8]],
    out: &'o mut [H::Output],
}

impl<'m, H: MerkleDamgard<N>, const N: usize> Job<'m, H, N> for Tags<'m, '_, H, N> {
    #[inline]
    fn count(&self) -> usize {
        self.messages.len()
    }
    #[inline]
    fn start(&self, i: usize, state: &mut H::State, side: &mut Side<N>) -> Start<'m> {
        let (ahead, before) = match self.keys {
            Keys::Bytes(keys) => {
                pad_key::<H, N>(keys[i], 0x36, &mut side[0]);
                *state = H::INITIAL;
                (1, N as u64)
            }
            Keys::States { inner, before, .. } => {
                *state = *inner;
                (0, before)
            }
        };
        Start {
            ahead,
            message: self.messages[i],
            before,
        }
    }
    #[inline]
    fn finish(&mut self, i: usize, again: bool, state: &mut H::State, side: &mut Side<N>) -> usize {
        let mut digest = H::output(state);
        if again {
            self.out[i] = digest;
            return 0;
        }
        // The digest is shorter than what a block has room for beside the padding.
        H::pad(digest.as_ref(), (N + H::OUTPUT_LEN) as u64, side);
        digest.as_mut().wipe();
        match self.keys {
            Keys::Bytes(keys) => {
                side[1] = side[0];
                pad_key::<H, N>(keys[i], 0x5c, &mut side[0]);
                *state = H::INITIAL;
                2
            }
            Keys::States { outer, .. } => {
                *state = *outer;
                1
            }
        }
    }
}

/// K ⊕ ipad or K ⊕ opad (RFC 2104); a key longer than a block is hashed first.
#[inline]
pub(crate) fn pad_key<H: Hash, const N: usize>(key: &[u8], pad: u8, block: &mut [u8; N]) {
    *block = [pad; N];
    let mut xor = |key: &[u8]| {
        for (byte, key) in block.iter_mut().zip(key) {
            *byte ^= key;
        }
    };
    if key.len() <= N {
        xor(key);
    } else {
        let mut short = <H as Hash>::digest(key);
        xor(short.as_ref());
        short.as_mut().wipe();
    }
}
