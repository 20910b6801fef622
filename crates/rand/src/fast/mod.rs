//! A generator with fast key erasure.
//!
//! D. J. Bernstein, "Fast-key-erasure random-number generators", 2017. ChaCha20 with block
//! counter and nonce zero makes sixteen blocks of key stream from a key. The first 32 bytes at
//! once replace that key; the other 992 are handed out, each zeroed as it goes. So the memory of
//! the process never holds what would lead back to bytes handed out before.

mod state;

#[cfg(feature = "std")]
use adamant_base::process;
use adamant_base::{Error, Rng, Secret};
use adamant_cipher::hazmat::chacha20::Backend;
use state::{KEY_LEN, STREAM_LEN, State};

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
/// before it hands out anything where others may have the same state:
///
/// * in the child of a fork, however that was made: on Linux its state lies on a page that is
///   wiped there (elsewhere, and before Linux 4.14, see [`instance`](process::instance) for what
///   counts as a fork);
/// * in a virtual machine started from a snapshot, where the machine counts its generations (see
///   [`vm_generation`](process::vm_generation)). Where it does not, two machines started from one
///   snapshot hand out the same bytes, up to a MiB: there, take [`SystemRng`](crate::SystemRng).
///
/// No core dump has the page.
pub struct FastRng {
    backend: Backend,
    state: State,
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
        let mut rng = Self::with(Backend::best(), State::confined());
        let mut seeding = Seeding::default();
        seeding.reseed(&mut rng.state)?;
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
        let mut state = State::of_its_own();
        state.key_mut().copy_from_slice(&*Secret::new(seed));
        Self::with(backend, state)
    }

    fn with(backend: Backend, state: State) -> Self {
        FastRng {
            backend,
            state,
            next: STREAM_LEN,
            #[cfg(feature = "std")]
            system: None,
        }
    }

    /// Makes more key stream and replaces the key.
    fn refill(&mut self) {
        let mut key = Secret::new([0; KEY_LEN / 4]);
        for (word, bytes) in key.iter_mut().zip(self.state.key().as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let blocks = self.state.stream_mut().as_chunks_mut().0;
        self.backend.keystream(&key, 0, &[0; 3], blocks);
        self.state.replace_key();
        self.next = KEY_LEN;
    }
}

impl Rng for FastRng {
    fn fill(&mut self, mut out: &mut [u8]) -> Result<(), Error> {
        #[cfg(feature = "std")]
        if let Some(seeding) = &mut self.system
            && seeding.is_due(&self.state, out.len())
        {
            seeding.reseed(&mut self.state)?;
            self.next = STREAM_LEN; // what is left of the old key stream is not handed out
        }
        while !out.is_empty() {
            if self.next == STREAM_LEN {
                self.refill();
            }
            let ready = &mut self.state.stream_mut()[self.next..];
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
    /// In which generation of the virtual machine.
    machine: u64,
    /// Bytes handed out since.
    bytes: usize,
}

#[cfg(feature = "std")]
impl Seeding {
    /// Bytes handed out between two seedings, at least.
    const INTERVAL: usize = 1 << 20;

    /// Counts `len` bytes, and says whether the system is to be asked before.
    fn is_due(&mut self, state: &State, len: usize) -> bool {
        let due = self.bytes >= Self::INTERVAL
            || state.is_wiped()
            || self.process != process::instance()
            || self.machine != process::vm_generation();
        self.bytes = self.bytes.saturating_add(len);
        due
    }

    /// Adds entropy to the key: whoever knows one of the two does not know the sum.
    fn reseed(&mut self, state: &mut State) -> Result<(), Error> {
        // Before the system is asked: what changes from here on shows the next time.
        let now = (process::instance(), process::vm_generation());
        let mut entropy = Secret::new([0; KEY_LEN]);
        crate::SystemRng.fill(&mut *entropy)?;
        for (k, e) in state.key_mut().iter_mut().zip(entropy.iter()) {
            *k ^= e;
        }
        state.set_seeded();
        (self.process, self.machine) = now;
        self.bytes = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
