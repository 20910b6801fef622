//! The store of a certification authority on a server that speaks PostgreSQL's protocol.
//!
//! A transaction begins by locking the row of the audit log's head, so that those of all
//! processes come one after another, as on SQLite, and each statement of it sees what the others
//! committed. Many certificates are stored fast as `Changes` of many rows: rows go to the server
//! as arrays, one statement for each table.
//!
//! # A connection that is lost
//!
//! Before the commit nothing has happened, and the transaction is made again on another
//! connection. If the answer to a COMMIT is lost, the next connection waits for the row of the
//! head, hence for the end of the transaction in question (the server ends it by itself once its
//! client is silent for 15 s), and then looks whether the audit log has a row with the mark that
//! was drawn for it. Only if no connection comes about within half a minute, the outcome stays
//! unknown ([`Error::OutcomeUnknown`]).

mod database;
mod link;
mod schema;

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use adamant::der::Time;
use adamant::{Rng, SystemRng};
use postgres::Config;

use super::calls::{Work, ca_store};
use super::database::{Database, signed};
use super::write::Write;
use super::{Error, Failpoints, Lease, Point, Result};
use link::{Fate, Link, PAUSE, failed, fate, is_refused, is_rolled_back};

/// How long a lost connection is looked for, unless said otherwise.
const PATIENCE: Duration = Duration::from_secs(30);
/// When a connection to a network that is gone counts as lost.
const SILENCE: Duration = Duration::from_secs(15);

/// A store in a PostgreSQL database.
///
/// ```no_run
/// use adamant_pki::store::{CaStore, PostgresCa};
/// let store = PostgresCa::open("postgres://ca@localhost/ca")?;
/// assert_eq!(store.audit_head()?.sequence, 0);
/// # Ok::<(), adamant_pki::store::Error>(())
/// ```
///
/// The connection blocks: from asynchronous code it is called on threads of its own.
pub struct PostgresCa {
    config: Config,
    /// Empty while a transaction is under way, so that a panic leaves none open.
    link: Mutex<Option<Link>>,
    failpoints: Failpoints,
    patience: Duration,
}

/// How a transaction ended that was not committed.
enum Stop {
    /// Nothing has changed, and it would fail again.
    Refused(Error),
    /// Nothing has changed, and it may go through at the next try.
    Again(Error),
    /// The COMMIT was not answered.
    Unknown(Lost),
}

/// A transaction whose COMMIT was not answered.
struct Lost {
    error: postgres::Error,
    /// Place and mark of its last audit row. One without audit rows may be made twice.
    row: Option<(u64, [u8; 16])>,
}

