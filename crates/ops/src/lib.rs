//! Every measurable operation, named once: `algorithm/operation`, as in `ecdsa-p256/sign`.
//!
//! `adamant speed`, the criterion benches, the comparison with other libraries and the smoke test
//! that runs each operation once all read this registry. An operation says what it takes in,
//! makes its inputs (the same ones on every machine), prepares itself outside the timing (keys
//! parsed, tables built) and judges the outputs of another library on the same inputs.

use std::collections::BTreeMap;

pub use adamant::base::Implementation;

/// The named byte strings of one item of a batch: `key`, `message`, `signature`, …; keys travel
/// encoded.
pub type Item = BTreeMap<String, Vec<u8>>;

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

/// The size of one measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Bytes of message or output; 0 where the operation has [`Length::None`].
    pub bytes: usize,
    /// Items of a batch; 1 for single operations.
    pub batch: usize,
}

/// A measurable operation.
pub trait Operation: Sync {
    /// `algorithm/operation`.
    fn name(&self) -> &str;

    /// What [`Size::bytes`] means to it.
    fn length(&self) -> Length;

    /// Whether it works on [`Size::batch`] items at once; its name then ends in `_batch`, or it
    /// is a multi-scalar multiplication.
    fn is_batch(&self) -> bool;

    /// Its implementations, best first, runnable on this CPU or not.
    fn implementations(&self) -> Vec<&'static Implementation>;

    /// The inputs of every item: [`Size::batch`] of them, the same at each call.
    fn inputs(&self, size: Size) -> Vec<Item>;

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
