//! What is written in one transaction, and the audit rows of it.

use std::collections::{BTreeMap, HashMap, HashSet};

use adamant::der::Time;
use adamant::hash::Sha256;

use super::super::audit::Event;
use super::super::{
    AuditHead, AuditKind, BatchItem, Certificate, CrlRecord, Error, Failpoints, Intent, Lease,
    OcspRecord, Point, Result, Revocation, State, rules,
};
use super::link::Link;
use super::read::{self, signed};
use crate::store::Number;

/// A transaction that is being written; it has the row of the head, and so nobody else writes.
pub(super) struct Write<'a> {
    link: &'a mut Link,
    failpoints: &'a Failpoints,
    at: Time,
    head: AuditHead,
    crl_number: u64,
    events: Vec<Event>,
    written: bool,
}

impl<'a> Write<'a> {
    pub(super) fn new(link: &'a mut Link, at: Time, failpoints: &'a Failpoints) -> Result<Self> {
        let (head, crl_number) = read::lock_head(link)?;
        Ok(Self {
            link,
            failpoints,
            at,
            head,
            crl_number,
            events: Vec::new(),
            written: false,
        })
    }

    pub(super) fn transaction(&mut self) -> &mut Link {
        self.link
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
        let there = read::lease(self.link, &lease.name)?;
        rules::fence(lease, there.as_ref())
    }

    pub(super) fn document(&mut self, name: &str, contents: &[u8]) -> Result<()> {
        self.link.execute(
            "INSERT INTO documents (name, contents) VALUES ($1, $2)
             ON CONFLICT (name) DO UPDATE SET contents = excluded.contents",
            &[&name, &contents],
        )?;
        self.half_written()?;
        self.log(Event {
            digest: Sha256::digest(contents),
            ..Event::noted(AuditKind::Document, name)
        });
        Ok(())
    }

    pub(super) fn lease(&mut self, lease: Lease) -> Result<Lease> {
        self.link.execute(
            "INSERT INTO leases (name, holder, token, until) VALUES ($1, $2, $3, $4)
             ON CONFLICT (name) DO UPDATE SET
                 holder = excluded.holder, token = excluded.token, until = excluded.until",
            &[
                &lease.name,
                &lease.holder,
                &signed(lease.token)?,
                &lease.until.to_unix(),
            ],
        )?;
        self.half_written()?;
        let note = format!("{} {} {}", lease.name, lease.token, lease.holder);
        self.log(Event::noted(AuditKind::Lease, note));
        Ok(lease)
    }

    /// Renewals are not logged.
    pub(super) fn lease_until(&mut self, lease: &Lease, until: Time) -> Result<Lease> {
        self.link.execute(
            "UPDATE leases SET until = $2 WHERE name = $1",
            &[&lease.name, &until.to_unix()],
        )?;
        Ok(Lease {
            until,
            ..lease.clone()
        })
    }