impl PostgresCa {
    /// Connects to the database of this URL, and brings its tables to the newest version. They
    /// lie in the first schema of the connection's `search_path`.
    ///
    /// A password is better kept out of the URL, which other users of the machine can see among
    /// the arguments of the process: without one, that of the environment (`PGPASSWORD`) is used.
    /// The connection is not encrypted: use a socket of the machine, or a tunnel. A URL that asks
    /// for TLS (`sslmode=require`) is refused.
    ///
    /// # Errors
    /// [`Error::Schema`] if a newer version made the tables, and [`Error::Unavailable`].
    pub fn open(url: &str) -> Result<Self> {
        let mut config: Config = url.parse().map_err(failed)?;
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_application_name().is_none() {
            config.application_name("adamant");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(SILENCE);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        config.keepalives_idle(SILENCE);
        let mut link = Link::connect(&config)?;
        schema::migrate(&mut link)?;
        Ok(Self {
            config,
            link: Mutex::new(Some(link)),
            failpoints: Failpoints::default(),
            patience: PATIENCE,
        })
    }

    /// The same with failpoints.
    #[must_use]
    pub fn with_failpoints(self, failpoints: Failpoints) -> Self {
        Self { failpoints, ..self }
    }

    /// The same with another time for which a lost connection is looked for, and a transaction
    /// made again: half a minute, unless said otherwise.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    fn link(&self) -> MutexGuard<'_, Option<Link>> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection, or another one.
    fn connected(&self, slot: &mut Option<Link>, deadline: Instant) -> Result<Link> {
        if let Some(link) = slot.take().filter(|link| !link.is_closed()) {
            return Ok(link);
        }
        loop {
            match Link::connect(&self.config) {
                Err(_) if Instant::now() < deadline => std::thread::sleep(PAUSE),
                result => return result,
            }
        }
    }

    fn read<T>(&self, read: impl Fn(&mut dyn Database) -> Result<T>) -> Result<T> {
        let mut made = None;
        self.try_read(&mut |db| read(db).map(|read| made = Some(read)))?;
        Ok(made.expect("something was read"))
    }

    fn try_read(&self, read: &mut dyn FnMut(&mut dyn Database) -> Result<()>) -> Result<()> {
        let mut slot = self.link();
        let deadline = Instant::now() + self.patience;
        loop {
            let mut link = self.connected(&mut slot, deadline)?;
            match read(&mut link) {
                Err(error) if fate(&error) == Fate::Again && Instant::now() < deadline => {}
                result => {
                    *slot = Some(link);
                    return result;
                }
            }
        }
    }

    /// One transaction: what `work` writes, then its audit rows and the head.
    fn try_write(&self, at: Time, lease: Option<&Lease>, work: &mut Work<'_>) -> Result<()> {
        self.failpoints.at(Point::BeforeBegin)?;
        let mut slot = self.link();
        let deadline = Instant::now() + self.patience;
        let mut lost = None;
        loop {
            let next = self.connected(&mut slot, deadline);
            let mut link = match (next, lost.take()) {
                (Ok(mut link), Some(before)) => match happened(&mut link, &before) {
                    Ok(true) => {
                        *slot = Some(link);
                        self.failpoints.at(Point::AfterCommit)?;
                        return Ok(());
                    }
                    // The server refused it, and it will again.
                    Ok(false) if is_refused(&before.error) => {
                        *slot = Some(link);
                        return Err(failed(before.error));
                    }
                    Ok(false) => link,
                    Err(_) if Instant::now() < deadline => {
                        lost = Some(before);
                        std::thread::sleep(PAUSE);
                        continue;
                    }
                    Err(_) => return Err(unknown(before)),
                },
                (Ok(link), None) => link,
                (Err(_), Some(before)) => return Err(unknown(before)),
                (Err(error), None) => return Err(error),
            };
            match self.transaction(&mut link, at, lease, work) {
                Ok(()) => {
                    *slot = Some(link);
                    self.failpoints.at(Point::AfterCommit)?;
                    return Ok(());
                }
                // The connection is of no use any more.
                Err(Stop::Unknown(now)) => lost = Some(now),
                Err(Stop::Again(error)) => {
                    if Instant::now() >= deadline {
                        return Err(error);
                    }
                    *slot = link.batch("ROLLBACK").is_ok().then_some(link);
                    std::thread::sleep(PAUSE);
                }
                Err(Stop::Refused(error)) => {
                    *slot = link.batch("ROLLBACK").is_ok().then_some(link);
                    return Err(error);
                }
            }
        }
    }

    /// One try of a transaction.
    fn transaction(
        &self,
        link: &mut Link,
        at: Time,
        lease: Option<&Lease>,
        work: &mut Work<'_>,
    ) -> Result<(), Stop> {
        let mut mark = [0; 16];
        let mut write_all = || {
            SystemRng
                .fill(&mut mark)
                .map_err(|error| Error::Unavailable(error.to_string().into()))?;
            link.begin()?;
            self.failpoints.at(Point::Begun)?;
            let mut write = Write::new(link, at, &self.failpoints)?;
            if let Some(lease) = lease {
                write.fence(lease)?;
            }
            work(&mut write)?;
            let last = write.finish(Some(&mark))?;
            self.failpoints.at(Point::AuditWritten)?;
            self.failpoints.at(Point::BeforeCommit)?;
            Ok(last)
        };
        let last = write_all().map_err(|error| match fate(&error) {
            Fate::Again => Stop::Again(error),
            Fate::Refused => Stop::Refused(error),
        })?;
        match link.batch("COMMIT") {
            Ok(()) => Ok(()),
            Err(error) if is_rolled_back(&error) => Err(Stop::Again(failed(error))),
            Err(error) => Err(Stop::Unknown(Lost {
                error,
                row: last.map(|sequence| (sequence, mark)),
            })),
        }
    }
}

/// Waits for the end of a transaction whose COMMIT was not answered, and says whether it counts.
fn happened(link: &mut Link, lost: &Lost) -> Result<bool> {
    let Some((sequence, mark)) = &lost.row else {
        return Ok(false);
    };
    link.begin()?;
    read::lock_head(link)?;
    let there = is_marked(link, *sequence, mark)?;
    link.batch("ROLLBACK").map_err(failed)?;
    Ok(there)
}

/// Whether the row of the audit log at this place has this mark.
fn is_marked(db: &mut dyn Database, sequence: u64, mark: &[u8]) -> Result<bool> {
    let sql = "SELECT mark = $1 FROM audit WHERE sequence = $2";
    let params = [mark.into(), signed(sequence)?.into()];
    Ok(read::one(db, sql, &params, |row| row.flag(0))? == Some(true))
}

fn unknown(lost: Lost) -> Error {
    Error::OutcomeUnknown(Box::new(lost.error))
}

impl fmt::Debug for PostgresCa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the password.
        f.debug_struct("PostgresCa")
            .field("hosts", &self.config.get_hosts())
            .field("dbname", &self.config.get_dbname())
            .finish_non_exhaustive()
    }
}

ca_store!(PostgresCa);
