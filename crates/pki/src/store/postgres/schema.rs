//! The tables, and how older ones become the newest.

use super::super::database::Database;
use super::super::{Error, Result, read};
use super::link::{Link, PAUSE, failed, is_missing, is_race};

/// Step `n` makes version `n + 1` of version `n`.
///
/// Everything is found by a key that the database did not draw, and no table refers to another:
/// what holds between them, the row of the head guards, which every transaction locks first.
const STEPS: &[&str] = &[
    "
    CREATE TABLE documents (
        name TEXT PRIMARY KEY,
        contents BYTEA NOT NULL
    );
    CREATE TABLE head (
        id BIGINT PRIMARY KEY CHECK (id = 1),
        sequence BIGINT NOT NULL,
        at BIGINT NOT NULL,
        hash BYTEA NOT NULL,
        crl_number BIGINT NOT NULL
    );
    INSERT INTO head VALUES (1, 0, 0, decode(repeat('00', 32), 'hex'), 0);
    CREATE TABLE intents (
        serial BYTEA PRIMARY KEY,
        tbs BYTEA NOT NULL,
        tbs_sha256 BYTEA NOT NULL,
        subject TEXT NOT NULL,
        profile TEXT NOT NULL,
        shard BIGINT NOT NULL,
        not_before BIGINT NOT NULL,
        not_after BIGINT NOT NULL,
        at BIGINT NOT NULL,
        lease TEXT,
        token BIGINT
    );
    CREATE TABLE certificates (serial BYTEA PRIMARY KEY, der BYTEA NOT NULL);
    CREATE TABLE abandoned (serial BYTEA PRIMARY KEY, at BIGINT NOT NULL);
    CREATE TABLE revocations (
        serial BYTEA PRIMARY KEY,
        shard BIGINT NOT NULL,
        reason BIGINT NOT NULL,
        date BIGINT NOT NULL,
        invalidity_date BIGINT,
        -- The last CRL number when it changed.
        since BIGINT NOT NULL,
        revision BIGINT NOT NULL
    );
    CREATE TABLE crls (
        number BIGINT PRIMARY KEY,
        shard BIGINT,
        delta BOOLEAN NOT NULL,
        base BIGINT,
        this_update BIGINT NOT NULL,
        next_update BIGINT NOT NULL,
        der BYTEA NOT NULL
    );
    CREATE TABLE ocsp_responses (
        serial BYTEA PRIMARY KEY,
        revision BIGINT NOT NULL,
        this_update BIGINT NOT NULL,
        next_update BIGINT NOT NULL,
        der BYTEA NOT NULL
    );
    CREATE TABLE audit (
        sequence BIGINT PRIMARY KEY,
        at BIGINT NOT NULL,
        kind BIGINT NOT NULL,
        subject BYTEA,
        digest BYTEA NOT NULL,
        note TEXT NOT NULL,
        hash BYTEA NOT NULL,
        -- Drawn by the writer for its transaction, so that it finds it again.
        mark BYTEA NOT NULL
    );
    CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        holder TEXT NOT NULL,
        token BIGINT NOT NULL,
        until BIGINT NOT NULL
    );
",
    "
    CREATE TABLE batches (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    -- With the serial number of the intent.
    CREATE TABLE batch_items (
        serial BYTEA PRIMARY KEY,
        batch BIGINT NOT NULL,
        number BIGINT NOT NULL,
        digest BYTEA NOT NULL
    );
    CREATE INDEX batch_items_by_number ON batch_items (batch, number);
",
];

/// The newest version.
const VERSION: u32 = STEPS.len() as u32;
/// Tries while other processes make the tables.
const TRIES: usize = 250;

/// Brings the tables to the newest version, whatever other processes do meanwhile.
pub(super) fn migrate(link: &mut Link) -> Result<()> {
    for _ in 0..TRIES {
        let found = match version(link) {
            Err(error) if is_missing(&error) => 0,
            found => found?,
        };
        if found > VERSION {
            return Err(Error::Schema {
                found,
                known: VERSION,
            });
        }
        // Whoever only issues may lack the right to make tables.
        if found == VERSION {
            return Ok(());
        }
        match steps(link) {
            Err(error) if is_race(&error) => {
                link.batch("ROLLBACK").map_err(failed)?;
                std::thread::sleep(PAUSE);
            }
            result => return result,
        }
    }
    Err(Error::Unavailable(
        "other processes were making its tables all the time".into(),
    ))
}

/// One transaction with all the steps that are missing.
fn steps(link: &mut Link) -> Result<()> {
    link.begin()?;
    link.batch(
        "CREATE TABLE IF NOT EXISTS adamant_ca (id BIGINT PRIMARY KEY, version BIGINT NOT NULL);
         INSERT INTO adamant_ca VALUES (1, 0) ON CONFLICT (id) DO NOTHING;
         SELECT version FROM adamant_ca WHERE id = 1 FOR UPDATE",
    )
    .map_err(failed)?;
    let found = version(link)?;
    for step in STEPS.iter().skip(found as usize) {
        link.batch(step).map_err(failed)?;
    }
    if found < VERSION {
        let sql = "UPDATE adamant_ca SET version = $1 WHERE id = 1";
        link.execute(sql, &[], &[VERSION.into()])?;
    }
    link.batch("COMMIT").map_err(failed)
}

/// The version of the tables that are there.
pub(super) fn version(db: &mut dyn Database) -> Result<u32> {
    let sql = "SELECT version FROM adamant_ca WHERE id = 1";
    let version = read::one(db, sql, &[], |row| row.shard(0))?;
    version.flatten().ok_or(Error::Corrupt("the version"))
}
