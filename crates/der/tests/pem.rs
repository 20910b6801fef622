//! PEM and base64: the vectors of RFC 4648 and RFC 8410, every character, every reason to refuse.

use adamant_der::pem::{self, Block};
use adamant_der::{Error, ErrorKind, base64};
use hex_literal::hex;

use ErrorKind::*;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

#[test]
fn rfc4648_vectors() {
    for (octets, text) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(base64::encode(octets.as_bytes()), text);
        assert_eq!(base64::decode(text).unwrap(), octets.as_bytes());
    }
}

#[test]
fn every_character_in_every_place() {
    for length in [4, 8, 12, 16, 20] {
        for place in 0..length {
            for character in 0..=255 {
                let mut text = vec![b'R'; length];
                text[place] = character;
                let decoded = base64::decode(&text);
                let Some(sextet) = ALPHABET.iter().position(|&c| c == character) else {
                    // Padding is looked for only at the end.
                    let is_padding = character == b'=' && place == length - 1;
                    let kind = if is_padding {
                        BadBase64Padding
                    } else {
                        BadBase64
                    };
                    let at = if is_padding { place - 1 } else { place };
                    assert_eq!(decoded, Err(Error::new(kind, at)));
                    continue;
                };
                let octets = decoded.unwrap();
                assert_eq!(base64::encode(&octets).as_bytes(), text);
                let (group, within) = (place / 4 * 3, place % 4);
                let bits =
                    u32::from_be_bytes([0, octets[group], octets[group + 1], octets[group + 2]]);
                assert_eq!(bits >> (18 - 6 * within) & 0x3f, sextet as u32);
            }
        }
    }
}

#[test]
fn base64_refused() {
    for (text, kind, position) in [
        ("Zg", BadBase64Padding, 2),
        ("Zg=", BadBase64Padding, 2),
        ("Zg===", BadBase64, 2),
        ("Z===", BadBase64, 1),
        ("Z==", BadBase64Padding, 1),
        ("=", BadBase64Padding, 0),
        ("==", BadBase64Padding, 0),
        ("Zm9v=", BadBase64Padding, 4),
        ("Zm9v==", BadBase64Padding, 4),
        ("Zm9", BadBase64Padding, 3),
        ("Zm9==", BadBase64Padding, 3),
        ("Zh==", BadBase64Padding, 1), // the bits after the octet are not zero
        ("Zm9=", BadBase64Padding, 2),
        ("Zg==Zg==", BadBase64, 2),
        ("Zm 9v", BadBase64, 2),
        ("Zm9v\n", BadBase64, 4),
        ("Zm9-", BadBase64, 3),
        ("Zm9_", BadBase64, 3),
        ("Zm9vZm9vZm9vZ\u{e4}==", BadBase64, 13),
    ] {
        assert_eq!(
            base64::decode(text),
            Err(Error::new(kind, position)),
            "{text}"
        );
    }
}

/// RFC 8410, 10.1 and 10.3.
const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
";
const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
";

fn all(text: &str) -> Result<Vec<Block<'_>>, Error> {
    pem::decode(text).collect()
}

#[test]
fn rfc8410_keys() {
    let text = [PUBLIC, PRIVATE].concat();
    let blocks = all(&text).unwrap();
    let public = hex!(
        "302a300506032b6570032100 19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1"
    );
    let private = hex!(
        "302e020100300506032b657004220420 d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842"
    );
    assert_eq!(
        (blocks[0].label(), blocks[0].der()),
        ("PUBLIC KEY", &public[..])
    );
    assert_eq!(
        (blocks[1].label(), blocks[1].der()),
        ("PRIVATE KEY", &private[..])
    );
    assert_eq!(blocks[1].position(), PUBLIC.len());
    let shown = format!("PRIVATE KEY of 48 octets at byte {}", PUBLIC.len());
    assert_eq!((format!("{:?}", blocks[1]), blocks.len()), (shown, 2));
    assert_eq!(pem::encode("PUBLIC KEY", &public), PUBLIC);
    assert_eq!(pem::encode("PRIVATE KEY", &private), PRIVATE);

    let first = pem::decode_first(&text, &["EC PRIVATE KEY", "PRIVATE KEY"]).unwrap();
    assert_eq!(first.into_der(), private);
    let error = pem::decode_first(&text, &["CERTIFICATE"]).unwrap_err();
    assert_eq!(error, Error::new(PemMissing, text.len()));
    assert_eq!(
        pem::decode_first("", &[]).unwrap_err(),
        Error::new(PemMissing, 0)
    );
}

