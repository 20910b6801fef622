//! Batches: what a run left undone, another does, and nothing twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use adamant::der::Time;
use adamant::x509::KeyAlgorithm;
use adamant_pki::ca::{Authority, Error, LocalKey, RootRequest, Settings};
use adamant_pki::store::{
    CaStore, Error as StoreError, Failpoints, Filter, Point, SqliteCa, State,
};

use super::{generate, name, request};

/// A CA whose clock is turned by hand.
struct Site {
    store: Arc<dyn CaStore>,
    key: Vec<u8>,
    seconds: Arc<AtomicU64>,
}

impl Site {
    fn new() -> Self {
        let key = generate(KeyAlgorithm::P256);
        let site = Self {
            store: Arc::new(SqliteCa::in_memory().unwrap()),
            key: key.to_der().to_vec(),
            seconds: Arc::default(),
        };
        let key = Box::new(LocalKey::new(key).unwrap());
        let root = RootRequest::new(name("CN=Root"));
        let (settings, clock) = (Settings::default(), site.clock());
        Authority::init_root(site.store.clone(), key, settings, &root, clock).unwrap();
        site
    }

    fn clock(&self) -> impl Fn() -> Time + Send + Sync + 'static {
        let start: Time = "2026-01-01".parse().unwrap();
        let seconds = Arc::clone(&self.seconds);
        move || start.saturating_add(seconds.load(Ordering::Relaxed))
    }

    fn open(&self, holder: &str) -> Authority {
        let key = adamant::x509::PrivateKey::from_der(&self.key).unwrap();
        let key = Box::new(LocalKey::new(key).unwrap());
        let mut ca = Authority::open(self.store.clone(), key, self.clock()).unwrap();
        ca.claim(holder).unwrap();
        ca
    }

    fn pass(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, Ordering::Relaxed);
    }

    /// What no two intents of one item may be: not given up.
    fn check(&self, items: u64) {
        let live: Vec<_> = self
            .store
            .batch("b", 1..=u64::MAX)
            .unwrap()
            .into_iter()
            .filter(|entry| entry.state != State::Abandoned)
            .map(|entry| entry.item.unwrap().number)
            .collect();
        assert_eq!(live, (1..=items).collect::<Vec<_>>());
        let fault = adamant_pki::ca::audit::audit(&*self.store, &[]).unwrap();
        assert!(fault.is_ok(), "{fault:?}");
    }
}

/// Issues what is missing of a batch of this many; gives how many that were.
fn run(ca: &mut Authority, items: u64) -> Result<usize, Error> {
    let batch = ca.batch("b")?;
    let requests = (1..=items).filter_map(|number| {
        let host = format!("h{number}.example");
        let item = batch.item(number, host.as_bytes()).transpose()?;
        Some(item.map(|item| {
            let mut request = request(&host);
            request.item = Some(item);
            request
        }))
    });
    ca.issue_all(requests, 3, |_, _| Ok(()))
}

#[test]
fn nothing_twice() {
    let site = Site::new();
    let mut ca = site.open("first");
    assert_eq!(run(&mut ca, 4).unwrap(), 4);
    assert_eq!(run(&mut ca, 4).unwrap(), 0);
    assert_eq!(run(&mut ca, 11).unwrap(), 7);
    site.check(11);
    let batch = ca.batch("b").unwrap();
    assert_eq!((batch.len(), batch.issued().next().unwrap().0), (11, 1));
    let other = batch.item(2, b"other").unwrap_err().to_string();
    assert!(other.contains("item 2 of the batch b"), "{other}");
    assert!(ca.batch("another").unwrap().is_empty());
    // A process that read the batch before the others issued it issues nothing of it.
    let early = site.store.batch_end("late").unwrap();
    assert_eq!(early, 0);
    let (one, two) = (ca.batch("late").unwrap(), ca.batch("late").unwrap());
    let mut requests = [one, two].map(|batch| {
        let mut request = request("late.example");
        request.item = batch.item(1, b"late").unwrap();
        request
    });
    ca.issue(&requests[0]).unwrap();
    requests[1].names.clear();
    requests[1].names.push("other.example".parse().unwrap());
    requests[1].subject = name("CN=other.example");
    let taken = ca.issue(&requests[1]);
    assert!(
        matches!(taken, Err(Error::Store(StoreError::ItemTaken { .. }))),
        "{taken:?}"
    );
}

/// The run fails at every point of an issuance, and another goes on.
#[test]
fn after_every_failure() {
    for point in Point::ALL {
        for times in [1, 3] {
            let site = Site::new();
            let left = Arc::new(AtomicUsize::new(times));
            let countdown = Arc::clone(&left);
            let failpoints = Failpoints::new(move |here| {
                if here == *point && countdown.fetch_sub(1, Ordering::Relaxed) == 1 {
                    return Err(StoreError::Injected(here));
                }
                Ok(())
            });
            let mut ca = site.open("first").with_failpoints(failpoints);
            let done = run(&mut ca, 14);
            let left = left.load(Ordering::Relaxed);
            // Below zero it begins again at the top.
            let reached = left == 0 || left > times;
            assert!(done.is_ok() || reached, "{point}: {done:?}");
            // It fails, and lets go.
            ca.release().unwrap();
            let mut ca = site.open("second");
            run(&mut ca, 14).unwrap();
            site.check(14);
            let issued = Filter {
                state: Some(State::Issued),
                ..Filter::default()
            };
            assert_eq!(site.store.list(&issued).unwrap().len(), 14, "{point}");
        }
    }
}

/// A process that is killed leaves intents: they are given up when its lease is over.
#[test]
fn left_behind() {
    let site = Site::new();
    // Another one has the first place, which the later one therefore does not get.
    let mut busy = site.open("busy");
    let failpoints = Failpoints::new(|here| match here {
        Point::AfterSign => Err(StoreError::Injected(here)),
        _ => Ok(()),
    });
    let mut killed = site.open("killed").with_failpoints(failpoints);
    assert!(run(&mut killed, 5).is_err());
    assert!(site.store.counts().unwrap().intents >= 3);
    let mut ca = site.open("third");
    let early = run(&mut ca, 5);
    let is_held = |error: &Error| matches!(error, Error::Store(StoreError::LeaseHeld { holder, .. }) if holder == "killed");
    assert!(early.as_ref().is_err_and(is_held), "{early:?}");
    site.pass(100);
    busy.renew().unwrap();
    ca.renew().unwrap();
    site.pass(20);
    assert_eq!(run(&mut ca, 5).unwrap(), 5);
    site.check(5);
    assert!(site.store.counts().unwrap().abandoned >= 3);
}

/// Items are found however far apart their numbers lie.
#[test]
fn far_apart() {
    let site = Site::new();
    let ca = site.open("first");
    let numbers = [1, 5000, 1 << 40, i64::MAX as u64];
    for number in numbers {
        let host = format!("h{number}.example");
        let mut request = request(&host);
        request.item = ca
            .batch("b")
            .unwrap()
            .item(number, host.as_bytes())
            .unwrap();
        ca.issue(&request).unwrap();
    }
    let batch = ca.batch("b").unwrap();
    let issued: Vec<_> = batch.issued().map(|(number, _)| number).collect();
    assert_eq!(issued, numbers);
    assert!(batch.item(0, b"").is_err());
}
