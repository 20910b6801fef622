//! The embedded store of a certification authority: one SQLite file with a write-ahead log, whose
//! commits wait for the disk (`synchronous = FULL`).
//!
//! A process writes through one connection, one transaction after another; other processes wait
//! for each other in SQLite. Many certificates are stored fast as [`Changes`] of many rows.

mod database;
mod schema;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use adamant::der::Time;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use super::calls::{Work, ca_store};
use super::database::Database;
use super::write::Write;
use super::{Error, Failpoints, Lease, Point, Result, Synchronous};
use database::Link;

/// How long a transaction waits for those of other processes.
const PATIENCE: Duration = Duration::from_secs(60);
/// Prepared statements that are kept: more than there are.
const STATEMENTS: usize = 64;
/// Pages of the log after which a commit writes it back to the file: 64 MiB.
const LOG_PAGES: u32 = 16_384;

/// Whether there is no file, an empty one, or an SQLite database with this application id. The file
/// is only read.
///
/// ```
/// let nowhere = std::env::temp_dir().join("no such file");
/// assert!(adamant_pki::store::is_ours_or_empty(&nowhere, 1)?);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of reading it.
pub fn is_ours_or_empty(path: &Path, application_id: i32) -> io::Result<bool> {
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(72).read_to_end(&mut header)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    let ours = header.starts_with(b"SQLite format 3\0")
        && header.get(68..72) == Some(&application_id.to_be_bytes());
    Ok(header.is_empty() || ours)
}

/// A store in one SQLite file, or in memory.
///
/// See [`super`] for an example.
#[derive(Debug)]
pub struct SqliteCa {
    connection: Mutex<Connection>,
    failpoints: Failpoints,
}

impl SqliteCa {
    /// Opens the database in this file, or makes it, and brings its tables to the newest version.
    ///
    /// # Errors
    /// [`Error::ForeignFile`] if the file has anything else in it, [`Error::Schema`] if a newer
    /// version made it, and [`Error::Unavailable`].
    pub fn open(path: &Path) -> Result<Self> {
        let ours = is_ours_or_empty(path, schema::APPLICATION_ID);
        if !ours.map_err(|e| Error::Unavailable(Box::new(e)))? {
            return Err(Error::ForeignFile(path.to_owned()));
        }
        Self::with(Connection::open(path).map_err(failed)?)
    }

    /// A database in memory.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub fn in_memory() -> Result<Self> {
        Self::with(Connection::open_in_memory().map_err(failed)?)
    }

    fn with(mut connection: Connection) -> Result<Self> {
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        // Else a statement whose plan might depend on values is prepared again at each use.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
            .map_err(failed)?;
        let own: i32 = connection
            .query_row("PRAGMA application_id", [], |row| row.get(0))
            .map_err(failed)?;
        if own != schema::APPLICATION_ID {
            // Before the log: the id is then in the file itself.
            connection
                .pragma_update(None, "application_id", schema::APPLICATION_ID)
                .map_err(failed)?;
        }
        write_ahead(&connection)?;
        for (name, value) in [("wal_autocheckpoint", LOG_PAGES), ("foreign_keys", 0)] {
            connection
                .pragma_update(None, name, value)
                .map_err(failed)?;
        }
        schema::migrate(&mut connection)?;
        let store = Self {
            connection: Mutex::new(connection),
            failpoints: Failpoints::default(),
        };
        store.set_synchronous(Synchronous::Full)?;
        Ok(store)
    }

    /// The same with failpoints.
    #[must_use]
    pub fn with_failpoints(self, failpoints: Failpoints) -> Self {
        Self { failpoints, ..self }
    }

    /// Says when commits are over, from the next one on. With [`Synchronous::Normal`] the end of
    /// the machine can take certificates that were given away: for measurements.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub fn set_synchronous(&self, synchronous: Synchronous) -> Result<()> {
        self.connection()
            .pragma_update(None, "synchronous", synchronous.name())
            .map_err(failed)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic in a transaction has rolled it back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(&self, read: impl FnOnce(&mut dyn Database) -> Result<T>) -> Result<T> {
        read(&mut Link(&self.connection()))
    }

    /// One transaction: what `work` writes, then its audit rows and the head.
    fn try_write(&self, at: Time, lease: Option<&Lease>, work: &mut Work<'_>) -> Result<()> {
        self.failpoints.at(Point::BeforeBegin)?;
        let mut connection = self.connection();
        // Rolled back when it is dropped before the commit.
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        self.failpoints.at(Point::Begun)?;
        let mut link = Link(&transaction);
        let mut write = Write::new(&mut link, at, &self.failpoints)?;
        if let Some(lease) = lease {
            write.fence(lease)?;
        }
        work(&mut write)?;
        write.finish(None)?;
        self.failpoints.at(Point::AuditWritten)?;
        self.failpoints.at(Point::BeforeCommit)?;
        commit(transaction)?;
        self.failpoints.at(Point::AfterCommit)
    }
}

ca_store!(SqliteCa);

/// Turns the write-ahead log on, which other processes that start can stand in the way of.
fn write_ahead(connection: &Connection) -> Result<()> {
    let mut tries = 0;
    loop {
        match connection.pragma_update(None, "journal_mode", "wal") {
            Err(error) if is_busy(&error) && tries < 1000 => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result.map_err(failed),
        }
    }
}

/// Commits; when the disk fails at that, the log may have the transaction or not.
fn commit(transaction: Transaction<'_>) -> Result<()> {
    transaction
        .commit()
        .map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::DiskFull) => {
                failed(error)
            }
            _ => Error::OutcomeUnknown(Box::new(error)),
        })
}

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// A failure of SQLite: nothing has changed.
fn failed(error: rusqlite::Error) -> Error {
    Error::Unavailable(Box::new(error))
}