    pub(super) fn intents(&mut self, intents: &[Intent], lease: Option<&Lease>) -> Result<()> {
        if intents.is_empty() {
            return Ok(());
        }
        let octets = |of: fn(&Intent) -> &[u8]| intents.iter().map(of).collect::<Vec<_>>();
        let words = |of: fn(&Intent) -> &str| intents.iter().map(of).collect::<Vec<_>>();
        let numbers = |of: fn(&Intent) -> i64| intents.iter().map(of).collect::<Vec<_>>();
        let token = lease.map(|lease| signed(lease.token)).transpose()?;
        let rows = self.link.query(
            "INSERT INTO intents (serial, tbs, tbs_sha256, subject, profile, shard,
                                  not_before, not_after, at, lease, token)
             SELECT n.*, $9::bigint, $10::text, $11::bigint
             FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::text[], $5::text[],
                         $6::bigint[], $7::bigint[], $8::bigint[]) AS n
             ON CONFLICT (serial) DO NOTHING
             RETURNING serial",
            &[
                &octets(|intent| intent.serial.as_bytes()),
                &octets(|intent| &intent.tbs),
                &octets(|intent| &intent.tbs_sha256),
                &words(|intent| &intent.subject),
                &words(|intent| &intent.profile),
                &numbers(|intent| i64::from(intent.shard)),
                &numbers(|intent| intent.not_before.to_unix()),
                &numbers(|intent| intent.not_after.to_unix()),
                &self.at.to_unix(),
                &lease.map(|lease| &lease.name),
                &token,
            ],
        )?;
        if rows.len() != intents.len() {
            let serials = rows.iter().map(|row| read::number(read::get(row, 0)?));
            let mut inserted: HashSet<Number> = serials.collect::<Result<_>>()?;
            let mut serials = intents.iter().map(|intent| intent.serial);
            let taken = serials.find(|serial| !inserted.remove(serial));
            return Err(taken.map_or(Error::Corrupt("an insert"), Error::SerialTaken));
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
        let batch = self.batch(name)?;
        let numbers = items.iter().map(|(_, item)| signed(item.number));
        let numbers = numbers.collect::<Result<Vec<_>>>()?;
        let mut seen = HashMap::new();
        let twice = items.iter().find_map(|(serial, item)| {
            let before = seen.insert(item.number, *serial)?;
            Some((item.number, before))
        });
        let taken = match twice {
            None => read::item_holder(self.link, batch, &numbers)?,
            twice => twice,
        };
        if let Some((number, serial)) = taken {
            let batch = name.to_owned();
            return Err(Error::ItemTaken {
                batch,
                number,
                serial,
            });
        }
        let serials: Vec<_> = items.iter().map(|(serial, _)| *serial).collect();
        let digests: Vec<_> = items.iter().map(|(_, item)| &item.digest[..]).collect();
        self.link.execute(
            "INSERT INTO batch_items (batch, serial, number, digest)
             SELECT $1::bigint, n.*
             FROM unnest($2::bytea[], $3::bigint[], $4::bytea[]) AS n",
            &[&batch, &octets_of(&serials), &numbers, &digests],
        )?;
        Ok(())
    }

    /// The id of a batch, which there is from here on.
    fn batch(&mut self, name: &str) -> Result<i64> {
        if let Some(id) = read::batch_id(self.link, name)? {
            return Ok(id);
        }
        // Whoever writes has the row of the head: nobody draws the same.
        let sql = "INSERT INTO batches (id, name)
                   SELECT coalesce(max(id), 0) + 1, $1 FROM batches RETURNING id";
        let rows = self.link.query(sql, &[&name])?;
        let row = rows.first().ok_or(Error::Corrupt("an insert"))?;
        read::get(row, 0)
    }

    pub(super) fn certificates(&mut self, certificates: &[Certificate]) -> Result<()> {
        if certificates.is_empty() {
            return Ok(());
        }
        let mut pending = self.pending(certificates.iter().map(Certificate::serial))?;
        for certificate in certificates {
            let tbs_sha256 = pending.take(certificate.serial(), State::Issued)?;
            if tbs_sha256 != *certificate.tbs_sha256() {
                return Err(Error::OtherTbs(certificate.serial()));
            }
        }
        let serials: Vec<_> = certificates.iter().map(Certificate::serial).collect();
        let ders: Vec<_> = certificates.iter().map(Certificate::der).collect();
        self.link.execute(
            "INSERT INTO certificates (serial, der)
             SELECT n.* FROM unnest($1::bytea[], $2::bytea[]) AS n",
            &[&octets_of(&serials), &ders],
        )?;
        self.half_written()?;
        for certificate in certificates {
            let digest = Sha256::digest(certificate.der());
            self.log(Event::about(
                AuditKind::Certificate,
                certificate.serial(),
                digest,
            ));
        }
        Ok(())
    }

    pub(super) fn abandoned(&mut self, serials: &[Number]) -> Result<()> {
        if serials.is_empty() {
            return Ok(());
        }
        let mut pending = self.pending(serials.iter().copied())?;
        for serial in serials {
            pending.take(*serial, State::Abandoned)?;
        }
        self.link.execute(
            "INSERT INTO abandoned (serial, at)
             SELECT n, $2::bigint FROM unnest($1::bytea[]) AS n",
            &[&octets_of(serials), &self.at.to_unix()],
        )?;
        self.half_written()?;
        for serial in serials {
            self.log(Event::about(AuditKind::Abandon, *serial, [0; 32]));
        }
        Ok(())
    }

    /// What is known of the intents with these serial numbers.
    fn pending(&mut self, serials: impl Iterator<Item = Number>) -> Result<Pending> {
        let serials: Vec<_> = serials.collect();
        let rows = read::pending(self.link, &octets_of(&serials))?;
        let of_serial = rows
            .into_iter()
            .map(|(serial, digest, state)| (serial, (digest, state)));
        Ok(Pending(of_serial.collect()))
    }

    pub(super) fn revocation(&mut self, serial: Number, new: &Revocation) -> Result<()> {
        let entry = read::entry(self.link, serial)?.ok_or(Error::UnknownSerial(serial))?;
        rules::may_revoke(&entry, new)?;
        let octets = &serial.as_bytes()[..];
        self.link.execute(
            "INSERT INTO revocations
                 (serial, shard, reason, date, invalidity_date, since, revision)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (serial) DO UPDATE SET
                 reason = excluded.reason, date = excluded.date,
                 invalidity_date = excluded.invalidity_date,
                 since = excluded.since, revision = excluded.revision",
            &[
                &octets,
                &i64::from(entry.shard),
                &i64::from(new.reason.code()),
                &new.date.to_unix(),
                &new.invalidity_date.map(Time::to_unix),
                &signed(self.crl_number)?,
                &signed(entry.revision + 1)?,
            ],
        )?;
        self.half_written()?;
        let sql = "DELETE FROM ocsp_responses WHERE serial = $1";
        self.link.execute(sql, &[&octets])?;
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
        let last = read::latest_crl(self.link, crl.scope)?.map_or(0, |last| last.number);
        rules::may_follow(number, last, self.crl_number)?;
        if read::crl_is_there(self.link, number)? {
            let last = number;
            return Err(Error::CrlNumber { number, last });
        }
        self.link.execute(
            "INSERT INTO crls (number, shard, delta, base, this_update, next_update, der)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                &signed(number)?,
                &crl.scope.shard.map(i64::from),
                &crl.scope.delta,
                &crl.base.map(signed).transpose()?,
                &crl.this_update.to_unix(),
                &crl.next_update.to_unix(),
                &crl.der,
            ],
        )?;
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
            stored += self.ocsp_once(&now)?;
            waiting = then;
        }
        self.events.extend(Event::ocsp(responses, stored));
        Ok(stored)
    }

    fn ocsp_once(&mut self, responses: &[&OcspRecord]) -> Result<usize> {
        let serials: Vec<_> = responses.iter().map(|r| r.serial).collect();
        let revisions = responses.iter().map(|r| signed(r.revision));
        let numbers = |of: fn(&OcspRecord) -> Time| {
            let times = responses.iter().map(|r| of(r).to_unix());
            times.collect::<Vec<_>>()
        };
        // The revision of a serial number without revocation is 0.
        let stored = self.link.execute(
            "INSERT INTO ocsp_responses (serial, revision, this_update, next_update, der)
             SELECT n.*
             FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])
                      AS n (serial, revision, this_update, next_update, der)
                  LEFT JOIN revocations r ON r.serial = n.serial
             WHERE n.revision = coalesce(r.revision, 0)
             ON CONFLICT (serial) DO UPDATE SET
                 revision = excluded.revision, this_update = excluded.this_update,
                 next_update = excluded.next_update, der = excluded.der
             WHERE ocsp_responses.this_update <= excluded.this_update
                   OR ocsp_responses.revision < excluded.revision",
            &[
                &octets_of(&serials),
                &revisions.collect::<Result<Vec<_>>>()?,
                &numbers(|r| r.this_update),
                &numbers(|r| r.next_update),
                &responses.iter().map(|r| &r.der[..]).collect::<Vec<_>>(),
            ],
        )?;
        self.half_written()?;
        Ok(usize::try_from(stored).unwrap_or(usize::MAX))
    }

    /// Writes the audit rows with this mark, and the head; gives the last row's place.
    pub(super) fn finish(self, mark: &[u8]) -> Result<Option<u64>> {
        if self.events.is_empty() {
            return Ok(None);
        }
        let mut head = self.head;
        let events = self.events.into_iter();
        let rows: Vec<_> = events.map(|event| head.append(event, self.at)).collect();
        let mut sequences = Vec::with_capacity(rows.len());
        let mut subjects = Vec::with_capacity(rows.len());
        for row in &rows {
            sequences.push(signed(row.sequence)?);
            subjects.push(row.event.subject.as_ref().map(|s| &s.as_bytes()[..]));
        }
        self.link.execute(
            "INSERT INTO audit (sequence, at, kind, subject, digest, note, hash, mark)
             SELECT n.*, $8::bytea
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[],
                         $6::text[], $7::bytea[]) AS n",
            &[
                &sequences,
                &rows.iter().map(|row| row.at.to_unix()).collect::<Vec<_>>(),
                &rows
                    .iter()
                    .map(|row| row.event.kind as i64)
                    .collect::<Vec<_>>(),
                &subjects,
                &rows
                    .iter()
                    .map(|row| &row.event.digest[..])
                    .collect::<Vec<_>>(),
                &rows
                    .iter()
                    .map(|row| &row.event.note[..])
                    .collect::<Vec<_>>(),
                &rows.iter().map(|row| &row.hash[..]).collect::<Vec<_>>(),
                &mark,
            ],
        )?;
        self.link.execute(
            "UPDATE head SET sequence = $1, at = $2, hash = $3, crl_number = $4 WHERE id = 1",
            &[
                &signed(head.sequence)?,
                &head.at.to_unix(),
                &&head.hash[..],
                &signed(self.crl_number)?,
            ],
        )?;
        Ok(Some(head.sequence))
    }
}

/// Digests and states of intents.
struct Pending(HashMap<Number, ([u8; 32], State)>);

impl Pending {
    /// What this intent wants signed, if it is pending; from here on it is not.
    fn take(&mut self, serial: Number, becomes: State) -> Result<[u8; 32]> {
        let there = self
            .0
            .get_mut(&serial)
            .ok_or(Error::UnknownSerial(serial))?;
        match there.1 {
            State::Pending => {
                there.1 = becomes;
                Ok(there.0)
            }
            state => Err(Error::NotPending { serial, state }),
        }
    }
}

fn octets_of(serials: &[Number]) -> Vec<&[u8]> {
    serials
        .iter()
        .map(|serial| &serial.as_bytes()[..])
        .collect()
}
