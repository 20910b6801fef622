//! One connection, and what its failures mean.

use std::collections::HashMap;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::{Client, Config, NoTls, Statement};

use super::super::{Error, Result};

/// How long a transaction waits for those of other processes.
const LOCK_WAIT: &str = "SET lock_timeout = '30s'";
/// When the server gives up a transaction whose client is silent, and so lets the others go on.
const SILENCE: &str = "SET idle_in_transaction_session_timeout = '15s'";
/// Commits wait for the disk, whatever the server's settings say.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false)
                       WHERE current_setting('synchronous_commit') = 'off'";

/// A connection with its prepared statements.
pub(super) struct Link {
    pub(super) client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Link {
    pub(super) fn connect(config: &Config) -> Result<Self> {
        let mut client = config.connect(NoTls).map_err(failed)?;
        for setting in [LOCK_WAIT, SILENCE, DURABLE] {
            match client.batch_execute(setting) {
                // Of a server that only speaks the protocol.
                Err(error) if !is_lost(&error) => {}
                result => result.map_err(failed)?,
            }
        }
        Ok(Self {
            client,
            statements: HashMap::new(),
        })
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Statements without parameters and results.
    pub(super) fn batch(&mut self, sql: &str) -> Result<(), postgres::Error> {
        self.client.batch_execute(sql)
    }

    pub(super) fn statement(&mut self, sql: &'static str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).map_err(failed)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    /// Begins a transaction, each of whose statements sees what was committed before it.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.batch("BEGIN ISOLATION LEVEL READ COMMITTED")
            .map_err(failed)
    }
}

/// A failure before the commit: nothing has changed.
pub(super) fn failed(error: postgres::Error) -> Error {
    Error::Unavailable(Box::new(error))
}

/// What a failure means for the transaction in which it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It will fail again.
    Refused,
    /// The same transaction may go through now, or on another connection.
    Again,
}

/// The fate of a transaction that was not to be committed yet.
pub(super) fn fate(error: &Error) -> Fate {
    let Error::Unavailable(error) = error else {
        return Fate::Refused;
    };
    match error.downcast_ref::<postgres::Error>() {
        Some(error) if is_lost(error) || error.code().is_some_and(is_conflict) => Fate::Again,
        _ => Fate::Refused,
    }
}

/// Whether the connection or the server behind it went, or became one that only reads.
fn is_lost(error: &postgres::Error) -> bool {
    let io = || {
        let source = std::error::Error::source(error);
        source.is_some_and(|source| source.is::<std::io::Error>())
    };
    match error.code() {
        None => error.is_closed() || io(),
        Some(state) => {
            state.code().starts_with("08")
                || [
                    SqlState::ADMIN_SHUTDOWN,
                    SqlState::CRASH_SHUTDOWN,
                    SqlState::CANNOT_CONNECT_NOW,
                    SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                    SqlState::READ_ONLY_SQL_TRANSACTION,
                ]
                .contains(state)
        }
    }
}

/// Whether other transactions stood in the way.
fn is_conflict(state: &SqlState) -> bool {
    [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
    ]
    .contains(state)
}

/// Whether the answer to a COMMIT says that the transaction was rolled back.
pub(super) fn is_rolled_back(error: &postgres::Error) -> bool {
    error
        .code()
        .is_some_and(|state| is_conflict(state) || state.code().starts_with("23"))
}

/// Whether the server has answered a COMMIT, and neither it nor the connection went.
pub(super) fn is_refused(error: &postgres::Error) -> bool {
    error.as_db_error().is_some() && !is_lost(error)
}

/// Whether another process makes the same tables at this moment.
pub(super) fn is_race(error: &Error) -> bool {
    let Error::Unavailable(error) = error else {
        return false;
    };
    let error = error.downcast_ref::<postgres::Error>();
    error.and_then(postgres::Error::code).is_some_and(|state| {
        is_conflict(state)
            || [
                SqlState::UNIQUE_VIOLATION,
                SqlState::DUPLICATE_TABLE,
                SqlState::DUPLICATE_OBJECT,
                SqlState::INTERNAL_ERROR,
            ]
            .contains(state)
    })
}

/// Whether there is no such table.
pub(super) fn is_missing(error: &Error) -> bool {
    let Error::Unavailable(error) = error else {
        return false;
    };
    let error = error.downcast_ref::<postgres::Error>();
    error.and_then(postgres::Error::code) == Some(&SqlState::UNDEFINED_TABLE)
}

/// The time between two tries.
pub(super) const PAUSE: Duration = Duration::from_millis(20);