#[test]
fn layouts() {
    let octets: Vec<u8> = (0..=255).collect();
    let text = pem::encode("X Y-Z", &octets);
    assert!(text.lines().all(|line| line.len() <= 64));
    // Lines of any length, any line end, white space where the RFC allows it, text around.
    let octets = &octets[..255];
    let base64 = base64::encode(octets);
    for width in [1, 3, 4, 5, 63, 64, 65, 76, 1000] {
        for eol in ["\n", "\r\n", "\r", " \t\n"] {
            let mut text = format!("Subject: - - x\n\n-----BEGIN X Y-Z-----{eol}{eol}");
            for line in base64.as_bytes().chunks(width) {
                text.push_str(std::str::from_utf8(line).unwrap());
                text.push_str(eol);
            }
            text.push_str("-----END X Y-Z-----");
            for tail in ["", "\n", " \r\ntrailing", "\n\n-----\n-----END IT-----\n"] {
                let text = text.clone() + tail;
                let blocks = all(&text).unwrap();
                assert_eq!((blocks[0].der(), blocks.len()), (octets, 1));
            }
        }
    }
    for body in ["AA==", "A\nA==", "AA\n==", "A \nA\n==\t"] {
        let text = format!("-----BEGIN A-----\n{body}\n-----END A-----\n");
        assert_eq!(all(&text).unwrap()[0].der(), [0], "{body}");
    }
    assert_eq!(all("").unwrap().len(), 0);
    assert_eq!(all("no block\n here").unwrap().len(), 0);
    let empty = all("-----BEGIN A-----\n-----END A-----\n").unwrap();
    assert_eq!(empty[0].der(), b"");
    assert_eq!(
        pem::encode("A", b""),
        "-----BEGIN A-----\n-----END A-----\n"
    );
}

/// LF, CR LF and CR, after lines of every length.
#[test]
fn line_ends() {
    let ends = ["\n", "\r\n", "\r"];
    for (one, other) in ends
        .into_iter()
        .flat_map(|one| ends.map(|other| (one, other)))
    {
        for at in 1..8 {
            let (first, second) = "AAECAwQF".split_at(at);
            let text =
                format!("-----BEGIN A-----{one}{first}{one}{second}{other}-----END A-----{other}");
            let blocks = all(&text).unwrap();
            assert_eq!(blocks[0].der(), [0, 1, 2, 3, 4, 5], "{text:?}");
        }
    }
}

#[test]
fn refused() {
    for (text, kind, position) in [
        ("-----BEGIN A-----\nAAAA\n", PemUnterminated, 23),
        (
            "-----BEGIN A-----\nAAAA\n-----BEGIN A-----\n",
            PemUnterminated,
            23,
        ),
        (
            "-----BEGIN A-----\nAAAA\n-----END B-----\n",
            PemLabelMismatch,
            23,
        ),
        (
            "-----BEGIN A-----\nAAAA\n-----END A----\n",
            BadPemBoundary,
            23,
        ),
        (
            "-----BEGIN A-----\nAAAA\n-----END A-----x\n",
            BadPemBoundary,
            23,
        ),
        (
            "-----BEGIN A-----\nAAAA\n-\n-----END A-----\n",
            BadPemBoundary,
            23,
        ),
        (
            "x\n-----BEGIN A----\nAAAA\n-----END A-----\n",
            BadPemBoundary,
            2,
        ),
        ("-----BEGINA-----\n", BadPemBoundary, 0),
        ("-----BEGIN -----\n", BadPemBoundary, 0),
        ("-----BEGIN A  B-----\n", BadPemBoundary, 0),
        ("-----BEGIN  A-----\n", BadPemBoundary, 0),
        ("-----BEGIN A------\n", BadPemBoundary, 0),
        ("-----BEGIN \u{c4}-----\n", BadPemBoundary, 0),
        (
            "-----BEGIN A-----\nProc-Type: 4\n\nAAAA\n-----END A-----\n",
            PemHeaders,
            18,
        ),
        ("-----BEGIN A-----\nAA*A\n-----END A-----\n", BadBase64, 20),
        (
            "-----BEGIN A-----\nAAAA\n AAA\n-----END A-----\n",
            BadBase64,
            23,
        ),
        (
            "-----BEGIN A-----\nAAAA\n\nAAAA\n-----END A-----\n",
            BadBase64,
            23,
        ),
        (
            "-----BEGIN A-----\nAA==\nAAAA\n-----END A-----\n",
            BadBase64,
            23,
        ),
        (
            "-----BEGIN A-----\nAAA=\nA\n-----END A-----\n",
            BadBase64,
            23,
        ),
        (
            "-----BEGIN A-----\nAAAA\nAAA\n-----END A-----\n",
            BadBase64Padding,
            26,
        ),
        (
            "-----BEGIN A-----\nAAAA\nAB==\n-----END A-----\n",
            BadBase64Padding,
            24,
        ),
        (
            "-----BEGIN A-----\nAAAA-----END A-----\n",
            PemUnterminated,
            38,
        ),
    ] {
        let text = format!("{PUBLIC}{text}{PUBLIC}");
        let error = Error::new(kind, PUBLIC.len() + position);
        let mut blocks = pem::decode(&text);
        assert!(blocks.next().unwrap().is_ok());
        assert_eq!(blocks.next().unwrap().unwrap_err(), error, "{text}");
        assert!(blocks.next().is_none(), "nothing follows an error");
    }
}

#[test]
#[should_panic(expected = "not a PEM label")]
fn labels_are_checked() {
    let _ = pem::encode("A\nB", b"");
}
