//! Issuance: one by one, in batches, and in bulk with every stage at work at once.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use adamant::rand::FastRng;
use adamant::x509::{self, SerialNumber, SignatureAlgorithm, assemble};

use super::request::Template;
use super::signer::Checker;
use super::{Authority, Error, Request, Result};
use crate::store::{Certificate, Changes, Intent, Lease, Number, Point};

/// Batches of which the intents are stored and the certificates not yet: one that is signed, one
/// that is checked, and one that waits.
const IN_FLIGHT: usize = 3;

/// Intents that are ready to be stored and signed.
struct Prepared {
    /// The number of the first request.
    first: usize,
    intents: Vec<Intent>,
}

/// What the key made of intents, before anybody has looked at it.
struct Unchecked {
    prepared: Prepared,
    signatures: Vec<Vec<u8>>,
}

/// What was signed.
struct Signed {
    certificates: Vec<Certificate>,
}

/// What requests become parts to be signed with.
struct Press<'a> {
    authority: &'a Authority,
    algorithm: SignatureAlgorithm,
    issuer: x509::Certificate<'a>,
    /// The CAs above it.
    above: Vec<x509::Certificate<'a>>,
    key_id: Vec<u8>,
    templates: BTreeMap<String, Template<'a>>,
    /// Draws serial numbers.
    rng: FastRng,
}

impl<'a> Press<'a> {
    fn new(authority: &'a Authority) -> Result<Self> {
        Ok(Self {
            authority,
            algorithm: authority.signer()?.algorithm(),
            issuer: authority.parsed()?,
            above: authority.above()?,
            key_id: authority.key_id()?,
            templates: BTreeMap::new(),
            rng: FastRng::new().map_err(x509::Error::from)?,
        })
    }

    /// Builds and lints; the first of the requests is number `first` of the whole.
    fn prepare(&mut self, requests: &[Request], first: usize) -> Result<Prepared> {
        let now = self.authority.now();
        let settings = self.authority.settings();
        let mut intents = Vec::with_capacity(requests.len());
        for (item, request) in (first..).zip(requests) {
            if !self.templates.contains_key(&request.profile) {
                let key_id = self.key_id.clone();
                let template = Template::new(
                    &self.issuer,
                    &self.above,
                    key_id,
                    self.algorithm,
                    settings,
                    &request.profile,
                )?;
                self.templates.insert(request.profile.clone(), template);
            }
            // It was put there just now.
            let Some(template) = self.templates.get(&request.profile) else {
                continue;
            };
            let serial = SerialNumber::random(&mut self.rng)?;
            let number = Number::try_from(&serial)?;
            let shard = shard(number, settings.shards());
            let made = template.tbs(request, serial, shard, now)?;
            let findings = template.lint(request, &made.tbs, now);
            if !findings.is_empty() {
                return Err(Error::Lint { item, findings });
            }
            intents.push(Intent {
                subject: request.subject.to_string(),
                profile: template.profile().to_owned(),
                shard,
                item: request.item.clone(),
                ..Intent::new(number, made.tbs, made.not_before, made.not_after)
            });
        }
        self.authority.failpoints.at(Point::AfterLint)?;
        Ok(Prepared { first, intents })
    }
}

/// The CRL that a serial number's revocation goes to.
fn shard(number: Number, shards: u32) -> u32 {
    let octets = number.as_bytes();
    let low = octets[Number::LEN - 4..].iter();
    low.fold(0u32, |all, octet| all << 8 | u32::from(*octet)) % shards
}

impl Authority {
    /// Issues one certificate.
    ///
    /// # Errors
    /// [`Error::Lint`] and [`Error::Refused`], after which nothing has happened; those of key and
    /// store, after which an intent may be there, and can be revoked.
    pub fn issue(&self, request: &Request) -> Result<Vec<u8>> {
        let made = self.issue_batch(std::slice::from_ref(request))?.pop();
        made.ok_or_else(|| Error::Refused("nothing was issued".to_owned()))
    }

    /// Issues certificates, all or none: two transactions for all of them.
    ///
    /// # Errors
    /// As [`Authority::issue`], with the number of the request.
    pub fn issue_batch(&self, requests: &[Request]) -> Result<Vec<Vec<u8>>> {
        let prepared = Press::new(self)?.prepare(requests, 0)?;
        let lease = self.lease.as_ref();
        self.store.reserve(lease, &prepared.intents, self.now())?;
        let signed = self.check(self.sign(prepared)?)?;
        self.store
            .complete(lease, &signed.certificates, self.now())?;
        let certificates = signed.certificates.into_iter();
        Ok(certificates.map(Certificate::into_der).collect())
    }

    /// Issues certificates in batches of `size`, given away in their order: while one batch is
    /// signed, the next is prepared, the one before is checked, and the one before that is stored,
    /// together with the intents of the next in one transaction. `release` gets the number of a batch's first request, from 0, and
    /// its certificates; when it fails, issuance ends. Returns how many were given away.
    ///
    /// # Errors
    /// As [`Authority::issue`]. Certificates that were given away before are issued.
    pub fn issue_all(
        &mut self,
        requests: impl Iterator<Item = Result<Request>> + Send,
        size: usize,
        mut release: impl FnMut(usize, Vec<Vec<u8>>) -> Result<()>,
    ) -> Result<usize> {
        let mut lease = self.lease.clone();
        let authority = &*self;
        let done = std::thread::scope(|scope| {
            let (to_store, prepared) = sync_channel(1);
            let (to_sign, intents) = sync_channel::<Prepared>(IN_FLIGHT);
            let (to_check, unchecked) = sync_channel::<Result<Unchecked>>(IN_FLIGHT);
            let (to_complete, signed) = sync_channel(IN_FLIGHT);
            scope.spawn(move || prepare_all(authority, requests, size.max(1), &to_store));
            scope.spawn(move || {
                for prepared in intents {
                    if to_check.send(authority.sign(prepared)).is_err() {
                        break;
                    }
                }
            });
            scope.spawn(move || {
                for made in unchecked {
                    let made = made.and_then(|made| authority.check(made));
                    if to_complete.send(made).is_err() {
                        break;
                    }
                }
            });
            authority.store_all(&mut lease, &prepared, to_sign, &signed, &mut release)
        });
        self.lease = lease;
        done
    }

