//! The audit log: rows, each of which has the hash of all before it.
//!
//! The hash of a row is
//!
//! ```text
//! SHA-256("adamant audit 1" ‖ hash of the row before ‖ sequence ‖ time ‖ kind
//!         ‖ length of the subject ‖ subject ‖ digest ‖ length of the note ‖ note)
//! ```
//!
//! with the sequence number in 8 octets, the time in seconds since 1970 in 8, the kind in 1, the
//! lengths in 4, all big-endian, and zeros before the first row. Whoever keeps a head elsewhere
//! sees rows that were changed, removed or put in, at the end of the log too.

use std::fmt;

use adamant::der::Time;
use adamant::hash::Sha256;

use super::{CaStore, Error, Intent, Number, OcspRecord, Result};

macro_rules! kinds {
    ($($variant:ident = $code:literal, $name:literal, $what:literal;)*) => {
        /// What happened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AuditKind {
            $(#[doc = $what] $variant = $code,)*
        }

        impl AuditKind {
            /// All of them.
            pub const ALL: &[AuditKind] = &[$(AuditKind::$variant,)*];

            /// The kind with this code.
            #[must_use]
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(AuditKind::$variant),)*
                    _ => None,
                }
            }

            /// The name: small letters and hyphens.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(AuditKind::$variant => $name,)*
                }
            }
        }
    };
}

kinds! {
    Document = 1, "document", "A document was put: its name is the note, its SHA-256 the digest.";
    Intent = 2, "intent", "An intent was reserved: the digest is that of the part to be signed, its place in a batch the note.";
    Certificate = 3, "certificate", "A certificate was stored: the digest is its own.";
    Abandon = 4, "abandon", "An intent was given up.";
    Revoke = 5, "revoke", "A serial number was revoked: the reason and dates are the note.";
    CrlNumber = 6, "crl-number", "A CRL number was taken: it is the subject.";
    Crl = 7, "crl", "A CRL was stored: its number is the subject, the digest its own.";
    Lease = 8, "lease", "A lease changed hands: name, holder and token are the note.";
    Note = 9, "note", "Something else.";
    Ocsp = 10, "ocsp", "OCSP responses were signed: how many, and how many are kept, is the note, the SHA-256 of all one after another the digest.";
}

impl fmt::Display for AuditKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An event, before it has its place in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub kind: AuditKind,
    /// The serial number or CRL number.
    pub subject: Option<Number>,
    /// The SHA-256 of what was stored, or zeros.
    pub digest: [u8; 32],
    /// The rest, in words.
    pub note: String,
}

impl Event {
    /// An event about a number.
    #[must_use]
    pub fn about(kind: AuditKind, subject: Number, digest: [u8; 32]) -> Self {
        Self {
            kind,
            subject: Some(subject),
            digest,
            note: String::new(),
        }
    }

    /// An event in words.
    #[must_use]
    pub fn noted(kind: AuditKind, note: impl Into<String>) -> Self {
        Self {
            kind,
            subject: None,
            digest: [0; 32],
            note: note.into(),
        }
    }
}

impl Event {
    /// That an intent was reserved.
    pub(super) fn intent(intent: &Intent) -> Self {
        let note = intent.item.as_ref().map(ToString::to_string);
        Self {
            note: note.unwrap_or_default(),
            ..Self::about(AuditKind::Intent, intent.serial, intent.tbs_sha256)
        }
    }

    /// That responses were signed, of which this many are stored; nothing if there are none.
    pub(super) fn ocsp(responses: &[OcspRecord], stored: usize) -> Option<Self> {
        let mut all = Sha256::new();
        responses
            .iter()
            .for_each(|response| all.update(&response.der));
        let signed = responses.len();
        (signed > 0).then(|| Self {
            digest: all.finalize(),
            ..Self::noted(AuditKind::Ocsp, format!("{signed} signed, {stored} kept"))
        })
    }
}

/// A row of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    /// Its place, from 1.
    pub sequence: u64,
    /// When it was written; never before the row before.
    pub at: Time,
    /// What happened.
    pub event: Event,
    /// Its hash.
    pub hash: [u8; 32],
}

/// The last row's place and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditHead {
    /// The place; 0 if there is no row.
    pub sequence: u64,
    /// The time.
    pub at: Time,
    /// The hash; zeros if there is no row.
    pub hash: [u8; 32],
}

impl AuditHead {
    /// The head of an empty log.
    pub const START: AuditHead = AuditHead {
        sequence: 0,
        at: EPOCH,
        hash: [0; 32],
    };

    /// The row that this event becomes after this head, which moves on to it.
    pub fn append(&mut self, event: Event, at: Time) -> AuditRow {
        self.sequence += 1;
        self.at = self.at.max(at);
        self.hash = row_hash(&self.hash, self.sequence, self.at, &event);
        AuditRow {
            sequence: self.sequence,
            at: self.at,
            event,
            hash: self.hash,
        }
    }
}

