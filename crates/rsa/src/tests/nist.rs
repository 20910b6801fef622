//! Answers of NIST's validation programs: CAVP (`SigVer15_186-3.rsp`, `SigVerPSS_186-3.rsp`,
//! `KeyGenRSA.rsp` of "186-3rsatestvectors") and ACVP (`internalProjection.json` of
//! usnistgov/ACVP-Server, v1.1.0.43). `testdata/nist` holds a few of each; a folder with the whole
//! files, of either program or both, goes through the same with
//!
//! ```text
//! ADAMANT_NIST=FOLDER cargo test --release -p adamant-rsa nist -- --ignored --nocapture
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::hazmat::Backend;
use crate::key::{Inner, bytes};
use crate::primitive::{number_below, private};
use crate::{Components, DigestInfo, PrivateKey, PublicKey, generate};
use adamant_base::{Error, Rng};
use adamant_bignum::{Modulus, Number, invert, limbs};
use adamant_hash::{
    Sha1, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512, Sha512_256,
};
use adamant_testkit::{TestRng, table};

/// The fields that hold at one place of a file, by their names in small letters.
#[derive(Default)]
struct Record {
    fields: BTreeMap<String, String>,
    /// Those that were written since the record before.
    own: BTreeSet<String>,
}

impl Record {
    fn text(&self, names: &[&str]) -> Option<&str> {
        let found = names.iter().find_map(|name| self.fields.get(*name));
        found.map(String::as_str).filter(|text| !text.is_empty())
    }

    fn hex(&self, names: &[&str]) -> Option<Vec<u8>> {
        let digits = self.text(names)?;
        let even = format!("{}{digits}", if digits.len() % 2 == 1 { "0" } else { "" });
        let pairs = (0..even.len()).step_by(2);
        let bytes = pairs.map(|i| u8::from_str_radix(&even[i..i + 2], 16));
        Some(bytes.collect::<Result<_, _>>().expect("hexadecimal digits"))
    }

    fn own(&self, name: &str) -> bool {
        self.own.contains(name)
    }
}

/// Gives `each` every record of a file. Both forms have one field in a line, `name = value` or
/// `"name": value,`; a record ends at an empty line or at `}`, and what comes before the first one
/// holds for all.
fn records(text: &str, mut each: impl FnMut(&Record)) {
    let mut record = Record::default();
    for line in text.lines().chain([""]) {
        let line = line.trim().trim_start_matches(['#', '[']);
        if line.is_empty() || line.starts_with('}') {
            each(&record);
            record.own.clear();
        } else if let Some((name, value)) = line.split_once(['=', ':']) {
            let plain = |text: &str| text.trim_matches([' ', '"', ',', ']']).to_owned();
            let name = plain(name).to_ascii_lowercase();
            if name == "tgid" {
                // The first field of a group, which owes nothing to the one before.
                record.fields.clear();
            }
            record.own.insert(name.clone());
            record.fields.insert(name, plain(value));
        }
    }
}

/// What is checked in a file, by its name.
fn check(name: &str, text: &str, backends: &[Backend]) -> usize {
    let mut count = 0;
    records(text, |record| {
        for backend in backends {
            let done = if name.contains("KeyGen") {
                key_generation(record, *backend)
            } else if name.contains("rimitive") {
                primitive(record, *backend)
            } else if name.contains("SigVer") || name.contains("SigGen") {
                signature(name, record, *backend)
            } else {
                None
            };
            count += usize::from(done.is_some());
        }
    });
    count
}

/// A prime and what is derived from it.
fn prime(octets: &[u8]) -> Modulus {
    let number = Number::from_be_bytes(octets, octets.len().div_ceil(8)).unwrap();
    Modulus::new(&number).unwrap()
}

/// `d` modulo `p - 1`.
fn half(d: &[u8], p: &Modulus) -> Number {
    let d = Number::from_be_bytes(d, d.len().div_ceil(8)).unwrap();
    let mut order = Number::from_limbs(p.limbs());
    limbs::sub(&mut order, &[1]);
    let mut rest = Number::zero(p.len());
    limbs::remainder(&d, &order, &mut rest);
    rest
}

