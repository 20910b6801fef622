//! NIST's Public Key Interoperability Test Suite (PKITS 1.0.1, 2011): 224 tests with the variants
//! of their settings.
//!
//! The certificates and lists are in the Python package `cryptography-vectors`; `pkits.sh` fetches it
//! and runs the test:
//!
//! ```text
//! ADAMANT_PKITS=PKITS_data cargo test --release -p adamant-x509 --test suites pkits -- --ignored
//! ```
//!
//! All certificates and lists are at hand in every test: the path is found by search. The files
//! are named for what is expected of them, and are validated with the suite's default settings;
//! those of other names, and those with variants, are in a table here.

use std::fs;
use std::path::Path;

use adamant_bignum::{Modulus, Number};
use adamant_der::{Oid, Tag, Time, oid};
use adamant_hash::Sha1;
use adamant_x509::crl::CertificateList;
use adamant_x509::path::{
    Limits, Options, Policies, Profile, Revocation, Signatures, Strictness, TrustAnchor, Verifier,
    validate,
};
use adamant_x509::{
    AlgorithmIdentifier, Certificate, Error, ErrorKind, Result, SubjectPublicKeyInfo,
};

/// What a test sets besides the defaults.
#[derive(Clone, Copy, Default)]
struct Settings {
    policies: &'static [Oid],
    explicit: bool,
    no_mapping: bool,
    no_any: bool,
}

const P1: Oid = oid!("2.16.840.1.101.3.2.1.48.1");
const P2: Oid = oid!("2.16.840.1.101.3.2.1.48.2");
const P3: Oid = oid!("2.16.840.1.101.3.2.1.48.3");
const P6: Oid = oid!("2.16.840.1.101.3.2.1.48.6");

const DEFAULT: Settings = Settings {
    policies: &[],
    explicit: false,
    no_mapping: false,
    no_any: false,
};
const EXPLICIT: Settings = Settings {
    explicit: true,
    ..DEFAULT
};
const NO_MAPPING: Settings = Settings {
    no_mapping: true,
    ..DEFAULT
};
const NO_ANY: Settings = Settings {
    no_any: true,
    ..DEFAULT
};

const fn only(policies: &'static [Oid]) -> Settings {
    Settings {
        policies,
        ..DEFAULT
    }
}

const fn explicit(policies: &'static [Oid]) -> Settings {
    Settings {
        policies,
        ..EXPLICIT
    }
}

