//! The durable records of a certification authority: intents, certificates, revocations, CRLs, OCSP
//! responses, and an audit log that shows what was changed afterwards.
//!
//! ```
//! use adamant::der::Time;
//! use adamant_pki::store::{CaStore, Filter, Intent, Number, SqliteCa, State};
//!
//! let store = SqliteCa::in_memory()?;
//! let now: Time = "2026-01-01".parse().unwrap();
//! let intent = Intent {
//!     subject: "CN=server.example".into(),
//!     ..Intent::new(Number::from(0x4711), vec![0x30, 0], now, now.saturating_add(86_400))
//! };
//! store.reserve(None, &[intent], now)?;
//! // Whatever happens from here on: the serial number is known, and can be revoked.
//! let entries = store.list(&Filter::default())?;
//! assert_eq!(entries[0].state, State::Pending);
//! assert!(store.reserve(None, &[Intent::new(0x4711.into(), vec![], now, now)], now).is_err());
//! assert_eq!(store.audit_head()?.sequence, 1);
//! # Ok::<(), adamant_pki::store::Error>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`record`] | the rows |
//! | [`audit`] | the events, and the chain of hashes that ties them |
//! | [`fail`] | the moments at which a test may stop the process |
//! | `sqlite` | [`SqliteCa`]: one file with a write-ahead log |
//! | `postgres` | `PostgresCa`: a server that speaks PostgreSQL's protocol (feature `postgres`) |
//!
//! # What every store promises
//!
//! Each call is one transaction, and is durable when it returns. The rows of a transaction and
//! their audit rows appear together or not at all. A serial number is reserved once and never
//! leaves; a CRL number is taken once. Rows are found by serial number: no other number is drawn
//! from the database, but for the sequence of the audit log, which lies in the row of its head and
//! so also puts the transactions of several processes in one order.

pub mod audit;
mod calls;
mod database;
mod error;
pub mod fail;
mod number;
#[cfg(feature = "postgres")]
mod postgres;
mod read;
pub mod record;
mod rules;
mod sqlite;
mod synchronous;
mod write;

use std::ops::RangeInclusive;

use adamant::der::Time;

#[cfg(feature = "postgres")]
pub use self::postgres::PostgresCa;
pub use audit::{AuditHead, AuditKind, AuditRow};
pub use error::{Error, Result};
pub use fail::{Failpoints, Point};
pub use number::Number;
pub use record::{
    BatchItem, Certificate, Changes, Counts, CrlRecord, CrlScope, Entry, Filter, Intent,
    IntentRecord, Lease, OcspRecord, Revocation, State,
};
pub use sqlite::{SqliteCa, is_ours_or_empty};
pub use synchronous::Synchronous;

/// Opens the store at a place: the URL of a PostgreSQL database (`postgres://` or
/// `postgresql://`), or else the path of an SQLite file.
///
/// ```
/// let folder = tempfile::tempdir().unwrap();
/// let place = folder.path().join("ca.sqlite");
/// let store = adamant_pki::store::open(place.to_str().unwrap())?;
/// assert_eq!(store.schema_version()?, 2);
/// # Ok::<(), adamant_pki::store::Error>(())
/// ```
///
/// # Errors
/// Those of [`SqliteCa::open`] and `PostgresCa::open`; [`Error::Unavailable`] for a URL if the
/// feature `postgres` is off.
pub fn open(place: &str) -> Result<Box<dyn CaStore>> {
    if is_url(place) {
        #[cfg(feature = "postgres")]
        return Ok(Box::new(PostgresCa::open(place)?));
        #[cfg(not(feature = "postgres"))]
        return Err(Error::Unavailable(
            "this program was built without PostgreSQL".into(),
        ));
    }
    Ok(Box::new(SqliteCa::open(place.as_ref())?))
}

/// Whether [`open`] takes this for the URL of a PostgreSQL database.
#[must_use]
pub fn is_url(place: &str) -> bool {
    ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| place.starts_with(scheme))
}

/// The database of one certification authority, used by any number of threads and processes.
///
/// `at` is the caller's clock. Where it shows a time before the last audit row's, the row takes that
/// one: the log never goes back.
///
/// `lease` fences the writer: a transaction under a lease that another process has taken over in
/// the meantime is refused as a whole ([`Error::StaleLease`]). Without one nothing is fenced; the
/// rules about serial numbers, states and CRL numbers hold all the same.
pub trait CaStore: Send + Sync {
    /// The version of the tables.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn schema_version(&self) -> Result<u32>;

    // The records of the authority itself.

    /// Puts the first documents into an empty store: key, certificate, settings, by name.
    ///
    /// # Errors
    /// [`Error::Exists`] if there is any document; [`Error::Unavailable`].
    fn create(&self, documents: &[(&str, &[u8])], at: Time) -> Result<()>;

    /// The document of this name.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn document(&self, name: &str) -> Result<Option<Vec<u8>>>;

    /// Puts a document in the place of the one with its name, or adds it.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn put_document(&self, name: &str, contents: &[u8], at: Time) -> Result<()>;

    // Several writers.

    /// Takes the lease of this name until `at + seconds`, which raises its token. The holder
    /// itself may take it again.
    ///
    /// # Errors
    /// [`Error::LeaseHeld`] while another holder's has not ended; [`Error::Unavailable`].
    fn acquire_lease(&self, name: &str, holder: &str, at: Time, seconds: u64) -> Result<Lease>;

    /// The same lease until `at + seconds`, with the same token.
    ///
    /// # Errors
    /// [`Error::StaleLease`] if another holder took it; [`Error::Unavailable`].
    fn renew_lease(&self, lease: &Lease, at: Time, seconds: u64) -> Result<Lease>;

