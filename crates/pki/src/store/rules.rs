//! The rules that do not depend on where the rows lie.

use adamant::der::Time;
use adamant::x509::extensions::RevocationReason;

use super::{CrlRecord, Entry, Error, Lease, Result, Revocation, State};

/// The state of an intent with these rows.
pub(super) fn state(issued: bool, abandoned: bool) -> State {
    match (issued, abandoned) {
        (true, _) => State::Issued,
        (false, true) => State::Abandoned,
        (false, false) => State::Pending,
    }
}

/// Refuses a lease that somebody else took; `there` is the one that is stored.
pub(super) fn fence(lease: &Lease, there: Option<&Lease>) -> Result<()> {
    let current = there.map_or(0, |there| there.token);
    if current == lease.token {
        return Ok(());
    }
    Err(Error::StaleLease {
        name: lease.name.clone(),
        token: lease.token,
        current,
    })
}

/// The lease that follows the one that is stored.
pub(super) fn next_lease(
    there: Option<Lease>,
    name: &str,
    holder: &str,
    at: Time,
    seconds: u64,
) -> Result<Lease> {
    if let Some(lease) = &there
        && lease.holder != holder
        && lease.until > at
    {
        return Err(Error::LeaseHeld {
            name: lease.name.clone(),
            holder: lease.holder.clone(),
            until: lease.until,
        });
    }
    Ok(Lease {
        name: name.to_owned(),
        holder: holder.to_owned(),
        token: there.map_or(0, |lease| lease.token) + 1,
        until: at.saturating_add(seconds),
    })
}

/// Whether this revocation may take the place of what the entry has.
pub(super) fn may_revoke(entry: &Entry, new: &Revocation) -> Result<()> {
    let serial = entry.serial;
    let lifts = new.reason == RevocationReason::RemoveFromCrl;
    match entry.revoked() {
        None if lifts => Err(Error::NotOnHold(serial)),
        Some(old) if lifts && old.reason != RevocationReason::CertificateHold => {
            Err(Error::NotOnHold(serial))
        }
        Some(old)
            if old.reason != RevocationReason::CertificateHold || old.reason == new.reason =>
        {
            Err(Error::AlreadyRevoked {
                serial,
                date: old.date,
            })
        }
        _ => Ok(()),
    }
}

/// Whether a CRL may follow the last of its scope: `taken` is the last number that was taken.
pub(super) fn may_follow(crl: &CrlRecord, last: Option<&CrlRecord>, taken: u64) -> Result<()> {
    let number = crl.number;
    let error = |last| Err(Error::CrlNumber { number, last });
    if number == 0 || number > taken {
        return error(taken);
    }
    match last {
        Some(last) if last.number >= number || last.this_update > crl.this_update => {
            error(last.number)
        }
        _ => Ok(()),
    }
}
