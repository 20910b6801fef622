//! What is read.

use std::ops::RangeInclusive;
use std::sync::Arc;

use adamant::der::Time;
use adamant::x509::extensions::RevocationReason;
use postgres::Row;
use postgres::types::FromSql;

use super::super::audit::Event;
use super::super::rules::state;
use super::super::{
    AuditHead, AuditKind, AuditRow, BatchItem, Counts, CrlRecord, CrlScope, Entry, Error, Filter,
    Intent, IntentRecord, Lease, OcspRecord, Result, Revocation, State,
};
use super::link::{Link, Params, failed};
use crate::store::Number;

/// A row, or what it is that cannot be read in it.
type Read<T> = fn(&Row) -> Result<T>;

/// All rows of a query.
fn all<T>(link: &mut Link, sql: &'static str, params: Params<'_>, read: Read<T>) -> Result<Vec<T>> {
    link.query(sql, params)?.iter().map(read).collect()
}

/// The only row of a query, if there is one.
fn one<T>(
    link: &mut Link,
    sql: &'static str,
    params: Params<'_>,
    read: Read<T>,
) -> Result<Option<T>> {
    link.query(sql, params)?.first().map(read).transpose()
}

pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> Result<T> {
    row.try_get(column).map_err(failed)
}

/// A number, none of which is negative.
pub(super) fn unsigned(number: i64) -> Result<u64> {
    u64::try_from(number).map_err(|_| Error::Corrupt("a number"))
}

/// A number as the database has it: all that are counted here stay far below its bound.
pub(super) fn signed(number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|_| Error::Unavailable("a number above 2^63".into()))
}

fn count(row: &Row, column: usize) -> Result<u64> {
    unsigned(get(row, column)?)
}

fn shard(shard: i64) -> Result<u32> {
    u32::try_from(shard).map_err(|_| Error::Corrupt("a shard"))
}

fn time(row: &Row, column: usize) -> Result<Time> {
    time_of(get(row, column)?)
}

fn time_of(seconds: i64) -> Result<Time> {
    Time::from_unix(seconds).ok_or(Error::Corrupt("a time"))
}

fn digest(row: &Row, column: usize) -> Result<[u8; 32]> {
    let octets: &[u8] = get(row, column)?;
    octets.try_into().map_err(|_| Error::Corrupt("a digest"))
}

pub(super) fn number(octets: &[u8]) -> Result<Number> {
    let octets: Result<[u8; Number::LEN], _> = octets.try_into();
    let number = octets.ok().and_then(|octets| Number::new(&octets).ok());
    number.ok_or(Error::Corrupt("a serial number"))
}

fn head_row(row: &Row) -> Result<(AuditHead, u64)> {
    let head = AuditHead {
        sequence: count(row, 0)?,
        at: time(row, 1)?,
        hash: digest(row, 2)?,
    };
    Ok((head, count(row, 3)?))
}

/// The head of the audit log, and the last CRL number.
pub(super) fn head(link: &mut Link) -> Result<(AuditHead, u64)> {
    let sql = "SELECT sequence, at, hash, crl_number FROM head WHERE id = 1";
    one(link, sql, &[], head_row)?.ok_or(Error::Corrupt("the head is missing"))
}

/// The same, once no other transaction has it; until this one ends, no other can have it.
pub(super) fn lock_head(link: &mut Link) -> Result<(AuditHead, u64)> {
    let sql = "SELECT sequence, at, hash, crl_number FROM head WHERE id = 1 FOR UPDATE";
    one(link, sql, &[], head_row)?.ok_or(Error::Corrupt("the head is missing"))
}

/// Whether the row of the audit log at this place has this mark.
pub(super) fn is_marked(link: &mut Link, sequence: u64, mark: &[u8]) -> Result<bool> {
    let sql = "SELECT mark = $2 FROM audit WHERE sequence = $1";
    let there = one(link, sql, &[&signed(sequence)?, &mark], |row| get(row, 0))?;
    Ok(there == Some(true))
}

pub(super) fn any_document(link: &mut Link) -> Result<Option<String>> {
    one(link, "SELECT name FROM documents LIMIT 1", &[], |row| {
        get(row, 0)
    })
}

pub(super) fn document(link: &mut Link, name: &str) -> Result<Option<Vec<u8>>> {
    let sql = "SELECT contents FROM documents WHERE name = $1";
    one(link, sql, &[&name], |row| get(row, 0))
}