    /// Ends a lease at `at`.
    ///
    /// # Errors
    /// As [`CaStore::renew_lease`].
    fn release_lease(&self, lease: &Lease, at: Time) -> Result<()> {
        self.renew_lease(lease, at, 0).map(drop)
    }

    /// All leases that there ever were, ended or not.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn leases(&self) -> Result<Vec<Lease>>;

    // Issuance.

    /// Makes these changes and writes their audit rows in one transaction: certificates first,
    /// then what is abandoned, then intents.
    ///
    /// # Errors
    /// [`Error::SerialTaken`] and [`Error::ItemTaken`]; [`Error::UnknownSerial`], [`Error::NotPending`] and
    /// [`Error::OtherTbs`] for certificates without an intent, with one that is no longer
    /// pending, and with another signed part than their intent's; [`Error::StaleLease`];
    /// [`Error::Unavailable`]. Nothing has changed then. After [`Error::OutcomeUnknown`] it may
    /// have: [`CaStore::entry`] tells.
    fn commit(&self, lease: Option<&Lease>, changes: &Changes<'_>, at: Time) -> Result<()>;

    /// Reserves the serial numbers of intents. Only then may the CA's key sign.
    ///
    /// # Errors
    /// As [`CaStore::commit`].
    fn reserve(&self, lease: Option<&Lease>, intents: &[Intent], at: Time) -> Result<()> {
        let changes = Changes {
            intents,
            ..Changes::default()
        };
        self.commit(lease, &changes, at)
    }

    /// Keeps the certificates of pending intents. Only then may they be given away.
    ///
    /// # Errors
    /// As [`CaStore::commit`].
    fn complete(
        &self,
        lease: Option<&Lease>,
        certificates: &[Certificate],
        at: Time,
    ) -> Result<()> {
        let changes = Changes {
            certificates,
            ..Changes::default()
        };
        self.commit(lease, &changes, at)
    }

    /// Gives up pending intents: no certificate can be stored for them any more. They stay
    /// revocable, since something may have been signed.
    ///
    /// # Errors
    /// As [`CaStore::commit`].
    fn abandon(&self, lease: Option<&Lease>, serials: &[Number], at: Time) -> Result<()> {
        let changes = Changes {
            abandoned: serials,
            ..Changes::default()
        };
        self.commit(lease, &changes, at)
    }

    /// The intent of this serial number.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn intent(&self, serial: Number) -> Result<Option<IntentRecord>>;

    /// The certificate of this serial number, in DER.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn certificate(&self, serial: Number) -> Result<Option<Vec<u8>>>;

    /// All that is known of a serial number, without its encodings.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn entry(&self, serial: Number) -> Result<Option<Entry>>;

    /// All that is known of the serial numbers that the filter lets through, in their order.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn list(&self, filter: &Filter) -> Result<Vec<Entry>>;

    /// What is known of the items of a batch with these numbers, in their order; of one number,
    /// first what was given up.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn batch(&self, name: &str, numbers: RangeInclusive<u64>) -> Result<Vec<Entry>>;

    /// The highest number of an item of a batch; 0 if there is none.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn batch_end(&self, name: &str) -> Result<u64>;

    /// How many of everything there are.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn counts(&self) -> Result<Counts>;

    // Revocation.

    /// Revokes any intent, with a certificate or without. A hold (`certificateHold`) may become a
    /// revocation for another reason, or be lifted again with `removeFromCRL`; every other
    /// revocation is final. The stored OCSP response goes.
    ///
    /// # Errors
    /// [`Error::UnknownSerial`], [`Error::AlreadyRevoked`], [`Error::NotOnHold`];
    /// [`Error::Unavailable`].
    fn revoke(&self, serial: Number, revocation: &Revocation, at: Time) -> Result<()>;

    /// The revocations of a shard, or of all, in the order of serial numbers; those changed since
    /// this CRL number was taken, or all. Lifted holds are among them, with `removeFromCRL`.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn revoked(&self, shard: Option<u32>, since: Option<u64>) -> Result<Vec<Entry>>;

    /// Takes the next CRL number, from 1 on: it is never given again. All lists of the authority
    /// share the numbers, full ones and changes, of whatever shard.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn take_crl_number(&self, at: Time) -> Result<u64>;

    /// Keeps a signed CRL.
    ///
    /// # Errors
    /// [`Error::CrlNumber`] for a number that was not taken, is there already, or is not above
    /// the last of the same scope, and for a time before that one's; [`Error::Unavailable`].
    fn put_crl(&self, crl: &CrlRecord, at: Time) -> Result<()>;

    /// The last CRL of a scope.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn latest_crl(&self, scope: CrlScope) -> Result<Option<CrlRecord>>;

    /// The CRL of this number.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn crl(&self, number: u64) -> Result<Option<CrlRecord>>;

    // OCSP.

    /// Keeps responses in place of those with their serial numbers, and counts them. One that was
    /// signed before the last revocation of its serial number ([`OcspRecord::revision`]), or is
    /// older than the one stored, is passed over. All together have one audit row.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn put_ocsp(&self, responses: &[OcspRecord], at: Time) -> Result<usize>;

    /// The stored response for a serial number.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn ocsp(&self, serial: Number) -> Result<Option<OcspRecord>>;

    // The audit log.

    /// The last row's sequence number and hash, as the head has them.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn audit_head(&self) -> Result<AuditHead>;

    /// Rows from this sequence number on (the first is 1), as many as `limit` at most.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn audit(&self, from: u64, limit: usize) -> Result<Vec<AuditRow>>;

    /// Writes a row of what happened outside of the tables: a failed login, a key ceremony.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    fn note(&self, note: &str, at: Time) -> Result<()>;
}
