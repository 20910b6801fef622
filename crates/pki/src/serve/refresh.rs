//! The copy in memory follows the store: revocations and new certificates by its audit log,
//! everything else by going through it; responses and lists are signed before they end.

use adamant::der::Time;

use super::responder::{Kept, Responder};
use super::route::scopes;
use super::{Event, Log};
use crate::ca::Result;
use crate::ca::ocsp::is_presigned;
use crate::store::{AuditKind, CrlScope, Entry, Filter, Number};

/// Rows, entries and signatures at once.
const BATCH: usize = 512;
/// The longest time between two passes through the store: an hour.
const LONGEST_PAUSE: u64 = 3600;

/// Where the work is.
pub(super) struct Refresher {
    /// The last row of the audit log that was read.
    seen: Option<u64>,
    /// Serial numbers about which something has to be signed or read.
    changed: Vec<Number>,
    /// The last serial number of the pass, during one.
    pass: Option<Filter>,
    /// When the next one begins.
    next_pass: Option<Time>,
    lists_changed: bool,
    /// Responses in memory, at most.
    most: usize,
}

/// How much a step did.
#[derive(Default)]
pub(super) struct Done {
    pub(super) signed: usize,
    /// Whether there is more to do at once.
    pub(super) more: bool,
}

impl Refresher {
    pub(super) fn new(most: usize) -> Self {
        Self {
            seen: None,
            changed: Vec::new(),
            pass: None,
            next_pass: None,
            lists_changed: true,
            most,
        }
    }

    /// Whether everything has been read once.
    pub(super) fn is_warm(&self) -> bool {
        self.next_pass.is_some()
    }

    /// One step: what was revoked is forgotten, then a batch of other work is done.
    ///
    /// # Errors
    /// Those of store and key. Work left undone is done by a later step.
    pub(super) fn step(&mut self, responder: &Responder, log: &Log) -> Result<Done> {
        self.follow(responder)?;
        let listed = self.lists(responder, log);
        // One failure does not keep the other work from being done.
        let done = self.work(responder)?;
        listed.map(|()| done)
    }

    /// A batch of what changed, or a page of the pass.
    fn work(&mut self, responder: &Responder) -> Result<Done> {
        if self.changed.is_empty() {
            return self.pass(responder);
        }
        let rest = self.changed.len().saturating_sub(BATCH);
        let batch = self.changed.split_off(rest);
        let store = responder.store();
        let entries = batch
            .iter()
            .filter_map(|serial| store.entry(*serial).transpose());
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        let signed = self.freshen(responder, &entries)?;
        Ok(Done { signed, more: true })
    }

    /// Reads on in the audit log.
    fn follow(&mut self, responder: &Responder) -> Result<()> {
        let head = responder.store().audit_head()?.sequence;
        // Before the first row is followed nothing is in memory.
        let mut seen = *self.seen.get_or_insert(head);
        while seen < head {
            let rows = responder.store().audit(seen + 1, BATCH)?;
            let Some(last) = rows.last() else { break };
            seen = last.sequence;
            let about = |kind| {
                let rows = rows.iter().filter(move |row| row.event.kind == kind);
                rows.filter_map(|row| row.event.subject)
            };
            {
                let mut hot = responder.hot_mut();
                about(AuditKind::Revoke).for_each(|serial| drop(hot.remove(&serial)));
            }
            self.changed.extend(about(AuditKind::Certificate));
            // From the end: those first.
            self.changed.extend(about(AuditKind::Revoke));
            self.lists_changed |= about(AuditKind::Crl).next().is_some();
            self.seen = Some(seen);
        }
        Ok(())
    }

    /// Reads the lists, and makes those that come to their end.
    fn lists(&mut self, responder: &Responder, log: &Log) -> Result<()> {
        let settings = &responder.settings;
        let all = CrlScope {
            shard: None,
            delta: false,
        };
        if std::mem::take(&mut self.lists_changed) {
            for scope in scopes(settings).chain([all]) {
                let latest = responder.store().latest_crl(scope);
                // Tried again.
                let latest = latest.inspect_err(|_| self.lists_changed = true)?;
                if let Some(latest) = latest {
                    responder.keep_list(scope, latest.into());
                }
            }
        }
        let Some(authority) = responder.key().filter(|authority| authority.has_key()) else {
            return Ok(());
        };
        let wanted = |scope: &CrlScope| !scope.delta || settings.delta_crl_url.is_some();
        for scope in scopes(settings).filter(wanted) {
            let due = match responder.lists().get(&scope) {
                Some(list) => three_quarters_over(list, responder.now()),
                None => true,
            };
            if due {
                let made = authority.make_crl(scope)?;
                log(&Event::Crl {
                    number: made.number,
                    shard: scope.shard,
                    delta: scope.delta,
                });
                responder.keep_list(scope, made.into());
            }
        }
        Ok(())
    }

    /// A page of the store.
    fn pass(&mut self, responder: &Responder) -> Result<Done> {
        let now = responder.now();
        if self.pass.is_none() && self.next_pass.is_some_and(|next| now < next) {
            return Ok(Done::default());
        }
        let filter = self.pass.get_or_insert_with(|| Filter {
            expires_after: Some(now),
            limit: Some(BATCH),
            ..Filter::default()
        });
        let entries = responder.store().list(filter)?;
        filter.after = entries.last().map(|entry| entry.serial);
        if !entries.is_empty() {
            let signed = self.freshen(responder, &entries)?;
            return Ok(Done { signed, more: true });
        }
        self.pass = None;
        let pause = u64::from(responder.settings.ocsp_hours) * 3600 / 8;
        self.next_pass = Some(now.saturating_add(pause.min(LONGEST_PAUSE)));
        responder.hot_mut().retain(|_, kept| now < kept.next_update);
        Ok(Done::default())
    }

    /// Puts the responses about these into memory; those of which half the time is over are signed
    /// before, where there is a key.
    fn freshen(&self, responder: &Responder, entries: &[Entry]) -> Result<usize> {
        let (store, now) = (responder.store(), responder.now());
        let mut fresh = Vec::with_capacity(entries.len());
        let mut due = Vec::new();
        for entry in entries.iter().filter(|entry| is_presigned(entry)) {
            match store.ocsp(entry.serial)? {
                Some(record) if record.revision == entry.revision => {
                    let kept = Kept::from(record);
                    if half_over(&kept, now) {
                        due.push(entry);
                    }
                    fresh.push((entry.serial, kept));
                }
                _ => due.push(entry),
            }
        }
        let mut signed = 0;
        if let Some(authority) = responder.key().filter(|_| !due.is_empty()) {
            signed = authority.presign(&due)?;
            for entry in due {
                // As it is stored: another process may have been quicker.
                if let Some(record) = store.ocsp(entry.serial)? {
                    fresh.push((entry.serial, record.into()));
                }
            }
        }
        let mut hot = responder.hot_mut();
        for (serial, kept) in fresh {
            if hot.len() < self.most || hot.contains_key(&serial) {
                hot.insert(serial, kept);
            }
        }
        Ok(signed)
    }
}

fn life(kept: &Kept) -> i64 {
    kept.next_update.to_unix() - kept.this_update.to_unix()
}

fn half_over(kept: &Kept, now: Time) -> bool {
    (now.to_unix() - kept.this_update.to_unix()) * 2 >= life(kept)
}

fn three_quarters_over(kept: &Kept, now: Time) -> bool {
    (now.to_unix() - kept.this_update.to_unix()) * 4 >= life(kept) * 3
}
