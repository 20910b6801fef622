//! The whole pipeline, and providers that do not do what they must.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use adamant::x509::PublicKey;
use adamant_pipeline::store::{Kind, Sqlite, Store, Synchronous};
use adamant_pipeline::{self as pipeline, Keys, Options, Progress, Row};
use adamant_pki::provider::Verdict;
use adamant_pki::{Adamant, Algorithm, Provider, Result};

/// All but the longest keys, and of SLH-DSA the quickest sets and the largest.
fn algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|algorithm| match algorithm.modulus_bits() {
        Some(bits) => bits == 2048,
        None => match algorithm.name().strip_prefix("slh-dsa-") {
            Some(set) => set.ends_with("128f") || set == "sha2-256f",
            None => true,
        },
    })
}

/// The smallest certificates, large ones, and the largest: what a store sees of an algorithm.
fn few() -> Vec<Algorithm> {
    let names = ["ecdsa-p256", "ml-dsa-87", "slh-dsa-sha2-128f"];
    names.map(|name| name.parse().unwrap()).to_vec()
}

fn quick(algorithms: &[Algorithm], sizes: &[usize]) -> Options {
    Options {
        algorithms: algorithms.to_vec(),
        sizes: sizes.to_vec(),
        min_seconds: 0.0,
        threads: Some(2),
        ..Options::default()
    }
}

/// What was heard of a run.
#[derive(Default)]
struct Heard {
    begun: Vec<(Algorithm, usize)>,
    passes: usize,
    ended: usize,
    /// Ends the run at this end of a size.
    last: Option<usize>,
}

impl Progress for Heard {
    fn begin(&mut self, algorithm: Algorithm, batch: usize) {
        self.begun.push((algorithm, batch));
    }

    fn pass(&mut self, done: f64) -> ControlFlow<()> {
        assert!((0.0..=1.0).contains(&done), "{done}");
        self.passes += 1;
        ControlFlow::Continue(())
    }

