//! What the processes of a schedule do.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use adamant::x509::extensions::RevocationReason;
use adamant::x509::ocsp::CertStatus;
use adamant::x509::{PublicKey, SignatureAlgorithm};
use adamant_pki::ca::{Authority, CaSigner, Error, Request};
use adamant_pki::store::{CrlScope, Error as StoreError};

use super::check::{number, status};
use super::stores::Open;
use super::world::{Act, Fails, List, World};
use super::{ITEMS, Key, Site, start};
use crate::ca::name;

fn scope(delta: bool) -> CrlScope {
    CrlScope { shard: None, delta }
}

/// The CA's key, and a record of all that it signs.
struct Recorder(Key, Arc<World>);

impl CaSigner for Recorder {
    fn algorithm(&self) -> SignatureAlgorithm {
        self.0.algorithm()
    }

    fn public_key(&self) -> PublicKey {
        self.0.public_key()
    }

    fn sign_batch(&self, messages: &[&[u8]]) -> adamant_pki::Result<Vec<Vec<u8>>> {
        let signed = messages.iter().map(|message| message.to_vec());
        self.1.state().signed.extend(signed);
        self.0.sign_batch(messages)
    }
}

/// A process: it starts again after its end.
pub(super) struct Process<'a> {
    pub(super) me: usize,
    /// How many things it does.
    pub(super) works: usize,
    pub(super) world: &'a Arc<World>,
    pub(super) site: &'a Site,
    pub(super) open: &'a Open<'a>,
}

impl Process<'_> {
    fn start(&self) -> Authority {
        let failpoints = self.world.failpoints(self.me);
        let store = (self.open)(self.me, failpoints.clone());
        let key = Box::new(Recorder(self.site.key.clone(), self.world.clone()));
        let (world, me) = (self.world.clone(), self.me);
        let clock = move || start().saturating_add(world.clocks[me].load(Ordering::Relaxed));
        let ca = Authority::open(store, key, clock).unwrap();
        ca.with_failpoints(failpoints)
    }

    pub(super) fn run(self) {
        let _fails = Fails(self.world);
        drop(self.world.wait(self.world.state(), self.me));
        let mut ca = self.start();
        for _ in 0..self.works {
            let done = self.work(&mut ca);
            if std::mem::take(&mut self.world.state().ended[self.me]) {
                assert!(done.is_err(), "it ended, and goes on");
                ca = self.start();
                continue;
            }
            match done {
                Ok(()) | Err(Error::OutsideValidity { .. }) => {}
                Err(Error::Refused(why)) if why.starts_with("there is no full list") => {}
                Err(Error::Store(
                    StoreError::AlreadyRevoked { .. }
                    | StoreError::NotOnHold(_)
                    | StoreError::LeaseHeld { .. }
                    | StoreError::StaleLease { .. }
                    | StoreError::NotPending { .. }
                    | StoreError::ItemTaken { .. },
                )) => {}
                Err(error) => panic!("{error}"),
            }
        }
        let mut state = self.world.state();
        state.running[self.me] = false;
        self.world.hand_over(state);
    }

    fn request(&self) -> Request {
        let host = "a.example";
        Request::new("server", name("CN=a.example"), self.site.subscriber.clone())
            .name(host.parse().unwrap())
    }

    /// One thing, of those that processes do.
    fn work(&self, ca: &mut Authority) -> Result<(), Error> {
        let world = self.world;
        match world.below(14) {
            0..3 => {
                let requests = vec![self.request(); 1 + world.below(3)];
                let made = ca.issue_batch(&requests)?;
                assert_eq!(made.len(), requests.len());
                self.given(made);
            }
            3 => {
                let batch = ca.batch("batch")?;
                let number = 1 + world.below(ITEMS as usize) as u64;
                if let Some(item) = batch.item(number, b"an item")? {
                    let mut request = self.request();
                    request.item = Some(item);
                    self.given(vec![ca.issue(&request)?]);
                }
            }
            4..7 => self.revoke(ca)?,
            7..10 => {
                let begun = world.moment();
                let record = ca.make_crl(scope(world.below(2) == 0))?;
                let done = world.moment();
                let list = List {
                    begun,
                    done,
                    record,
                };
                world.state().lists.push(list);
            }
            10 => drop(ca.presign_all()?),
            11 => self.ask(ca)?,
            12 => match world.below(3) {
                0 => ca.renew()?,
                1 => ca.release()?,
                _ => {
                    ca.claim(&format!("process {}", self.me))?;
                    self.leases(ca)?;
                }
            },
            _ => {
                let head = ca.store().audit_head()?;
                world.state().anchors.push(head);
                self.leases(ca)?;
            }
        }
        Ok(())
    }

    fn given(&self, made: Vec<Vec<u8>>) {
        let with_number = |der: Vec<u8>| (number(&der), der);
        let mut state = self.world.state();
        state.given.extend(made.into_iter().map(with_number));
    }

    /// Tokens of leases never go back: whoever had a lease before would be taken for its holder.
    fn leases(&self, ca: &Authority) -> Result<(), Error> {
        let before = self.world.state().tokens.clone();
        let leases = ca.store().leases()?;
        let now = leases.into_iter().map(|lease| (lease.name, lease.token));
        let now: BTreeMap<_, _> = now.collect();
        for (name, token) in &before {
            assert!(
                now.get(name) >= Some(token),
                "{name}: {now:?} after {token}"
            );
        }
        let state = &mut *self.world.state();
        for (name, token) in now {
            let highest = state.tokens.entry(name).or_default();
            *highest = token.max(*highest);
        }
        Ok(())
    }

    fn revoke(&self, ca: &Authority) -> Result<(), Error> {
        use RevocationReason::{CertificateHold, KeyCompromise, RemoveFromCrl};

        let (serial, reason, place) = {
            let state = &mut *self.world.state();
            if state.given.is_empty() {
                return Ok(());
            }
            let serial = state.given[state.rng.below(state.given.len())].0;
            let reason = [KeyCompromise, CertificateHold, RemoveFromCrl][state.rng.below(3)];
            state.moment += 1;
            let acts = state.revocations.entry(serial).or_default();
            acts.push(Act {
                begun: state.moment,
                done: None,
                reason,
            });
            (serial, reason, acts.len() - 1)
        };
        let done = ca.revoke(serial, reason, None);
        let state = &mut *self.world.state();
        state.moment += 1;
        let acts = state.revocations.get_mut(&serial).unwrap();
        if done.is_ok() {
            acts[place].done = Some(state.moment);
        } else if !state.ended[self.me] {
            // It was refused: as if it had never been.
            acts[place].begun = u64::MAX;
        }
        done
    }

    /// Asks about a certificate: what is revoked for good is never called good.
    fn ask(&self, ca: &Authority) -> Result<(), Error> {
        let (serial, now) = {
            let state = &mut *self.world.state();
            if state.given.is_empty() {
                return Ok(());
            }
            let serial = state.given[state.rng.below(state.given.len())].0;
            (serial, state.moment + 1)
        };
        let status = status(ca, serial)?;
        let revoked = self.world.state().is_revoked(serial, now, u64::MAX);
        match revoked {
            Some(true) => assert!(matches!(status, CertStatus::Revoked { .. }), "{status:?}"),
            Some(false) => assert_eq!(status, CertStatus::Good),
            None => {}
        }
        Ok(())
    }
}
