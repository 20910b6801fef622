//! The store beside the same statements through plain `rusqlite`: inserts in one transaction and
//! reads of 1024 blobs, in turns, medians.
//!
//! The last to insert finds its pages in the CPU's cache, the second to read a warm allocator:
//! the sides change places from round to round, and a read is timed after one that is not.
//!
//! `cargo run --release -p adamant-pipeline --example plain_rusqlite [OCTETS]`

use std::hint::black_box;
use std::time::{Duration, Instant};

use adamant_pipeline::store::{Kind, Number, Sqlite, Store, Synchronous};
use rusqlite::{Connection, params};

const ITEMS: u64 = 1024;
const ROUNDS: usize = 301;

type Result<T = (), E = Box<dyn std::error::Error>> = core::result::Result<T, E>;

/// A database with the statements of the store.
struct Plain {
    connection: Connection,
    logged: usize,
}

impl Plain {
    fn open(folder: &std::path::Path) -> Result<Self> {
        let connection = Connection::open(folder.join("plain.sqlite"))?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        connection.execute_batch(
            "CREATE TABLE certificates (number BLOB PRIMARY KEY, der BLOB NOT NULL) WITHOUT ROWID",
        )?;
        let logged = 0;
        Ok(Plain { connection, logged })
    }

    /// As the store writes its log back.
    fn clear(&mut self) -> Result {
        if self.logged > 1 << 20 {
            let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
            self.connection.query_row(sql, [], |_| Ok(()))?;
            self.logged = 0;
        }
        self.connection.execute("DELETE FROM certificates", [])?;
        Ok(())
    }

    fn insert(&mut self, numbers: &[Number], blobs: &[Vec<u8>]) -> Result {
        let transaction = self.connection.transaction()?;
        {
            let sql = "INSERT INTO certificates (number, der) VALUES (?1, ?2)";
            let mut insert = transaction.prepare_cached(sql)?;
            for (number, der) in numbers.iter().zip(blobs) {
                insert.execute(params![number.as_bytes(), der])?;
            }
        }
        transaction.commit()?;
        self.logged += blobs.iter().map(Vec::len).sum::<usize>();
        Ok(())
    }

    fn read(&self) -> Result<Vec<Vec<u8>>> {
        let sql = "SELECT der FROM certificates ORDER BY number";
        let mut select = self.connection.prepare_cached(sql)?;
        let rows = select.query_map([], |row| row.get::<_, Vec<u8>>(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

fn timed<T>(run: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let start = Instant::now();
    black_box(run()?);
    Ok(start.elapsed())
}

fn main() -> Result {
    let octets = std::env::args().nth(1).map_or(Ok(465), |n| n.parse())?;
    let blobs: Vec<Vec<u8>> = (0..ITEMS).map(|i| vec![i as u8; octets]).collect();
    let numbers: Vec<Number> = (1..=ITEMS).map(Number::from).collect();

    let mut store = Sqlite::temporary()?;
    store.set_synchronous(Synchronous::Normal)?;
    let folder = tempfile::tempdir()?;
    let mut plain = Plain::open(folder.path())?;

    let mut times: [[Vec<Duration>; 2]; 2] = Default::default();
    for round in 0..ROUNDS {
        for side in [round % 2, 1 - round % 2] {
            times[0][side].push(if side == 0 {
                store.clear(Kind::Certificate)?;
                let items = numbers.iter().zip(&blobs);
                let mut items = items.map(|(number, der)| (*number, &der[..]));
                timed(|| Ok(store.insert(Kind::Certificate, &mut items)?))?
            } else {
                plain.clear()?;
                timed(|| plain.insert(&numbers, &blobs))?
            });
        }
        for side in [round / 2 % 2, 1 - round / 2 % 2] {
            let mut read = || {
                if side == 0 {
                    timed(|| Ok(store.read(Kind::Certificate)?))
                } else {
                    timed(|| plain.read())
                }
            };
            read()?;
            times[1][side].push(read()?);
        }
    }
    for (stage, sides) in ["db_insert_certs", "db_read_certs"].into_iter().zip(times) {
        let [ours, theirs] = sides.map(|mut times| {
            times.sort_unstable();
            times[times.len() / 2].as_secs_f64() * 1e3
        });
        println!(
            "{stage:<16} store {ours:.3} ms, rusqlite {theirs:.3} ms: {:+.1} %",
            100.0 * (ours / theirs - 1.0)
        );
    }
    Ok(())
}
