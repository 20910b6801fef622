//! Many messages at once, each under a key of its own: the chain of CBC encryption leaves most of the
//! CPU idle, and so does a short message in counter mode.
//!
//! A lane that is done takes the next message at once. Lengths are public: they decide which lane
//! does what.

#[cfg(target_arch = "aarch64")]
mod arm_aes;
mod portable;
#[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
mod power_crypto;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86_aesni;
#[cfg(target_arch = "x86_64")]
mod x86_vaes512;

use super::{Aes, RoundKeys};
use adamant_base::{BlockCipher, Error, Secret, Wipe};

adamant_base::backends! {
    /// Implementations of AES on many lanes.
    pub(crate) struct Backend {
        batch {
            /// Encrypts the blocks of each lane, of which all have as many. Their states are the
            /// blocks of ciphertext before.
            fn cbc_encrypt(room: &mut Room, lanes: &mut [Lane<'_, '_>]);
            /// Encrypts or decrypts short messages in counter mode.
            fn ctr(streams: &mut [Stream<'_, '_>]);
        }
    }
    #[cfg(target_arch = "x86_64")]
    x86_vaes512 if ["vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512vl", "aes"]
        steps [SHORT, 16 * SHORTEST];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    x86_aesni if ["aes", "ssse3", "sse4.1"];
    #[cfg(target_arch = "aarch64")]
    arm_aes if ["neon", "aes"];
    #[cfg(all(target_arch = "powerpc64", target_endian = "little", feature = "std"))]
    power_crypto if [; "power8-crypto"];
    _ => portable;
}

/// The most lanes at once.
const MOST: usize = 16;

/// Blocks of the shortest message that goes to a lane. A CPU works on several shorter ones at once
/// by itself.
const SHORTEST: usize = 8;

/// A message of a batch.
pub struct Message<'m, const KEY_LEN: usize> {
    /// The cipher with its key.
    pub cipher: &'m Aes<KEY_LEN>,
    /// The initialisation vector; in counter mode the first block of counters.
    pub iv: [u8; 16],
    /// What is encrypted in place.
    pub data: &'m mut [u8],
}

/// What a lane works on.
pub struct Lane<'k, 'd> {
    keys: &'k RoundKeys,
    state: [u8; 16],
    /// What is to be done now.
    blocks: &'d mut [[u8; 16]],
    /// What is left after that.
    rest: &'d mut [[u8; 16]],
}

/// A short message in counter mode.
pub struct Stream<'k, 'd> {
    keys: &'k RoundKeys,
    /// The high half and the low one of the first counter. The low one may count on by three.
    counter: [u64; 2],
    /// 1 to [`SHORT`] bytes.
    data: &'d mut [u8],
}

impl<'k, 'd> Stream<'k, 'd> {
    /// No message.
    pub(crate) const fn none() -> Self {
        Stream {
            keys: &RoundKeys::NONE,
            counter: [0; 2],
            data: &mut [],
        }
    }

    /// The message from a counter on.
    pub(crate) fn new<const KEY_LEN: usize>(
        cipher: &'k Aes<KEY_LEN>,
        counter: u128,
        data: &'d mut [u8],
    ) -> Self {
        Stream {
            keys: &cipher.keys,
            counter: [(counter >> 64) as u64, counter as u64],
            data,
        }
    }
}

/// Bytes of the longest message in counter mode that goes beside others: longer ones fill the CPU
/// by themselves.
pub(crate) const SHORT: usize = 64;

/// Short messages side by side.
pub(crate) const BESIDE: usize = 8;

/// The round keys of all lanes side by side, round by round.
#[repr(align(64))]
pub struct Room([[[u8; 16]; MOST]; 15]);

impl Wipe for Room {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

impl Room {
    /// The keys of one lane.
    fn set(&mut self, lane: usize, keys: &RoundKeys) {
        for (round, key) in self.0.iter_mut().zip(&keys.encrypt) {
            round[lane] = *key;
        }
    }
}

/// Encrypts the messages, which have one block at least.
#[cfg_attr(not(feature = "lab"), inline)]
fn run<'k, 'd>(backend: Backend, mut messages: impl Iterator<Item = Lane<'k, 'd>>) {
    let mut room = Secret::new(Room([[[0; 16]; MOST]; 15]));
    let mut lanes: [Lane<'k, 'd>; MOST] = core::array::from_fn(|_| Lane {
        keys: &RoundKeys::NONE,
        state: [0; 16],
        blocks: &mut [],
        rest: &mut [],
    });
    let mut active = 0;
    loop {
        while active < MOST
            && let Some(lane) = messages.next()
        {
            room.set(active, lane.keys);
            lanes[active] = lane;
            active += 1;
        }
        let working = &mut lanes[..active];
        let Some(count) = working.iter().map(|lane| lane.rest.len()).min() else {
            return;
        };
        for lane in &mut *working {
            lane.blocks = lane.rest.split_off_mut(..count).unwrap_or_default();
        }
        backend.cbc_encrypt(&mut room, working);
        for i in (0..active).rev() {
            if !lanes[i].rest.is_empty() {
                continue;
            }
            if let Some(lane) = messages.next() {
                room.set(i, lane.keys);
                lanes[i] = lane;
                continue;
            }
            // The last lane moves here.
            active -= 1;
            lanes.swap(i, active);
            room.set(i, lanes[i].keys);
        }
    }
}

/// [`cbc::encrypt_batch`](crate::modes::cbc::encrypt_batch) on this implementation.
///
/// # Errors
/// As there.
pub fn cbc_encrypt_on<const KEY_LEN: usize>(
    messages: &mut [Message<'_, KEY_LEN>],
    backend: Backend,
) -> Result<(), Error> {
    for message in &*messages {
        let actual = message.data.len();
        if !actual.is_multiple_of(16) {
            let expected = actual - actual % 16;
            return Err(Error::BadLength { expected, actual });
        }
    }
    let lanes = messages.iter_mut().filter_map(|message| {
        let blocks = message.data.as_chunks_mut().0;
        let (keys, mut state) = (&message.cipher.keys, message.iv);
        if blocks.len() < SHORTEST {
            message.cipher.cbc_encrypt(&mut state, blocks);
            return None;
        }
        Some(Lane {
            keys,
            state,
            blocks: &mut [],
            rest: blocks,
        })
    });
    run(backend, lanes);
    Ok(())
}

/// A message by itself, on the counter mode of an implementation.
#[inline(always)]
fn ctr_single(
    stream: &mut Stream<'_, '_>,
    ctr: impl Fn(&RoundKeys, &mut [u8; 16], &mut [[u8; 16]]),
) {
    let [high, low] = stream.counter;
    let mut counter = (u128::from(high) << 64 | u128::from(low)).to_be_bytes();
    let mut blocks = Secret::new([[0; 16]; SHORT / 16]);
    let len = stream.data.len();
    blocks.as_flattened_mut()[..len].copy_from_slice(stream.data);
    ctr(stream.keys, &mut counter, &mut blocks[..len.div_ceil(16)]);
    stream.data.copy_from_slice(&blocks.as_flattened()[..len]);
}
