//! What is written in one transaction, and the audit rows of it.

use adamant::der::Time;
use adamant::hash::Sha256;
use rusqlite::{Transaction, ffi, params};

use super::super::audit::Event;
use super::super::{
    AuditHead, AuditKind, BatchItem, Certificate, CrlRecord, Error, Failpoints, Intent, Lease,
    OcspRecord, Point, Result, Revocation, State, rules,
};
use super::{failed, read};
use crate::store::Number;

/// A transaction that is being written.
pub(super) struct Write<'a> {
    transaction: &'a Transaction<'a>,
    failpoints: &'a Failpoints,
    at: Time,
    head: AuditHead,
    crl_number: u64,
    events: Vec<Event>,
    written: bool,
}

impl<'a> Write<'a> {
    pub(super) fn new(
        transaction: &'a Transaction<'a>,
        at: Time,
        failpoints: &'a Failpoints,
    ) -> Result<Self> {
        let (head, crl_number) = read::head(transaction)?;
        Ok(Self {
            transaction,
            failpoints,
            at,
            head,
            crl_number,
            events: Vec::new(),
            written: false,
        })
    }

    pub(super) fn transaction(&self) -> &'a Transaction<'a> {
        self.transaction
    }

    /// A row of the log, written at the end.
    pub(super) fn log(&mut self, event: Event) {
        self.events.push(event);
    }

    /// A row has been written.
    fn half_written(&mut self) -> Result<()> {
        if !self.written {
            self.written = true;
            self.failpoints.at(Point::HalfWritten)?;
        }
        Ok(())
    }

    /// Refuses a lease that somebody else took.
    pub(super) fn fence(&self, lease: &Lease) -> Result<()> {
        let there = read::lease(self.transaction, &lease.name)?;
        rules::fence(lease, there.as_ref())
    }

    pub(super) fn document(&mut self, name: &str, contents: &[u8]) -> Result<()> {
        self.transaction
            .prepare_cached("INSERT OR REPLACE INTO documents (name, contents) VALUES (?1, ?2)")
            .and_then(|mut insert| insert.execute(params![name, contents]))
            .map_err(failed)?;
        self.half_written()?;
        self.log(Event {
            digest: Sha256::digest(contents),
            ..Event::noted(AuditKind::Document, name)
        });
        Ok(())
    }

