//! The segments of a file: read, sealed or opened, written, one by one.

use std::io::{self, Read, Write};

use adamant::cipher::chacha20_poly1305::ChaCha20Poly1305;
use adamant::cipher::gcm::Aes256Gcm;
use adamant::cipher::stream::{Opener, Sealer};
use adamant::family::Aead;
use adamant::{Error, Secret, Wipe};

use super::header::{Cipher, Header, SEGMENT};
use super::key::FileKey;
use crate::input::fill;

/// Bytes of a tag.
const TAG: usize = 16;

/// Why the work stopped.
#[derive(Debug)]
pub(super) enum Fault {
    /// The input cannot be read.
    Input(io::Error),
    /// The output cannot be written.
    Output(io::Error),
    /// The segment that starts after this many bytes of plaintext is not authentic.
    Refused(u64),
    /// There are more segments than a stream can have.
    TooLong,
}

/// Memory for a sealed segment, wiped at the end.
struct Buffer(Vec<u8>);

impl Buffer {
    fn new() -> Secret<Self> {
        Secret::new(Buffer(vec![0; SEGMENT + TAG]))
    }
}

impl Wipe for Buffer {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

/// Seals everything from `input` into `output`, after the header; `done` is told of every piece.
pub(super) fn seal(
    header: &Header,
    key: &FileKey,
    input: &mut impl Read,
    output: &mut impl Write,
    done: impl Fn(usize),
) -> Result<(), Fault> {
    output
        .write_all(&header.to_bytes())
        .map_err(Fault::Output)?;
    match header.cipher {
        Cipher::Aes256Gcm => seal_with::<Aes256Gcm>(header, key, input, output, done),
        Cipher::ChaCha20Poly1305 => seal_with::<ChaCha20Poly1305>(header, key, input, output, done),
    }
}

/// Opens everything after the header, which `input` has given already. What is in `output` is
/// authentic, but whole only if there is no error.
pub(super) fn open(
    header: &Header,
    key: &FileKey,
    input: &mut impl Read,
    output: &mut impl Write,
    done: impl Fn(usize),
) -> Result<(), Fault> {
    match header.cipher {
        Cipher::Aes256Gcm => open_with::<Aes256Gcm>(header, key, input, output, done),
        Cipher::ChaCha20Poly1305 => open_with::<ChaCha20Poly1305>(header, key, input, output, done),
    }
}

/// Reads pieces of `len` bytes. `each` takes all but the last, which comes back with its length;
/// it is empty if there was nothing to read.
fn pieces(
    len: usize,
    input: &mut impl Read,
    mut each: impl FnMut(&mut Vec<u8>) -> Result<(), Fault>,
) -> Result<(Secret<Buffer>, usize), Fault> {
    let (mut now, mut next) = (Buffer::new(), Buffer::new());
    let mut filled = fill(input, &mut now.0[..len]).map_err(Fault::Input)?;
    while filled == len {
        let behind = fill(input, &mut next.0[..len]).map_err(Fault::Input)?;
        if behind == 0 {
            break;
        }
        each(&mut now.0)?;
        core::mem::swap(&mut now, &mut next);
        filled = behind;
    }
    Ok((now, filled))
}

fn seal_with<A: Aead<Tag = [u8; TAG]>>(
    header: &Header,
    key: &FileKey,
    input: &mut impl Read,
    output: &mut impl Write,
    done: impl Fn(usize),
) -> Result<(), Fault> {
    // The lengths of key and prefix are right, so only the number of segments can be wrong.
    let too_long = |_: Error| Fault::TooLong;
    let aad = header.to_bytes();
    let mut sealer = Sealer::<A>::new(&**key, &header.prefix).map_err(too_long)?;
    let (mut last, len) = pieces(SEGMENT, input, |buffer| {
        let (data, tag) = buffer.split_at_mut(SEGMENT);
        tag.copy_from_slice(&sealer.seal_next_with(&aad, data).map_err(too_long)?);
        output.write_all(buffer).map_err(Fault::Output)?;
        done(SEGMENT);
        Ok(())
    })?;
    let data = &mut last.0[..len];
    let tag = sealer.seal_last_with(&aad, data).map_err(too_long)?;
    output.write_all(data).map_err(Fault::Output)?;
    output.write_all(&tag).map_err(Fault::Output)?;
    done(len);
    Ok(())
}

fn open_with<A: Aead<Tag = [u8; TAG]>>(
    header: &Header,
    key: &FileKey,
    input: &mut impl Read,
    output: &mut impl Write,
    done: impl Fn(usize),
) -> Result<(), Fault> {
    let mut opened = 0;
    let aad = header.to_bytes();
    let mut opener = Opener::<A>::new(&**key, &header.prefix).map_err(|_| Fault::TooLong)?;
    let (mut last, len) = pieces(SEGMENT + TAG, input, |buffer| {
        let (data, tag) = buffer
            .split_last_chunk_mut::<TAG>()
            .ok_or(Fault::Refused(opened))?;
        opener
            .open_next_with(&aad, data, tag)
            .map_err(|e| fault(e, opened))?;
        output.write_all(data).map_err(Fault::Output)?;
        done(SEGMENT + TAG);
        opened += SEGMENT as u64;
        Ok(())
    })?;
    let (data, tag) = last.0[..len]
        .split_last_chunk_mut::<TAG>()
        .ok_or(Fault::Refused(opened))?;
    opener
        .open_last_with(&aad, data, tag)
        .map_err(|e| fault(e, opened))?;
    output.write_all(data).map_err(Fault::Output)?;
    done(len);
    Ok(())
}

fn fault(error: Error, opened: u64) -> Fault {
    match error {
        Error::BadTag => Fault::Refused(opened),
        _ => Fault::TooLong,
    }
}
