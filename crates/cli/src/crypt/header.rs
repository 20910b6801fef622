//! The first bytes of a sealed file, which say how the rest is to be opened.

use std::fmt;

use adamant::hazmat::cipher::gcm;
use adamant::{Error, Rng};

/// Bytes of the plaintext of a segment; the last one has what is left.
pub(super) const SEGMENT: usize = 1 << 16;
/// Bytes of a header.
pub(super) const LEN: usize = 63;

const MAGIC: [u8; 8] = *b"adamant\n";
const VERSION: u8 = 1;
/// The binary logarithm of the length of a segment.
const LOG_SEGMENT: u8 = SEGMENT.ilog2() as u8;

/// What nobody needs and a forged header could ask for: KiB of memory.
pub(super) const MOST_MEMORY: u32 = 1 << 20;
/// The same: passes over the memory.
pub(super) const MOST_PASSES: u32 = 64;
/// The same: lanes.
const MOST_LANES: u32 = 64;
/// GiB of memory, once for each pass, that a file may ask for where nothing is said.
pub(super) const MOST_WORK: u32 = 16;
/// GiB that take so long that it is said before.
pub(super) const MUCH_WORK: u32 = 1;

/// The AEAD of the segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Cipher {
    /// AES-256-GCM
    #[value(name = "aes-256-gcm")]
    Aes256Gcm = 1,
    /// ChaCha20-Poly1305
    #[value(name = "chacha20-poly1305")]
    ChaCha20Poly1305 = 2,
}

impl Cipher {
    /// AES where the CPU has instructions for it, which are quicker than any ChaCha20.
    pub(super) fn quickest() -> Self {
        if gcm::Backend::best().implementation().features == adamant::cpu::Features::NONE {
            Cipher::ChaCha20Poly1305
        } else {
            Cipher::Aes256Gcm
        }
    }
}

/// Where the key comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The bytes of a file.
    KeyFile,
    /// A password, through Argon2id with `memory` KiB, this many passes and this many lanes.
    Password {
        memory: u32,
        passes: u32,
        lanes: u32,
    },
}

impl Source {
    /// Bytes that the derivation of the key goes through: its memory, once for each pass.
    pub(super) fn work(self) -> u128 {
        match self {
            Source::KeyFile => 0,
            Source::Password { memory, passes, .. } => {
                1024 * u128::from(memory) * u128::from(passes)
            }
        }
    }

    /// Refuses to do more work than this many GiB.
    ///
    /// # Errors
    /// The sentence that says what the file asks for.
    pub(super) fn afford(self, gib: u32) -> Result<(), String> {
        if self.work() <= u128::from(gib) << 30 {
            return Ok(());
        }
        let needed = self.work().div_ceil(1 << 30);
        Err(format!(
            "the key takes {self}, which is {needed} GiB of work and more than {gib}: if you \
             trust the file, give --max-work {needed}"
        ))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::KeyFile => f.write_str("no work"),
            Source::Password { memory, passes, .. } => {
                let (number, unit) = match memory >> 10 {
                    0 => (*memory, "KiB"),
                    mib => (mib, "MiB"),
                };
                write!(f, "{passes} passes over {number} {unit} of memory")
            }
        }
    }
}

/// A header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) cipher: Cipher,
    pub(super) source: Source,
    pub(super) salt: [u8; 32],
    pub(super) prefix: [u8; 7],
}

impl Header {
    /// A header with a new salt and a new prefix.
    pub(super) fn new(cipher: Cipher, source: Source, rng: &mut impl Rng) -> Result<Self, Error> {
        let (mut salt, mut prefix) = ([0; 32], [0; 7]);
        rng.fill(&mut salt)?;
        rng.fill(&mut prefix)?;
        Ok(Header {
            cipher,
            source,
            salt,
            prefix,
        })
    }

    pub(super) fn to_bytes(&self) -> [u8; LEN] {
        let (source, [memory, passes, lanes]) = match self.source {
            Source::KeyFile => (0, [0; 3]),
            Source::Password {
                memory,
                passes,
                lanes,
            } => (1, [memory, passes, lanes]),
        };
        let mut bytes = [0; LEN];
        let mut rest = &mut bytes[..];
        let mut put = |part: &[u8]| {
            rest.split_off_mut(..part.len())
                .unwrap()
                .copy_from_slice(part)
        };
        put(&MAGIC);
        put(&[VERSION, self.cipher as u8, source, LOG_SEGMENT]);
        for number in [memory, passes, lanes] {
            put(&number.to_be_bytes());
        }
        put(&self.salt);
        put(&self.prefix);
        bytes
    }

    /// Reads a header; only one that [`Self::to_bytes`] can make is one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(bytes: &[u8; LEN]) -> Result<Self, &'static str> {
        let byte = |i: usize| bytes[i];
        let number =
            |i: usize| u32::from_be_bytes([byte(i), byte(i + 1), byte(i + 2), byte(i + 3)]);
        if !bytes.starts_with(&MAGIC) {
            return Err("not a file that `adamant enc` made");
        }
        if byte(8) != VERSION {
            return Err("made by a later version of `adamant enc`");
        }
        let cipher = match byte(9) {
            1 => Cipher::Aes256Gcm,
            2 => Cipher::ChaCha20Poly1305,
            _ => return Err("the header names an unknown cipher"),
        };
        let (memory, passes, lanes) = (number(12), number(16), number(20));
        let source = match (byte(10), memory, passes, lanes) {
            (0, 0, 0, 0) => Source::KeyFile,
            (1, 1..=MOST_MEMORY, 1..=MOST_PASSES, 1..=MOST_LANES) if memory >= 8 * lanes => {
                Source::Password {
                    memory,
                    passes,
                    lanes,
                }
            }
            _ => return Err("the header asks for an unknown derivation of the key"),
        };
        if byte(11) != LOG_SEGMENT {
            return Err("the header names another length of segments");
        }
        Ok(Header {
            cipher,
            source,
            salt: core::array::from_fn(|i| byte(24 + i)),
            prefix: core::array::from_fn(|i| byte(56 + i)),
        })
    }
}
