//! Issuers of one CA under a schedule of a seed: which process goes on at each step, which one ends
//! there, and where its clock jumps to. Afterwards nothing that was acknowledged is missing, and
//! nothing is there that must not be.
//!
//! Each process has a thread, of which one runs at a time: it hands over between its transactions,
//! and ends within them too. A schedule that fails is run again by its seed, which the panic says:
//! `ADAMANT_SCHEDULES=SEED..` begins there. Serial numbers are drawn anew each time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use adamant::der::Time;
use adamant::hash::{Sha1, Sha256};
use adamant::x509::crl::FullCertificateList;
use adamant::x509::extensions::RevocationReason;
use adamant::x509::ocsp::{CertId, CertStatus, IssuerId, OcspRequestBuilder, OcspResponse};
use adamant::x509::{
    AlgorithmIdentifier, Certificate, KeyAlgorithm, PrivateKey, PublicKey, SignatureAlgorithm,
};
use adamant_pki::ca::audit::audit;
use adamant_pki::ca::{
    Authority, CaSigner, Error, LocalKey, Request, RootRequest, Settings, serial_number,
};
use adamant_pki::store::{
    self, AuditHead, CaStore, CrlRecord, CrlScope, Error as StoreError, Failpoints, Number, Point,
    SqliteCa, State,
};
use adamant_testkit::TestRng;

use super::{generate, name, subscriber};

/// Items of the batch that all processes issue.
const ITEMS: u64 = 3;
/// One of so many steps is the last of its process.
const ENDS: usize = 24;
/// One of so many steps is followed by a jump of the process's clock.
const JUMPS: usize = 12;
/// Seconds that clocks are apart at the most.
const RANGE: usize = 1000;

fn start() -> Time {
    "2026-01-01".parse().unwrap()
}

fn scope(delta: bool) -> CrlScope {
    CrlScope { shard: None, delta }
}

/// What all schedules begin with.
struct Site {
    key: Vec<u8>,
    subscriber: PublicKey,
}

impl Site {
    fn new() -> Self {
        Self {
            key: generate(KeyAlgorithm::Ed25519).to_der().to_vec(),
            subscriber: subscriber(),
        }
    }

    fn key(&self) -> LocalKey {
        LocalKey::new(PrivateKey::from_der(&self.key).unwrap()).unwrap()
    }

    fn prepare(&self, store: Arc<dyn CaStore>) {
        let (root, settings) = (RootRequest::new(name("CN=Root")), Settings::default());
        Authority::init_root(store, Box::new(self.key()), settings, &root, start).unwrap();
    }
}

/// A schedule, and what has happened so far.
struct World {
    state: Mutex<Shared>,
    turn: Condvar,
    /// The clocks of the processes, in seconds.
    clocks: Vec<AtomicU64>,
}

struct Shared {
    rng: TestRng,
    turn: usize,
    running: Vec<bool>,
    ended: Vec<bool>,
    /// A process has panicked: so do the others, who would wait for it.
    failed: bool,
    /// Counts beginnings and ends of what processes do.
    moment: u64,
    signed: Vec<Vec<u8>>,
    given: Vec<(Number, Vec<u8>)>,
    revocations: BTreeMap<Number, Vec<Act>>,
    lists: Vec<List>,
    anchors: Vec<AuditHead>,
}

/// A change of a revocation.
struct Act {
    begun: u64,
    /// When it was acknowledged.
    done: Option<u64>,
    reason: RevocationReason,
}

/// A list that its maker was given.
struct List {
    begun: u64,
    done: u64,
    record: CrlRecord,
}

impl World {
    fn new(seed: u64, processes: usize) -> Arc<Self> {
        let mut rng = TestRng::new(seed);
        let turn = rng.below(processes);
        let state = Shared {
            rng,
            turn,
            running: vec![true; processes],
            ended: vec![false; processes],
            failed: false,
            moment: 0,
            signed: vec![],
            given: vec![],
            revocations: BTreeMap::new(),
            lists: vec![],
            anchors: vec![],
        };
        let clock = |_| AtomicU64::new(RANGE as u64);
        Arc::new(Self {
            state: Mutex::new(state),
            turn: Condvar::new(),
            clocks: (0..processes).map(clock).collect(),
        })
    }