    pub(super) fn lease(&mut self, lease: Lease) -> Result<Lease> {
        self.transaction
            .prepare_cached(
                "INSERT OR REPLACE INTO leases (name, holder, token, until)
                 VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    lease.name,
                    lease.holder,
                    lease.token,
                    lease.until.to_unix()
                ])
            })
            .map_err(failed)?;
        self.half_written()?;
        let note = format!("{} {} {}", lease.name, lease.token, lease.holder);
        self.log(Event::noted(AuditKind::Lease, note));
        Ok(lease)
    }

    /// Renewals are not logged.
    pub(super) fn lease_until(&mut self, lease: &Lease, until: Time) -> Result<Lease> {
        self.transaction
            .prepare_cached("UPDATE leases SET until = ?2 WHERE name = ?1")
            .and_then(|mut update| update.execute(params![lease.name, until.to_unix()]))
            .map_err(failed)?;
        Ok(Lease {
            until,
            ..lease.clone()
        })
    }

    pub(super) fn intents(&mut self, intents: &[Intent], lease: Option<&Lease>) -> Result<()> {
        let mut insert = self
            .transaction
            .prepare_cached(
                "INSERT INTO intents (serial, tbs, tbs_sha256, subject, profile, shard,
                                      not_before, not_after, at, lease, token)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )
            .map_err(failed)?;
        let name = lease.map(|lease| lease.name.as_str());
        let token = lease.map(|lease| lease.token);
        for intent in intents {
            insert
                .execute(params![
                    intent.serial.as_bytes(),
                    intent.tbs,
                    intent.tbs_sha256,
                    intent.subject,
                    intent.profile,
                    intent.shard,
                    intent.not_before.to_unix(),
                    intent.not_after.to_unix(),
                    self.at.to_unix(),
                    name,
                    token
                ])
                .map_err(|error| match error.sqlite_extended_error_code() {
                    Some(ffi::SQLITE_CONSTRAINT_UNIQUE) => Error::SerialTaken(intent.serial),
                    _ => failed(error),
                })?;
            self.half_written()?;
            if let Some(item) = &intent.item {
                self.item(self.transaction.last_insert_rowid(), item)?;
            }
            self.log(Event::intent(intent));
        }
        Ok(())
    }

    /// Puts the intent with this id into its place in a batch.
    fn item(&self, id: i64, item: &BatchItem) -> Result<()> {
        let batch = self.batch(&item.batch)?;
        if let Some(serial) = read::item_holder(self.transaction, batch, item.number)? {
            return Err(Error::ItemTaken {
                batch: item.batch.to_string(),
                number: item.number,
                serial,
            });
        }
        self.transaction
            .prepare_cached(
                "INSERT INTO batch_items (id, batch, number, digest) VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut insert| insert.execute(params![id, batch, item.number, item.digest]))
            .map_err(failed)?;
        Ok(())
    }

    /// The id of a batch, which there is from here on.
    fn batch(&self, name: &str) -> Result<i64> {
        if let Some(id) = read::batch_id(self.transaction, name)? {
            return Ok(id);
        }
        self.transaction
            .prepare_cached("INSERT INTO batches (name) VALUES (?1)")
            .and_then(|mut insert| insert.insert([name]))
            .map_err(failed)
    }

    pub(super) fn certificates(&mut self, certificates: &[Certificate]) -> Result<()> {
        let mut insert = self
            .transaction
            .prepare_cached("INSERT INTO certificates (id, der) VALUES (?1, ?2)")
            .map_err(failed)?;
        for certificate in certificates {
            let serial = certificate.serial();
            let (id, tbs_sha256) = self.pending(serial)?;
            if tbs_sha256 != *certificate.tbs_sha256() {
                return Err(Error::OtherTbs(serial));
            }
            insert
                .execute(params![id, certificate.der()])
                .map_err(failed)?;
            self.half_written()?;
            let digest = Sha256::digest(certificate.der());
            self.log(Event::about(AuditKind::Certificate, serial, digest));
        }
        Ok(())
    }

    pub(super) fn abandoned(&mut self, serials: &[Number]) -> Result<()> {
        for serial in serials {
            let (id, _) = self.pending(*serial)?;
            self.transaction
                .prepare_cached("INSERT INTO abandoned (id, at) VALUES (?1, ?2)")
                .and_then(|mut insert| insert.execute(params![id, self.at.to_unix()]))
                .map_err(failed)?;
            self.half_written()?;
            self.log(Event::about(AuditKind::Abandon, *serial, [0; 32]));
        }
        Ok(())
    }

    /// The row of an intent that is pending, and the digest of what it wants signed.
    fn pending(&self, serial: Number) -> Result<(i64, [u8; 32])> {
        let found = read::pending(self.transaction, serial)?;
        let (id, digest, state) = found.ok_or(Error::UnknownSerial(serial))?;
        match state {
            State::Pending => Ok((id, digest)),
            _ => Err(Error::NotPending { serial, state }),
        }
    }

    pub(super) fn revocation(&mut self, serial: Number, new: &Revocation) -> Result<()> {
        let entry = read::entry(self.transaction, serial)?.ok_or(Error::UnknownSerial(serial))?;
        rules::may_revoke(&entry, new)?;
        self.transaction
            .prepare_cached(
                "INSERT OR REPLACE INTO revocations
                     (serial, shard, reason, date, invalidity_date, since, revision)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    serial.as_bytes(),
                    entry.shard,
                    new.reason.code(),
                    new.date.to_unix(),
                    new.invalidity_date.map(Time::to_unix),
                    self.crl_number,
                    entry.revision + 1
                ])
            })
            .map_err(failed)?;
        self.half_written()?;
        self.transaction
            .prepare_cached("DELETE FROM ocsp_responses WHERE serial = ?1")
            .and_then(|mut delete| delete.execute(params![serial.as_bytes()]))
            .map_err(failed)?;
        let mut event = Event::about(AuditKind::Revoke, serial, [0; 32]);
        event.note = new.to_string();
        self.log(event);
        Ok(())
    }

    pub(super) fn crl_number(&mut self) -> Result<u64> {
        self.crl_number += 1;
        let digest = [0; 32];
        let subject = Number::from(self.crl_number);
        self.log(Event::about(AuditKind::CrlNumber, subject, digest));
        Ok(self.crl_number)
    }

    pub(super) fn crl(&mut self, crl: &CrlRecord) -> Result<()> {
        let number = crl.number;
        let last = read::latest_crl(self.transaction, crl.scope)?.map_or(0, |last| last.number);
        rules::may_follow(number, last, self.crl_number)?;
        self.transaction
            .prepare_cached(
                "INSERT INTO crls (number, shard, delta, base, this_update, next_update, der)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )
            .map_err(failed)?
            .execute(params![
                number,
                crl.scope.shard,
                crl.scope.delta,
                crl.base,
                crl.this_update.to_unix(),
                crl.next_update.to_unix(),
                crl.der
            ])
            .map_err(|error| match error.sqlite_extended_error_code() {
                Some(ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID) => {
                    Error::CrlNumber {
                        number,
                        last: number,
                    }
                }
                _ => failed(error),
            })?;
        self.half_written()?;
        let digest = Sha256::digest(&crl.der);
        self.log(Event::about(AuditKind::Crl, number.into(), digest));
        Ok(())
    }

    pub(super) fn ocsp(&mut self, responses: &[OcspRecord]) -> Result<usize> {
        // The revision of a serial number without revocation is 0.
        let mut insert = self
            .transaction
            .prepare_cached(
                "INSERT INTO ocsp_responses (serial, revision, this_update, next_update, der)
                 SELECT ?1, ?2, ?3, ?4, ?5
                 WHERE ?2 = coalesce((SELECT revision FROM revocations WHERE serial = ?1), 0)
                 ON CONFLICT (serial) DO UPDATE SET
                     revision = ?2, this_update = ?3, next_update = ?4, der = ?5
                 WHERE this_update <= ?3 OR revision < ?2",
            )
            .map_err(failed)?;
        let mut stored = 0;
        for response in responses {
            stored += insert
                .execute(params![
                    response.serial.as_bytes(),
                    response.revision,
                    response.this_update.to_unix(),
                    response.next_update.to_unix(),
                    response.der
                ])
                .map_err(failed)?;
            self.half_written()?;
        }
        self.events.extend(Event::ocsp(responses, stored));
        Ok(stored)
    }

    /// Writes the audit rows and the head.
    pub(super) fn finish(&mut self) -> Result<()> {
        if self.events.is_empty() {
            return Ok(());
        }
        let mut insert = self
            .transaction
            .prepare_cached(
                "INSERT INTO audit (sequence, at, kind, subject, digest, note, hash)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )
            .map_err(failed)?;
        for event in self.events.drain(..) {
            let row = self.head.append(event, self.at);
            insert
                .execute(params![
                    row.sequence,
                    row.at.to_unix(),
                    row.event.kind as u8,
                    row.event.subject.as_ref().map(|subject| subject.as_bytes()),
                    row.event.digest,
                    row.event.note,
                    row.hash
                ])
                .map_err(failed)?;
        }
        self.transaction
            .prepare_cached(
                "UPDATE head SET sequence = ?1, at = ?2, hash = ?3, crl_number = ?4 WHERE id = 1",
            )
            .and_then(|mut update| {
                update.execute(params![
                    self.head.sequence,
                    self.head.at.to_unix(),
                    self.head.hash,
                    self.crl_number
                ])
            })
            .map_err(failed)?;
        Ok(())
    }
}
