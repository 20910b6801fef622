//! What every store must do.

use std::fs;

use adamant_pipeline::Error;
use adamant_pipeline::store::{Kind, Number, Sqlite, Store, Synchronous};

type Items<'a> = Vec<(Number, &'a [u8])>;

fn insert(store: &mut dyn Store, kind: Kind, items: &[(Number, &[u8])]) -> Result<(), Error> {
    store.insert(kind, &mut items.iter().copied())
}

/// The suite: `new` gives an empty store.
fn suite<S: Store>(new: impl Fn() -> S) {
    reads_back_in_order(&mut new());
    keeps_kinds_apart(&mut new());
    refuses_duplicates(&mut new());
    inserts_all_or_nothing(&mut new());
    empties_one_kind(&mut new());
    takes_odd_sizes(&mut new());
}

fn reads_back_in_order(store: &mut dyn Store) {
    for setting in [Synchronous::Normal, Synchronous::Full] {
        store.set_synchronous(setting).unwrap();
        for kind in Kind::ALL {
            store.clear(kind).unwrap();
            assert!(store.read(kind).unwrap().is_empty());
            let items: Vec<_> = (1..=300u64).map(|i| (i, i.to_string())).collect();
            let backwards = items.iter().rev();
            let mut rows = backwards.map(|(i, der)| (Number::from(*i), der.as_bytes()));
            store.insert(kind, &mut rows).unwrap();
            let expected = items.iter().map(|(_, der)| der.as_bytes());
            assert!(store.read(kind).unwrap().iter().eq(expected));
        }
    }
}

fn keeps_kinds_apart(store: &mut dyn Store) {
    let one = Number::from(1);
    insert(store, Kind::Certificate, &[(one, b"certificate")]).unwrap();
    insert(store, Kind::OcspResponse, &[(one, b"response")]).unwrap();
    assert_eq!(store.read(Kind::Certificate).unwrap(), [b"certificate"]);
    assert!(store.read(Kind::Crl).unwrap().is_empty());
    assert_eq!(store.read(Kind::OcspResponse).unwrap(), [b"response"]);
}

fn refuses_duplicates(store: &mut dyn Store) {
    let seven = Number::new(&[7; 20]).unwrap();
    insert(store, Kind::Certificate, &[(seven, b"first")]).unwrap();
    let error = insert(store, Kind::Certificate, &[(seven, b"second")]).unwrap_err();
    assert!(matches!(error, Error::Duplicate(number) if number == seven));
    assert_eq!(store.read(Kind::Certificate).unwrap(), [b"first"]);
}

fn inserts_all_or_nothing(store: &mut dyn Store) {
    let items: Items<'_> = vec![
        (1.into(), b"one"),
        (2.into(), b"two"),
        (1.into(), b"one again"),
    ];
    let error = insert(store, Kind::OcspResponse, &items).unwrap_err();
    assert!(matches!(error, Error::Duplicate(number) if number == Number::from(1)));
    assert!(store.read(Kind::OcspResponse).unwrap().is_empty());
    // The store goes on.
    insert(store, Kind::OcspResponse, &items[..2]).unwrap();
    assert_eq!(store.read(Kind::OcspResponse).unwrap(), [b"one", b"two"]);
}

fn empties_one_kind(store: &mut dyn Store) {
    let items: Items<'_> = vec![(1.into(), b"one")];
    insert(store, Kind::Crl, &items).unwrap();
    insert(store, Kind::Certificate, &items).unwrap();
    store.clear(Kind::Crl).unwrap();
    assert!(store.read(Kind::Crl).unwrap().is_empty());
    assert_eq!(store.read(Kind::Certificate).unwrap(), [b"one"]);
    insert(store, Kind::Crl, &items).unwrap();
}

fn takes_odd_sizes(store: &mut dyn Store) {
    let large = vec![0xa5; 300_000];
    let items: Items<'_> = vec![
        (Number::new(&[]).unwrap(), b""),
        (Number::new(&[0xff; 20]).unwrap(), &large),
    ];
    insert(store, Kind::Certificate, &items).unwrap();
    assert_eq!(store.read(Kind::Certificate).unwrap(), [&b""[..], &large]);
    insert(store, Kind::Crl, &[]).unwrap();
    assert!(store.read(Kind::Crl).unwrap().is_empty());
}

#[test]
fn sqlite_in_memory() {
    suite(|| Sqlite::in_memory().unwrap());
}

#[test]
fn sqlite_in_a_file() {
    suite(|| Sqlite::temporary().unwrap());
}

#[test]
fn sqlite_keeps_what_was_committed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("measured.sqlite");
    let items: Items<'_> = vec![(5.into(), b"five")];
    insert(&mut Sqlite::open(&path).unwrap(), Kind::Crl, &items).unwrap();
    let mut again = Sqlite::open(&path).unwrap();
    assert_eq!(again.read(Kind::Crl).unwrap(), [b"five"]);
}

#[test]
fn sqlite_knows_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "").unwrap();
    drop(Sqlite::open(&path).expect("an empty file is as good as none"));

    for contents in [&b"SQLite format 3\0"[..], b"a text", &[0; 4096]] {
        fs::write(&path, contents).unwrap();
        let error = Sqlite::open(&path).unwrap_err();
        assert!(error.to_string().contains("was left as it is"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), contents);
    }

    let foreign = folder.path().join("foreign.sqlite");
    let database = rusqlite::Connection::open(&foreign).unwrap();
    database
        .execute_batch("CREATE TABLE certificates (precious)")
        .unwrap();
    drop(database);
    let before = fs::read(&foreign).unwrap();
    let error = Sqlite::open(&foreign).unwrap_err();
    assert!(matches!(error, Error::ForeignFile(path) if path == foreign));
    assert_eq!(fs::read(&foreign).unwrap(), before);
    assert!(Sqlite::open(folder.path()).is_err());
}

#[test]
fn numbers() {
    assert_eq!(Number::from(0).to_string(), "00");
    assert_eq!(Number::from(0x0102).to_string(), "0102");
    let error = Number::new(&[0; 21]).unwrap_err();
    assert_eq!(error.to_string(), "a number of 21 octets, 20 are allowed");
}
