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

/// A log that is longer than this is written back when a table is emptied. SQLite would do it at
/// about as much, inside the commit that gets there, whose time is measured.
const LOG_LIMIT: u64 = 4 << 20;

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
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        for kind in Kind::ALL {
            connection.execute_batch(kind.statements().create)?;
        }
        let mut store = Self {
            connection,
            _folder: folder,
        };
        store.set_synchronous(Synchronous::Full)?;
        Ok(store)
    }

    /// Octets of the log, which is empty once it is written back.
    fn log_len(&self) -> u64 {
        match self.connection.path() {
            // In memory.
            Some("") => 0,
            Some(path) => fs::metadata(format!("{path}-wal")).map_or(0, |log| log.len()),
            // A name that is no text: it is written back each time.
            None => u64::MAX,
        }
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
        for (number, der) in items {
            insert
                .execute(params![number.as_bytes(), der])
                .map_err(|error| match error.sqlite_extended_error_code() {
                    Some(ffi::SQLITE_CONSTRAINT_PRIMARYKEY) => Error::Duplicate(number),
                    _ => error.into(),
                })?;
        }
        drop(insert);
        transaction.commit()?;
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
        // The log is written back here, as no commit does it. The first transaction of a new log
        // waits for the disk, whatever the setting: it is the one here.
        if self.log_len() > LOG_LIMIT {
            self.connection
                .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_written_back_only_where_a_table_is_emptied() {
        let mut store = Sqlite::temporary().unwrap();
        store.set_synchronous(Synchronous::Normal).unwrap();
        let insert = |store: &mut Sqlite, number: u64, der: &[u8]| {
            let item = (Number::from(number), der);
            store
                .insert(Kind::Certificate, &mut [item].into_iter())
                .unwrap();
            store.log_len()
        };
        // Many commits, each of a few octets and of some pages, and a large one.
        let mut before = store.log_len();
        for number in 0..1500 {
            let now = insert(&mut store, number, b"small");
            assert!(now > before);
            before = now;
        }
        let large = vec![7; 5 << 20];
        assert!(insert(&mut store, 1500, &large) > LOG_LIMIT + (5 << 20));
        store.clear(Kind::Crl).unwrap();
        assert!(store.log_len() < LOG_LIMIT);
        assert_eq!(store.read(Kind::Certificate).unwrap().len(), 1501);
    }
}
