//! The rows of a certification authority.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use adamant::der::Time;
use adamant::hash::Sha256;
use adamant::x509;
use adamant::x509::extensions::RevocationReason;

use super::{Error, Number, Result};

/// The part to be signed, written down before it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The serial number.
    pub serial: Number,
    /// The part that is to be signed, in DER.
    pub tbs: Vec<u8>,
    /// Its SHA-256.
    pub tbs_sha256: [u8; 32],
    /// The subject as text, to be searched.
    pub subject: String,
    /// The name of the profile.
    pub profile: String,
    /// The CRL that a revocation goes to, from 0.
    pub shard: u32,
    /// The first second of the validity.
    pub not_before: Time,
    /// The last second of the validity.
    pub not_after: Time,
    /// Its place in a batch.
    pub item: Option<BatchItem>,
}

/// The place of an intent in a batch. A batch has a name, and each of its items is issued once:
/// another intent takes the place only after the one before was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchItem {
    /// The name of the batch.
    pub batch: Arc<str>,
    /// The number of the item, from 1.
    pub number: u64,
    /// A digest that tells the request from others.
    pub digest: [u8; 16],
}

impl fmt::Display for BatchItem {
    /// As the audit log has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "item {} ", self.number)?;
        let mut octets = self.digest.iter();
        octets.try_for_each(|octet| write!(f, "{octet:02x}"))?;
        write!(f, " of batch {}", self.batch)
    }
}

impl Intent {
    /// An intent without subject and profile, in shard 0.
    #[must_use]
    pub fn new(serial: Number, tbs: Vec<u8>, not_before: Time, not_after: Time) -> Self {
        Self {
            serial,
            tbs_sha256: Sha256::digest(&tbs),
            tbs,
            subject: String::new(),
            profile: String::new(),
            shard: 0,
            not_before,
            not_after,
            item: None,
        }
    }
}

/// An intent as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntentRecord {
    /// The part that was to be signed.
    pub intent: Intent,
    /// When it was reserved.
    pub at: Time,
    /// Name and token of the lease under which it was.
    pub lease: Option<(String, u64)>,
}

/// A certificate on its way to the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    serial: Number,
    tbs_sha256: [u8; 32],
    der: Vec<u8>,
}

impl Certificate {
    /// Reads what the store compares with the intent: serial number and signed part.
    ///
    /// # Errors
    /// [`Error::Malformed`] if it is no certificate.
    pub fn new(der: Vec<u8>) -> Result<Self> {
        let certificate = x509::Certificate::from_der(&der).map_err(Error::Malformed)?;
        // A serial number of X.509 always fits.
        let serial = Number::new(certificate.serial().as_bytes());
        Ok(Self {
            serial: serial.unwrap_or(Number::from(0)),
            tbs_sha256: Sha256::digest(certificate.tbs()),
            der,
        })
    }

    /// The certificate of an intent, whose digest it takes over: the signed part is compared with
    /// the intent's, octet for octet.
    ///
    /// # Errors
    /// [`Error::Malformed`] if it is no certificate, [`Error::OtherTbs`] if it is another's.
    pub fn of(intent: &Intent, der: Vec<u8>) -> Result<Self> {
        let certificate = x509::Certificate::from_der(&der).map_err(Error::Malformed)?;
        let serial = Number::new(certificate.serial().as_bytes());
        if certificate.tbs() != intent.tbs || !serial.is_ok_and(|serial| serial == intent.serial) {
            return Err(Error::OtherTbs(intent.serial));
        }
        Ok(Self {
            serial: intent.serial,
            tbs_sha256: intent.tbs_sha256,
            der,
        })
    }

    /// The serial number.
    #[must_use]
    pub fn serial(&self) -> Number {
        self.serial
    }

    /// The SHA-256 of the signed part.
    #[must_use]
    pub fn tbs_sha256(&self) -> &[u8; 32] {
        &self.tbs_sha256
    }

    /// The encoding.
    #[must_use]
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// The encoding.
    #[must_use]
    pub fn into_der(self) -> Vec<u8> {
        self.der
    }
}

/// Changes that belong to one transaction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes<'a> {
    /// Certificates of intents that were reserved before.
    pub certificates: &'a [Certificate],
    /// Serial numbers of intents that are given up.
    pub abandoned: &'a [Number],
    /// New intents.
    pub intents: &'a [Intent],
}

impl Changes<'_> {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.certificates.is_empty() && self.abandoned.is_empty() && self.intents.is_empty()
    }
}

