//! The x509-limbo collection (<https://github.com/C2SP/x509-limbo>): every case of `limbo.json`
//! with the profile of its namespace, and the names of those with another result than expected.
//!
//! ```text
//! cargo run --release -p adamant-x509 --example limbo -- limbo.json [PART-OF-A-NAME]
//! cargo run --release -p adamant-x509 --example limbo -- limbo.json --sample limbo.der
//! ```
//!
//! The second takes the sample that the tests run; with `--seeds` and a folder, the inputs that
//! the fuzz targets start from are written there.

use std::path::Path;
use std::{fs, io};

use adamant_der::{Time, Writer, pem};
use serde::Deserialize;

#[path = "../tests/limbo/case.rs"]
mod case;

#[derive(Deserialize)]
struct Limbo {
    testcases: Vec<Json>,
}

#[derive(Deserialize)]
struct Json {
    id: String,
    trusted_certs: Vec<String>,
    untrusted_intermediates: Vec<String>,
    peer_certificate: String,
    validation_time: Option<String>,
    validation_kind: String,
    key_usage: Vec<String>,
    extended_key_usage: Vec<String>,
    expected_result: String,
    expected_peer_name: Option<Peer>,
    expected_peer_names: Vec<Peer>,
    max_chain_depth: Option<u64>,
    crls: Vec<String>,
}

#[derive(Deserialize)]
struct Peer {
    kind: String,
    value: String,
}

fn der(texts: &[String], label: &str) -> Vec<Vec<u8>> {
    let decode = |text| Some(pem::decode_first(text, &[label]).ok()?.into_der());
    texts.iter().filter_map(decode).collect()
}

impl From<Json> for case::Case {
    fn from(json: Json) -> Self {
        let client = json.validation_kind == "CLIENT";
        let purpose = if client { "clientAuth" } else { "serverAuth" };
        assert!(json.extended_key_usage.iter().all(|name| name == purpose));
        assert!(json.key_usage.iter().all(|name| name == "digitalSignature"));
        // What is below a second does not count.
        let time = |text: String| format!("{}Z", &text[..19]).parse::<Time>();
        let time = json.validation_time.map(|text| time(text).expect("a time"));
        let names = json
            .expected_peer_name
            .into_iter()
            .chain(json.expected_peer_names);
        Self {
            id: json.id,
            valid: json.expected_result == "SUCCESS",
            time: time.map_or(0, |time| time.to_unix() as u64),
            client,
            signs: !json.key_usage.is_empty(),
            max_depth: json.max_chain_depth,
            names: names.map(|name| (name.kind, name.value)).collect(),
            peer: der(&[json.peer_certificate], "CERTIFICATE")
                .pop()
                .expect("a certificate"),
            roots: der(&json.trusted_certs, "CERTIFICATE"),
            intermediates: der(&json.untrusted_intermediates, "CERTIFICATE"),
            lists: der(&json.crls, "X509 CRL"),
        }
    }
}

/// The small cases, few of BetterTLS, at a time of their own.
fn sample(cases: Vec<case::Case>, now: u64) -> Vec<u8> {
    let mut w = Writer::new();
    for (i, mut case) in cases.into_iter().enumerate() {
        let mut one = Writer::new();
        if case.time == 0 {
            case.time = now;
        }
        case.write(&mut one);
        let few = !case.id.starts_with("bettertls") || i % 300 == 0;
        if few && one.len() < 2000 && !case.id.starts_with("online") {
            w.raw(&one.finish());
        }
    }
    w.finish()
}

/// A file for each target's input: certificates, lists, and the row of a path.
fn seeds(cases: &[case::Case], folder: &Path) -> io::Result<()> {
    for (i, case) in cases.iter().enumerate() {
        if case.id.starts_with("bettertls") && i % 50 != 0 {
            continue;
        }
        let certificates = [&case.peer]
            .into_iter()
            .chain(&case.roots)
            .chain(&case.intermediates);
        let row: Vec<u8> = certificates.chain(&case.lists).flatten().copied().collect();
        for (target, input) in [
            ("certificate", Some(&case.peer)),
            ("lists", case.lists.first()),
            ("path", Some(&row)),
        ] {
            let folder = folder.join(target);
            fs::create_dir_all(&folder)?;
            if let Some(input) = input {
                fs::write(folder.join(i.to_string()), input)?;
            }
        }
    }
    Ok(())
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("the path of limbo.json");
    let only = arguments.next().unwrap_or_default();
    let text = fs::read_to_string(&file).expect("a readable file");
    let limbo: Limbo = serde_json::from_str(&text).expect("the form of limbo.json");
    let cases: Vec<case::Case> = limbo.testcases.into_iter().map(Into::into).collect();
    let now = std::time::SystemTime::now();
    let now = now
        .duration_since(std::time::UNIX_EPOCH)
        .expect("a clock")
        .as_secs();
    if only == "--sample" {
        let to = arguments.next().expect("the path of the sample");
        fs::write(to, sample(cases, now)).expect("a writable file");
        return;
    }
    if only == "--seeds" {
        let to = arguments.next().expect("the folder of the seeds");
        seeds(&cases, Path::new(&to)).expect("a writable folder");
        return;
    }
    let (mut right, mut all) = (0, 0);
    for case in cases.iter().filter(|case| case.id.contains(&only)) {
        let result = case.run(now);
        all += 1;
        right += usize::from(result.is_ok() == case.valid);
        if !only.is_empty() || result.is_ok() != case.valid {
            println!("{}: expected {}, got {result:?}", case.id, case.valid);
        }
    }
    println!("{right} of {all}");
    if right != all {
        std::process::exit(1);
    }
}
