//! The stages on other libraries, where they are installed: what they make is read and verified
//! by this project, in the pipeline's own checks, and the other way round.

mod interoperation;

use std::path::PathBuf;

use adamant_pipeline::store::Sqlite;
use adamant_pipeline::toolkit::{Loaded, OpenSsl, Toolkit};
use adamant_pipeline::{self as pipeline, Adamant, Algorithm, Options, Side};

/// The library that the system finds, or that is named.
fn openssl() -> Option<OpenSsl> {
    let path = std::env::var_os("ADAMANT_LIBCRYPTO").map(PathBuf::from);
    match OpenSsl::load(path.as_deref()) {
        Ok(found) => Some(found),
        Err(why) => {
            println!("{why}: nothing tested");
            None
        }
    }
}

fn quick(algorithms: Vec<Algorithm>) -> Options {
    Options {
        algorithms,
        sizes: vec![5],
        min_seconds: 0.0,
        threads: Some(2),
        ..Options::default()
    }
}

/// All that it has but the slowest.
fn algorithms(toolkit: &impl Toolkit) -> Vec<Algorithm> {
    let slow = |a: &Algorithm| {
        a.name().starts_with("slh-dsa") || a.modulus_bits().is_some_and(|bits| bits > 2048)
    };
    let all = Algorithm::all().filter(|a| toolkit.has(*a));
    all.filter(|a| !slow(a)).collect()
}

/// Runs all stages on both sides and compares their rows.
fn makes_what_we_make(rival: &impl Toolkit, name: &str) {
    let algorithms = algorithms(rival);
    let count = algorithms.len();
    assert!(count >= 4, "{algorithms:?}");
    let sides = [Side::new(&Adamant), Side::new(rival)];
    let store = &mut Sqlite::in_memory().unwrap();
    let rows = pipeline::compare(&sides, store, &quick(algorithms), &mut ()).unwrap();
    assert_eq!(rows.len(), count * 2 * 19);
    for rows in rows.chunks(38) {
        let (ours, theirs) = rows.split_at(19);
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert_eq!(ours.provider, "adamant");
            assert!(theirs.provider.starts_with(name), "{theirs:?}");
            assert_eq!((&ours.stage, &ours.algo), (&theirs.stage, &theirs.algo));
            // The same contents: signatures of ECDSA differ in length, and so do the numbers of
            // the two CAs, and what OpenSSL says beside a hash in responses.
            let differ = ours.der_bytes.abs_diff(theirs.der_bytes);
            assert!(differ <= 16, "{ours:?} {theirs:?}");
        }
    }
}

#[test]
fn openssl_makes_what_we_read() {
    let Some(openssl) = openssl() else { return };
    makes_what_we_make(&openssl, "openssl ");
}

#[test]
fn a_library_built_apart_makes_what_we_read() {
    let Some(file) = std::env::var_os("ADAMANT_SYNTA").map(PathBuf::from) else {
        println!("ADAMANT_SYNTA names none: nothing tested");
        return;
    };
    let synta = Loaded::load(&file).unwrap();
    makes_what_we_make(&synta, "synta-certificate ");
}

#[test]
fn what_a_library_lacks_is_left_out() {
    let Some(openssl) = openssl() else { return };
    let Some(lacking) = Algorithm::all().find(|a| !openssl.has(*a)) else {
        println!("it has all: nothing tested");
        return;
    };
    let sides = [Side::new(&Adamant), Side::new(&openssl)];
    let store = &mut Sqlite::in_memory().unwrap();
    let rows = pipeline::compare(&sides, store, &quick(vec![lacking]), &mut ()).unwrap();
    assert_eq!(rows.len(), 19);
    assert!(rows.iter().all(|row| row.provider == "adamant"));
}

#[cfg(unix)]
#[test]
fn nss_signs_and_verifies_what_we_read() {
    let folder = std::env::var_os("ADAMANT_NSS").map(PathBuf::from);
    let nss = match adamant_pipeline::toolkit::Nss::load(folder.as_deref()) {
        Ok(found) => found,
        Err(why) => {
            println!("{why}: nothing tested");
            return;
        }
    };
    let algorithms = algorithms(&nss);
    let count = algorithms.len();
    assert!(count >= 4, "{algorithms:?}");
    let store = &mut Sqlite::in_memory().unwrap();
    let rows = pipeline::run(&nss, store, &quick(algorithms), &mut ()).unwrap();
    assert_eq!(rows.len(), count * 19);
    assert!(rows.iter().all(|row| row.provider.starts_with("nss ")));
}

#[test]
fn libraries_have_their_own_names() {
    let sides = [Side::new(&Adamant); 2];
    let store = &mut Sqlite::in_memory().unwrap();
    let error = pipeline::compare(&sides, store, &quick(Vec::new()), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "two libraries call themselves adamant");
}

#[test]
fn no_library() {
    let Err(error) = OpenSsl::load(Some("/no/such/libcrypto.so".as_ref())) else {
        panic!("it was loaded");
    };
    assert!(error.to_string().starts_with("no OpenSSL: "), "{error}");
    let Err(error) = Loaded::load("/no/such/toolkit.so".as_ref()) else {
        panic!("it was loaded");
    };
    assert!(error.to_string().contains("toolkit.so"), "{error}");
}