/// The private key of a record: with its own numbers for the two halves where it has them, and
/// with those that belong to d otherwise.
fn private_key(record: &Record, backend: Backend) -> Option<PrivateKey> {
    let public = public_key(record, backend)?;
    let [p, q] = [record.hex(&["p"])?, record.hex(&["q"])?];
    if public.bits() < crate::MIN_BITS {
        return None;
    }
    let (p, q) = (prime(&p), prime(&q));
    let number = |name: &str, len| {
        let octets = record.hex(&[name])?;
        Some(Number::from_be_bytes(&octets, len).unwrap())
    };
    let q_inv = invert::invert_fermat(backend, &p.reduce(q.limbs()), &p);
    let Some(d) = record.hex(&["d"]) else {
        assert_eq!(*q_inv, *number("iqmp", p.len())?);
        let inner = Inner {
            d: Number::zero(public.n.len()),
            d_p: number("dmp1", p.len())?,
            d_q: number("dmq1", q.len())?,
            q_inv,
            public,
            p,
            q,
        };
        let inner = Box::new(inner);
        return Some(PrivateKey { inner });
    };
    let size = |modulus: &Modulus| 8 * modulus.len();
    let key = PrivateKey::from_components(Components {
        n: &public.n(),
        e: &public.e(),
        d: &d,
        p: &bytes(p.limbs(), size(&p)),
        q: &bytes(q.limbs(), size(&q)),
        d_p: &bytes(&half(&d, &p), size(&p)),
        d_q: &bytes(&half(&d, &q), size(&q)),
        q_inv: &bytes(&q_inv, size(&p)),
    });
    Some(key.unwrap().with_backend(backend))
}

fn public_key(record: &Record, backend: Backend) -> Option<PublicKey> {
    let key = PublicKey::new(&record.hex(&["n"])?, &record.hex(&["e"])?);
    Some(key.unwrap().with_backend(backend))
}

/// The key of two primes that are 3 modulo 4, as ours are.
fn key_generation(record: &Record, backend: Backend) -> Option<()> {
    // A record of two primes and nothing else tests whether they are.
    if !record.own("p") || !record.own("n") {
        return None;
    }
    let public = public_key(record, backend)?;
    let (p, q) = (prime(&record.hex(&["p"])?), prime(&record.hex(&["q"])?));
    if public.bits() < crate::MIN_BITS || p.limbs()[0] & q.limbs()[0] & 3 != 3 {
        return None;
    }
    let key = generate::assemble(p, q, public.exponent(), backend).unwrap();
    assert_eq!(key.public_key(), public);
    let number = |name: &str, len| Some(Number::from_be_bytes(&record.hex(&[name])?, len).unwrap());
    let inner = &key.inner;
    for (ours, name) in [
        (&inner.d, "d"),
        (&inner.d_p, "dmp1"),
        (&inner.d_q, "dmq1"),
        (&inner.q_inv, "iqmp"),
    ] {
        if let Some(expected) = number(name, ours.len()) {
            assert_eq!(**ours, *expected, "{name}");
        }
    }
    Some(())
}

/// RSASP1 and RSADP. A test that has no result is of a number that the standard refuses: one that
/// is not below the modulus is refused here.
fn primitive(record: &Record, backend: Backend) -> Option<()> {
    let (input, output) = match (record.own("ct"), record.own("message")) {
        (true, _) => ("ct", "pt"),
        (_, true) => ("message", "signature"),
        _ => return None,
    };
    let key = private_key(record, backend)?;
    let input = number_below(key.public(), &record.hex(&[input])?);
    if !record.own(output) {
        return input.is_none().then_some(());
    }
    let made = private(&[&key], &[input?], &mut TestRng::new(1)).unwrap();
    let expected = Number::from_be_bytes(&record.hex(&[output])?, made[0].len());
    assert_eq!(*made[0], *expected.unwrap());
    Some(())
}

/// Verifies a signature, and makes it again where the record has the private key.
fn signature(name: &str, record: &Record, backend: Backend) -> Option<()> {
    let signatures = match record
        .text(&["shaalg", "hashalg"])?
        .replace("SHA2-", "SHA-")
        .as_str()
    {
        "SHA1" | "SHA-1" => Signatures::of::<Sha1>(),
        "SHA224" | "SHA-224" => Signatures::of::<Sha224>(),
        "SHA256" | "SHA-256" => Signatures::of::<Sha256>(),
        "SHA384" | "SHA-384" => Signatures::of::<Sha384>(),
        "SHA512" | "SHA-512" => Signatures::of::<Sha512>(),
        "SHA-512/256" => Signatures::of::<Sha512_256>(),
        "SHA3-224" => Signatures::of::<Sha3_224>(),
        "SHA3-256" => Signatures::of::<Sha3_256>(),
        "SHA3-384" => Signatures::of::<Sha3_384>(),
        "SHA3-512" => Signatures::of::<Sha3_512>(),
        _ => return None,
    };
    signature_of(&signatures, name, record, backend)
}

/// Signatures under one hash.
struct Signatures {
    digest: fn(&[u8]) -> Vec<u8>,
    verify_pss: fn(&PublicKey, &[u8], usize, &[u8]) -> Result<(), Error>,
    verify_pkcs1: fn(&PublicKey, &[u8], &[u8]) -> Result<(), Error>,
    sign_pss: fn(&PrivateKey, &[u8], usize, &mut Salted) -> Result<Vec<u8>, Error>,
    sign_pkcs1: fn(&PrivateKey, &[u8], &mut TestRng) -> Result<Vec<u8>, Error>,
}

