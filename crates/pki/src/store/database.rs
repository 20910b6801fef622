//! What [`read`](super::read) and [`write`](super::write) ask of a database, and the statements
//! that each has its own words for.

use adamant::der::Time;

use super::{Error, Number, Result};

/// A parameter of a statement.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    Null,
    Flag(bool),
    Int(i64),
    Text(&'a str),
    Octets(&'a [u8]),
}

macro_rules! values {
    ($($type:ty: $value:ident => $made:expr;)*) => { $(
        impl<'a> From<$type> for Value<'a> {
            fn from($value: $type) -> Self {
                $made
            }
        }
    )* };
}

values! {
    bool: flag => Value::Flag(flag);
    i64: number => Value::Int(number);
    u32: number => Value::Int(number.into());
    u8: number => Value::Int(number.into());
    Time: time => Value::Int(time.to_unix());
    &'a str: text => Value::Text(text);
    &'a String: text => Value::Text(text);
    &'a [u8]: octets => Value::Octets(octets);
    &'a [u8; 32]: octets => Value::Octets(octets);
    &'a [u8; 16]: octets => Value::Octets(octets);
    &'a Vec<u8>: octets => Value::Octets(octets);
    &'a Number: number => Value::Octets(number.as_bytes());
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// A number as the databases have it: all that are counted here stay far below their bound.
pub(super) fn signed(number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|_| Error::Unavailable("a number above 2^63".into()))
}

/// A row, by the numbers of its columns.
pub(super) trait Row {
    fn flag(&self, column: usize) -> Result<bool>;
    fn int(&self, column: usize) -> Result<Option<i64>>;
    fn text(&self, column: usize) -> Result<Option<&str>>;
    fn octets(&self, column: usize) -> Result<Option<&[u8]>>;
}

const EMPTY: Error = Error::Corrupt("a field is empty");

impl dyn Row + '_ {
    /// A number, none of which is negative.
    pub(super) fn count_or_null(&self, column: usize) -> Result<Option<u64>> {
        let unsigned = |n| u64::try_from(n).map_err(|_| Error::Corrupt("a number"));
        self.int(column)?.map(unsigned).transpose()
    }

    pub(super) fn count(&self, column: usize) -> Result<u64> {
        self.count_or_null(column)?.ok_or(EMPTY)
    }

    pub(super) fn shard(&self, column: usize) -> Result<Option<u32>> {
        let shard = |n| u32::try_from(n).map_err(|_| Error::Corrupt("a shard"));
        self.int(column)?.map(shard).transpose()
    }

    pub(super) fn time_or_null(&self, column: usize) -> Result<Option<Time>> {
        let time = |n| Time::from_unix(n).ok_or(Error::Corrupt("a time"));
        self.int(column)?.map(time).transpose()
    }

    pub(super) fn time(&self, column: usize) -> Result<Time> {
        self.time_or_null(column)?.ok_or(EMPTY)
    }

    pub(super) fn string(&self, column: usize) -> Result<String> {
        self.text(column)?.map(str::to_owned).ok_or(EMPTY)
    }

    pub(super) fn vec(&self, column: usize) -> Result<Vec<u8>> {
        self.octets(column)?.map(<[u8]>::to_vec).ok_or(EMPTY)
    }

    pub(super) fn array<const N: usize>(&self, column: usize) -> Result<[u8; N]> {
        let octets = self.octets(column)?.ok_or(EMPTY)?;
        octets.try_into().map_err(|_| Error::Corrupt("a digest"))
    }

    pub(super) fn number_or_null(&self, column: usize) -> Result<Option<Number>> {
        let number = |octets: &[u8]| {
            let octets = <&[u8; Number::LEN]>::try_from(octets).ok();
            let number = octets.and_then(|octets| Number::new(octets).ok());
            number.ok_or(Error::Corrupt("a serial number"))
        };
        self.octets(column)?.map(number).transpose()
    }

    pub(super) fn number(&self, column: usize) -> Result<Number> {
        self.number_or_null(column)?.ok_or(EMPTY)
    }
}

/// The values of one column, a row after another.
pub(super) type Column<'a> = Vec<Value<'a>>;

/// A database in or outside of a transaction.
///
/// Each statement is for many rows or for none: the parameters that `columns` are come first, and
/// `others`, which are the same for all rows, follow them.
pub(super) trait Database {
    /// What is said in its own words.
    fn words(&self) -> &'static Words;