fn lease_row(row: &Row) -> Result<Lease> {
    Ok(Lease {
        name: get(row, 0)?,
        holder: get(row, 1)?,
        token: count(row, 2)?,
        until: time(row, 3)?,
    })
}

pub(super) fn lease(link: &mut Link, name: &str) -> Result<Option<Lease>> {
    let sql = "SELECT name, holder, token, until FROM leases WHERE name = $1";
    one(link, sql, &[&name], lease_row)
}

pub(super) fn leases(link: &mut Link) -> Result<Vec<Lease>> {
    let sql = "SELECT name, holder, token, until FROM leases ORDER BY name COLLATE \"C\"";
    all(link, sql, &[], lease_row)
}

/// Digests and states of those intents that are there.
pub(super) fn pending(
    link: &mut Link,
    serials: &[&[u8]],
) -> Result<Vec<(Number, [u8; 32], State)>> {
    let sql = "SELECT i.serial, i.tbs_sha256, c.serial IS NOT NULL, a.serial IS NOT NULL
               FROM intents i
                    LEFT JOIN certificates c ON c.serial = i.serial
                    LEFT JOIN abandoned a ON a.serial = i.serial
               WHERE i.serial = ANY($1)";
    all(link, sql, &[&serials], |row| {
        let state = state(get(row, 2)?, get(row, 3)?);
        Ok((number(get(row, 0)?)?, digest(row, 1)?, state))
    })
}

pub(super) fn intent(link: &mut Link, serial: Number) -> Result<Option<IntentRecord>> {
    let sql = "SELECT i.serial, tbs, tbs_sha256, subject, profile, shard, not_before, not_after,
                      at, lease, token, n.name, b.number, b.digest
               FROM intents i LEFT JOIN batch_items b ON b.serial = i.serial
                    LEFT JOIN batches n ON n.id = b.batch
               WHERE i.serial = $1";
    one(link, sql, &[&&serial.as_bytes()[..]], |row| {
        Ok(IntentRecord {
            intent: Intent {
                serial: number(get(row, 0)?)?,
                tbs: get(row, 1)?,
                tbs_sha256: digest(row, 2)?,
                subject: get(row, 3)?,
                profile: get(row, 4)?,
                shard: shard(get(row, 5)?)?,
                not_before: time(row, 6)?,
                not_after: time(row, 7)?,
                item: item_of(row, 11)?,
            },
            at: time(row, 8)?,
            lease: lease_of(row, 9)?,
        })
    })
}

/// Name and token of a lease, from this column on.
fn lease_of(row: &Row, column: usize) -> Result<Option<(String, u64)>> {
    let name: Option<String> = get(row, column)?;
    let token: Option<i64> = get(row, column + 1)?;
    Ok(name.zip(token.map(unsigned).transpose()?))
}

/// The place in a batch, from this column on.
fn item_of(row: &Row, column: usize) -> Result<Option<BatchItem>> {
    let Some(batch) = get::<Option<&str>>(row, column)? else {
        return Ok(None);
    };
    let digest: &[u8] = get(row, column + 2)?;
    Ok(Some(BatchItem {
        batch: Arc::from(batch),
        number: count(row, column + 1)?,
        digest: digest.try_into().map_err(|_| Error::Corrupt("a digest"))?,
    }))
}

pub(super) fn certificate(link: &mut Link, serial: Number) -> Result<Option<Vec<u8>>> {
    let sql = "SELECT der FROM certificates WHERE serial = $1";
    one(link, sql, &[&&serial.as_bytes()[..]], |row| get(row, 0))
}

/// What an entry is read from; `WHERE` follows.
macro_rules! entries {
    ($where:literal) => {
        concat!(
            "SELECT i.serial, c.serial IS NOT NULL, a.serial IS NOT NULL, i.subject, i.profile,
                    i.shard, i.not_before, i.not_after, i.at, i.lease, i.token,
                    r.reason, r.date, r.invalidity_date, coalesce(r.revision, 0),
                    n.name, b.number, b.digest
             FROM intents i
                  LEFT JOIN certificates c ON c.serial = i.serial
                  LEFT JOIN abandoned a ON a.serial = i.serial
                  LEFT JOIN revocations r ON r.serial = i.serial
                  LEFT JOIN batch_items b ON b.serial = i.serial
                  LEFT JOIN batches n ON n.id = b.batch
             WHERE ",
            $where
        )
    };
}