/// Sections 4.8, 4.10 and 4.12: file, settings and whether the path is valid.
const VARIANTS: &[(&str, &[(Settings, bool)])] = &[
    (
        "ValidCertificatePathTest1",
        &[
            (DEFAULT, true),
            (EXPLICIT, true),
            (explicit(&[P1]), true),
            (explicit(&[P2]), false),
            (explicit(&[P1, P2]), true),
        ],
    ),
    (
        "AllCertificatesNoPoliciesTest2",
        &[(DEFAULT, true), (EXPLICIT, false)],
    ),
    (
        "DifferentPoliciesTest3",
        &[
            (DEFAULT, true),
            (EXPLICIT, false),
            (explicit(&[P1, P2]), false),
        ],
    ),
    ("DifferentPoliciesTest4", &[(DEFAULT, false)]),
    ("DifferentPoliciesTest5", &[(DEFAULT, false)]),
    (
        "OverlappingPoliciesTest6",
        &[(DEFAULT, true), (only(&[P1]), true), (only(&[P2]), false)],
    ),
    ("DifferentPoliciesTest7", &[(DEFAULT, false)]),
    ("DifferentPoliciesTest8", &[(DEFAULT, false)]),
    ("DifferentPoliciesTest9", &[(DEFAULT, false)]),
    (
        "AllCertificatesSamePoliciesTest10",
        &[(DEFAULT, true), (only(&[P1]), true), (only(&[P2]), true)],
    ),
    (
        "AllCertificatesanyPolicyTest11",
        &[(DEFAULT, true), (only(&[P1]), true)],
    ),
    ("DifferentPoliciesTest12", &[(DEFAULT, false)]),
    (
        "AllCertificatesSamePoliciesTest13",
        &[
            (only(&[P1]), true),
            (only(&[P2]), true),
            (only(&[P3]), true),
        ],
    ),
    (
        "AnyPolicyTest14",
        &[(only(&[P1]), true), (only(&[P2]), false)],
    ),
    ("UserNoticeQualifierTest15", &[(DEFAULT, true)]),
    ("UserNoticeQualifierTest16", &[(DEFAULT, true)]),
    ("UserNoticeQualifierTest17", &[(DEFAULT, true)]),
    (
        "UserNoticeQualifierTest18",
        &[(only(&[P1]), true), (only(&[P2]), true)],
    ),
    ("UserNoticeQualifierTest19", &[(DEFAULT, true)]),
    ("CPSPointerQualifierTest20", &[(DEFAULT, true)]),
    (
        "ValidPolicyMappingTest1",
        &[
            (only(&[P1]), true),
            (only(&[P2]), false),
            (NO_MAPPING, false),
        ],
    ),
    (
        "ValidPolicyMappingTest3",
        &[(only(&[P1]), false), (only(&[P2]), true)],
    ),
    (
        "ValidPolicyMappingTest5",
        &[(only(&[P1]), true), (only(&[P6]), false)],
    ),
    (
        "ValidPolicyMappingTest6",
        &[(only(&[P1]), true), (only(&[P6]), false)],
    ),
    (
        "ValidPolicyMappingTest12",
        &[(only(&[P1]), true), (only(&[P2]), true)],
    ),
    ("inhibitAnyPolicyTest3", &[(DEFAULT, true), (NO_ANY, false)]),
    // The list is signed by the key whose own certificate only this list speaks of: refused here.
    ("ValidcRLIssuerTest30", &[(DEFAULT, false)]),
];

/// DSA with SHA-1, which three tests need and nothing else does (FIPS 186-4, 4.7).
struct WithDsa;

impl Verifier for WithDsa {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<()> {
        const WITH_SHA1: Oid = oid!("1.2.840.10040.4.3");
        if algorithm.oid != WITH_SHA1 {
            return Signatures.verify(key, algorithm, message, signature);
        }
        match verify_dsa(key, &Sha1::digest(message), signature) {
            Ok(true) => Ok(()),
            _ => Err(Error::new(ErrorKind::WrongKey, 0)),
        }
    }
}

fn integers<const N: usize>(der: &[u8]) -> adamant_der::Result<[Vec<u8>; N]> {
    adamant_der::parse(der, |r| {
        r.nested(Tag::SEQUENCE, |r| {
            let mut all = [const { Vec::new() }; N];
            for integer in &mut all {
                *integer = r.unsigned()?.to_vec();
            }
            Ok(all)
        })
    })
}

fn power(modulus: &Modulus, base: &[u64], exponent: &[u64]) -> Number {
    let mut result = Number::zero(modulus.len());
    result[0] = 1;
    for bit in (0..64 * exponent.len()).rev() {
        result = modulus.multiply_plain(&result, &result);
        if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
            result = modulus.multiply_plain(&result, base);
        }
    }
    result
}

fn verify_dsa(
    key: &SubjectPublicKeyInfo<'_>,
    digest: &[u8],
    signature: &[u8],
) -> adamant_der::Result<bool> {
    let number = |bytes: &[u8], len| Number::from_be_bytes(bytes, len).expect("a number that fits");
    let [p, q, g] = integers(key.algorithm.parameters.unwrap_or_default())?;
    let [r, s] = integers(signature)?;
    let y = adamant_der::parse(key.key, |reader| reader.unsigned())?;
    let limbs = |bytes: &[u8]| bytes.len().div_ceil(8);
    let p = Modulus::new(&number(&p, limbs(&p))).expect("a prime");
    let q = Modulus::new(&number(&q, limbs(&q))).expect("a prime");
    if r.len() > 8 * q.len() || s.len() > 8 * q.len() {
        return Ok(false);
    }
    let (r, s) = (number(&r, q.len()), number(&s, q.len()));
    let mut less_two = Number::from_limbs(q.limbs());
    less_two[0] -= 2;
    let w = power(&q, &s, &less_two);
    let z = q.reduce(&number(digest, q.len()));
    let (u1, u2) = (q.multiply_plain(&z, &w), q.multiply_plain(&r, &w));
    let (g, y) = (number(&g, p.len()), number(y, p.len()));
    let v = p.multiply_plain(&power(&p, &g, &u1), &power(&p, &y, &u2));
    Ok(q.reduce(&v)[..] == r[..])
}

