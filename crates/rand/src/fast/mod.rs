//! A generator with fast key erasure.
//!
//! D. J. Bernstein, "Fast-key-erasure random-number generators", 2017. ChaCha20 with block
//! counter and nonce zero makes sixteen blocks of key stream from a key. The first 32 bytes at
//! once replace that key; the other 992 are handed out, each zeroed as it goes. So the memory of
//! the process never holds what would lead back to bytes handed out before.

#[cfg(feature = "std")]
use adamant_base::process;
use adamant_base::{Error, Rng, Secret};
use adamant_cipher::chacha20::Backend;

/// Blocks made at once.
const BLOCKS: usize = 16;
/// Bytes at their start that become the next key.
const KEY_LEN: usize = 32;

/// A fast generator: ChaCha20 with fast key erasure.
///
/// ```
/// use adamant_base::Rng;
/// use adamant_rand::FastRng;
/// # #[cfg(feature = "std")] {
/// let mut rng = FastRng::new().unwrap(); // seeded by the operating system
/// let mut key = [0; 32];
/// rng.fill(&mut key).unwrap();
/// # }
/// ```
///
/// Keys and bytes not handed out yet are wiped on drop.
///
/// A generator from [`new`](Self::new) takes fresh entropy from the system after every MiB, and
/// before it hands out anything in a process other than the one that last seeded it: parent and
/// child of a fork do not share their random bytes (see [`instance`](process::instance) for what
/// counts as a fork). What a snapshot of a whole virtual machine duplicates, it cannot notice.
pub struct FastRng {
    backend: Backend,
    key: Secret<[u8; KEY_LEN]>,
    /// Key stream; what is handed out is zero.
    stream: Secret<[[u8; 64]; BLOCKS]>,
    /// Where the bytes not handed out yet begin.
    next: usize,
    /// Where entropy comes from, unless the seed was given.
    #[cfg(feature = "std")]
    system: Option<Seeding>,
}

impl FastRng {
    /// A generator seeded by the operating system.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] when the system gives none.
    #[cfg(feature = "std")]
    pub fn new() -> Result<Self, Error> {
        let mut rng = Self::from_seed([0; 32]);
        let mut seeding = Seeding::default();
        seeding.reseed(&mut rng.key)?;
        rng.system = Some(seeding);
        Ok(rng)
    }

    /// The deterministic generator of this seed, for tests, simulations, and where there is no
    /// operating system. It never takes in fresh entropy.
    ///
    /// ```
    /// use adamant_base::Rng;
    /// use adamant_rand::FastRng;
    /// let mut bytes = [0; 4];
    /// FastRng::from_seed([7; 32]).fill(&mut bytes).unwrap();
    /// let mut again = [0; 4];
    /// FastRng::from_seed([7; 32]).fill(&mut again).unwrap();
    /// assert_eq!(bytes, again);
    /// ```
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> Self {
        Self::from_seed_on(Backend::best(), seed)
    }

    fn from_seed_on(backend: Backend, seed: [u8; 32]) -> Self {
        FastRng {
            backend,
            key: Secret::new(seed),
            stream: Secret::new([[0; 64]; BLOCKS]),
            next: BLOCKS * 64,
            #[cfg(feature = "std")]
            system: None,
        }
    }

    /// Makes more key stream and replaces the key.
    fn refill(&mut self) {
        let mut key = Secret::new([0; KEY_LEN / 4]);
        for (word, bytes) in key.iter_mut().zip(self.key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        self.backend.keystream(&key, 0, &[0; 3], &mut *self.stream);
        let (new_key, _) = self.stream.as_flattened_mut().split_at_mut(KEY_LEN);
        self.key.copy_from_slice(new_key);
        new_key.fill(0);
        self.next = KEY_LEN;
    }
}

impl Rng for FastRng {
    fn fill(&mut self, mut out: &mut [u8]) -> Result<(), Error> {
        #[cfg(feature = "std")]
        if let Some(seeding) = &mut self.system
            && seeding.is_due(out.len())
        {
            seeding.reseed(&mut self.key)?;
            self.next = BLOCKS * 64; // what is left of the old key stream is not handed out
        }
        while !out.is_empty() {
            if self.next == BLOCKS * 64 {
                self.refill();
            }
            let ready = &mut self.stream.as_flattened_mut()[self.next..];
            let len = ready.len().min(out.len());
            let (now, later) = out.split_at_mut(len);
            now.copy_from_slice(&ready[..len]);
            ready[..len].fill(0);
            self.next += len;
            out = later;
        }
        Ok(())
    }
}

/// When the system was asked last.
#[cfg(feature = "std")]
#[derive(Default)]
struct Seeding {
    /// In which process.
    process: u64,
    /// Bytes handed out since.
    bytes: usize,
}

#[cfg(feature = "std")]
impl Seeding {
    /// Bytes handed out between two seedings, at least.
    const INTERVAL: usize = 1 << 20;

    /// Counts `len` bytes, and says whether the system is to be asked before.
    fn is_due(&mut self, len: usize) -> bool {
        let due = self.bytes >= Self::INTERVAL || self.process != process::instance();
        self.bytes = self.bytes.saturating_add(len);
        due
    }

    /// Adds entropy to the key: whoever knows one of the two does not know the sum.
    fn reseed(&mut self, key: &mut [u8; KEY_LEN]) -> Result<(), Error> {
        let mut entropy = Secret::new([0; KEY_LEN]);
        crate::SystemRng.fill(&mut *entropy)?;
        for (k, e) in key.iter_mut().zip(entropy.iter()) {
            *k ^= e;
        }
        self.process = process::instance();
        self.bytes = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
