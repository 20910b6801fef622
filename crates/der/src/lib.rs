//! Strict DER (X.690, 2021) for certificates and keys: a reader, a writer, object identifiers,
//! times and PEM.
//!
//! ```
//! use adamant_der::{ErrorKind, Oid, Writer, oid, parse};
//!
//! const EC_PUBLIC_KEY: Oid = oid!("1.2.840.10045.2.1");
//! const PRIME256V1: Oid = oid!("1.2.840.10045.3.1.7");
//!
//! // AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY OPTIONAL }
//! let mut w = Writer::new();
//! w.sequence(|w| {
//!     w.oid(&EC_PUBLIC_KEY);
//!     w.oid(&PRIME256V1);
//! });
//! let der = w.finish();
//! assert_eq!(der[..4], [0x30, 19, 0x06, 7]);
//!
//! let read = |der| parse(der, |r| r.sequence(|r| Ok((r.oid()?, r.oid()?))));
//! assert_eq!(read(&der), Ok((EC_PUBLIC_KEY, PRIME256V1)));
//!
//! // An error says what is wrong and where: here a byte too many, after the sequence.
//! let mut longer = der.clone();
//! longer.push(0);
//! let error = read(&longer).unwrap_err();
//! assert_eq!((error.kind(), error.position()), (ErrorKind::TrailingData, 21));
//! ```
//!
//! [`ber`] converts BER to DER for callers that ask for it.
//!
//! Accepted input is canonical: for every value there is one encoding, and an element that
//! the [`Reader`] accepts is the element that the [`Writer`] writes for it. The reader borrows
//! from its input, never allocates, and takes no more stack than its caller's own nesting, which
//! it bounds by [`MAX_DEPTH`]. The few departures that a caller may ask for have names: see
//! [`Leniency`].
//!
//! Lengths, tags and positions are public. Contents may be secret (a private key): the reader
//! hands them out as slices without looking at them beyond what canonical form demands, and
//! [`base64`] translates characters by arithmetic, without tables or branches on them.

//!
//! Without the default feature `alloc` the crate reads: it has the [`Reader`], object identifiers and
//! times, and no allocator is linked.

#![cfg_attr(not(test), no_std)]
// Only the writer has times as octets.
#![cfg_attr(not(feature = "alloc"), allow(dead_code))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
pub mod asn1;
#[cfg(feature = "alloc")]
pub mod base64;
#[cfg(feature = "alloc")]
pub mod ber;
mod error;
mod leniency;
mod oid;
#[cfg(feature = "alloc")]
pub mod pem;
mod reader;
mod string;
mod tag;
mod time;
mod value;
#[cfg(feature = "alloc")]
mod writer;

pub use error::{Error, ErrorKind, Result};
pub use leniency::Leniency;
pub use oid::Oid;
pub use reader::{MAX_DEPTH, Reader, parse};
pub use tag::Tag;
pub use time::{DateTime, Time};
pub use value::{BitString, Tlv};
#[cfg(feature = "alloc")]
pub use writer::Writer;
