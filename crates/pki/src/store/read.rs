//! Reading.

use std::ops::RangeInclusive;
use std::sync::Arc;

use adamant::x509::extensions::RevocationReason;

use super::audit::Event;
use super::database::{Column, Database, Row, Value, signed};
use super::rules::state;
use super::{
    AuditHead, AuditKind, AuditRow, BatchItem, Counts, CrlRecord, CrlScope, Entry, Error, Filter,
    Intent, IntentRecord, Lease, Number, OcspRecord, Result, Revocation, State,
};

/// A row, or what it is that cannot be read in it.
type Read<T> = fn(&dyn Row) -> Result<T>;

/// All rows of a query.
fn all<T>(
    db: &mut dyn Database,
    sql: &'static str,
    params: &[Value<'_>],
    read: Read<T>,
) -> Result<Vec<T>> {
    of_all(db, sql, &[], params, read)
}

/// All rows of a query about many rows.
fn of_all<T>(
    db: &mut dyn Database,
    sql: &'static str,
    columns: &[Column<'_>],
    others: &[Value<'_>],
    read: Read<T>,
) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    db.query(sql, columns, others, &mut |row| {
        rows.push(read(row)?);
        Ok(())
    })?;
    Ok(rows)
}

/// The only row of a query, if there is one.
pub(super) fn one<T>(
    db: &mut dyn Database,
    sql: &'static str,
    params: &[Value<'_>],
    read: Read<T>,
) -> Result<Option<T>> {
    Ok(all(db, sql, params, read)?.pop())
}

fn head_row(db: &mut dyn Database, sql: &'static str) -> Result<(AuditHead, u64)> {
    let head = one(db, sql, &[], |row| {
        let head = AuditHead {
            sequence: row.count(0)?,
            at: row.time(1)?,
            hash: row.array(2)?,
        };
        Ok((head, row.count(3)?))
    })?;
    head.ok_or(Error::Corrupt("the head is missing"))
}

/// The head of the audit log, and the last CRL number.
pub(super) fn head(db: &mut dyn Database) -> Result<(AuditHead, u64)> {
    head_row(
        db,
        "SELECT sequence, at, hash, crl_number FROM head WHERE id = 1",
    )
}

/// The same, once no other transaction has it; until this one ends, no other can have it.
pub(super) fn lock_head(db: &mut dyn Database) -> Result<(AuditHead, u64)> {
    let sql = db.words().lock_head;
    head_row(db, sql)
}

pub(super) fn any_document(db: &mut dyn Database) -> Result<Option<String>> {
    let sql = "SELECT name FROM documents LIMIT 1";
    one(db, sql, &[], |row| row.string(0))
}

pub(super) fn document(db: &mut dyn Database, name: &str) -> Result<Option<Vec<u8>>> {
    let sql = "SELECT contents FROM documents WHERE name = $1";
    one(db, sql, &[name.into()], |row| row.vec(0))
}

fn lease_row(row: &dyn Row) -> Result<Lease> {
    Ok(Lease {
        name: row.string(0)?,
        holder: row.string(1)?,
        token: row.count(2)?,
        until: row.time(3)?,
    })
}

pub(super) fn lease(db: &mut dyn Database, name: &str) -> Result<Option<Lease>> {
    let sql = "SELECT name, holder, token, until FROM leases WHERE name = $1";
    one(db, sql, &[name.into()], lease_row)
}

pub(super) fn leases(db: &mut dyn Database) -> Result<Vec<Lease>> {
    let sql = "SELECT name, holder, token, until FROM leases";
    let mut leases = all(db, sql, &[], lease_row)?;
    // By octets, whatever the database's language.
    leases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(leases)
}

/// Digests and states of those intents that are there.
pub(super) fn pending(
    db: &mut dyn Database,
    serials: Column<'_>,
) -> Result<Vec<(Number, [u8; 32], State)>> {
    let sql = db.words().pending;
    of_all(db, sql, &[serials], &[], |row| {
        let state = state(row.flag(2)?, row.flag(3)?);
        Ok((row.number(0)?, row.array(1)?, state))
    })
}

pub(super) fn intent(db: &mut dyn Database, serial: Number) -> Result<Option<IntentRecord>> {
    let sql = db.words().intent;
    one(db, sql, &[(&serial).into()], |row| {
        Ok(IntentRecord {
            intent: Intent {
                serial: row.number(0)?,
                tbs: row.vec(1)?,
                tbs_sha256: row.array(2)?,
                subject: row.string(3)?,
                profile: row.string(4)?,
                shard: row.shard(5)?.unwrap_or(0),
                not_before: row.time(6)?,
                not_after: row.time(7)?,
                item: item_of(row, 11)?,
            },
            at: row.time(8)?,
            lease: lease_of(row, 9)?,
        })
    })
}

/// Name and token of a lease, from this column on.
fn lease_of(row: &dyn Row, column: usize) -> Result<Option<(String, u64)>> {
    let name = row.text(column)?.map(str::to_owned);
    Ok(name.zip(row.count_or_null(column + 1)?))
}

/// The place in a batch, from this column on.
fn item_of(row: &dyn Row, column: usize) -> Result<Option<BatchItem>> {
    let Some(batch) = row.text(column)? else {
        return Ok(None);
    };
    Ok(Some(BatchItem {
        batch: Arc::from(batch),
        number: row.count(column + 1)?,
        digest: row.array(column + 2)?,
    }))
}

pub(super) fn certificate(db: &mut dyn Database, serial: Number) -> Result<Option<Vec<u8>>> {
    let sql = db.words().certificate;
    one(db, sql, &[(&serial).into()], |row| row.vec(0))
}

fn entry_row(row: &dyn Row) -> Result<Entry> {
    let revocation = match row.int(11)? {
        None => None,
        Some(code) => {
            let code = u8::try_from(code).ok();
            let reason = code.and_then(RevocationReason::from_code);
            Some(Revocation {
                reason: reason.ok_or(Error::Corrupt("a reason"))?,
                date: row.time(12)?,
                invalidity_date: row.time_or_null(13)?,
            })
        }
    };
    Ok(Entry {
        serial: row.number(0)?,
        state: state(row.flag(1)?, row.flag(2)?),
        subject: row.string(3)?,
        profile: row.string(4)?,
        shard: row.shard(5)?.unwrap_or(0),
        not_before: row.time(6)?,
        not_after: row.time(7)?,
        at: row.time(8)?,
        lease: lease_of(row, 9)?,
        revocation,
        revision: row.count(14)?,
        item: item_of(row, 15)?,
    })
}

pub(super) fn entry(db: &mut dyn Database, serial: Number) -> Result<Option<Entry>> {
    let sql = db.words().entry;
    one(db, sql, &[(&serial).into()], entry_row)
}

pub(super) fn list(db: &mut dyn Database, filter: &Filter) -> Result<Vec<Entry>> {
    let limit = filter.limit.and_then(|limit| i64::try_from(limit).ok());
    let params = [
        filter.state.map(State::name).into(),
        filter.revoked.into(),
        filter.subject.as_ref().into(),
        filter.profile.as_ref().into(),
        filter.expires_before.into(),
        filter.expires_after.into(),
        filter.after.as_ref().into(),
        filter.since.into(),
        filter.until.into(),
        limit.unwrap_or(i64::MAX).into(),
    ];
    let sql = db.words().list;
    all(db, sql, &params, entry_row)
}

pub(super) fn batch(
    db: &mut dyn Database,
    name: &str,
    numbers: RangeInclusive<u64>,
) -> Result<Vec<Entry>> {
    // A number above 2^63 is no item's.
    let [first, last] =
        [numbers.start(), numbers.end()].map(|n| i64::try_from(*n).unwrap_or(i64::MAX));
    let params = [name.into(), first.into(), last.into()];
    let sql = db.words().batch;
    all(db, sql, &params, entry_row)
}

pub(super) fn batch_end(db: &mut dyn Database, name: &str) -> Result<u64> {
    let sql = "SELECT coalesce(max(number), 0) FROM batch_items
               WHERE batch = (SELECT id FROM batches WHERE name = $1)";
    Ok(one(db, sql, &[name.into()], |row| row.count(0))?.unwrap_or(0))
}

pub(super) fn batch_id(db: &mut dyn Database, name: &str) -> Result<Option<u64>> {
    let sql = "SELECT id FROM batches WHERE name = $1";
    one(db, sql, &[name.into()], |row| row.count(0))
}

/// One of these items of a batch whose intent was not given up: number and intent.
pub(super) fn item_holder(
    db: &mut dyn Database,
    items: &Column<'_>,
    batch: Value<'_>,
) -> Result<Option<(u64, Number)>> {
    let sql = db.words().holder;
    let holders = of_all(db, sql, std::slice::from_ref(items), &[batch], |row| {
        Ok((row.count(0)?, row.number(1)?))
    })?;
    Ok(holders.into_iter().next())
}

pub(super) fn counts(db: &mut dyn Database) -> Result<Counts> {
    let sql = "SELECT (SELECT count(*) FROM intents), (SELECT count(*) FROM certificates),
                      (SELECT count(*) FROM abandoned), (SELECT count(*) FROM revocations),
                      (SELECT count(*) FROM crls), (SELECT count(*) FROM ocsp_responses),
                      (SELECT crl_number FROM head WHERE id = 1)";
    let counts = one(db, sql, &[], |row| {
        Ok(Counts {
            intents: row.count(0)?,
            certificates: row.count(1)?,
            abandoned: row.count(2)?,
            revocations: row.count(3)?,
            crls: row.count(4)?,
            ocsp_responses: row.count(5)?,
            crl_numbers: row.count(6)?,
        })
    })?;
    counts.ok_or(Error::Corrupt("nothing was counted"))
}

pub(super) fn revoked(
    db: &mut dyn Database,
    shard: Option<u32>,
    since: Option<u64>,
) -> Result<Vec<Entry>> {
    let since = since.map(signed).transpose()?;
    let params = [shard.into(), since.into()];
    let sql = db.words().revoked;
    all(db, sql, &params, entry_row)
}

pub(super) fn latest_crl(db: &mut dyn Database, scope: CrlScope) -> Result<Option<CrlRecord>> {
    let sql = "SELECT number, shard, delta, base, this_update, next_update, der FROM crls
               WHERE shard IS NOT DISTINCT FROM $1 AND delta = $2
               ORDER BY number DESC LIMIT 1";
    one(db, sql, &[scope.shard.into(), scope.delta.into()], crl_row)
}

pub(super) fn crl(db: &mut dyn Database, number: u64) -> Result<Option<CrlRecord>> {
    let sql = "SELECT number, shard, delta, base, this_update, next_update, der FROM crls
               WHERE number = $1";
    one(db, sql, &[signed(number)?.into()], crl_row)
}

fn crl_row(row: &dyn Row) -> Result<CrlRecord> {
    Ok(CrlRecord {
        number: row.count(0)?,
        scope: CrlScope {
            shard: row.shard(1)?,
            delta: row.flag(2)?,
        },
        base: row.count_or_null(3)?,
        this_update: row.time(4)?,
        next_update: row.time(5)?,
        der: row.vec(6)?,
    })
}

pub(super) fn crl_is_there(db: &mut dyn Database, number: u64) -> Result<bool> {
    let sql = "SELECT number FROM crls WHERE number = $1";
    Ok(one(db, sql, &[signed(number)?.into()], |row| row.count(0))?.is_some())
}

pub(super) fn ocsp(db: &mut dyn Database, serial: Number) -> Result<Option<OcspRecord>> {
    let sql = "SELECT serial, revision, this_update, next_update, der FROM ocsp_responses
               WHERE serial = $1";
    one(db, sql, &[(&serial).into()], |row| {
        Ok(OcspRecord {
            serial: row.number(0)?,
            revision: row.count(1)?,
            this_update: row.time(2)?,
            next_update: row.time(3)?,
            der: row.vec(4)?,
        })
    })
}

pub(super) fn audit(db: &mut dyn Database, from: u64, limit: usize) -> Result<Vec<AuditRow>> {
    let sql = "SELECT sequence, at, kind, subject, digest, note, hash FROM audit
               WHERE sequence >= $1 ORDER BY sequence LIMIT $2";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    all(db, sql, &[signed(from)?.into(), limit.into()], |row| {
        let kind = u8::try_from(row.count(2)?).ok();
        let kind = kind.and_then(AuditKind::from_code);
        Ok(AuditRow {
            sequence: row.count(0)?,
            at: row.time(1)?,
            event: Event {
                kind: kind.ok_or(Error::Corrupt("a kind of the audit log"))?,
                subject: row.number_or_null(3)?,
                digest: row.array(4)?,
                note: row.string(5)?,
            },
            hash: row.array(6)?,
        })
    })
}