    /// Hands over the rows of a query.
    fn query(
        &mut self,
        sql: &'static str,
        columns: &[Column<'_>],
        others: &[Value<'_>],
        row: &mut dyn FnMut(&dyn Row) -> Result<()>,
    ) -> Result<()>;

    /// Says how many rows a statement changed.
    fn execute(
        &mut self,
        sql: &'static str,
        columns: &[Column<'_>],
        others: &[Value<'_>],
    ) -> Result<u64>;

    /// Inserts rows, none of which is there: the place of one that is.
    fn insert_new(
        &mut self,
        sql: &'static str,
        columns: &[Column<'_>],
        others: &[Value<'_>],
    ) -> Result<Option<usize>>;
}

/// Statements that each database has its own words for.
pub(super) struct Words {
    pub(super) lock_head: &'static str,
    pub(super) pending: &'static str,
    pub(super) certificate: &'static str,
    pub(super) holder: &'static str,
    pub(super) intent: &'static str,
    pub(super) entry: &'static str,
    pub(super) list: &'static str,
    pub(super) batch: &'static str,
    pub(super) revoked: &'static str,
    pub(super) put_intents: &'static str,
    pub(super) put_items: &'static str,
    pub(super) put_certificates: &'static str,
    pub(super) put_abandoned: &'static str,
    pub(super) put_ocsp: &'static str,
    pub(super) put_audit: &'static str,
}

/// What an entry is read from, in tables that `$key` ties to that of the intents; `WHERE` follows.
macro_rules! entries {
    ($key:literal, $($where:literal),*) => {
        concat!(
            "SELECT i.serial, c.", $key, " IS NOT NULL, a.", $key, " IS NOT NULL, i.subject,
                    i.profile, i.shard, i.not_before, i.not_after, i.at, i.lease, i.token,
                    r.reason, r.date, r.invalidity_date, coalesce(r.revision, 0),
                    n.name, b.number, b.digest
             FROM intents i
                  LEFT JOIN certificates c ON c.", $key, " = i.", $key, "
                  LEFT JOIN abandoned a ON a.", $key, " = i.", $key, "
                  LEFT JOIN revocations r ON r.serial = i.serial
                  LEFT JOIN batch_items b ON b.", $key, " = i.", $key, "
                  LEFT JOIN batches n ON n.id = b.batch
             WHERE ",
            $($where),*
        )
    };
}
pub(super) use entries;

/// The words of a database, of which only those that are given are its own. Parameters are
/// numbered in the order in which they come first, as SQLite does; where one may be NULL, the
/// comparison that tells PostgreSQL its type comes before `IS NULL`.
macro_rules! words {
    (key = $key:literal; position = $position:literal; $($name:ident = $sql:expr;)*) => {
        $crate::store::database::Words {
            intent: concat!(
                "SELECT i.serial, i.tbs, i.tbs_sha256, i.subject, i.profile, i.shard,
                        i.not_before, i.not_after, i.at, i.lease, i.token,
                        n.name, b.number, b.digest
                 FROM intents i LEFT JOIN batch_items b ON b.", $key, " = i.", $key, "
                      LEFT JOIN batches n ON n.id = b.batch
                 WHERE i.serial = $1"
            ),
            entry: entries!($key, "i.serial = $1"),
            list: entries!(
                $key,
                "(CASE WHEN c.", $key, " IS NOT NULL THEN 'issued'
                       WHEN a.", $key, " IS NOT NULL THEN 'abandoned'
                       ELSE 'pending' END = $1 OR $1 IS NULL)
                 -- 8 is removeFromCRL.
                 AND ((r.reason IS NOT NULL AND r.reason <> 8) = $2 OR $2 IS NULL)
                 AND (", $position, "(i.subject, $3) > 0 OR $3 IS NULL)
                 AND (i.profile = $4 OR $4 IS NULL)
                 AND (i.not_after <= $5 OR $5 IS NULL)
                 AND (i.not_after >= $6 OR $6 IS NULL)
                 AND (i.serial > $7 OR $7 IS NULL)
                 AND (i.at >= $8 OR $8 IS NULL)
                 AND (i.at <= $9 OR $9 IS NULL)
                 ORDER BY i.serial LIMIT $10"
            ),
            batch: entries!(
                $key,
                "b.batch = (SELECT id FROM batches WHERE name = $1)
                 AND b.number BETWEEN $2 AND $3
                 -- Another intent takes the place of one that was given up alone.
                 ORDER BY b.number, a.", $key, " IS NULL, b.", $key
            ),
            revoked: entries!(
                $key,
                "r.serial IS NOT NULL
                 AND (r.shard = $1 OR $1 IS NULL)
                 AND (r.since >= $2 OR $2 IS NULL)
                 ORDER BY i.serial"
            ),
            $($name: $sql,)*
        }
    };
}
pub(super) use words;
