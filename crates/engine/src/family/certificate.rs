//! Parsing of certificates.

use std::hint::black_box;

use super::Outcome;
use crate::Item;
use crate::op::{self, field};
use crate::serve::Engine;

/// Adds an operation that parses certificates: as many as follow one another in the field
/// `certificate`, each of which `input` makes what the library takes. `encode` tells what the last
/// one says; see [`structure`].
///
/// What parsers give borrows from the certificate, which therefore lives as long as the engine.
pub fn parse<I: 'static, R: 'static>(
    engine: &mut Engine,
    name: &str,
    input: fn(&'static [u8]) -> I,
    parse: impl Fn(&'static I) -> Outcome<R> + Copy + 'static,
    encode: impl Fn(&R) -> Item + Copy + 'static,
) {
    engine.single(name, move |_, item| {
        let all = split(field(item, "certificate")?.leak())?;
        let all: Vec<I> = all.into_iter().map(input).collect();
        let all: &'static [I] = all.leak();
        let last = all.last().ok_or("no certificate")?;
        parse(last)?;
        let run = move |all: &mut &'static [I]| {
            for one in *all {
                black_box(&parse(black_box(one))?);
            }
            Ok(())
        };
        let encode = move |_: &&'static [I]| match parse(last) {
            Ok(certificate) => encode(&certificate),
            Err(_) => Item::new(),
        };
        Ok(op::filling(all, run, encode))
    });
}

/// The fields that every parser tells: the serial number as the contents of its INTEGER, issuer,
/// subject and key as their elements.
#[must_use]
pub fn structure(serial: &[u8], issuer: &[u8], subject: &[u8], spki: &[u8]) -> Item {
    let zeros = serial.iter().take_while(|&&octet| octet == 0).count();
    op::item([
        ("serial", &serial[zeros..]),
        ("issuer", issuer),
        ("subject", subject),
        ("spki", spki),
    ])
}

/// The certificates, which follow one another.
///
/// # Errors
/// A sentence where there is anything else, or a very short one.
pub fn split(mut all: &'static [u8]) -> Outcome<Vec<&'static [u8]>> {
    let mut certificates = Vec::new();
    while !all.is_empty() {
        let [0x30, 0x82, high, low, ..] = *all else {
            return Err("no certificate of 256 to 65535 bytes".into());
        };
        let len = 4 + usize::from(u16::from_be_bytes([high, low]));
        let (one, rest) = all
            .split_at_checked(len)
            .ok_or("a certificate that is cut off")?;
        certificates.push(one);
        all = rest;
    }
    Ok(certificates)
}
