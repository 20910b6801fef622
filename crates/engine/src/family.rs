//! The families of operations: which fields go in and come out, once for all engines. An engine
//! brings the functions of its library.
//!
//! Keys, parsed signatures and buffers are prepared outside the timing; what a function gives is
//! kept and encoded outside as well. The functions may be called any number of times.
//!
//! ```
//! use adamant_engine::family;
//! use adamant_engine::op::item;
//! use adamant_engine::serve::Engine;
//! use adamant_engine::Size;
//!
//! let mut engine = Engine::new("example", "1.0", "");
//! family::digest(&mut engine, "xor", |message| [message.iter().fold(0, |x, y| x ^ y)]);
//! let size = Size { bytes: 2, batch: 1 };
//! let input = item([("message", &[3, 5])]);
//! let mut task = engine.prepare("xor/digest", size, &[input]).unwrap();
//! assert_eq!(task.outputs().unwrap(), [item([("digest", &[6])])]);
//! ```

pub mod certificate;
mod key;
mod symmetric;

pub use key::{
    decapsulate, decrypt_message, derive, encapsulate, encrypt_message, keygen, pair, sign, verify,
    verify_encoded, verify_together,
};
pub use symmetric::{
    Nonced, decrypt, decrypt_in_place, derive_key, digest, encrypt, encrypt_in_place, hkdf, mac,
    nonced_mac, open, open_in_place, pbkdf2, seal, seal_in_place,
};

/// What a function of a library gives, with the sentence of its error.
pub type Outcome<T> = Result<T, String>;
