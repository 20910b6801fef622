//! What a board does before it starts an image: both of its signatures, by Ed25519 and ML-DSA-44, have to
//! hold. There is no allocator, and no operating system.
//!
//! ```text
//! place in flash: length of the image, 8 hexadecimal digits | Ed25519 64 | ML-DSA-44 2420 | image
//! ```
//!
//! The length is not signed, but with another one neither signature holds.
#![no_std]
#![no_main]

#[cfg(feature = "stack")]
mod stack;

use adamant::Error;
use adamant::der::{self, Oid, oid, parse};
use adamant::ec::ed25519;
use adamant::pq::ml_dsa_44;
use core::panic::PanicInfo;
use core::str::from_utf8;
use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hprintln};

/// The keys of whoever makes images, as `adamant pkey --public --format der` writes them.
static ED25519: &[u8] = include_bytes!("../keys/ed25519.der");
static ML_DSA: &[u8] = include_bytes!("../keys/ml-dsa-44.der");
/// What the keys sign besides is worth nothing here.
const CONTEXT: &[u8] = b"firmware of the example";

const ID_ED25519: Oid = oid!("1.3.101.112");
const ID_ML_DSA_44: Oid = oid!("2.16.840.1.101.3.4.3.17");

/// Why an image is not started.
#[derive(Debug)]
enum Refused {
    /// The place does not hold an image.
    NoImage,
    /// A key is not one, or not of its algorithm.
    Key,
    /// A signature does not hold.
    Signature,
}

impl From<Error> for Refused {
    fn from(_: Error) -> Self {
        Refused::Signature
    }
}

/// The key in a SubjectPublicKeyInfo: SEQUENCE { SEQUENCE { algorithm }, BIT STRING }.
fn key<'a, const N: usize>(spki: &'a [u8], algorithm: &Oid) -> Result<&'a [u8; N], Refused> {
    let read = |r: &mut der::Reader<'a>| {
        r.sequence(|r| Ok((r.sequence(|r| r.oid())?, r.bit_string_octets()?)))
    };
    let (oid, bits) = parse(spki, read).map_err(|_| Refused::Key)?;
    if oid != *algorithm {
        return Err(Refused::Key);
    }
    bits.bytes.try_into().map_err(|_| Refused::Key)
}

/// The image at this place, if both signatures hold.
fn verified(place: &[u8]) -> Result<&[u8], Refused> {
    let (length, rest) = place.split_first_chunk::<8>().ok_or(Refused::NoImage)?;
    let (of_ed25519, rest) = rest.split_first_chunk().ok_or(Refused::NoImage)?;
    let (of_ml_dsa, rest) = rest.split_first_chunk().ok_or(Refused::NoImage)?;
    let length = from_utf8(length).ok();
    let length = length.and_then(|digits| usize::from_str_radix(digits, 16).ok());
    let image = length.and_then(|length| rest.get(..length));
    let image = image.ok_or(Refused::NoImage)?;

    let public = ed25519::PublicKey::from_bytes(key(ED25519, &ID_ED25519)?)?;
    let signature = ed25519::Signature::from_bytes(of_ed25519)?;
    public.verify_with_context(image, CONTEXT, &signature)?;

    let public = ml_dsa_44::PublicKey::from_bytes(key(ML_DSA, &ID_ML_DSA_44)?);
    let signature = ml_dsa_44::Signature::from_bytes(of_ml_dsa);
    public.verify_with_context(image, CONTEXT, &signature)?;
    Ok(image)
}

unsafe extern "C" {
    /// From `memory.x`: their addresses count.
    static _image: u8;
    static _image_length: u8;
}

#[entry]
fn main() -> ! {
    #[cfg(feature = "stack")]
    stack::paint();
    let length = &raw const _image_length as usize;
    // SAFETY: the board has this memory, and nothing writes to it.
    let place = unsafe { core::slice::from_raw_parts(&raw const _image, length) };
    let verdict = verified(place);
    #[cfg(feature = "stack")]
    hprintln!("{} bytes of stack", stack::used());
    match verdict {
        // A boot loader would jump there.
        Ok(image) => {
            hprintln!("{} bytes, both signatures hold", image.len());
            debug::exit(debug::EXIT_SUCCESS);
        }
        Err(refused) => {
            hprintln!("refused: {:?}", refused);
            debug::exit(debug::EXIT_FAILURE);
        }
    }
    loop {}
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}
