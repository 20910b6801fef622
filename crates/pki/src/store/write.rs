//! The writes of one transaction, and its audit rows.

use std::collections::{BTreeMap, HashMap, HashSet};

use adamant::der::Time;
use adamant::hash::Sha256;

use super::audit::Event;
use super::database::{Column, Database, Value, signed};
use super::{
    AuditHead, AuditKind, BatchItem, Certificate, CrlRecord, Error, Failpoints, Intent, Lease,
    Number, OcspRecord, Point, Result, Revocation, State, read, rules,
};

/// A transaction that is being written; it has the row of the head, and so nobody else writes.
pub(super) struct Write<'a> {
    db: &'a mut dyn Database,
    failpoints: &'a Failpoints,
    at: Time,
    head: AuditHead,
    crl_number: u64,
    events: Vec<Event>,
    written: bool,
}

impl<'a> Write<'a> {
    pub(super) fn new(
        db: &'a mut dyn Database,
        at: Time,
        failpoints: &'a Failpoints,
    ) -> Result<Self> {
        let (head, crl_number) = read::lock_head(db)?;
        Ok(Self {
            db,
            failpoints,
            at,
            head,
            crl_number,
            events: Vec::new(),
            written: false,
        })
    }

    pub(super) fn database(&mut self) -> &mut dyn Database {
        self.db
    }

