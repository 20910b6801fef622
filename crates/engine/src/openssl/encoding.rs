//! The little DER (X.690) that keys of elliptic curves travel in.

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const OBJECT_IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const EXPLICIT_1: u8 = 0xa1;
/// `id-ecPublicKey` (RFC 5480).
const EC_PUBLIC_KEY: [u8; 7] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];

/// A tag, the length, the contents; they are shorter than 65536 bytes.
fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
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
    let kind = element(OBJECT_IDENTIFIER, &[&EC_PUBLIC_KEY]);
    element(SEQUENCE, &[&kind, &element(OBJECT_IDENTIFIER, &[curve])])
}

/// The PKCS#8 form (RFC 5208 with RFC 5915) of a scalar.
pub(super) fn ec_pkcs8(curve: &[u8], scalar: &[u8]) -> Vec<u8> {
    let version = element(INTEGER, &[&[1]]);
    let key = element(SEQUENCE, &[&version, &element(OCTET_STRING, &[scalar])]);
    let version = element(INTEGER, &[&[0]]);
    let key = element(OCTET_STRING, &[&key]);
    element(SEQUENCE, &[&version, &algorithm(curve), &key])
}

/// The `SubjectPublicKeyInfo` (RFC 5480) of a point.
pub(super) fn ec_spki(curve: &[u8], point: &[u8]) -> Vec<u8> {
    let bits = element(BIT_STRING, &[&[0], point]);
    element(SEQUENCE, &[&algorithm(curve), &bits])
}

/// The scalar and the point of an `ECPrivateKey` (RFC 5915) that has both.
pub(super) fn ec_private_parts(der: &[u8]) -> Option<(&[u8], &[u8])> {
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