const EPOCH: Time = match Time::from_unix(0) {
    Some(time) => time,
    None => panic!("1970 is a year"),
};

fn row_hash(before: &[u8; 32], sequence: u64, at: Time, event: &Event) -> [u8; 32] {
    let subject = event.subject.as_ref().map_or(&[][..], |s| s.as_bytes());
    let mut octets = Vec::with_capacity(160 + event.note.len());
    octets.extend_from_slice(b"adamant audit 1");
    octets.extend_from_slice(before);
    octets.extend_from_slice(&sequence.to_be_bytes());
    octets.extend_from_slice(&at.to_unix().to_be_bytes());
    octets.push(event.kind as u8);
    octets.extend_from_slice(&(subject.len() as u32).to_be_bytes());
    octets.extend_from_slice(subject);
    octets.extend_from_slice(&event.digest);
    octets.extend_from_slice(&(event.note.len() as u32).to_be_bytes());
    octets.extend_from_slice(event.note.as_bytes());
    Sha256::digest(&octets)
}

/// The fault of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The row with this number is missing.
    Missing(u64),
    /// The hash of the row is not that of its contents after the row before.
    Hash(u64),
    /// The row's time lies before that of the row before.
    Time(u64),
    /// The head is not the last row.
    Head {
        /// The place that the head has.
        head: u64,
        /// The place of the last row.
        last: u64,
    },
    /// A row of the tables is not what the log has of it.
    Contents {
        /// The place in the log.
        sequence: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// The tables have rows that the log does not know.
    Unlogged {
        /// Of which kind.
        kind: AuditKind,
        /// How many the tables have.
        rows: u64,
        /// How many the log has.
        logged: u64,
    },
    /// The log does not go through a head that was kept elsewhere.
    Anchor(u64),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Missing(sequence) => write!(f, "row {sequence} is missing"),
            Fault::Hash(sequence) => write!(f, "row {sequence} was changed"),
            Fault::Time(sequence) => write!(f, "row {sequence} is earlier than the row before it"),
            Fault::Head { head, last } => {
                write!(f, "the head counts {head} rows, but there are {last}")
            }
            Fault::Contents { sequence, what } => write!(f, "row {sequence}: {what}"),
            Fault::Unlogged { kind, rows, logged } => {
                write!(f, "{rows} rows of kind {kind}, but {logged} in the log")
            }
            Fault::Anchor(sequence) => {
                write!(f, "row {sequence} is not the one that was seen before")
            }
        }
    }
}

/// Reads the whole log and gives its head, or what is wrong; `visit` sees every row that is in
/// order. The log must go through `anchors`: heads that were kept elsewhere.
///
/// Rows that are added meanwhile are not a fault.
///
/// # Errors
/// [`Error::Unavailable`], and that of `visit`.
pub fn verify_chain(
    store: &(impl CaStore + ?Sized),
    anchors: &[AuditHead],
    mut visit: impl FnMut(&AuditRow) -> Result<Option<Fault>>,
) -> Result<Result<AuditHead, Fault>, Error> {
    const PAGE: usize = 4096;
    let claimed = store.audit_head()?;
    let mut head = AuditHead::START;
    loop {
        let rows = store.audit(head.sequence + 1, PAGE)?;
        for row in &rows {
            let before = head;
            if row.sequence != before.sequence + 1 {
                return Ok(Err(Fault::Missing(before.sequence + 1)));
            }
            if row.at < before.at {
                return Ok(Err(Fault::Time(row.sequence)));
            }
            if head.append(row.event.clone(), row.at).hash != row.hash {
                return Ok(Err(Fault::Hash(row.sequence)));
            }
            let of_row = |anchor: &&AuditHead| anchor.sequence == row.sequence;
            if anchors.iter().filter(of_row).any(|a| a.hash != row.hash) {
                return Ok(Err(Fault::Anchor(row.sequence)));
            }
            if row.sequence == claimed.sequence && row.hash != claimed.hash {
                return Ok(Err(Fault::Hash(row.sequence)));
            }
            if let Some(fault) = visit(row)? {
                return Ok(Err(fault));
            }
        }
        if rows.len() < PAGE {
            break;
        }
    }
    if let Some(beyond) = anchors.iter().find(|a| a.sequence > head.sequence) {
        return Ok(Err(Fault::Anchor(beyond.sequence)));
    }
    if head.sequence < claimed.sequence || store.audit_head()?.sequence < head.sequence {
        return Ok(Err(Fault::Head {
            head: claimed.sequence,
            last: head.sequence,
        }));
    }
    Ok(Ok(head))
}