struct Data {
    certificates: Vec<(String, Vec<u8>)>,
    lists: Vec<Vec<u8>>,
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = fs::read_dir(folder)
        .expect("a folder of the suite")
        .map(|entry| entry.expect("a file").path())
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read(&path).expect("a readable file"))
        })
        .collect();
    all.sort();
    all
}

/// Whether the path is valid, or why not.
fn run(data: &Data, name: &str, settings: &Settings) -> Result<(), String> {
    let (mut target, mut root, mut others) = (None, None, Vec::new());
    for (file, der) in &data.certificates {
        match Certificate::from_der(der) {
            Ok(certificate) if file.strip_suffix("EE") == Some(name) => target = Some(certificate),
            Err(error) if file.strip_suffix("EE") == Some(name) => return Err(error.to_string()),
            Ok(certificate) if file == "TrustAnchorRootCertificate" => root = Some(certificate),
            Ok(certificate) => others.push(certificate),
            Err(_) => {}
        }
    }
    let lists: Vec<_> = data
        .lists
        .iter()
        .filter_map(|der| CertificateList::from_der(der).ok())
        .collect();
    let target = target.ok_or("no such file")?;
    let root = root.ok_or("no root")?;
    let anchors = [TrustAnchor::from_certificate(&root).map_err(|e| e.to_string())?];
    let time: Time = "2020-01-01".parse().expect("a time");
    let options = Options {
        policies: Policies {
            initial: (!settings.policies.is_empty()).then_some(settings.policies),
            require_explicit: settings.explicit,
            inhibit_mapping: settings.no_mapping,
            inhibit_any: settings.no_any,
        },
        revocation: Some(Revocation {
            dedicated_crl_issuers: true,
            ..Revocation::new(&lists, &[], Strictness::Hard)
        }),
        limits: Limits {
            signatures: 1000,
            ..Limits::DEFAULT
        },
        verifier: &WithDsa,
        ..Options::new(Profile::Path, time)
    };
    let path = validate(&target, &others, &anchors, &options);
    path.map(drop).map_err(|error| error.to_string())
}

#[test]
#[ignore = "takes the folder PKITS_data in ADAMANT_PKITS"]
fn nist_pkits() {
    let folder = std::env::var_os("ADAMANT_PKITS").expect("the folder PKITS_data");
    let data = Data {
        certificates: files(&Path::new(&folder).join("certs")),
        lists: files(&Path::new(&folder).join("crls"))
            .into_iter()
            .map(|(_, der)| der)
            .collect(),
    };
    let (mut tests, mut wrong) = (0, Vec::new());
    for (file, _) in &data.certificates {
        let Some(name) = file.strip_suffix("EE") else {
            continue;
        };
        let by_name = [(DEFAULT, !name.starts_with("Invalid"))];
        let table = VARIANTS.iter().find(|(known, _)| *known == name);
        let variants = table.map_or(&by_name[..], |(_, variants)| variants);
        for (i, (settings, valid)) in variants.iter().enumerate() {
            let result = run(&data, name, settings);
            if result.is_ok() != *valid {
                wrong.push(format!(
                    "{name} ({}): expected {valid}, got {result:?}",
                    i + 1
                ));
            }
        }
        // One file serves two tests: 4.1.1 and 4.8.1.
        tests += match name {
            "ValidCertificatePathTest1" => 2,
            _ => 1,
        };
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(tests, 224);
    let known = |name: &str| {
        data.certificates
            .iter()
            .any(|(file, _)| file.strip_suffix("EE") == Some(name))
    };
    assert!(VARIANTS.iter().all(|(name, _)| known(name)));
}