    fn end(&mut self, rows: &[Row]) -> ControlFlow<()> {
        assert_eq!(rows.len(), 19);
        self.ended += 1;
        if Some(self.ended) == self.last {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn all_stages(algorithms: &[Algorithm], store: &mut (dyn Store + Send)) {
    let sizes = [1, 2, 5];
    let mut heard = Heard::default();
    let options = quick(algorithms, &sizes);
    let rows = pipeline::run(&Adamant, store, &options, &mut heard).unwrap();

    let of_each = |algorithm: &Algorithm| sizes.map(|batch| (*algorithm, batch));
    let runs: Vec<_> = algorithms.iter().flat_map(of_each).collect();
    assert_eq!(heard.begun, runs);
    assert_eq!((heard.passes, heard.ended), (runs.len(), runs.len()));

    let of_run = rows.chunks(19);
    assert_eq!(of_run.len(), runs.len());
    for (rows, (algorithm, batch)) in of_run.zip(runs) {
        let mut stages: Vec<_> = rows.iter().map(|row| row.stage.as_str()).collect();
        stages.dedup();
        assert!(
            stages
                .into_iter()
                .eq(pipeline::stages().map(|(name, _)| name))
        );
        for row in rows {
            assert_eq!(row.algo, algorithm.name());
            assert_eq!((row.batch, row.threads, row.passes), (batch, 2, 1));
            assert_eq!(row.provider, "adamant");
            assert!(row.der_bytes > 100, "{row:?}");
            let one = row.stage.starts_with("ca_") || row.stage.contains("crl");
            let items = if one { 1 } else { batch };
            let rate = items as f64 / row.ms * 1e3;
            assert!((row.items_per_s / rate - 1.0).abs() < 1e-9, "{row:?}");
        }
        let of_stage = |name: &str| -> Vec<&Row> {
            let found = rows.iter().filter(|row| row.stage == name);
            found.collect()
        };
        let keys: Vec<_> = of_stage("cert_gen").iter().map(|row| row.keys).collect();
        assert_eq!(keys, [Keys::Counted, Keys::Beforehand]);
        for stage in ["db_insert_certs", "db_insert_crl", "db_insert_ocsp"] {
            let settings: Vec<_> = of_stage(stage).iter().map(|row| row.synchronous).collect();
            assert_eq!(settings, [Synchronous::Normal, Synchronous::Full]);
        }
        let read = of_stage("db_read_certs")[0].der_bytes;
        assert_eq!(read, of_stage("cert_gen")[1].der_bytes);
    }
    for kind in Kind::ALL {
        assert!(store.read(kind).unwrap().is_empty());
    }
}

#[test]
fn all_stages_in_memory() {
    let algorithms: Vec<_> = algorithms().collect();
    all_stages(&algorithms, &mut Sqlite::in_memory().unwrap());
}

#[test]
fn all_stages_in_a_file() {
    all_stages(&few(), &mut Sqlite::temporary().unwrap());
}

#[test]
#[ignore = "every algorithm in a file too"]
fn all_algorithms_in_a_file() {
    let algorithms: Vec<_> = algorithms().collect();
    all_stages(&algorithms, &mut Sqlite::temporary().unwrap());
}

fn one_setting(algorithms: &[Algorithm]) {
    let options = Options {
        synchronous: vec![Synchronous::Full],
        min_seconds: 0.02,
        ..quick(algorithms, &[3])
    };
    let mut store = Sqlite::in_memory().unwrap();
    let rows = pipeline::run(&Adamant, &mut store, &options, &mut ()).unwrap();
    assert_eq!(rows.len(), 16 * algorithms.len());
    assert!(rows.iter().all(|row| row.synchronous == Synchronous::Full));
    assert!(rows.iter().all(|row| row.passes >= 1 && row.ms > 0.0));
}

#[test]
fn one_setting_of_the_store() {
    one_setting(&few());
}

#[test]
#[ignore = "every algorithm with one setting too"]
fn one_setting_for_all_algorithms() {
    one_setting(&algorithms().collect::<Vec<_>>());
}

#[test]
fn keys_may_be_fewer() {
    let options = Options {
        key_seconds: Some(0.0),
        ..quick(&["rsa-2048".parse().unwrap()], &[1, 21])
    };
    let mut store = Sqlite::in_memory().unwrap();
    let rows = pipeline::run(&Adamant, &mut store, &options, &mut ()).unwrap();
    let made = |batch: usize, keys: Keys| {
        let mut of_size = rows
            .iter()
            .filter(|row| row.stage == "cert_gen" && row.batch == batch);
        of_size.find(|row| row.keys == keys).unwrap().keys_made
    };
    // Two for each thread at least, and for one certificate there are none fewer than one.
    assert_eq!(made(21, Keys::Counted), Some(4));
    assert_eq!(made(21, Keys::Beforehand), Some(4));
    assert_eq!(made(1, Keys::Counted), None);
    for row in rows.iter().filter(|row| row.stage != "cert_gen") {
        assert_eq!(row.keys_made, None, "{row:?}");
    }
    // All 21 certificates went on to the stages that follow, in the time of all.
    let read = rows
        .iter()
        .find(|row| row.stage == "db_read_certs" && row.batch == 21)
        .unwrap();
    assert!((read.items_per_s * read.ms / 1e3 - 21.0).abs() < 1e-6);
    let counted = rows.iter().find(|row| row.keys_made.is_some()).unwrap();
    assert!((counted.items_per_s * counted.ms / 1e3 - 21.0).abs() < 1e-6);
}

/// No batch is too small for it, and no time too long.
#[test]
fn keys_of_any_time() {
    for key_seconds in [None, Some(0.0), Some(f64::INFINITY)] {
        let options = Options {
            key_seconds,
            ..quick(&["ed25519".parse().unwrap()], &[0, 17])
        };
        let mut store = Sqlite::in_memory().unwrap();
        let rows = pipeline::run(&Adamant, &mut store, &options, &mut ()).unwrap();
        let fewer = rows.iter().any(|row| row.keys_made.is_some());
        assert_eq!(fewer, key_seconds == Some(0.0));
    }
}

#[test]
fn short_stages_are_repeated() {
    let options = Options {
        min_seconds: 0.8,
        ..quick(&["ed25519".parse().unwrap()], &[1])
    };
    let mut store = Sqlite::in_memory().unwrap();
    let rows = pipeline::run(&Adamant, &mut store, &options, &mut ()).unwrap();
    let read = rows.iter().find(|row| row.stage == "db_read_crl").unwrap();
    assert!(read.runs > Some(read.passes), "{read:?}");
    for row in rows.iter().filter(|row| row.stage != "db_read_crl") {
        assert!(row.runs.is_none_or(|runs| runs > row.passes), "{row:?}");
    }
}

#[test]
fn a_listener_can_end_it() {
    let mut store = Sqlite::in_memory().unwrap();
    let mut heard = Heard {
        last: Some(1),
        ..Heard::default()
    };
    let rows = pipeline::run(&Adamant, &mut store, &quick(&few(), &[1, 2]), &mut heard).unwrap();
    assert_eq!((rows.len(), heard.begun.len()), (19, 1));
}

#[test]
fn rows_travel_as_json() {
    let mut store = Sqlite::in_memory().unwrap();
    let rows = pipeline::run(&Adamant, &mut store, &quick(&few(), &[1]), &mut ()).unwrap();
    let text = serde_json::to_string(&rows[1]).unwrap();
    let start = r#"{"stage":"cert_gen","algo":"ecdsa-p256","batch":1,"ms":"#;
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains(r#""keys":"counted","synchronous":"normal","provider":"adamant","#));
    assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), rows[1]);
}

#[test]
fn algorithms_by_name() {
    for (name, expected) in [
        ("P-256", "ecdsa-p256"),
        ("brainpoolP320r1", "ecdsa-brainpoolp320r1"),
        ("prime256v1", "ecdsa-p256"),
        ("EdDSA-Ed25519", "ed25519"),
        ("MLDSA65", "ml-dsa-65"),
        ("ml-dsa87", "ml-dsa-87"),
        ("slhdsa-shake-256f", "slh-dsa-shake-256f"),
        ("rsa2048", "rsa-2048"),
        ("SM2", "sm2"),
    ] {
        assert_eq!(name.parse::<Algorithm>().unwrap().name(), expected);
    }
    let error = "rsa1".parse::<Algorithm>().unwrap_err().to_string();
    let names: Vec<_> = Algorithm::all().map(Algorithm::name).collect();
    assert!(error.ends_with(&names.join(", ")), "{error}");
}

/// A provider with one fault.
struct Faulty {
    fault: Fault,
    signed: AtomicUsize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Spoils the signatures of one call, counted from 0.
    Signature(usize),
    /// Signs less than all.
    Lost,
    /// Cannot verify what is right.
    Verifier,
    /// Says that everything is right.
    Credulous(usize),
}

impl Provider for Faulty {
    type Key = <Adamant as Provider>::Key;
    type Verifier = PublicKey;

    fn name(&self) -> &'static str {
        "faulty"
    }

    fn generate_batch(&self, algorithm: Algorithm, count: usize) -> Result<Vec<Self::Key>> {
        Adamant.generate_batch(algorithm, count)
    }

    fn public_key(&self, key: &Self::Key) -> PublicKey {
        Adamant.public_key(key)
    }

    fn sign_batch(&self, key: &Self::Key, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>> {
        let mut signatures = Adamant.sign_batch(key, messages)?;
        let call = self.signed.fetch_add(1, Ordering::Relaxed);
        match self.fault {
            Fault::Signature(n) | Fault::Credulous(n) if n == call => {
                let signature = signatures.last_mut().unwrap();
                let end = signature.len() - 1;
                signature[end] ^= 1;
            }
            Fault::Lost if call > 0 => drop(signatures.pop()),
            _ => {}
        }
        Ok(signatures)
    }

    fn verifier(&self, spki: &[u8]) -> Result<PublicKey> {
        Adamant.verifier(spki)
    }

    fn verify_batch(
        &self,
        verifier: &PublicKey,
        items: &[(&[u8], &[u8])],
        verdicts: &mut [Verdict],
    ) -> Result<()> {
        match self.fault {
            Fault::Verifier => verdicts.fill(Err(adamant::Error::BadSignature)),
            Fault::Credulous(_) => verdicts.fill(Ok(())),
            _ => Adamant.verify_batch(verifier, items, verdicts)?,
        }
        Ok(())
    }
}

/// The first fault that the pipeline tells of.
fn found(fault: Fault) -> adamant_pipeline::Error {
    let provider = Faulty {
        fault,
        signed: AtomicUsize::new(0),
    };
    let mut store = Sqlite::in_memory().unwrap();
    let options = Options {
        threads: Some(1),
        ..quick(&few(), &[3])
    };
    let error = pipeline::run(&provider, &mut store, &options, &mut ()).unwrap_err();
    for kind in Kind::ALL {
        assert!(store.read(kind).unwrap().is_empty(), "{fault:?}: {kind:?}");
    }
    error
}

#[test]
fn faults_are_found() {
    // On one thread a batch of 3 is signed in one part: call 1 of the first pass is cert_gen with
    // keys counted, 2 with keys made beforehand, 3 is the CRL, 4 OCSP. The second pass begins with
    // call 5; its signatures are verified only by the stages.
    for (fault, sentence) in [
        (Fault::Signature(0), "signature verification failed"),
        (Fault::Signature(2), "signature verification failed"),
        (Fault::Credulous(4), "signature verification failed"),
        (
            Fault::Signature(7),
            "cert_verify: item 2: the signature does not verify",
        ),
        (
            Fault::Signature(8),
            "crl_verify: item 0: the signature does not verify",
        ),
        (
            Fault::Signature(9),
            "ocsp_verify: item 2: the signature does not verify",
        ),
        (
            Fault::Lost,
            "cert_gen: item 0: the provider lost signatures",
        ),
        (
            Fault::Verifier,
            "cert_verify: item 0: the signature does not verify",
        ),
    ] {
        let error = found(fault).to_string();
        assert!(error.contains(sentence), "{fault:?}: {error}");
    }
}