    /// A row of the log, written at the end.
    pub(super) fn log(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Rows have been written.
    fn half_written(&mut self) -> Result<()> {
        if !self.written {
            self.written = true;
            self.failpoints.at(Point::HalfWritten)?;
        }
        Ok(())
    }

    /// Refuses a lease that somebody else took.
    pub(super) fn fence(&mut self, lease: &Lease) -> Result<()> {
        let there = read::lease(self.db, &lease.name)?;
        rules::fence(lease, there.as_ref())
    }

    pub(super) fn document(&mut self, name: &str, contents: &[u8]) -> Result<()> {
        let sql = "INSERT INTO documents (name, contents) VALUES ($1, $2)
                   ON CONFLICT (name) DO UPDATE SET contents = excluded.contents";
        self.db.execute(sql, &[], &[name.into(), contents.into()])?;
        self.half_written()?;
        self.log(Event {
            digest: Sha256::digest(contents),
            ..Event::noted(AuditKind::Document, name)
        });
        Ok(())
    }

    pub(super) fn lease(&mut self, lease: Lease) -> Result<Lease> {
        let sql = "INSERT INTO leases (name, holder, token, until) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (name) DO UPDATE SET
                       holder = excluded.holder, token = excluded.token, until = excluded.until";
        let params = [
            (&lease.name).into(),
            (&lease.holder).into(),
            signed(lease.token)?.into(),
            lease.until.into(),
        ];
        self.db.execute(sql, &[], &params)?;
        self.half_written()?;
        let note = format!("{} {} {}", lease.name, lease.token, lease.holder);
        self.log(Event::noted(AuditKind::Lease, note));
        Ok(lease)
    }

    /// Renewals are not logged.
    pub(super) fn lease_until(&mut self, lease: &Lease, until: Time) -> Result<Lease> {
        let sql = "UPDATE leases SET until = $1 WHERE name = $2";
        self.db
            .execute(sql, &[], &[until.into(), (&lease.name).into()])?;
        Ok(Lease {
            until,
            ..lease.clone()
        })
    }

    pub(super) fn intents(&mut self, intents: &[Intent], lease: Option<&Lease>) -> Result<()> {
        if intents.is_empty() {
            return Ok(());
        }
        let column = |of: fn(&Intent) -> Value<'_>| intents.iter().map(of).collect::<Column<'_>>();
        let columns = [
            column(|intent| (&intent.serial).into()),
            column(|intent| (&intent.tbs).into()),
            column(|intent| (&intent.tbs_sha256).into()),
            column(|intent| (&intent.subject).into()),
            column(|intent| (&intent.profile).into()),
            column(|intent| intent.shard.into()),
            column(|intent| intent.not_before.into()),
            column(|intent| intent.not_after.into()),
        ];
        let token = lease.map(|lease| signed(lease.token)).transpose()?;
        let name = lease.map(|lease| &lease.name);
        let others = [self.at.into(), name.into(), token.into()];
        let sql = self.db.words().put_intents;
        if let Some(taken) = self.db.insert_new(sql, &columns, &others)? {
            return Err(Error::SerialTaken(intents[taken].serial));
        }
        self.half_written()?;
        let mut batches: BTreeMap<&str, Vec<(Number, &BatchItem)>> = BTreeMap::new();
        for intent in intents {
            if let Some(item) = &intent.item {
                let items = batches.entry(&item.batch).or_default();
                items.push((intent.serial, item));
            }
            self.log(Event::intent(intent));
        }
        batches
            .into_iter()
            .try_for_each(|(name, items)| self.items(name, &items))
    }

    /// Puts intents into their places in a batch.
    fn items(&mut self, name: &str, items: &[(Number, &BatchItem)]) -> Result<()> {
        let batch = Value::Int(signed(self.batch(name)?)?);
        let numbers = items
            .iter()
            .map(|(_, item)| Ok(signed(item.number)?.into()));
        let numbers = numbers.collect::<Result<Column<'_>>>()?;
        let mut seen = HashMap::new();
        let twice = items.iter().find_map(|(serial, item)| {
            let before = seen.insert(item.number, *serial)?;
            Some((item.number, before))
        });
        let taken = match twice {
            None => read::item_holder(self.db, &numbers, batch)?,
            twice => twice,
        };
        if let Some((number, serial)) = taken {
            return Err(Error::ItemTaken {
                batch: name.to_owned(),
                number,
                serial,
            });
        }
        let columns = [
            items.iter().map(|(serial, _)| serial.into()).collect(),
            numbers,
            items.iter().map(|(_, i)| (&i.digest).into()).collect(),
        ];
        let sql = self.db.words().put_items;
        self.db.execute(sql, &columns, &[batch]).map(drop)
    }

    /// The id of a batch, which there is from here on.
    fn batch(&mut self, name: &str) -> Result<u64> {
        if let Some(id) = read::batch_id(self.db, name)? {
            return Ok(id);
        }
        // Whoever writes has the row of the head: nobody draws the same.
        let sql = "INSERT INTO batches (id, name)
                   SELECT coalesce(max(id), 0) + 1, $1 FROM batches RETURNING id";
        let id = read::one(self.db, sql, &[name.into()], |row| row.count(0))?;
        id.ok_or(Error::Corrupt("an insert"))
    }

    pub(super) fn certificates(&mut self, certificates: &[Certificate]) -> Result<()> {
        if certificates.is_empty() {
            return Ok(());
        }
        let serials: Vec<_> = certificates.iter().map(Certificate::serial).collect();
        let mut pending = self.pending(&serials)?;
        for certificate in certificates {
            let tbs_sha256 = pending.take(certificate.serial(), State::Issued)?;
            if tbs_sha256 != *certificate.tbs_sha256() {
                return Err(Error::OtherTbs(certificate.serial()));
            }
        }
        let ders = certificates.iter().map(|c| c.der().into()).collect();
        let sql = self.db.words().put_certificates;
        self.db.execute(sql, &[column_of(&serials), ders], &[])?;
        self.half_written()?;
        for certificate in certificates {
            let (serial, digest) = (certificate.serial(), Sha256::digest(certificate.der()));
            self.log(Event::about(AuditKind::Certificate, serial, digest));
        }
        Ok(())
    }

    pub(super) fn abandoned(&mut self, serials: &[Number]) -> Result<()> {
        if serials.is_empty() {
            return Ok(());
        }
        let mut pending = self.pending(serials)?;
        for serial in serials {
            pending.take(*serial, State::Abandoned)?;
        }
        let sql = self.db.words().put_abandoned;
        self.db
            .execute(sql, &[column_of(serials)], &[self.at.into()])?;
        self.half_written()?;
        for serial in serials {
            self.log(Event::about(AuditKind::Abandon, *serial, [0; 32]));
        }
        Ok(())
    }

    /// What is known of the intents with these serial numbers.
    fn pending(&mut self, serials: &[Number]) -> Result<Pending> {
        let rows = read::pending(self.db, column_of(serials))?;
        let of_serial = rows
            .into_iter()
            .map(|(serial, digest, state)| (serial, (digest, state)));
        Ok(Pending(of_serial.collect()))
    }

    pub(super) fn revocation(&mut self, serial: Number, new: &Revocation) -> Result<()> {
        let entry = read::entry(self.db, serial)?.ok_or(Error::UnknownSerial(serial))?;
        rules::may_revoke(&entry, new)?;
        let sql = "INSERT INTO revocations
                       (serial, shard, reason, date, invalidity_date, since, revision)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)
                   ON CONFLICT (serial) DO UPDATE SET
                       reason = excluded.reason, date = excluded.date,
                       invalidity_date = excluded.invalidity_date,
                       since = excluded.since, revision = excluded.revision";
        let params = [
            (&serial).into(),
            entry.shard.into(),
            new.reason.code().into(),
            new.date.into(),
            new.invalidity_date.into(),
            signed(self.crl_number)?.into(),
            signed(entry.revision + 1)?.into(),
        ];
        self.db.execute(sql, &[], &params)?;
        self.half_written()?;
        let sql = "DELETE FROM ocsp_responses WHERE serial = $1";
        self.db.execute(sql, &[], &[(&serial).into()])?;
        let mut event = Event::about(AuditKind::Revoke, serial, [0; 32]);
        event.note = new.to_string();
        self.log(event);
        Ok(())
    }