fn entry_row(row: &Row) -> Result<Entry> {
    let revocation = match get::<Option<i64>>(row, 11)? {
        None => None,
        Some(code) => {
            let code = u8::try_from(code).ok();
            let reason = code.and_then(RevocationReason::from_code);
            let invalidity_date: Option<i64> = get(row, 13)?;
            Some(Revocation {
                reason: reason.ok_or(Error::Corrupt("a reason"))?,
                date: time(row, 12)?,
                invalidity_date: invalidity_date.map(time_of).transpose()?,
            })
        }
    };
    Ok(Entry {
        serial: number(get(row, 0)?)?,
        state: state(get(row, 1)?, get(row, 2)?),
        subject: get(row, 3)?,
        profile: get(row, 4)?,
        shard: shard(get(row, 5)?)?,
        not_before: time(row, 6)?,
        not_after: time(row, 7)?,
        at: time(row, 8)?,
        lease: lease_of(row, 9)?,
        revocation,
        revision: count(row, 14)?,
        item: item_of(row, 15)?,
    })
}

pub(super) fn entry(link: &mut Link, serial: Number) -> Result<Option<Entry>> {
    let sql = entries!("i.serial = $1");
    one(link, sql, &[&&serial.as_bytes()[..]], entry_row)
}

pub(super) fn list(link: &mut Link, filter: &Filter) -> Result<Vec<Entry>> {
    let sql = entries!(
        "($1::text IS NULL OR $1 = CASE WHEN c.serial IS NOT NULL THEN 'issued'
                                        WHEN a.serial IS NOT NULL THEN 'abandoned'
                                        ELSE 'pending' END)
         -- 8 is removeFromCRL.
         AND ($2::boolean IS NULL OR $2 = (r.reason IS NOT NULL AND r.reason <> 8))
         AND ($3::text IS NULL OR strpos(i.subject, $3) > 0)
         AND ($4::text IS NULL OR i.profile = $4)
         AND ($5::bigint IS NULL OR i.not_after <= $5)
         AND ($6::bigint IS NULL OR i.not_after >= $6)
         AND ($7::bytea IS NULL OR i.serial > $7)
         AND ($9::bigint IS NULL OR i.at >= $9)
         AND ($10::bigint IS NULL OR i.at <= $10)
         ORDER BY i.serial LIMIT $8::bigint"
    );
    let limit = filter.limit.and_then(|limit| i64::try_from(limit).ok());
    all(
        link,
        sql,
        &[
            &filter.state.map(State::name),
            &filter.revoked,
            &filter.subject,
            &filter.profile,
            &filter.expires_before.map(Time::to_unix),
            &filter.expires_after.map(Time::to_unix),
            &filter.after.as_ref().map(|after| &after.as_bytes()[..]),
            &limit,
            &filter.since.map(Time::to_unix),
            &filter.until.map(Time::to_unix),
        ],
        entry_row,
    )
}

pub(super) fn batch(
    link: &mut Link,
    name: &str,
    numbers: RangeInclusive<u64>,
) -> Result<Vec<Entry>> {
    let sql = entries!(
        "b.batch = (SELECT id FROM batches WHERE name = $1) AND b.number BETWEEN $2 AND $3
         -- Another intent takes the place of one that was given up alone.
         ORDER BY b.number, a.serial IS NULL"
    );
    // A number above 2^63 is no item's.
    let [first, last] =
        [numbers.start(), numbers.end()].map(|n| i64::try_from(*n).unwrap_or(i64::MAX));
    all(link, sql, &[&name, &first, &last], entry_row)
}

pub(super) fn batch_end(link: &mut Link, name: &str) -> Result<u64> {
    let sql = "SELECT coalesce(max(number), 0) FROM batch_items
               WHERE batch = (SELECT id FROM batches WHERE name = $1)";
    Ok(one(link, sql, &[&name], |row| count(row, 0))?.unwrap_or(0))
}

pub(super) fn batch_id(link: &mut Link, name: &str) -> Result<Option<i64>> {
    let sql = "SELECT id FROM batches WHERE name = $1";
    one(link, sql, &[&name], |row| get(row, 0))
}

/// The first of these items of a batch whose intent was not given up: number and intent.
pub(super) fn item_holder(
    link: &mut Link,
    batch: i64,
    items: &[i64],
) -> Result<Option<(u64, Number)>> {
    let sql = "SELECT b.number, b.serial
               FROM batch_items b LEFT JOIN abandoned a ON a.serial = b.serial
               WHERE b.batch = $1 AND b.number = ANY($2) AND a.serial IS NULL
               ORDER BY b.number LIMIT 1";
    one(link, sql, &[&batch, &items], |row| {
        Ok((count(row, 0)?, number(get(row, 1)?)?))
    })
}

