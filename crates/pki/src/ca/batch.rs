//! A batch that a later run can go on with: its items have numbers, each is issued once, and what
//! has become of it is in the store.
//!
//! ```
//! # use std::sync::Arc;
//! # use adamant::x509::{KeyAlgorithm, PrivateKey};
//! # use adamant_pki::ca::{Authority, LocalKey, Request, RootRequest, Settings, system_clock};
//! # use adamant_pki::store::SqliteCa;
//! # let store = Arc::new(SqliteCa::in_memory()?);
//! # let generate = || PrivateKey::generate(KeyAlgorithm::P256, &mut adamant::SystemRng);
//! # let root = RootRequest::new("CN=Root".parse()?);
//! # let (settings, signer) = (Settings::default(), Box::new(LocalKey::new(generate()?)?));
//! # let ca = Authority::init_root(store, signer, settings, &root, system_clock)?;
//! # let key = generate()?.public_key();
//! let hosts = ["a.example", "b.example"];
//! let run = |hosts: &[&str]| {
//!     let batch = ca.batch("monday")?;
//!     let mut issued = 0;
//!     for (number, host) in (1..).zip(hosts) {
//!         let Some(item) = batch.item(number, host.as_bytes())? else {
//!             continue; // It was issued before.
//!         };
//!         let mut request = Request::new("client", format!("CN={host}").parse()?, key.clone());
//!         request.item = Some(item);
//!         ca.issue(&request)?;
//!         issued += 1;
//!     }
//!     Ok::<_, Box<dyn std::error::Error>>(issued)
//! };
//! assert_eq!(run(&hosts[..1])?, 1);
//! assert_eq!(run(&hosts)?, 1);
//! assert!(run(&["c.example"]).is_err(), "another was issued as item 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use adamant::hash::Sha256;

use super::{Authority, Error, Result};
use crate::store::{BatchItem, Entry, Error as StoreError, Number, State};

/// Numbers that are looked for at once, where there are items.
const PAGE: u64 = 4096;

/// The progress of a batch.
#[derive(Clone, Debug)]
pub struct Batch {
    name: Arc<str>,
    issued: BTreeMap<u64, (Number, [u8; 16])>,
}

impl Authority {
    /// The batch of this name: an empty one if none of it was issued. Intents that a process left
    /// after in it are given up: those without a lease, and those whose lease has ended.
    ///
    /// # Errors
    /// [`StoreError::LeaseHeld`] while another process may be issuing it; those of the store.
    pub fn batch(&self, name: &str) -> Result<Batch> {
        let end = self.store.batch_end(name)?;
        let mut issued = BTreeMap::new();
        let mut left_behind = Vec::new();
        let (mut first, mut page) = (1, PAGE);
        while first <= end {
            let last = first.saturating_add(page - 1).min(end);
            let entries = self.store.batch(name, first..=last)?;
            // Numbers may lie far apart.
            page = match entries.is_empty() {
                true => page.saturating_mul(2),
                false => PAGE,
            };
            first = last.saturating_add(1);
            for entry in entries {
                let Some(item) = &entry.item else { continue };
                match entry.state {
                    State::Issued => drop(issued.insert(item.number, (entry.serial, item.digest))),
                    State::Pending => left_behind.push(entry),
                    State::Abandoned => {}
                }
            }
        }
        self.give_up(&left_behind)?;
        let name = Arc::from(name);
        Ok(Batch { name, issued })
    }

    /// Gives up pending intents, unless their process may still be at work.
    fn give_up(&self, pending: &[Entry]) -> Result<()> {
        if pending.is_empty() {
            return Ok(());
        }
        let (leases, now) = (self.store.leases()?, self.now());
        for entry in pending {
            let Some((name, token)) = &entry.lease else {
                continue;
            };
            let held = |lease: &&crate::store::Lease| {
                lease.name == *name && lease.token == *token && lease.until > now
            };
            if let Some(lease) = leases.iter().find(held) {
                return Err(Error::Store(StoreError::LeaseHeld {
                    name: lease.name.clone(),
                    holder: lease.holder.clone(),
                    until: lease.until,
                }));
            }
        }
        let serials: Vec<_> = pending.iter().map(|entry| entry.serial).collect();
        Ok(self.store.abandon(self.lease.as_ref(), &serials, now)?)
    }
}

impl Batch {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many of its items are issued.
    #[must_use]
    pub fn len(&self) -> usize {
        self.issued.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.issued.is_empty()
    }

    /// The numbers of the items that are issued, in order, and the serial numbers of their
    /// certificates.
    pub fn issued(&self) -> impl Iterator<Item = (u64, Number)> + '_ {
        let issued = self.issued.iter();
        issued.map(|(number, (serial, _))| (*number, *serial))
    }

    /// The place of an item that is still to be issued ([`Request::item`](super::Request::item)),
    /// or nothing for one that is. `what` is all that is asked for: an item that was issued must
    /// have been asked for with the same.
    ///
    /// # Errors
    /// [`Error::Refused`] for an item that was issued for something else, and for number 0, which
    /// none has.
    pub fn item(&self, number: u64, what: &[u8]) -> Result<Option<BatchItem>> {
        if number == 0 {
            return Err(Error::Refused("items have numbers from 1".to_owned()));
        }
        let mut digest = [0; 16];
        digest.copy_from_slice(&Sha256::digest(what)[..16]);
        match self.issued.get(&number) {
            None => Ok(Some(BatchItem {
                batch: Arc::clone(&self.name),
                number,
                digest,
            })),
            Some((_, asked)) if *asked == digest => Ok(None),
            Some((serial, _)) => Err(Error::Refused(format!(
                "item {number} of the batch {} was issued for something else, with serial number \
                 {serial}",
                self.name
            ))),
        }
    }
}
