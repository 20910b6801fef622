//! The server as a database that a store reads and writes: many rows go to it as arrays, in one
//! statement.

use std::collections::HashSet;
use std::error::Error as StdError;

use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use super::super::Result;
use super::super::database::{Column, Database, Row, Value, Words, entries, words};
use super::link::{Link, failed};

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        of: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Flag(flag) => flag.to_sql_checked(of, out),
            Value::Int(number) => number.to_sql_checked(of, out),
            Value::Text(text) => text.to_sql_checked(of, out),
            Value::Octets(octets) => octets.to_sql_checked(of, out),
        }
    }

    /// Which each value checks itself.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl Row for postgres::Row {
    fn flag(&self, column: usize) -> Result<bool> {
        self.try_get(column).map_err(failed)
    }

    fn int(&self, column: usize) -> Result<Option<i64>> {
        self.try_get(column).map_err(failed)
    }

    fn text(&self, column: usize) -> Result<Option<&str>> {
        self.try_get(column).map_err(failed)
    }

    fn octets(&self, column: usize) -> Result<Option<&[u8]>> {
        self.try_get(column).map_err(failed)
    }
}

/// Columns as arrays, and then the others.
fn params<'p>(
    columns: &'p [Column<'_>],
    others: &'p [Value<'_>],
) -> Vec<&'p (dyn ToSql + Sync + 'p)> {
    let columns = columns.iter().map(|column| column as &(dyn ToSql + Sync));
    let others = others.iter().map(|value| value as &(dyn ToSql + Sync));
    columns.chain(others).collect()
}

impl Database for Link {
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
        let statement = self.statement(sql)?;
        let rows = self.client.query(&statement, &params(columns, others));
        rows.map_err(failed)?.iter().try_for_each(|next| row(next))
    }

    fn execute(
        &mut self,
        sql: &'static str,
        columns: &[Column<'_>],
        others: &[Value<'_>],
    ) -> Result<u64> {
        let statement = self.statement(sql)?;
        let changed = self.client.execute(&statement, &params(columns, others));
        changed.map_err(failed)
    }

    fn insert_new(
        &mut self,
        sql: &'static str,
        columns: &[Column<'_>],
        others: &[Value<'_>],
    ) -> Result<Option<usize>> {
        let mut inserted = HashSet::new();
        self.query(sql, columns, others, &mut |row| {
            inserted.insert(row.octets(0)?.map(<[u8]>::to_vec));
            Ok(())
        })?;
        let asked = columns.first().map_or(&[][..], Vec::as_slice);
        if inserted.len() == asked.len() {
            return Ok(None);
        }
        Ok(asked.iter().position(|value| match value {
            Value::Octets(octets) => !inserted.remove(&Some(octets.to_vec())),
            _ => true,
        }))
    }
}

static WORDS: Words = words! {
    key = "serial";
    position = "strpos";
    lock_head = "SELECT sequence, at, hash, crl_number FROM head WHERE id = 1 FOR UPDATE";
    certificate = "SELECT der FROM certificates WHERE serial = $1";
    pending = "SELECT i.serial, i.tbs_sha256, c.serial IS NOT NULL, a.serial IS NOT NULL
               FROM intents i
                    LEFT JOIN certificates c ON c.serial = i.serial
                    LEFT JOIN abandoned a ON a.serial = i.serial
               WHERE i.serial = ANY($1)";
    holder = "SELECT b.number, b.serial
              FROM batch_items b LEFT JOIN abandoned a ON a.serial = b.serial
              WHERE b.number = ANY($1) AND b.batch = $2 AND a.serial IS NULL
              ORDER BY b.number LIMIT 1";
    put_intents = "INSERT INTO intents (serial, tbs, tbs_sha256, subject, profile, shard,
                                        not_before, not_after, at, lease, token)
                   SELECT n.*, $9::bigint, $10::text, $11::bigint
                   FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::text[], $5::text[],
                               $6::bigint[], $7::bigint[], $8::bigint[]) AS n
                   ON CONFLICT (serial) DO NOTHING
                   RETURNING serial";
    put_items = "INSERT INTO batch_items (serial, number, digest, batch)
                 SELECT n.*, $4::bigint
                 FROM unnest($1::bytea[], $2::bigint[], $3::bytea[]) AS n";
    put_certificates = "INSERT INTO certificates (serial, der)
                        SELECT n.* FROM unnest($1::bytea[], $2::bytea[]) AS n";
    put_abandoned = "INSERT INTO abandoned (serial, at)
                     SELECT n, $2::bigint FROM unnest($1::bytea[]) AS n";
    // The revision of a serial number without revocation is 0.
    put_ocsp = "INSERT INTO ocsp_responses (serial, revision, this_update, next_update, der)
                SELECT n.*
                FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])
                         AS n (serial, revision, this_update, next_update, der)
                     LEFT JOIN revocations r ON r.serial = n.serial
                WHERE n.revision = coalesce(r.revision, 0)
                ON CONFLICT (serial) DO UPDATE SET
                    revision = excluded.revision, this_update = excluded.this_update,
                    next_update = excluded.next_update, der = excluded.der
                WHERE ocsp_responses.this_update <= excluded.this_update
                      OR ocsp_responses.revision < excluded.revision";
    put_audit = "INSERT INTO audit (sequence, at, kind, subject, digest, note, hash, mark)
                 SELECT n.*, $8::bytea
                 FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[],
                             $6::text[], $7::bytea[]) AS n";
};