    fn state(&self) -> MutexGuard<'_, Shared> {
        self.state
            .lock()
            .unwrap_or_else(|_| panic!("another process failed"))
    }

    /// Waits for the process's turn.
    fn wait<'a>(&self, mut state: MutexGuard<'a, Shared>, me: usize) -> MutexGuard<'a, Shared> {
        while state.turn != me && !state.failed {
            state = self.turn.wait(state).expect("another process failed");
        }
        assert!(!state.failed, "another process failed");
        state
    }

    /// Says whose turn it is next.
    fn hand_over(&self, state: &mut Shared) {
        let all = 0..state.running.len();
        let running: Vec<_> = all.filter(|&n| state.running[n]).collect();
        if !running.is_empty() {
            state.turn = running[state.rng.below(running.len())];
        }
        self.turn.notify_all();
    }

    /// A step of a process: it may be its last one.
    fn step(&self, me: usize, point: Point) -> store::Result<()> {
        let mut state = self.state();
        if !state.ended[me] && state.rng.below(ENDS) == 0 {
            state.ended[me] = true;
        }
        if state.ended[me] {
            return Err(StoreError::Injected(point));
        }
        if state.rng.below(JUMPS) == 0 {
            let to = state.rng.below(2 * RANGE) as u64;
            self.clocks[me].store(to, Ordering::Relaxed);
        }
        use Point::{AuditWritten, BeforeCommit, Begun, HalfWritten};
        if ![Begun, HalfWritten, AuditWritten, BeforeCommit].contains(&point) {
            self.hand_over(&mut state);
            drop(self.wait(state, me));
        }
        Ok(())
    }

    fn failpoints(self: &Arc<Self>, me: usize) -> Failpoints {
        let world = Arc::clone(self);
        Failpoints::new(move |point| world.step(me, point))
    }

    fn moment(&self) -> u64 {
        let mut state = self.state();
        state.moment += 1;
        state.moment
    }

    fn below(&self, bound: usize) -> usize {
        self.state().rng.below(bound)
    }
}

/// Tells the others of a panic.
struct Fails<'a>(&'a World);

impl Drop for Fails<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let state = self.0.state.lock();
            state.unwrap_or_else(PoisonError::into_inner).failed = true;
            self.0.turn.notify_all();
        }
    }
}

/// The CA's key, and a record of all that it signs.
struct Recorder(LocalKey, Arc<World>);

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
struct Process<'a> {
    me: usize,
    world: &'a Arc<World>,
    site: &'a Site,
    open: &'a (dyn Fn(Failpoints) -> Arc<dyn CaStore> + Sync),
}

