//! SLH-DSA: known answers of NIST.

use adamant_base::exactly;
use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
use adamant_hash::Sha256;
use adamant_pq::hazmat::slh_dsa::Backend;
use adamant_pq::slh_dsa;
use adamant_testkit::table;

/// Runs the body with the types of a set in scope, by its name.
macro_rules! for_set {
    ($set:expr, $body:block) => {
        for_set!(@ $set, $body,
            "sha2-128s" slh_dsa_sha2_128s, "sha2-128f" slh_dsa_sha2_128f,
            "sha2-192s" slh_dsa_sha2_192s, "sha2-192f" slh_dsa_sha2_192f,
            "sha2-256s" slh_dsa_sha2_256s, "sha2-256f" slh_dsa_sha2_256f,
            "shake-128s" slh_dsa_shake_128s, "shake-128f" slh_dsa_shake_128f,
            "shake-192s" slh_dsa_shake_192s, "shake-192f" slh_dsa_shake_192f,
            "shake-256s" slh_dsa_shake_256s, "shake-256f" slh_dsa_shake_256f)
    };
    (@ $set:expr, $body:block, $($name:literal $module:ident),+) => {
        match $set {
            $($name => {
                use slh_dsa::$module::*;
                $body
            })+
            other => panic!("there is no set {other}"),
        }
    };
}

/// One line, whose fields are in hexadecimal, or `-`:
///
/// * `keygen SET SEEDS ROOT`, the seeds SK.seed, SK.prf and PK.seed in a row;
/// * `sign SET PRIVATE MESSAGE CONTEXT RANDOM SHA256`, the last one that of the signature;
/// * `internal …`, the same without a context, for slh_sign_internal.
fn answer(line: &str, backend: Backend) {
    let fields: Vec<&str> = line.split(' ').collect();
    let bytes: Vec<Vec<u8>> = fields[2..]
        .iter()
        .map(|field| hex::decode(field.trim_matches('-')).unwrap())
        .collect();
    for_set!(fields[1], {
        match &bytes[..] {
            [seeds, root] => {
                let key = PrivateKey::from_seed_on(seeds.as_slice().try_into().unwrap(), backend);
                let whole = [&seeds[..], root].concat();
                assert_eq!(*key.to_bytes(), whole[..], "{line}");
                let read = PrivateKey::try_from(&whole[..]).unwrap();
                assert_eq!(
                    [*key.seed(), *read.seed()].concat(),
                    seeds.repeat(2),
                    "{line}"
                );
            }
            [private, message, context, random, expected] => {
                let key = PrivateKey::from_bytes_on(exactly(private).unwrap(), backend).unwrap();
                let public =
                    PublicKey::from_bytes_on(&key.public_key().to_bytes(), backend).unwrap();
                let random = <&[u8; RANDOM_LEN]>::try_from(&random[..]).ok();
                let made = match (fields[0], random) {
                    ("internal", random) => key.sign_internal(message, random),
                    (_, None) => key.sign_with_context(message, context).unwrap(),
                    (_, Some(random)) => {
                        let head = [0, context.len() as u8];
                        let whole = [&head, &context[..], message].concat();
                        key.sign_internal(&whole, Some(random))
                    }
                };
                assert_eq!(Sha256::digest(made.as_ref())[..], expected[..], "{line}");
                let valid = match fields[0] {
                    "internal" => public.verify_internal(message, &made),
                    _ => public.verify_with_context(message, context, &made),
                };
                assert_eq!(valid, Ok(()), "{line}");
            }
            _ => panic!("a line of another form"),
        }
    });
}

/// A part of the ACVP vectors of FIPS 205 (usnistgov/ACVP-Server, SLH-DSA-keyGen-FIPS205 and
/// SLH-DSA-sigGen-FIPS205, internalProjection.json): of every set three keys, and of each way to
/// sign the shortest message.
const SAMPLE: &str = include_str!("vectors/slh_dsa.txt");

/// More lines of the same form, such as all of the vectors, in the file that
/// `ADAMANT_ACVP_SLH_DSA` names.
fn more() -> String {
    let path = std::env::var_os("ADAMANT_ACVP_SLH_DSA");
    path.map_or_else(String::new, |path| std::fs::read_to_string(path).unwrap())
}

#[test]
fn acvp() {
    assert_eq!(SAMPLE.lines().count(), 84);
    for line in SAMPLE.lines().chain(more().lines()) {
        answer(line, Backend::best());
    }
}

/// The same on every implementation, which takes minutes where there are no lanes.
#[test]
#[ignore = "slow: cargo test --release -p adamant-pq --test suites slh_dsa -- --ignored"]
fn acvp_on_every_implementation() {
    let more = more();
    table!(Backend).for_each(|backend| {
        for line in SAMPLE.lines().chain(more.lines()) {
            answer(line, backend);
        }
    });
}
