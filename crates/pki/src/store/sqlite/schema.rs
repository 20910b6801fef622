//! The tables, and how older ones become the newest.

use rusqlite::{Connection, TransactionBehavior};

use super::super::database::Database;
use super::super::{Error, Result, read};
use super::{Link, failed};

/// `adpc`, at octet 68 of the file.
pub(super) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"adpc");

/// Step `n` makes version `n + 1` of version `n`.
///
/// Intents and certificates lie in the order in which they came, so that an issuance appends to
/// both, and only the index of serial numbers is written at random places. Nothing on the path of
/// an issuance is ever updated but the head.
const STEPS: &[&str] = &[
    "
    CREATE TABLE documents (
        name TEXT PRIMARY KEY,
        contents BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE head (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        sequence INTEGER NOT NULL,
        at INTEGER NOT NULL,
        hash BLOB NOT NULL,
        crl_number INTEGER NOT NULL
    ) STRICT;
    INSERT INTO head VALUES (1, 0, 0, zeroblob(32), 0);
    CREATE TABLE intents (
        id INTEGER PRIMARY KEY,
        serial BLOB NOT NULL UNIQUE,
        tbs BLOB NOT NULL,
        tbs_sha256 BLOB NOT NULL,
        subject TEXT NOT NULL,
        profile TEXT NOT NULL,
        shard INTEGER NOT NULL,
        not_before INTEGER NOT NULL,
        not_after INTEGER NOT NULL,
        at INTEGER NOT NULL,
        lease TEXT,
        token INTEGER
    ) STRICT;
    -- Both have the id of their intent.
    CREATE TABLE certificates (id INTEGER PRIMARY KEY, der BLOB NOT NULL) STRICT;
    CREATE TABLE abandoned (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
    CREATE TABLE revocations (
        serial BLOB PRIMARY KEY,
        shard INTEGER NOT NULL,
        reason INTEGER NOT NULL,
        date INTEGER NOT NULL,
        invalidity_date INTEGER,
        -- The last CRL number when it changed.
        since INTEGER NOT NULL,
        revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE crls (
        number INTEGER PRIMARY KEY,
        shard INTEGER,
        delta INTEGER NOT NULL,
        base INTEGER,
        this_update INTEGER NOT NULL,
        next_update INTEGER NOT NULL,
        der BLOB NOT NULL
    ) STRICT;
    CREATE TABLE ocsp_responses (
        serial BLOB PRIMARY KEY,
        revision INTEGER NOT NULL,
        this_update INTEGER NOT NULL,
        next_update INTEGER NOT NULL,
        der BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE audit (
        sequence INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        subject BLOB,
        digest BLOB NOT NULL,
        note TEXT NOT NULL,
        hash BLOB NOT NULL
    ) STRICT;
    CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        holder TEXT NOT NULL,
        token INTEGER NOT NULL,
        until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
",
    "
    CREATE TABLE batches (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    -- With the id of the intent.
    CREATE TABLE batch_items (
        id INTEGER PRIMARY KEY,
        batch INTEGER NOT NULL,
        number INTEGER NOT NULL,
        digest BLOB NOT NULL
    ) STRICT;
    CREATE INDEX batch_items_by_number ON batch_items (batch, number);
",
];

/// The newest version.
const VERSION: u32 = STEPS.len() as u32;

/// Brings the tables to the newest version, whatever other processes do meanwhile.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failed)?;
    let found = version(&mut Link(&transaction))?;
    if found > VERSION {
        return Err(Error::Schema {
            found,
            known: VERSION,
        });
    }
    if found == VERSION {
        return Ok(());
    }
    for step in &STEPS[found as usize..] {
        transaction.execute_batch(step).map_err(failed)?;
    }
    transaction
        .pragma_update(None, "user_version", VERSION)
        .map_err(failed)?;
    transaction.commit().map_err(failed)
}

/// The version of the tables that are there.
pub(super) fn version(db: &mut dyn Database) -> Result<u32> {
    let version = read::one(db, "PRAGMA user_version", &[], |row| row.shard(0))?;
    version.flatten().ok_or(Error::Corrupt("the version"))
}
