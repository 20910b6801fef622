//! What is read.

use std::ops::RangeInclusive;
use std::sync::Arc;

use adamant::der::Time;
use adamant::x509::extensions::RevocationReason;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, Row, params};

use super::super::audit::Event;
use super::super::rules::state;
use super::super::{
    AuditHead, AuditKind, AuditRow, BatchItem, Counts, CrlRecord, CrlScope, Entry, Error, Filter,
    Intent, IntentRecord, Lease, OcspRecord, Result, Revocation, State,
};
use super::failed;
use crate::store::Number;

/// A row, or what it is that cannot be read in it.
type Read<T> = fn(&Row<'_>) -> Result<T>;

/// All rows of a query.
fn all<T>(c: &Connection, sql: &str, params: impl Params, read: Read<T>) -> Result<Vec<T>> {
    let mut select = c.prepare_cached(sql).map_err(failed)?;
    let mut rows = select.query(params).map_err(failed)?;
    let mut out = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        out.push(read(row)?);
    }
    Ok(out)
}

/// The only row of a query, if there is one.
fn one<T>(c: &Connection, sql: &str, params: impl Params, read: Read<T>) -> Result<Option<T>> {
    let mut select = c.prepare_cached(sql).map_err(failed)?;
    let mut rows = select.query(params).map_err(failed)?;
    rows.next().map_err(failed)?.map(read).transpose()
}

fn get<T: FromSql>(row: &Row<'_>, column: usize) -> Result<T> {
    row.get(column).map_err(failed)
}

fn time(row: &Row<'_>, column: usize) -> Result<Time> {
    Time::from_unix(get(row, column)?).ok_or(Error::Corrupt("a time"))
}

fn number(row: &Row<'_>, column: usize) -> Result<Number> {
    let octets: [u8; Number::LEN] = get(row, column)?;
    Number::new(&octets).map_err(|_| Error::Corrupt("a serial number"))
}

/// The head of the audit log, and the last CRL number.
pub(super) fn head(c: &Connection) -> Result<(AuditHead, u64)> {
    let sql = "SELECT sequence, at, hash, crl_number FROM head WHERE id = 1";
    let head = one(c, sql, [], |row| {
        let head = AuditHead {
            sequence: get(row, 0)?,
            at: time(row, 1)?,
            hash: get(row, 2)?,
        };
        Ok((head, get(row, 3)?))
    })?;
    head.ok_or(Error::Corrupt("the head is missing"))
}

pub(super) fn any_document(c: &Connection) -> Result<Option<String>> {
    one(c, "SELECT name FROM documents LIMIT 1", [], |row| {
        get(row, 0)
    })
}

pub(super) fn document(c: &Connection, name: &str) -> Result<Option<Vec<u8>>> {
    let sql = "SELECT contents FROM documents WHERE name = ?1";
    one(c, sql, [name], |row| get(row, 0))
}

fn lease_row(row: &Row<'_>) -> Result<Lease> {
    Ok(Lease {
        name: get(row, 0)?,
        holder: get(row, 1)?,
        token: get(row, 2)?,
        until: time(row, 3)?,
    })
}

pub(super) fn lease(c: &Connection, name: &str) -> Result<Option<Lease>> {
    let sql = "SELECT name, holder, token, until FROM leases WHERE name = ?1";
    one(c, sql, [name], lease_row)
}

pub(super) fn leases(c: &Connection) -> Result<Vec<Lease>> {
    let sql = "SELECT name, holder, token, until FROM leases ORDER BY name";
    all(c, sql, [], lease_row)
}

/// Row, digest and state of an intent.
pub(super) fn pending(c: &Connection, serial: Number) -> Result<Option<(i64, [u8; 32], State)>> {
    let sql = "SELECT id, tbs_sha256,
                      EXISTS (SELECT 1 FROM certificates c WHERE c.id = i.id),
                      EXISTS (SELECT 1 FROM abandoned a WHERE a.id = i.id)
               FROM intents i WHERE serial = ?1";
    one(c, sql, [serial.as_bytes()], |row| {
        Ok((
            get(row, 0)?,
            get(row, 1)?,
            state(get(row, 2)?, get(row, 3)?),
        ))
    })
}

