//! The little DER (X.690) that keys and signatures travel in, for the libraries that know
//! only numbers.
//!
//! ```
//! use adamant_engine::der;
//! let der = der::signature(&[[1; 32], [0x80; 32]].concat());
//! assert_eq!(der[..6], [0x30, 0x45, 2, 32, 1, 1]);
//! assert_eq!(der::raw_signature(&der, 32).unwrap(), [[1; 32], [0x80; 32]].concat());
//! ```

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const OBJECT_IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const EXPLICIT_1: u8 = 0xa1;
/// `id-ecPublicKey` (RFC 5480).
const EC_PUBLIC_KEY: [u8; 7] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];

/// A tag, the length, the contents; they are shorter than 65536 bytes.
#[must_use]
pub fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let contents = parts.concat();
    let [high, low] = (contents.len() as u16).to_be_bytes();
    let mut der = match (high, low) {
        (0, 0..=0x7f) => vec![tag, low],
        (0, _) => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    };
    der.extend(contents);
    der
}

fn algorithm(curve: &[u8]) -> Vec<u8> {
    let kind = object_identifier(&EC_PUBLIC_KEY);
    element(SEQUENCE, &[&kind, &object_identifier(curve)])
}

/// The contents of an object identifier in decimals with dots.
///
/// ```
/// let p384 = adamant_engine::der::arcs("1.3.132.0.34");
/// assert_eq!(p384.unwrap(), [0x2b, 0x81, 0x04, 0x00, 0x22]);
/// ```
#[must_use]
pub fn arcs(text: &str) -> Option<Vec<u8>> {
    let mut arcs = text.split('.').map(|arc| arc.parse::<u32>().ok());
    let first = arcs.next()??.checked_mul(40)?.checked_add(arcs.next()??)?;
    let mut contents = Vec::new();
    for arc in [Some(first)].into_iter().chain(arcs) {
        let arc = arc?;
        let more = [28, 21, 14, 7].map(|shift| arc >> shift);
        contents.extend(more.iter().filter(|n| **n > 0).map(|n| 0x80 | *n as u8));
        contents.push(arc as u8 & 0x7f);
    }
    Some(contents)
}

/// An object identifier of these contents.
#[must_use]
pub fn object_identifier(contents: &[u8]) -> Vec<u8> {
    element(OBJECT_IDENTIFIER, &[contents])
}

/// An octet string.
#[must_use]
pub fn octet_string(contents: &[u8]) -> Vec<u8> {
    element(OCTET_STRING, &[contents])
}

/// The contents of an octet string.
#[must_use]
pub fn octets(mut der: &[u8]) -> Option<&[u8]> {
    let (tag, contents) = next(&mut der)?;
    (tag == OCTET_STRING && der.is_empty()).then_some(contents)
}

/// A sequence of non-negative numbers, big-endian, as RSA's keys are in PKCS#1 (RFC 8017, A.1).
#[must_use]
pub fn sequence_of(numbers: &[&[u8]]) -> Vec<u8> {
    let integers = numbers.iter().map(|number| {
        let zeros = number.iter().take_while(|byte| **byte == 0).count();
        let number = &number[zeros..];
        let sign: &[u8] = match number.first() {
            Some(0..=0x7f) => &[],
            _ => &[0],
        };
        element(INTEGER, &[sign, number])
    });
    element(SEQUENCE, &[&integers.collect::<Vec<_>>().concat()])
}

/// The numbers of such a sequence, without zeros in front.
#[must_use]
pub fn numbers(mut der: &[u8]) -> Option<Vec<&[u8]>> {
    let (tag, mut rest) = next(&mut der)?;
    if tag != SEQUENCE || !der.is_empty() {
        return None;
    }
    let mut numbers = Vec::new();
    while !rest.is_empty() {
        let (tag, number) = next(&mut rest)?;
        if tag != INTEGER || number.is_empty() || number[0] > 0x7f {
            return None;
        }
        let zeros = number.iter().take_while(|byte| **byte == 0).count();
        numbers.push(&number[zeros..]);
    }
    Some(numbers)
}

/// A number with zeros in front, `len` bytes long.
#[must_use]
pub fn padded(number: &[u8], len: usize) -> Option<Vec<u8>> {
    let zeros = len.checked_sub(number.len())?;
    Some([&vec![0; zeros], number].concat())
}