pub(super) fn counts(link: &mut Link) -> Result<Counts> {
    let sql = "SELECT (SELECT count(*) FROM intents), (SELECT count(*) FROM certificates),
                      (SELECT count(*) FROM abandoned), (SELECT count(*) FROM revocations),
                      (SELECT count(*) FROM crls), (SELECT count(*) FROM ocsp_responses),
                      (SELECT crl_number FROM head WHERE id = 1)";
    let counts = one(link, sql, &[], |row| {
        Ok(Counts {
            intents: count(row, 0)?,
            certificates: count(row, 1)?,
            abandoned: count(row, 2)?,
            revocations: count(row, 3)?,
            crls: count(row, 4)?,
            ocsp_responses: count(row, 5)?,
            crl_numbers: count(row, 6)?,
        })
    })?;
    counts.ok_or(Error::Corrupt("nothing was counted"))
}

pub(super) fn revoked(
    link: &mut Link,
    shard: Option<u32>,
    since: Option<u64>,
) -> Result<Vec<Entry>> {
    let sql = entries!(
        "r.serial IS NOT NULL
         AND ($1::bigint IS NULL OR r.shard = $1)
         AND ($2::bigint IS NULL OR r.since >= $2)
         ORDER BY i.serial"
    );
    let since = since.map(signed).transpose()?;
    all(link, sql, &[&shard.map(i64::from), &since], entry_row)
}

pub(super) fn latest_crl(link: &mut Link, scope: CrlScope) -> Result<Option<CrlRecord>> {
    let sql = "SELECT number, shard, delta, base, this_update, next_update, der FROM crls
               WHERE shard IS NOT DISTINCT FROM $1 AND delta = $2
               ORDER BY number DESC LIMIT 1";
    one(
        link,
        sql,
        &[&scope.shard.map(i64::from), &scope.delta],
        crl_row,
    )
}

pub(super) fn crl(link: &mut Link, number: u64) -> Result<Option<CrlRecord>> {
    let sql = "SELECT number, shard, delta, base, this_update, next_update, der FROM crls
               WHERE number = $1";
    one(link, sql, &[&signed(number)?], crl_row)
}

fn crl_row(row: &Row) -> Result<CrlRecord> {
    let of: Option<i64> = get(row, 1)?;
    let base: Option<i64> = get(row, 3)?;
    Ok(CrlRecord {
        number: count(row, 0)?,
        scope: CrlScope {
            shard: of.map(shard).transpose()?,
            delta: get(row, 2)?,
        },
        base: base.map(unsigned).transpose()?,
        this_update: time(row, 4)?,
        next_update: time(row, 5)?,
        der: get(row, 6)?,
    })
}

pub(super) fn crl_is_there(link: &mut Link, number: u64) -> Result<bool> {
    let sql = "SELECT 1::bigint FROM crls WHERE number = $1";
    let there: Option<i64> = one(link, sql, &[&signed(number)?], |row| get(row, 0))?;
    Ok(there.is_some())
}

pub(super) fn ocsp(link: &mut Link, serial: Number) -> Result<Option<OcspRecord>> {
    let sql = "SELECT serial, revision, this_update, next_update, der FROM ocsp_responses
               WHERE serial = $1";
    one(link, sql, &[&&serial.as_bytes()[..]], |row| {
        Ok(OcspRecord {
            serial: number(get(row, 0)?)?,
            revision: count(row, 1)?,
            this_update: time(row, 2)?,
            next_update: time(row, 3)?,
            der: get(row, 4)?,
        })
    })
}

pub(super) fn audit(link: &mut Link, from: u64, limit: usize) -> Result<Vec<AuditRow>> {
    let sql = "SELECT sequence, at, kind, subject, digest, note, hash FROM audit
               WHERE sequence >= $1 ORDER BY sequence LIMIT $2::bigint";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    all(link, sql, &[&signed(from)?, &limit], |row| {
        let kind = u8::try_from(get::<i64>(row, 2)?).ok();
        let kind = kind.and_then(AuditKind::from_code);
        let subject: Option<&[u8]> = get(row, 3)?;
        Ok(AuditRow {
            sequence: count(row, 0)?,
            at: time(row, 1)?,
            event: Event {
                kind: kind.ok_or(Error::Corrupt("a kind of the audit log"))?,
                subject: subject.map(number).transpose()?,
                digest: digest(row, 4)?,
                note: get(row, 5)?,
            },
            hash: digest(row, 6)?,
        })
    })
}
