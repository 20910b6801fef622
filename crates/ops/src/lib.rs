//! Every measurable operation, named once: `algorithm/operation`, as in `ecdsa-p256/sign`.
//!
//! `adamant speed`, the criterion benches, the comparison with other libraries and the smoke test
//! that runs each operation once all read this [`registry`]. An operation says what it takes in,
//! makes its inputs (the same ones on every machine), prepares itself outside the timing (keys
//! parsed, tables built) and judges the outputs of another library on the same inputs.
//!
//! | file | holds |
//! |---|---|
//! | [`measure`] | pinning, calibration, samples, the [`Measurement`] of one row |
//! | [`Evictor`] | caches that hold nothing of an operation |
//! | [`leak`] | whether the time of an operation depends on its secrets |
//! | [`select`] | operations by patterns |
//! | `hash`, `mac`, `kdf`, `cipher`, `aead`, `key_wrap`, `signature`, `agreement`, `kem` | the operations of a family |
//! | `x509`, `pki` | certificates read and made |
//! | `rsa`, `bignum` | RSA, and sums and products of big integers |
//! | `keys`, `weierstrass`, `sm2`, `rfc7748`, `lattice`, `slh_dsa`, `hybrid`, `dh` | the asymmetric keys, and the algorithms that they serve |
//! | `group25519`, `arithmetic` | points of edwards25519 and ristretto255, and the numbers below them |
//! | `task` | the shape that the families fill in; single and batch operations made from it |
//! | `empty` | the operation that does nothing, which tells what measuring costs |
//!
//! An algorithm joins with one line in the `register` function of its family.
//!
//! ```
//! use adamant_ops::{Effort, Size, measure, registry};
//! let registry = registry();
//! let op = registry.iter().find(|op| op.name() == "sha256/digest").unwrap();
//! let size = Size { bytes: 64, batch: 1 };
//! let inputs = op.inputs(size);
//! let mut prepared = op.prepare(size, &inputs, Some("portable")).unwrap();
//! op.judge(size, &inputs, &prepared.outputs()).unwrap();
//! let row = measure(op.as_ref(), size, None, Effort::Iterations(100)).unwrap();
//! assert!(row.ns_per_op > 0.0);
//! ```

pub use adamant::Implementation;
pub use adamant_engine::{Item, Size};

mod cold;
pub mod leak;
mod measure;
pub mod select;

mod aead;
mod agreement;
mod arithmetic;
mod bignum;
mod cipher;
mod dh;
mod empty;
mod engine;
mod group25519;
mod hash;
mod hybrid;
mod kdf;
mod kem;
mod key_wrap;
mod keys;
mod lattice;
mod mac;
mod path;
mod pki;
mod rfc7748;
mod rsa;
mod signature;
mod slh_dsa;
mod sm2;
mod stream;
mod table;
mod task;
mod weierstrass;
mod x509;

pub use cold::Evictor;
pub use empty::empty;
pub use engine::engine;
pub use measure::{Effort, Measurement, calibrate, measure, measure_cold, pin, pin_to, time};
pub use stream::Stream;

/// What the length in bytes that a measurement names is the length of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// There is no message; the length is reported as 0.
    None,
    /// The length of the message.
    Message,
    /// The length of the output, as for key derivation.
    Output,
}

/// A measurable operation.
pub trait Operation: Sync {
    /// `algorithm/operation`.
    fn name(&self) -> &str;

    /// What [`Size::bytes`] means to it.
    fn length(&self) -> Length;

    /// The lengths that show its speed when none are asked for; `[0]` for [`Length::None`].
    fn default_bytes(&self) -> &'static [usize];

    /// Whether it works on [`Size::batch`] items at once; its name then ends in `_batch`, or it
    /// is a multi-scalar multiplication.
    fn is_batch(&self) -> bool;

    /// Whether the time of a run is chance, because it searches for something: only means of many
    /// runs tell its speed then.
    fn is_search(&self) -> bool {
        false
    }

    /// Its implementations, best first, runnable on this CPU or not.
    fn implementations(&self) -> Vec<&'static Implementation>;

    /// The inputs of every item: [`Size::batch`] of them, the same at each call.
    fn inputs(&self, size: Size) -> Vec<Item>;

    /// One item of the same shape that depends on `name`, the same one at each call; its bytes
    /// have this part of ones among their bits, where such bytes are valid, or about a half. The
    /// numbers of private keys are no longer than those of generated ones.
    fn draw(&self, bytes: usize, name: &str, ones: Option<f64>) -> Item;

    /// The same item, with what [`Self::judge`] needs beside it; private keys, and keys of MACs,
    /// salts and associated data, are of any length, and passwords are hashed at lower costs.
    fn draw_judged(&self, bytes: usize, name: &str, ones: Option<f64>) -> Item {
        self.draw(bytes, name, ones)
    }

    /// Parses the inputs and gets ready to run on the named implementation, or on the best.
    ///
    /// # Errors
    /// A sentence: an implementation that this CPU cannot run, inputs that do not parse.
    fn prepare(
        &self,
        size: Size,
        inputs: &[Item],
        backend: Option<&str>,
    ) -> Result<Box<dyn Prepared>, String>;

    /// Judges outputs that another library made from the same inputs: equality where the result
    /// is determined, verification where it is randomised.
    ///
    /// # Errors
    /// A sentence that says what is wrong with them.
    fn judge(&self, size: Size, inputs: &[Item], outputs: &[Item]) -> Result<(), String>;

    /// The algorithm: the part of [`Self::name`] before the slash.
    fn algorithm(&self) -> &str {
        self.name().split('/').next().unwrap_or_default()
    }

    /// Every size that these lengths and batches give: operations without a message have one
    /// length, 0, and single operations one batch, 1. `None` stands for the default lengths.
    fn sizes(&self, bytes: Option<&[usize]>, batches: &[usize]) -> Vec<Size> {
        let bytes = match self.length() {
            Length::None => &[0],
            Length::Message | Length::Output => bytes.unwrap_or(self.default_bytes()),
        };
        let batches = if self.is_batch() { batches } else { &[1] };
        let size = |&batch| bytes.iter().map(move |&bytes| Size { bytes, batch });
        batches.iter().flat_map(size).collect()
    }
}

/// An operation with its keys parsed and its tables built.
pub trait Prepared {
    /// Does the operation on the whole batch, `iterations` times.
    fn run(&mut self, iterations: u64);

    /// The outputs of one run, an [`Item`] for each item of the batch.
    fn outputs(&mut self) -> Vec<Item>;

    /// The implementation that runs.
    fn backend(&self) -> &'static str;
}

/// Every operation, in the order of the families.
#[must_use]
pub fn registry() -> Vec<Box<dyn Operation>> {
    let mut registry = task::Registry::default();
    hash::register(&mut registry);
    mac::register(&mut registry);
    kdf::register(&mut registry);
    cipher::register(&mut registry);
    aead::register(&mut registry);
    key_wrap::register(&mut registry);
    weierstrass::register(&mut registry);
    sm2::register(&mut registry);
    rfc7748::register(&mut registry);
    group25519::register(&mut registry);
    lattice::register(&mut registry);
    hybrid::register(&mut registry);
    slh_dsa::register(&mut registry);
    rsa::register(&mut registry);
    dh::register(&mut registry);
    bignum::register(&mut registry);
    arithmetic::register(&mut registry);
    x509::register(&mut registry);
    path::register(&mut registry);
    pki::register(&mut registry);
    registry.operations
}