/// The `ECDSA-Sig-Value` (RFC 3279) of `r` and `s`, one after the other at the same length.
#[must_use]
pub fn signature(raw: &[u8]) -> Vec<u8> {
    let (r, s) = raw.split_at(raw.len() / 2);
    sequence_of(&[r, s])
}

/// `r` and `s` of such a signature, one after the other, `size` bytes each.
#[must_use]
pub fn raw_signature(der: &[u8], size: usize) -> Option<Vec<u8>> {
    match numbers(der)?.as_slice() {
        [r, s] => Some([padded(r, size)?, padded(s, size)?].concat()),
        _ => None,
    }
}

/// The PKCS#8 form (RFC 5208 with RFC 5915) of a scalar on the curve of this object identifier.
#[must_use]
pub fn ec_pkcs8(curve: &[u8], scalar: &[u8]) -> Vec<u8> {
    let version = element(INTEGER, &[&[1]]);
    let key = element(SEQUENCE, &[&version, &octet_string(scalar)]);
    let version = element(INTEGER, &[&[0]]);
    let key = octet_string(&key);
    element(SEQUENCE, &[&version, &algorithm(curve), &key])
}

/// The `SubjectPublicKeyInfo` (RFC 5480) of a point.
#[must_use]
pub fn ec_spki(curve: &[u8], point: &[u8]) -> Vec<u8> {
    let bits = element(BIT_STRING, &[&[0], point]);
    element(SEQUENCE, &[&algorithm(curve), &bits])
}

/// The scalar and the point of an `ECPrivateKey` (RFC 5915) that has both.
#[must_use]
pub fn ec_private_parts(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, mut rest) = next(&mut &*der).filter(|(tag, _)| *tag == SEQUENCE)?;
    let (mut scalar, mut point) = (None, None);
    while let Some((tag, contents)) = next(&mut rest) {
        match tag {
            OCTET_STRING => scalar = Some(contents),
            EXPLICIT_1 => {
                let (_, bits) = next(&mut &*contents)?;
                point = bits.get(1..);
            }
            _ => {}
        }
    }
    Some((scalar?, point?))
}

/// Takes an element off the front.
fn next<'a>(der: &mut &'a [u8]) -> Option<(u8, &'a [u8])> {
    let (&[tag, first], rest) = der.split_first_chunk()?;
    let (len, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81 => (usize::from(*rest.first()?), rest.get(1..)?),
        0x82 => {
            let (len, rest) = rest.split_first_chunk()?;
            (usize::from(u16::from_be_bytes(*len)), rest)
        }
        _ => return None,
    };
    let (contents, rest) = rest.split_at_checked(len)?;
    *der = rest;
    Some((tag, contents))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_sign() {
        let der = sequence_of(&[&[], &[0, 0, 7], &[0x80]]);
        assert_eq!(der, [0x30, 10, 2, 1, 0, 2, 1, 7, 2, 2, 0, 0x80]);
        let read = numbers(&der).unwrap();
        assert_eq!(read, [&[][..], &[7], &[0x80]]);
        // Negative, empty, short, with something after.
        for wrong in [
            &[0x30, 3, 2, 1, 0x80][..],
            &[0x30, 2, 2, 0],
            &[0x30, 3, 2, 2, 1],
            &[0x30, 0, 0],
        ] {
            assert_eq!(numbers(wrong), None);
        }
        assert_eq!(padded(&[7], 2), Some(vec![0, 7]));
        assert_eq!(padded(&[7, 7, 7], 2), None);
        assert_eq!(raw_signature(&der, 1), None);
    }

    #[test]
    fn lengths() {
        for (len, header) in [
            (3, vec![4, 3]),
            (200, vec![4, 0x81, 200]),
            (500, vec![4, 0x82, 1, 0xf4]),
        ] {
            let contents = vec![7; len];
            let der = element(OCTET_STRING, &[&contents]);
            assert_eq!(der[..header.len()], header);
            assert_eq!(next(&mut &der[..]), Some((OCTET_STRING, &contents[..])));
            assert_eq!(next(&mut &der[..der.len() - 1]), None);
        }
    }
}