pub(super) fn intent(c: &Connection, serial: Number) -> Result<Option<IntentRecord>> {
    let sql = "SELECT serial, tbs, tbs_sha256, subject, profile, shard, not_before, not_after,
                      at, lease, token, n.name, b.number, b.digest
               FROM intents i LEFT JOIN batch_items b ON b.id = i.id
                    LEFT JOIN batches n ON n.id = b.batch
               WHERE serial = ?1";
    one(c, sql, [serial.as_bytes()], |row| {
        Ok(IntentRecord {
            intent: Intent {
                serial: number(row, 0)?,
                tbs: get(row, 1)?,
                tbs_sha256: get(row, 2)?,
                subject: get(row, 3)?,
                profile: get(row, 4)?,
                shard: get(row, 5)?,
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
fn lease_of(row: &Row<'_>, column: usize) -> Result<Option<(String, u64)>> {
    let name: Option<String> = get(row, column)?;
    let token: Option<u64> = get(row, column + 1)?;
    Ok(name.zip(token))
}

/// The place in a batch, from this column on.
fn item_of(row: &Row<'_>, column: usize) -> Result<Option<BatchItem>> {
    let Some(batch) = get::<Option<Arc<str>>>(row, column)? else {
        return Ok(None);
    };
    Ok(Some(BatchItem {
        batch,
        number: get(row, column + 1)?,
        digest: get(row, column + 2)?,
    }))
}

pub(super) fn certificate(c: &Connection, serial: Number) -> Result<Option<Vec<u8>>> {
    let sql = "SELECT der FROM certificates JOIN intents USING (id) WHERE serial = ?1";
    one(c, sql, [serial.as_bytes()], |row| get(row, 0))
}

/// What an entry is read from; `WHERE` follows.
macro_rules! entries {
    ($where:literal) => {
        concat!(
            "SELECT i.serial, c.id IS NOT NULL, a.id IS NOT NULL, i.subject, i.profile, i.shard,
                    i.not_before, i.not_after, i.at, i.lease, i.token,
                    r.reason, r.date, r.invalidity_date, coalesce(r.revision, 0),
                    n.name, b.number, b.digest
             FROM intents i
                  LEFT JOIN certificates c ON c.id = i.id
                  LEFT JOIN abandoned a ON a.id = i.id
                  LEFT JOIN revocations r ON r.serial = i.serial
                  LEFT JOIN batch_items b ON b.id = i.id
                  LEFT JOIN batches n ON n.id = b.batch
             WHERE ",
            $where
        )
    };
}

fn entry_row(row: &Row<'_>) -> Result<Entry> {
    let reason: Option<u8> = get(row, 11)?;
    let invalidity: Option<i64> = get(row, 13)?;
    let revocation = match reason {
        None => None,
        Some(code) => Some(Revocation {
            reason: RevocationReason::from_code(code).ok_or(Error::Corrupt("a reason"))?,
            date: time(row, 12)?,
            invalidity_date: match invalidity {
                None => None,
                Some(_) => Some(time(row, 13)?),
            },
        }),
    };
    Ok(Entry {
        serial: number(row, 0)?,
        state: state(get(row, 1)?, get(row, 2)?),
        subject: get(row, 3)?,
        profile: get(row, 4)?,
        shard: get(row, 5)?,
        not_before: time(row, 6)?,
        not_after: time(row, 7)?,
        at: time(row, 8)?,
        lease: lease_of(row, 9)?,
        revocation,
        revision: get(row, 14)?,
        item: item_of(row, 15)?,
    })
}

pub(super) fn entry(c: &Connection, serial: Number) -> Result<Option<Entry>> {
    one(c, entries!("i.serial = ?1"), [serial.as_bytes()], entry_row)
}

pub(super) fn list(c: &Connection, filter: &Filter) -> Result<Vec<Entry>> {
    let sql = entries!(
        "(?1 IS NULL OR ?1 = CASE WHEN c.id IS NOT NULL THEN 'issued'
                                  WHEN a.id IS NOT NULL THEN 'abandoned'
                                  ELSE 'pending' END)
         -- 8 is removeFromCRL.
         AND (?2 IS NULL OR ?2 = (r.reason IS NOT NULL AND r.reason <> 8))
         AND (?3 IS NULL OR instr(i.subject, ?3) > 0)
         AND (?4 IS NULL OR i.profile = ?4)
         AND (?5 IS NULL OR i.not_after <= ?5)
         AND (?6 IS NULL OR i.not_after >= ?6)
         AND (?7 IS NULL OR i.serial > ?7)
         AND (?9 IS NULL OR i.at >= ?9)
         AND (?10 IS NULL OR i.at <= ?10)
         ORDER BY i.serial LIMIT ?8"
    );
    let limit = filter.limit.map_or(-1, |n| i64::try_from(n).unwrap_or(-1));
    all(
        c,
        sql,
        params![
            filter.state.map(State::name),
            filter.revoked,
            filter.subject,
            filter.profile,
            filter.expires_before.map(Time::to_unix),
            filter.expires_after.map(Time::to_unix),
            filter.after.as_ref().map(Number::as_bytes),
            limit,
            filter.since.map(Time::to_unix),
            filter.until.map(Time::to_unix)
        ],
        entry_row,
    )
}

pub(super) fn batch(
    c: &Connection,
    name: &str,
    numbers: RangeInclusive<u64>,
) -> Result<Vec<Entry>> {
    let sql = entries!(
        "b.batch = (SELECT id FROM batches WHERE name = ?1) AND b.number BETWEEN ?2 AND ?3
         -- Another intent takes the place of one that was given up alone.
         ORDER BY b.number, b.id"
    );
    // A number above 2^63 is no item's.
    let [first, last] =
        [numbers.start(), numbers.end()].map(|n| i64::try_from(*n).unwrap_or(i64::MAX));
    all(c, sql, params![name, first, last], entry_row)
}

pub(super) fn batch_end(c: &Connection, name: &str) -> Result<u64> {
    let sql = "SELECT coalesce(max(number), 0) FROM batch_items
               WHERE batch = (SELECT id FROM batches WHERE name = ?1)";
    Ok(one(c, sql, [name], |row| get(row, 0))?.unwrap_or(0))
}

pub(super) fn batch_id(c: &Connection, name: &str) -> Result<Option<i64>> {
    let sql = "SELECT id FROM batches WHERE name = ?1";
    one(c, sql, [name], |row| get(row, 0))
}

/// The intent of an item of a batch that was not given up.
pub(super) fn item_holder(c: &Connection, batch: i64, item: u64) -> Result<Option<Number>> {
    let sql = "SELECT i.serial FROM batch_items b JOIN intents i ON i.id = b.id
               WHERE b.batch = ?1 AND b.number = ?2
                     AND NOT EXISTS (SELECT 1 FROM abandoned a WHERE a.id = b.id)";
    one(c, sql, params![batch, item], |row| number(row, 0))
}

pub(super) fn counts(c: &Connection) -> Result<Counts> {
    let sql = "SELECT (SELECT count(*) FROM intents), (SELECT count(*) FROM certificates),
                      (SELECT count(*) FROM abandoned), (SELECT count(*) FROM revocations),
                      (SELECT count(*) FROM crls), (SELECT count(*) FROM ocsp_responses),
                      (SELECT crl_number FROM head)";
    let counts = one(c, sql, [], |row| {
        Ok(Counts {
            intents: get(row, 0)?,
            certificates: get(row, 1)?,
            abandoned: get(row, 2)?,
            revocations: get(row, 3)?,
            crls: get(row, 4)?,
            ocsp_responses: get(row, 5)?,
            crl_numbers: get(row, 6)?,
        })
    })?;
    counts.ok_or(Error::Corrupt("nothing was counted"))
}

pub(super) fn revoked(
    c: &Connection,
    shard: Option<u32>,
    since: Option<u64>,
) -> Result<Vec<Entry>> {
    let sql = entries!(
        "r.serial IS NOT NULL
         AND (?1 IS NULL OR r.shard = ?1)
         AND (?2 IS NULL OR r.since >= ?2)
         ORDER BY i.serial"
    );
    all(c, sql, params![shard, since], entry_row)
}

pub(super) fn latest_crl(c: &Connection, scope: CrlScope) -> Result<Option<CrlRecord>> {
    let sql = "SELECT number, shard, delta, base, this_update, next_update, der FROM crls
               WHERE shard IS ?1 AND delta = ?2 ORDER BY number DESC LIMIT 1";
    one(c, sql, params![scope.shard, scope.delta], crl_row)
}

pub(super) fn crl(c: &Connection, number: u64) -> Result<Option<CrlRecord>> {
    let sql = "SELECT number, shard, delta, base, this_update, next_update, der FROM crls
               WHERE number = ?1";
    one(c, sql, [number], crl_row)
}

fn crl_row(row: &Row<'_>) -> Result<CrlRecord> {
    Ok(CrlRecord {
        number: get(row, 0)?,
        scope: CrlScope {
            shard: get(row, 1)?,
            delta: get(row, 2)?,
        },
        base: get(row, 3)?,
        this_update: time(row, 4)?,
        next_update: time(row, 5)?,
        der: get(row, 6)?,
    })
}

pub(super) fn ocsp(c: &Connection, serial: Number) -> Result<Option<OcspRecord>> {
    let sql = "SELECT serial, revision, this_update, next_update, der FROM ocsp_responses
               WHERE serial = ?1";
    one(c, sql, [serial.as_bytes()], |row| {
        Ok(OcspRecord {
            serial: number(row, 0)?,
            revision: get(row, 1)?,
            this_update: time(row, 2)?,
            next_update: time(row, 3)?,
            der: get(row, 4)?,
        })
    })
}

pub(super) fn audit(c: &Connection, from: u64, limit: usize) -> Result<Vec<AuditRow>> {
    let sql = "SELECT sequence, at, kind, subject, digest, note, hash FROM audit
               WHERE sequence >= ?1 ORDER BY sequence LIMIT ?2";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    all(c, sql, params![from, limit], |row| {
        let subject: Option<[u8; Number::LEN]> = get(row, 3)?;
        let subject = subject.map(|octets| Number::new(&octets)).transpose();
        let kind = AuditKind::from_code(get(row, 2)?);
        Ok(AuditRow {
            sequence: get(row, 0)?,
            at: time(row, 1)?,
            event: Event {
                kind: kind.ok_or(Error::Corrupt("a kind of the audit log"))?,
                subject: subject.map_err(|_| Error::Corrupt("a subject of the audit log"))?,
                digest: get(row, 4)?,
                note: get(row, 5)?,
            },
            hash: get(row, 6)?,
        })
    })
}