    pub(super) fn crl_number(&mut self) -> Result<u64> {
        self.crl_number += 1;
        let subject = Number::from(self.crl_number);
        self.log(Event::about(AuditKind::CrlNumber, subject, [0; 32]));
        Ok(self.crl_number)
    }

    pub(super) fn crl(&mut self, crl: &CrlRecord) -> Result<()> {
        let number = crl.number;
        let last = read::latest_crl(self.db, crl.scope)?;
        rules::may_follow(crl, last.as_ref(), self.crl_number)?;
        if read::crl_is_there(self.db, number)? {
            let last = number;
            return Err(Error::CrlNumber { number, last });
        }
        let sql = "INSERT INTO crls (number, shard, delta, base, this_update, next_update, der)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let params = [
            signed(number)?.into(),
            crl.scope.shard.into(),
            crl.scope.delta.into(),
            crl.base.map(signed).transpose()?.into(),
            crl.this_update.into(),
            crl.next_update.into(),
            (&crl.der).into(),
        ];
        self.db.execute(sql, &[], &params)?;
        self.half_written()?;
        let digest = Sha256::digest(&crl.der);
        self.log(Event::about(AuditKind::Crl, number.into(), digest));
        Ok(())
    }

    pub(super) fn ocsp(&mut self, responses: &[OcspRecord]) -> Result<usize> {
        let mut stored = 0;
        let mut waiting: Vec<&OcspRecord> = responses.iter().collect();
        // One statement changes no row twice.
        while !waiting.is_empty() {
            let mut seen = HashSet::new();
            let (now, then): (Vec<_>, Vec<_>) =
                waiting.into_iter().partition(|r| seen.insert(r.serial));
            let column = |of: fn(&OcspRecord) -> Value<'_>| now.iter().map(|r| of(r)).collect();
            let revisions = now.iter().map(|r| Ok(signed(r.revision)?.into()));
            let columns = [
                column(|r| (&r.serial).into()),
                revisions.collect::<Result<_>>()?,
                column(|r| r.this_update.into()),
                column(|r| r.next_update.into()),
                column(|r| (&r.der).into()),
            ];
            let sql = self.db.words().put_ocsp;
            stored += self.db.execute(sql, &columns, &[])?;
            self.half_written()?;
            waiting = then;
        }
        let stored = usize::try_from(stored).unwrap_or(usize::MAX);
        self.events.extend(Event::ocsp(responses, stored));
        Ok(stored)
    }

    /// Writes the audit rows, with this mark if there is one, and the head; gives the last row's
    /// place.
    pub(super) fn finish(self, mark: Option<&[u8]>) -> Result<Option<u64>> {
        if self.events.is_empty() {
            return Ok(None);
        }
        let mut head = self.head;
        let events = self.events.into_iter();
        let rows: Vec<_> = events.map(|event| head.append(event, self.at)).collect();
        let column = |of: fn(&super::AuditRow) -> Value<'_>| rows.iter().map(of).collect();
        let sequences = rows.iter().map(|row| Ok(signed(row.sequence)?.into()));
        let columns = [
            sequences.collect::<Result<_>>()?,
            column(|row| row.at.into()),
            column(|row| (row.event.kind as u8).into()),
            column(|row| row.event.subject.as_ref().into()),
            column(|row| (&row.event.digest).into()),
            column(|row| (&row.event.note).into()),
            column(|row| (&row.hash).into()),
        ];
        let mark: Vec<_> = mark.into_iter().map(Value::Octets).collect();
        self.db
            .execute(self.db.words().put_audit, &columns, &mark)?;
        let sql = "UPDATE head SET sequence = $1, at = $2, hash = $3, crl_number = $4
                   WHERE id = 1";
        let params = [
            signed(head.sequence)?.into(),
            head.at.into(),
            (&head.hash).into(),
            signed(self.crl_number)?.into(),
        ];
        self.db.execute(sql, &[], &params)?;
        Ok(Some(head.sequence))
    }
}

/// Digests and states of intents.
struct Pending(HashMap<Number, ([u8; 32], State)>);

impl Pending {
    /// What this intent wants signed, if it is pending; from here on it is not.
    fn take(&mut self, serial: Number, becomes: State) -> Result<[u8; 32]> {
        let found = self.0.get_mut(&serial);
        let there = found.ok_or(Error::UnknownSerial(serial))?;
        match there.1 {
            State::Pending => {
                there.1 = becomes;
                Ok(there.0)
            }
            state => Err(Error::NotPending { serial, state }),
        }
    }
}

fn column_of(serials: &[Number]) -> Column<'_> {
    serials.iter().map(Value::from).collect()
}
