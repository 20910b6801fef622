//! The embedded store: one SQLite file with a write-ahead log, one writer.
//!
//! The tables have no sequence and no foreign key; each is a tree in the order of its numbers.
//! A file is known as ours by SQLite's application id, so that no other database is ever emptied
//! by a measurement.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use adamant_pki::store::is_ours_or_empty;
use rusqlite::{Connection, TransactionBehavior, ffi, params};

use super::{Kind, Number, Store, Synchronous};
use crate::{Error, Result};

/// `adpb`, at octet 68 of the file: a database that measurements fill and empty.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"adpb");

/// A log with more octets of items than this is written back when a table is emptied. SQLite does
/// it at 4 MB of pages, inside the commit that gets there.
const LOG_LIMIT: usize = 1 << 20;

/// The statements for one kind.
struct Statements {
    create: &'static str,
    insert: &'static str,
    read: &'static str,
    clear: &'static str,
}

macro_rules! statements {
    ($table:literal) => {
        Statements {
            create: concat!(
                "CREATE TABLE IF NOT EXISTS ",
                $table,
                " (number BLOB PRIMARY KEY, der BLOB NOT NULL) WITHOUT ROWID"
            ),
            insert: concat!("INSERT INTO ", $table, " (number, der) VALUES (?1, ?2)"),
            read: concat!("SELECT der FROM ", $table, " ORDER BY number"),
            clear: concat!("DELETE FROM ", $table),
        }
    };
}

impl Kind {
    const fn statements(self) -> &'static Statements {
        match self {
            Kind::Certificate => &statements!("certificates"),
            Kind::Crl => &statements!("crls"),
            Kind::OcspResponse => &statements!("ocsp_responses"),
        }
    }
}

/// A store in one SQLite file, or in memory.
///
/// ```
/// use adamant_pipeline::store::{Kind, Number, Sqlite, Store};
/// let mut store = Sqlite::temporary()?;
/// let items: [(Number, &[u8]); 2] = [(2.into(), b"two"), (1.into(), b"one")];
/// store.insert(Kind::Certificate, &mut items.into_iter())?;
/// assert_eq!(store.read(Kind::Certificate)?, [b"one", b"two"]);
/// # Ok::<(), adamant_pipeline::Error>(())
/// ```
#[derive(Debug)]
pub struct Sqlite {
    connection: Connection,
    /// Octets that were inserted since the log was last written back.
    logged: usize,
    /// Dropped after the connection.
    _folder: Option<Folder>,
}

impl Sqlite {
    /// Opens the database in this file, or makes it.
    ///
    /// # Errors
    /// [`Error::ForeignFile`] if the file has anything else in it, and [`Error::Store`].
    pub fn open(path: &Path) -> Result<Self> {
        if !is_ours_or_empty(path, APPLICATION_ID).map_err(io_error)? {
            return Err(Error::ForeignFile(path.to_owned()));
        }
        Self::with(Connection::open(path)?, None)
    }

    /// A database in a folder of its own in the system's folder for temporary files, removed
    /// when the store is dropped.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn temporary() -> Result<Self> {
        let folder = Folder::temporary()?;
        let connection = Connection::open(folder.0.join("adamant-pki-bench.sqlite"))?;
        Self::with(connection, Some(folder))
    }

    /// A database in memory.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn in_memory() -> Result<Self> {
        Self::with(Connection::open_in_memory()?, None)
    }

    fn with(connection: Connection, folder: Option<Folder>) -> Result<Self> {
        // Before the log: the id is then in the file itself.
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        for kind in Kind::ALL {
            connection.execute_batch(kind.statements().create)?;
        }
        let mut store = Self {
            connection,
            logged: 0,
            _folder: folder,
        };
        store.set_synchronous(Synchronous::Full)?;
        Ok(store)
    }
}

impl Store for Sqlite {
    fn set_synchronous(&mut self, synchronous: Synchronous) -> Result<()> {
        self.connection
            .pragma_update(None, "synchronous", synchronous.name())?;
        Ok(())
    }

    fn insert(
        &mut self,
        kind: Kind,
        items: &mut dyn Iterator<Item = (Number, &[u8])>,
    ) -> Result<()> {
        // Rolled back when it is dropped before the commit.
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut insert = transaction.prepare_cached(kind.statements().insert)?;
        let mut octets = 0;
        for (number, der) in items {
            octets += der.len();
            insert
                .execute(params![number.as_bytes(), der])
                .map_err(|error| match error.sqlite_extended_error_code() {
                    Some(ffi::SQLITE_CONSTRAINT_PRIMARYKEY) => Error::Duplicate(number),
                    _ => error.into(),
                })?;
        }
        drop(insert);
        transaction.commit()?;
        self.logged += octets;
        Ok(())
    }

    fn read(&mut self, kind: Kind) -> Result<Vec<Vec<u8>>> {
        let mut select = self.connection.prepare_cached(kind.statements().read)?;
        let mut rows = select.query([])?;
        let mut items = Vec::new();
        while let Some(row) = rows.next()? {
            let der = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            items.push(der.to_vec());
        }
        Ok(items)
    }

    fn clear(&mut self, kind: Kind) -> Result<()> {
        // The log is written back now, before it is so long that an insert does it. The first
        // transaction of a new log waits for the disk, whatever the setting: it is the one here.
        if self.logged > LOG_LIMIT {
            self.connection
                .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            self.logged = 0;
        }
        self.connection
            .prepare_cached(kind.statements().clear)?
            .execute([])?;
        Ok(())
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Error::Store(Box::new(error))
    }
}

fn io_error(error: io::Error) -> Error {
    Error::Store(Box::new(error))
}

/// A folder that goes with its value.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    /// A new folder that nobody else made, for this user only.
    fn temporary() -> Result<Self> {
        #[cfg_attr(not(unix), expect(unused_mut))]
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for attempt in 0u32.. {
            let name = format!("adamant-pki-bench-{}-{attempt}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match builder.create(&path) {
                Ok(()) => return Ok(Folder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io_error(error)),
            }
        }
        Err(io_error(io::ErrorKind::AlreadyExists.into()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed is the system's to clean up.
        let _ = fs::remove_dir_all(&self.0);
    }
}