impl Process<'_> {
    fn start(&self) -> Authority {
        let failpoints = self.world.failpoints(self.me);
        let store = (self.open)(failpoints.clone());
        let key = Box::new(Recorder(self.site.key(), self.world.clone()));
        let (world, me) = (self.world.clone(), self.me);
        let clock = move || start().saturating_add(world.clocks[me].load(Ordering::Relaxed));
        let ca = Authority::open(store, key, clock).unwrap();
        ca.with_failpoints(failpoints)
    }

    fn run(&self, works: usize) {
        let _fails = Fails(self.world);
        drop(self.world.wait(self.world.state(), self.me));
        let mut ca = self.start();
        for _ in 0..works {
            let done = self.work(&mut ca);
            if std::mem::take(&mut self.world.state().ended[self.me]) {
                assert!(done.is_err(), "it ended, and goes on");
                ca = self.start();
                continue;
            }
            match done {
                Ok(()) | Err(Error::OutsideValidity { .. }) => {}
                // There is no full list yet; all of a batch is issued.
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
        self.world.hand_over(&mut state);
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
                _ => ca.claim(&format!("process {}", self.me))?,
            },
            _ => {
                let head = ca.store().audit_head()?;
                world.state().anchors.push(head);
            }
        }
        Ok(())
    }

    fn given(&self, made: Vec<Vec<u8>>) {
        let with_number = |der: Vec<u8>| (number(&der), der);
        let mut state = self.world.state();
        state.given.extend(made.into_iter().map(with_number));
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

impl Shared {
    /// Whether a serial number is revoked, as what was acknowledged before `begun` has it, if
    /// nothing that began before `done` may have changed that.
    fn is_revoked(&self, serial: Number, begun: u64, done: u64) -> Option<bool> {
        let acts = self.revocations.get(&serial).map_or(&[][..], |acts| acts);
        let mut acts = acts.iter().filter(|act| act.begun < done);
        let last = acts.clone().max_by_key(|act| act.begun);
        let Some(last) = last else {
            return Some(false);
        };
        let known = acts.all(|act| {
            let before = act.done.is_some_and(|done| done < last.begun);
            before || (act.begun == last.begun && act.done.is_some_and(|done| done < begun))
        });
        known.then_some(last.reason != RevocationReason::RemoveFromCrl)
    }
}

fn number(der: &[u8]) -> Number {
    Number::try_from(Certificate::from_der(der).unwrap().serial()).unwrap()
}

/// What is answered, beforehand or not.
fn status(ca: &Authority, serial: Number) -> Result<CertStatus, Error> {
    let certificate = Certificate::from_der(ca.certificate()).unwrap();
    let name_hash = Sha1::digest(certificate.subject_der());
    let key_hash = Sha1::digest(certificate.spki().unwrap().key);
    let serial = serial_number(serial)?;
    // As whoever asks for what was signed beforehand.
    let usual = CertId {
        hash_algorithm: AlgorithmIdentifier::new("1.3.14.3.2.26".parse().unwrap(), None),
        issuer_name_hash: &name_hash,
        issuer_key_hash: &key_hash,
        serial: serial.into(),
    };
    let issuer = IssuerId::new(&certificate).unwrap();
    let mut told = vec![];
    for id in [usual, issuer.cert_id(serial)] {
        let request = OcspRequestBuilder::new().certificate(id).build();
        let answer = ca.answer(&request)?;
        let response = OcspResponse::from_der(&answer).unwrap();
        told.push(response.basic().unwrap().find(&id).unwrap().status);
    }
    // A change of a revocation takes the stored answer with it.
    assert_eq!(told[0], told[1]);
    Ok(told[0])
}

/// What a list has: serial numbers, and whether they are revoked.
fn listed(record: &CrlRecord) -> BTreeMap<Number, bool> {
    let list = FullCertificateList::from_der(&record.der).unwrap();
    let entries = list.entries().map(|entry| {
        let entry = entry.unwrap();
        let number = Number::try_from(entry.serial.number().unwrap()).unwrap();
        let lifted = entry.reason().unwrap() == Some(RevocationReason::RemoveFromCrl);
        (number, !lifted)
    });
    entries.collect()
}

/// Whatever happened, the store has it.
fn check(ca: &Authority, state: &Shared) {
    let store = ca.store();
    let verdict = audit(&**store, &state.anchors).unwrap();
    verdict.expect("the audit log is in order");
    // Every signature has its intent, and no serial number two.
    let mut serials = BTreeSet::new();
    for tbs in &state.signed {
        let der = adamant::x509::assemble(tbs, ca.algorithm().unwrap(), &[0]);
        // Lists and responses are signed too.
        if Certificate::from_der(&der).is_err() {
            continue;
        }
        let serial = number(&der);
        let intent = store.intent(serial).unwrap().expect("an intent");
        assert_eq!(intent.intent.tbs_sha256, Sha256::digest(tbs));
        assert!(serials.insert(serial), "{serial} is signed twice");
    }
    // What was given away is there, and nothing else that was signed for its item.
    for (serial, der) in &state.given {
        assert_eq!(
            store.certificate(*serial).unwrap().as_ref(),
            Some(der),
            "{serial}"
        );
    }
    let live = store.batch("batch", 1..=ITEMS).unwrap();
    let mut items = live.iter().filter(|entry| entry.state != State::Abandoned);
    let mut seen = BTreeSet::new();
    assert!(
        items.all(|entry| seen.insert(entry.item.as_ref().unwrap().number)),
        "an item is there twice"
    );
    // Lists: each number once, later ones above those that were there before they began.
    let numbers: BTreeSet<_> = state.lists.iter().map(|list| list.record.number).collect();
    assert_eq!(numbers.len(), state.lists.len());
    for list in &state.lists {
        let there = store.crl(list.record.number).unwrap();
        assert_eq!(there.as_ref(), Some(&list.record));
        let before = state.lists.iter().filter(|other| other.done < list.begun);
        for other in before.filter(|other| other.record.scope == list.record.scope) {
            assert!(other.record.number < list.record.number);
            assert!(other.record.this_update <= list.record.this_update);
        }
        let listed = listed(&list.record);
        for serial in state.revocations.keys() {
            let known = state.is_revoked(*serial, list.begun, list.done);
            let on_it = listed.get(serial).copied();
            match list.record.base {
                None => {
                    if let Some(revoked) = known {
                        assert_eq!(on_it == Some(true), revoked, "{serial} on a full list");
                    }
                    assert_ne!(on_it, Some(false), "a full list has no lifted holds");
                }
                Some(base) => {
                    let Some(base) = state.lists.iter().find(|l| l.record.number == base) else {
                        continue;
                    };
                    assert!(base.record.this_update <= list.record.this_update);
                    // With its base it says all.
                    let in_base = self::listed(&base.record).contains_key(serial);
                    if let Some(revoked) = known {
                        assert_eq!(on_it.unwrap_or(in_base), revoked, "{serial} on a delta");
                    }
                }
            }
        }
    }
    for serial in state.revocations.keys() {
        if let Some(revoked) = state.is_revoked(*serial, u64::MAX, u64::MAX - 1) {
            let entry = store.entry(*serial).unwrap().unwrap();
            assert_eq!(entry.revoked().is_some(), revoked, "{serial}");
            let told = status(ca, *serial).unwrap();
            assert_eq!(matches!(told, CertStatus::Revoked { .. }), revoked);
        }
    }
}

/// Runs a schedule, and gives what follows in its numbers, and the moments in it.
fn simulate(
    seed: u64,
    site: &Site,
    open: &(dyn Fn(Failpoints) -> Arc<dyn CaStore> + Sync),
) -> (u64, u64) {
    let mut rng = TestRng::new(seed ^ 0x5eed);
    let (processes, works) = (2 + rng.below(2), 4 + rng.below(8));
    let world = World::new(seed, processes);
    std::thread::scope(|scope| {
        for me in 0..processes {
            let world = &world;
            let process = Process {
                me,
                world,
                site,
                open,
            };
            scope.spawn(move || process.run(works));
        }
    });
    let key = Box::new(site.key());
    let after = || start().saturating_add(2 * RANGE as u64);
    let ca = Authority::open(open(Failpoints::default()), key, after).unwrap();
    let mut state = world.state();
    check(&ca, &state);
    (state.rng.next_u64(), state.moment)
}

/// Runs schedules on two threads, and says the seed of the first that fails.
fn schedules(count: u64, run: impl Fn(u64) + Sync) {
    let wanted = std::env::var("ADAMANT_SCHEDULES").ok();
    let mut seeds = 0..count;
    if let Some(wanted) = &wanted {
        let (first, last) = wanted.split_once("..").expect("FIRST..LAST");
        let first = first.parse().expect("a seed");
        seeds = first..last.parse().unwrap_or(first + 1);
    }
    let next = AtomicU64::new(seeds.start);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        break;
                    }
                    let run = std::panic::AssertUnwindSafe(|| run(seed));
                    if let Err(panic) = std::panic::catch_unwind(run) {
                        eprintln!("the schedule of seed {seed} failed");
                        std::panic::resume_unwind(panic);
                    }
                }
            });
        }
    });
}