impl Signatures {
    fn of<H: DigestInfo>() -> Self {
        Signatures {
            digest: |message| H::digest(message).as_ref().to_vec(),
            verify_pss: |key, digest, len, s| {
                key.verify_pss_prehashed::<H, H>(digest, Some(len), s)
            },
            verify_pkcs1: PublicKey::verify_pkcs1::<H>,
            sign_pss: |key, digest, len, rng| key.sign_pss_prehashed::<H, H>(digest, len, rng),
            sign_pkcs1: |key, message, rng| key.sign_pkcs1::<H>(message, rng),
        }
    }
}

fn signature_of(
    signatures: &Signatures,
    name: &str,
    record: &Record,
    backend: Backend,
) -> Option<()> {
    if !record.own("s") && !record.own("signature") {
        return None;
    }
    let pss = match record.text(&["sigtype"]) {
        Some("pss") => true,
        Some("pkcs1v1.5") => false,
        None if name.contains("PSS") => true,
        None if name.contains("15") => false,
        // ANSI X9.31.
        _ => return None,
    };
    let mask = record.text(&["maskfunction"]).unwrap_or("mgf1");
    // Nor masks of SHAKE, nor the randomized hashes of SP 800-106.
    if pss && mask != "mgf1" || record.text(&["conformance"]).is_some() {
        return None;
    }
    let expected = match (record.text(&["result"]), record.text(&["testpassed"])) {
        (Some(result), _) => result.starts_with('P'),
        (_, Some(passed)) => passed == "true",
        // A file of signatures that are all good.
        _ => true,
    };
    let salt = record.hex(&["saltval"]).unwrap_or_default();
    let salt_len = record.text(&["saltlen", "salt len"]);
    let salt_len = salt_len.map_or(salt.len(), |len| len.parse().unwrap());
    let message = record.hex(&["msg", "message"])?;
    let signature = record.hex(&["s", "signature"])?;
    let digest = (signatures.digest)(&message);

    let key = public_key(record, backend)?;
    let verdict = match pss {
        true => (signatures.verify_pss)(&key, &digest, salt_len, &signature),
        false => (signatures.verify_pkcs1)(&key, &message, &signature),
    };
    let wanted = if expected {
        Ok(())
    } else {
        Err(Error::BadSignature)
    };
    assert_eq!(verdict, wanted, "{name} {:?}", record.fields);

    if expected && let Some(key) = private_key(record, backend) {
        let mut rng = Salted {
            salt: Some(salt),
            rest: TestRng::new(1),
        };
        let made = match pss {
            true => (signatures.sign_pss)(&key, &digest, salt_len, &mut rng),
            false => (signatures.sign_pkcs1)(&key, &message, &mut rng.rest),
        };
        assert_eq!(made, Ok(signature));
    }
    Some(())
}

/// Gives the salt, and random bytes for the blinding after it.
struct Salted {
    salt: Option<Vec<u8>>,
    rest: TestRng,
}

impl Rng for Salted {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        match self.salt.take() {
            Some(salt) => out.copy_from_slice(&salt),
            None => self.rest.fill(out)?,
        }
        Ok(())
    }
}

macro_rules! samples {
    ($($name:literal: $count:literal,)*) => { [$((
        $name,
        include_str!(concat!("../../testdata/nist/", $name)),
        $count,
    )),*] };
}

#[test]
fn nist_samples() {
    let samples = samples! {
        "SigVer15_186-3.rsp": 14,
        "SigVerPSS_186-3.rsp": 14,
        "KeyGenRSA.rsp": 3,
        "RSA-SigGen-FIPS186-5.json": 1,
        "RSA-SigVer-FIPS186-5.json": 12,
        "RSA-SignaturePrimitive-2.0.json": 3,
        "RSA-DecryptionPrimitive-Sp800-56Br2.json": 2,
    };
    table!(Backend).for_each(|backend| {
        for (name, text, count) in samples {
            assert_eq!(check(name, text, &[backend]), count, "{name}");
        }
    });
}

#[test]
#[ignore = "takes the folder of the vectors in ADAMANT_NIST"]
fn nist_files() {
    let folder = std::env::var_os("ADAMANT_NIST").expect("the folder with NIST's files");
    let mut total = 0;
    in_folder(Path::new(&folder), &mut |path| {
        let name = path.to_string_lossy();
        let whole = name.ends_with(".rsp") || name.ends_with("internalProjection.json");
        if whole && let Ok(text) = std::fs::read_to_string(path) {
            let count = check(&name, &text, &[Backend::best()]);
            if count > 0 {
                println!("{count:6} {name}");
            }
            total += count;
        }
    });
    assert!(total > 0, "nothing to check in {}", folder.display());
}

fn in_folder(folder: &Path, each: &mut impl FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => in_folder(&path, each),
            false => each(&path),
        }
    }
}