/// How far an intent has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It was reserved: something may have been signed.
    Pending,
    /// Its certificate is stored.
    Issued,
    /// It was given up: something may have been signed, and nobody was given it.
    Abandoned,
}

impl State {
    /// `pending`, `issued` or `abandoned`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            State::Pending => "pending",
            State::Issued => "issued",
            State::Abandoned => "abandoned",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for State {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        [State::Pending, State::Issued, State::Abandoned]
            .into_iter()
            .find(|state| state.name() == name)
            .ok_or_else(|| format!("{name:?} is none of pending, issued and abandoned"))
    }
}

/// A revocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revocation {
    /// Why.
    pub reason: RevocationReason,
    /// Since when.
    pub date: Time,
    /// Since when the key is suspect.
    pub invalidity_date: Option<Time>,
}

impl fmt::Display for Revocation {
    /// As the audit log has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.reason, self.date)?;
        match self.invalidity_date {
            None => Ok(()),
            Some(date) => write!(f, " suspect since {date}"),
        }
    }
}

/// All that is known of a serial number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The serial number.
    pub serial: Number,
    /// How far it has come.
    pub state: State,
    /// The subject.
    pub subject: String,
    /// The profile.
    pub profile: String,
    /// The shard of CRLs.
    pub shard: u32,
    /// The first second of the validity.
    pub not_before: Time,
    /// The last second of the validity.
    pub not_after: Time,
    /// When it was reserved.
    pub at: Time,
    /// Name and token of the lease under which it was.
    pub lease: Option<(String, u64)>,
    /// The revocation; a lifted hold has the reason `removeFromCRL`.
    pub revocation: Option<Revocation>,
    /// How often the revocation changed, from 0: what a stored OCSP response refers to.
    pub revision: u64,
    /// Its place in a batch.
    pub item: Option<BatchItem>,
}

impl Entry {
    /// The revocation, unless it is a hold that was lifted.
    #[must_use]
    pub fn revoked(&self) -> Option<&Revocation> {
        let revocation = self.revocation.as_ref();
        revocation.filter(|r| r.reason != RevocationReason::RemoveFromCrl)
    }
}

/// Which entries a list has: those that satisfy all that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// In this state.
    pub state: Option<State>,
    /// Revoked now, or not.
    pub revoked: Option<bool>,
    /// With this in the subject.
    pub subject: Option<String>,
    /// Of this profile.
    pub profile: Option<String>,
    /// Valid no longer than this.
    pub expires_before: Option<Time>,
    /// Valid at least until this.
    pub expires_after: Option<Time>,
    /// Reserved at this time or later.
    pub since: Option<Time>,
    /// Reserved at this time or earlier.
    pub until: Option<Time>,
    /// With a serial number above this: the last of the page before.
    pub after: Option<Number>,
    /// No more than these.
    pub limit: Option<usize>,
}

/// How many of everything a store has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Intents, in whatever state.
    pub intents: u64,
    /// Certificates.
    pub certificates: u64,
    /// Intents that were given up.
    pub abandoned: u64,
    /// Serial numbers that are revoked, or were on hold.
    pub revocations: u64,
    /// CRLs.
    pub crls: u64,
    /// OCSP responses.
    pub ocsp_responses: u64,
    /// CRL numbers that were taken.
    pub crl_numbers: u64,
}

/// A claim of one process, for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// What is claimed.
    pub name: String,
    /// By whom.
    pub holder: String,
    /// Raised whenever it is acquired: what is written under a lower one is refused.
    pub token: u64,
    /// The first second at which others may take it.
    pub until: Time,
}

/// Which revocations a CRL has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CrlScope {
    /// Of this shard, or of all.
    pub shard: Option<u32>,
    /// Only the changes since another CRL.
    pub delta: bool,
}

/// A CRL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrlRecord {
    /// Its number.
    pub number: u64,
    /// What it has.
    pub scope: CrlScope,
    /// The number of the CRL whose changes it has.
    pub base: Option<u64>,
    /// When it was made.
    pub this_update: Time,
    /// When the next one will have been.
    pub next_update: Time,
    /// Its encoding.
    pub der: Vec<u8>,
}

/// An OCSP response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OcspRecord {
    /// The serial number that it is about.
    pub serial: Number,
    /// The [`Entry::revision`] that it tells.
    pub revision: u64,
    /// Since when it is known to be right.
    pub this_update: Time,
    /// When there will be a newer one.
    pub next_update: Time,
    /// Its encoding.
    pub der: Vec<u8>,
}