/// A folder in memory, where there is such a place.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    match memory.is_dir() {
        true => tempfile::tempdir_in(memory).unwrap(),
        false => tempfile::tempdir().unwrap(),
    }
}

/// Schedules on SQLite: each begins with a copy of a file.
struct OnSqlite {
    site: Site,
    folder: tempfile::TempDir,
}

impl OnSqlite {
    fn new() -> Self {
        let (site, folder) = (Site::new(), folder());
        let first = SqliteCa::open(&folder.path().join("first"));
        site.prepare(Arc::new(first.unwrap()));
        Self { site, folder }
    }

    fn run(&self, seed: u64) -> (u64, u64) {
        let place = |end: &str| self.folder.path().join(format!("{seed}{end}"));
        std::fs::copy(self.folder.path().join("first"), place("")).unwrap();
        let end = simulate(seed, &self.site, &|failpoints| {
            let store = SqliteCa::open(&place("")).unwrap();
            Arc::new(store.with_failpoints(failpoints))
        });
        for file in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(place(file));
        }
        end
    }
}

#[test]
fn schedules_on_sqlite() {
    let sqlite = OnSqlite::new();
    schedules(1000, |seed| _ = sqlite.run(seed));
}

#[test]
#[ignore = "half an hour"]
fn many_schedules_on_sqlite() {
    let sqlite = OnSqlite::new();
    schedules(100_000, |seed| _ = sqlite.run(seed));
}

#[test]
fn a_schedule_is_the_same_again() {
    let sqlite = OnSqlite::new();
    for seed in 0..20 {
        assert_eq!(sqlite.run(seed), sqlite.run(seed), "{seed}");
    }
}

#[cfg(feature = "postgres")]
#[test]
fn schedules_on_postgres() {
    use adamant_pki::store::PostgresCa;

    let Some(server) = crate::conformance::server::shared() else {
        return;
    };
    let site = Site::new();
    schedules(100, |seed| {
        let place = server.place();
        site.prepare(Arc::new(PostgresCa::open(&place).unwrap()));
        simulate(seed, &site, &|failpoints| {
            Arc::new(
                PostgresCa::open(&place)
                    .unwrap()
                    .with_failpoints(failpoints),
            )
        });
    });
}
