//! The store beside the same statements through `rusqlite` alone: inserts in one transaction and
//! reads of 1024 blobs, in turns, medians.
//!
//! `cargo run --release -p adamant-pki --example plain_rusqlite [OCTETS]`

use std::hint::black_box;
use std::time::{Duration, Instant};

use adamant_pki::store::{Kind, Number, Sqlite, Store, Synchronous};
use rusqlite::{Connection, params};

const ITEMS: u64 = 1024;
const ROUNDS: usize = 201;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let octets = std::env::args().nth(1).map_or(Ok(465), |n| n.parse())?;
    let blobs: Vec<Vec<u8>> = (0..ITEMS).map(|i| vec![i as u8; octets]).collect();
    let numbers: Vec<Number> = (1..=ITEMS).map(Number::from).collect();

    let mut store = Sqlite::temporary()?;
    store.set_synchronous(Synchronous::Normal)?;
    let folder = tempfile::tempdir()?;
    let mut plain = Connection::open(folder.path().join("plain.sqlite"))?;
    plain.pragma_update(None, "journal_mode", "wal")?;
    plain.pragma_update(None, "synchronous", "normal")?;
    plain.execute_batch(
        "CREATE TABLE certificates (number BLOB PRIMARY KEY, der BLOB NOT NULL) WITHOUT ROWID",
    )?;

    let mut times: [Vec<Duration>; 4] = Default::default();
    for round in 0..ROUNDS {
        store.clear(Kind::Certificate)?;
        let items = numbers.iter().zip(&blobs);
        let start = Instant::now();
        store.insert(
            Kind::Certificate,
            &mut items.map(|(number, der)| (*number, &der[..])),
        )?;
        times[0].push(start.elapsed());

        // As the store does it, outside the timing.
        if plain.query_row("SELECT count(*) FROM certificates", [], |row| {
            row.get::<_, i64>(0)
        })? > 0
        {
            plain.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        }
        plain.execute("DELETE FROM certificates", [])?;
        let start = Instant::now();
        let transaction = plain.transaction()?;
        {
            let sql = "INSERT INTO certificates (number, der) VALUES (?1, ?2)";
            let mut insert = transaction.prepare_cached(sql)?;
            for (number, der) in numbers.iter().zip(&blobs) {
                insert.execute(params![number.as_bytes(), der])?;
            }
        }
        transaction.commit()?;
        times[1].push(start.elapsed());

        // Whoever comes second finds the allocator warm.
        for side in [round % 2, 1 - round % 2] {
            let start = Instant::now();
            if side == 0 {
                black_box(store.read(Kind::Certificate)?);
            } else {
                let sql = "SELECT der FROM certificates ORDER BY number";
                let mut select = plain.prepare_cached(sql)?;
                let rows = select.query_map([], |row| row.get::<_, Vec<u8>>(0))?;
                black_box(rows.collect::<Result<Vec<_>, _>>()?);
            }
            times[2 + side].push(start.elapsed());
        }
    }
    let [insert, plain_insert, read, plain_read] = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e3
    });
    for (stage, ours, theirs) in [
        ("db_insert_certs", insert, plain_insert),
        ("db_read_certs", read, plain_read),
    ] {
        println!(
            "{stage:<16} store {ours:.3} ms, rusqlite {theirs:.3} ms: {:+.1} %",
            100.0 * (ours / theirs - 1.0)
        );
    }
    Ok(())
}