    /// One transaction after another: certificates of an earlier batch with the intents of the
    /// next.
    fn store_all(
        &self,
        lease: &mut Option<Lease>,
        prepared: &Receiver<Result<Prepared>>,
        to_sign: SyncSender<Prepared>,
        signed: &Receiver<Result<Signed>>,
        release: &mut dyn FnMut(usize, Vec<Vec<u8>>) -> Result<()>,
    ) -> Result<usize> {
        let (mut in_flight, mut given) = (0, 0);
        let mut failure = None;
        loop {
            let next = if failure.is_none() {
                prepared.recv().ok()
            } else {
                None
            };
            let next = match next.transpose() {
                Ok(next) => next,
                Err(error) => {
                    // What is being signed is finished first.
                    failure = Some(error);
                    None
                }
            };
            let done = match (in_flight, &next) {
                (0, None) => break,
                (0, Some(_)) => None,
                (1..IN_FLIGHT, Some(_)) => signed.try_recv().ok(),
                _ => Some(signed.recv().unwrap_or_else(|_| {
                    let why = "a stage of the issuance has ended";
                    Err(Error::Refused(why.to_owned()))
                })),
            };
            let done = done.transpose()?;
            self.keep(lease)?;
            let changes = Changes {
                certificates: done.as_ref().map_or(&[], |done| &done.certificates),
                intents: next.as_ref().map_or(&[], |next| &next.intents),
                ..Changes::default()
            };
            self.store.commit(lease.as_ref(), &changes, self.now())?;
            if let Some(next) = next {
                in_flight += 1;
                // The other end is there as long as this one.
                let _ = to_sign.send(next);
            }
            if let Some(done) = done {
                in_flight -= 1;
                let number = done.certificates.len();
                let certificates = done.certificates.into_iter();
                release(given, certificates.map(Certificate::into_der).collect())?;
                given += number;
            }
        }
        failure.map_or(Ok(given), Err)
    }

    /// Renews a lease of which a third is gone.
    fn keep(&self, lease: &mut Option<Lease>) -> Result<()> {
        let now = self.now();
        if let Some(held) = lease
            && now.saturating_add(super::LEASE_SECONDS * 2 / 3) > held.until
        {
            *lease = Some(self.store.renew_lease(held, now, super::LEASE_SECONDS)?);
        }
        Ok(())
    }

    /// Signs intents that are durable.
    fn sign(&self, prepared: Prepared) -> Result<Unchecked> {
        self.failpoints.at(Point::BeforeSign)?;
        let intents = prepared.intents.iter();
        let messages: Vec<_> = intents.map(|intent| &intent.tbs[..]).collect();
        let signatures = self.signer()?.sign_batch(&messages)?;
        self.failpoints.at(Point::AfterSign)?;
        Ok(Unchecked {
            prepared,
            signatures,
        })
    }

    /// Verifies every signature, and compares what came out with the intents.
    fn check(&self, made: Unchecked) -> Result<Signed> {
        let (prepared, signatures) = (&made.prepared, &made.signatures);
        let intents = &prepared.intents;
        let wrong = |why: &str| Error::Refused(format!("the key failed: {why}"));
        if signatures.len() != intents.len() {
            return Err(wrong("not one signature for each certificate"));
        }
        let signed: Vec<_> = intents
            .iter()
            .zip(signatures)
            .map(|(intent, signature)| (&intent.tbs[..], &signature[..]))
            .collect();
        let algorithm = self.signer()?.algorithm();
        let checker = Checker::new(self.public_key()?, algorithm);
        if let Some(bad) = checker.first_wrong(&signed).map_err(Error::Key)? {
            let (item, serial) = (prepared.first + bad, intents[bad].serial);
            let what = format!(
                "its signature for request {item}, serial number {serial}, does not verify"
            );
            return Err(wrong(&what));
        }
        let whole = |(intent, signature): (&Intent, &Vec<u8>)| {
            Certificate::of(intent, assemble(&intent.tbs, algorithm, signature))
        };
        let certificates = intents.iter().zip(signatures).map(whole);
        let certificates = certificates.collect::<Result<_, _>>()?;
        Ok(Signed { certificates })
    }
}

/// Prepares batch after batch until there is nobody to give them to.
fn prepare_all(
    authority: &Authority,
    requests: impl Iterator<Item = Result<Request>>,
    size: usize,
    out: &SyncSender<Result<Prepared>>,
) {
    let mut requests = requests.peekable();
    let mut first = 0;
    let mut press = match Press::new(authority) {
        Ok(press) => press,
        Err(error) => return drop(out.send(Err(error))),
    };
    while requests.peek().is_some() {
        let batch: Result<Vec<_>> = requests.by_ref().take(size).collect();
        let prepared = batch.and_then(|batch| press.prepare(&batch, first));
        first += size;
        let failed = prepared.is_err();
        if out.send(prepared).is_err() || failed {
            return;
        }
    }
}
