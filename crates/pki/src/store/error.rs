//! Why a store of a certification authority refused or failed.

use std::fmt;
use std::path::PathBuf;

use adamant::der::Time;
use adamant::x509;

use super::fail::Point;
use super::{Number, State};

/// Why a store refused or failed.
///
/// ```
/// use adamant_pki::store::Error;
/// let error = Error::SerialTaken(0x0102.into());
/// assert_eq!(error.to_string(), "serial number 0102 is taken");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Another intent has the serial number.
    SerialTaken(Number),
    /// The item of the batch has an intent that was not given up.
    ItemTaken {
        /// The name of the batch.
        batch: String,
        /// The number of the item.
        number: u64,
        /// The intent's serial number.
        serial: Number,
    },
    /// There is no intent with the serial number.
    UnknownSerial(Number),
    /// The intent waits for no certificate.
    NotPending {
        /// Its serial number.
        serial: Number,
        /// Its state.
        state: State,
    },
    /// The certificate's signed part is not that of its intent.
    OtherTbs(Number),
    /// The supposed certificate is not one.
    Malformed(x509::Error),
    /// The serial number is revoked already.
    AlreadyRevoked {
        /// The serial number.
        serial: Number,
        /// Since when.
        date: Time,
    },
    /// A certificate that is not on hold cannot be taken from the list.
    NotOnHold(Number),
    /// Another holder took the lease.
    StaleLease {
        /// The lease.
        name: String,
        /// The writer's token.
        token: u64,
        /// The token of the last holder.
        current: u64,
    },
    /// Another holder has the lease.
    LeaseHeld {
        /// The lease.
        name: String,
        /// By whom.
        holder: String,
        /// Until when.
        until: Time,
    },
    /// A CRL with this number cannot follow the one with the other, which has a later number or time.
    CrlNumber {
        /// The number.
        number: u64,
        /// The last one of the scope, or the last one that was taken.
        last: u64,
    },
    /// The store has this document already.
    Exists(String),
    /// A row cannot be read: not by this version, or it was damaged.
    Corrupt(&'static str),
    /// The tables are of a version that is not known here.
    Schema {
        /// The version.
        found: u32,
        /// The last one that is known.
        known: u32,
    },
    /// The file is another program's.
    ForeignFile(PathBuf),
    /// A failpoint.
    Injected(Point),
    /// The database failed, and nothing has changed.
    Unavailable(Box<dyn std::error::Error + Send + Sync>),
    /// The database failed at the end of a transaction: it may have happened.
    OutcomeUnknown(Box<dyn std::error::Error + Send + Sync>),
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::SerialTaken(serial) => write!(f, "serial number {serial} is taken"),
            Error::ItemTaken {
                batch,
                number,
                serial,
            } => write!(
                f,
                "item {number} of the batch {batch} has serial number {serial}"
            ),
            Error::UnknownSerial(serial) => write!(f, "no serial number {serial} was ever issued"),
            Error::NotPending { serial, state } => {
                write!(
                    f,
                    "serial number {serial} waits for no certificate: {state}"
                )
            }
            Error::OtherTbs(serial) => write!(
                f,
                "the certificate with serial number {serial} is not what was to be signed"
            ),
            Error::Malformed(error) => write!(f, "no certificate: {error}"),
            Error::AlreadyRevoked { serial, date } => {
                write!(f, "serial number {serial} is revoked since {date}")
            }
            Error::NotOnHold(serial) => write!(f, "serial number {serial} is not on hold"),
            Error::StaleLease {
                name,
                token,
                current,
            } => write!(
                f,
                "the lease {name} was taken over: its token is {current}, no longer {token}"
            ),
            Error::LeaseHeld {
                name,
                holder,
                until,
            } => write!(f, "{holder} holds the lease {name} until {until}"),
            Error::CrlNumber { number, last } => {
                write!(
                    f,
                    "a CRL with number {number} cannot be stored after {last}"
                )
            }
            Error::Exists(name) => {
                write!(f, "the store already has a certification authority: {name}")
            }
            Error::Corrupt(what) => write!(f, "the store has a row that cannot be read: {what}"),
            Error::Schema { found, known } => write!(
                f,
                "the tables have version {found}, and {known} is the last one known here"
            ),
            Error::ForeignFile(path) => write!(
                f,
                "{} is not a database of `adamant pki`; it was left as it is",
                path.display()
            ),
            Error::Injected(point) => write!(f, "stopped at {point}"),
            Error::Unavailable(error) => {
                f.write_str("the store failed: ")?;
                with_causes(f, &**error)
            }
            Error::OutcomeUnknown(error) => {
                let what =
                    "the store failed at the end of a transaction, which may have happened: ";
                f.write_str(what)?;
                with_causes(f, &**error)
            }
        }
    }
}

/// An error and all that it came from, but for what has been said already: of a failure of the
/// server, PostgreSQL's client says no more than that there was one.
fn with_causes(f: &mut fmt::Formatter<'_>, error: &dyn std::error::Error) -> fmt::Result {
    let mut said = error.to_string();
    f.write_str(&said)?;
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !said.contains(&more) {
            write!(f, ": {more}")?;
        }
        said = more;
        cause = error.source();
    }
    Ok(())
}

/// [`Error`] says all that it came from itself: it has no source.
impl std::error::Error for Error {}
