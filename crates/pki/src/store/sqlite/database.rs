//! The embedded database as one that a store reads and writes: a statement for each row.

use rusqlite::types::{FromSqlError, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, ffi, params_from_iter};

use super::super::database::{Column, Database, Row, Value, Words, entries, words};
use super::super::{Error, Result};
use super::failed;

/// A connection, in or outside of a transaction.
pub(super) struct Link<'c>(pub(super) &'c Connection);

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Null => ValueRef::Null,
            Value::Flag(flag) => ValueRef::Integer(flag.into()),
            Value::Int(number) => ValueRef::Integer(number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Octets(octets) => ValueRef::Blob(octets),
        }))
    }
}

impl Row for rusqlite::Row<'_> {
    fn flag(&self, column: usize) -> Result<bool> {
        self.get(column).map_err(failed)
    }

    fn int(&self, column: usize) -> Result<Option<i64>> {
        self.get(column).map_err(failed)
    }

    fn text(&self, column: usize) -> Result<Option<&str>> {
        let field = self.get_ref(column).map_err(failed)?;
        field.as_str_or_null().map_err(wrong)
    }

    fn octets(&self, column: usize) -> Result<Option<&[u8]>> {
        let field = self.get_ref(column).map_err(failed)?;
        field.as_blob_or_null().map_err(wrong)
    }
}

fn wrong(error: FromSqlError) -> Error {
    Error::Unavailable(Box::new(error))
}

/// The parameters of each of the rows.
fn rows<'p>(
    columns: &'p [Column<'_>],
    others: &'p [Value<'_>],
) -> impl Iterator<Item = impl Iterator<Item = &'p Value<'p>>> {
    let rows = columns.first().map_or(1, Vec::len);
    (0..rows).map(move |row| columns.iter().map(move |c| &c[row]).chain(others))
}

impl Database for Link<'_> {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn query(
        &mut self,
        sql: &'static str,
        columns: &[Column<'_>],
        others: &[Value<'_>],
        row: &mut dyn FnMut(&dyn Row) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.0.prepare_cached(sql).map_err(failed)?;
        for params in rows(columns, others) {
            let mut found = statement.query(params_from_iter(params)).map_err(failed)?;
            while let Some(next) = found.next().map_err(failed)? {
                row(next)?;
            }
        }
        Ok(())
    }

    fn execute(
        &mut self,
        sql: &'static str,
        columns: &[Column<'_>],
        others: &[Value<'_>],
    ) -> Result<u64> {
        let mut statement = self.0.prepare_cached(sql).map_err(failed)?;
        rows(columns, others).try_fold(0, |changed, params| {
            let rows = statement.execute(params_from_iter(params));
            Ok(changed + rows.map_err(failed)? as u64)
        })
    }

    fn insert_new(
        &mut self,
        sql: &'static str,
        columns: &[Column<'_>],
        others: &[Value<'_>],
    ) -> Result<Option<usize>> {
        let mut statement = self.0.prepare_cached(sql).map_err(failed)?;
        for (place, params) in rows(columns, others).enumerate() {
            match statement.execute(params_from_iter(params)) {
                Err(error)
                    if error.sqlite_extended_error_code()
                        == Some(ffi::SQLITE_CONSTRAINT_UNIQUE) =>
                {
                    return Ok(Some(place));
                }
                done => done.map_err(failed)?,
            };
        }
        Ok(None)
    }
}

static WORDS: Words = words! {
    key = "id";
    position = "instr";
    lock_head = "SELECT sequence, at, hash, crl_number FROM head WHERE id = 1";
    certificate = "SELECT der FROM certificates JOIN intents USING (id) WHERE serial = $1";
    pending = "SELECT serial, tbs_sha256,
                      EXISTS (SELECT 1 FROM certificates c WHERE c.id = i.id),
                      EXISTS (SELECT 1 FROM abandoned a WHERE a.id = i.id)
               FROM intents i WHERE serial = $1";
    holder = "SELECT b.number, i.serial FROM batch_items b JOIN intents i ON i.id = b.id
              WHERE b.number = $1 AND b.batch = $2
                    AND NOT EXISTS (SELECT 1 FROM abandoned a WHERE a.id = b.id)";
    put_intents = "INSERT INTO intents (serial, tbs, tbs_sha256, subject, profile, shard,
                                        not_before, not_after, at, lease, token)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    put_items = "INSERT INTO batch_items (id, number, digest, batch)
                 VALUES ((SELECT id FROM intents WHERE serial = $1), $2, $3, $4)";
    put_certificates = "INSERT INTO certificates (id, der)
                        VALUES ((SELECT id FROM intents WHERE serial = $1), $2)";
    put_abandoned = "INSERT INTO abandoned (id, at)
                     VALUES ((SELECT id FROM intents WHERE serial = $1), $2)";
    // The revision of a serial number without revocation is 0.
    put_ocsp = "INSERT INTO ocsp_responses (serial, revision, this_update, next_update, der)
                SELECT $1, $2, $3, $4, $5
                WHERE $2 = coalesce((SELECT revision FROM revocations WHERE serial = $1), 0)
                ON CONFLICT (serial) DO UPDATE SET
                    revision = excluded.revision, this_update = excluded.this_update,
                    next_update = excluded.next_update, der = excluded.der
                WHERE this_update <= excluded.this_update OR revision < excluded.revision";
    put_audit = "INSERT INTO audit (sequence, at, kind, subject, digest, note, hash)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)";
};
