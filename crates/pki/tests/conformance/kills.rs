//! Processes that are killed: at every step, at random moments, one of several.
//!
//! `ADAMANT_KILLS` says how often at random moments, for each store; a thousand take some
//! minutes.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use adamant_pki::store::Point;

use super::issuer::{Diary, Issuer, Memory, check, draw};
use super::server;

/// Serial numbers are drawn below this where they should not meet.
const MANY: u64 = 1 << 40;
/// Kills after which a new store begins, so that the checks stay short.
const GENERATION: usize = 50;

fn kills() -> usize {
    let told = std::env::var("ADAMANT_KILLS");
    told.map_or(10, |number| {
        number.parse().expect("ADAMANT_KILLS is a number")
    })
}

/// A process for each point, which ends itself there.
fn at_every_point(place: &str, folder: &Path) {
    let diary = Diary::open(&folder.join("diary"));
    let mut anchors = Vec::new();
    for &point in Point::ALL {
        for n in [1, 3] {
            let mut issuer = Issuer::start(place, &diary, MANY, Some((point, n)));
            let status = issuer.0.wait().unwrap();
            assert_eq!(status.code(), None, "{point}: the process ended by itself");
            anchors.push(check(place, &diary, &anchors, false));
        }
    }
    check(place, &diary, &anchors, true);
    assert!(Memory::of(&diary).signed.len() > Point::ALL.len());
}

/// A process after the other, each killed at some moment.
fn at_random_moments(place: impl Fn(&Path) -> String) {
    let mut left = kills();
    while left > 0 {
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path());
        let diary = Diary::open(&folder.path().join("diary"));
        let mut anchors = Vec::new();
        for _ in 0..left.min(GENERATION) {
            let issuer = Issuer::start(&place, &diary, MANY, None);
            sleep(Duration::from_micros(20_000 + draw(150_000)));
            drop(issuer);
            anchors.push(check(&place, &diary, &anchors, false));
            left -= 1;
        }
        check(&place, &diary, &anchors, true);
    }
}

/// Four processes on one store that draw the same serial numbers, and are killed in turn.
fn several_processes(place: &str, folder: &Path) {
    let diary = Diary::open(&folder.join("diary"));
    let start = || Issuer::start(place, &diary, 4000, None);
    let mut issuers: Vec<_> = (0..4).map(|_| start()).collect();
    for n in 0..kills() {
        sleep(Duration::from_micros(50_000 + draw(100_000)));
        issuers[n % 4] = start();
    }
    sleep(Duration::from_millis(300));
    for issuer in &mut issuers {
        assert!(issuer.0.try_wait().unwrap().is_none(), "still issuing");
    }
    drop(issuers);
    let head = check(place, &diary, &[], true);
    check(place, &diary, &[head], true);
    assert!(Memory::of(&diary).given.len() > 10);
}

fn file(folder: &Path) -> String {
    folder.join("ca.sqlite").to_str().unwrap().to_owned()
}

#[test]
fn sqlite_at_every_point() {
    let folder = tempfile::tempdir().unwrap();
    at_every_point(&file(folder.path()), folder.path());
}

#[test]
fn sqlite_at_random_moments() {
    at_random_moments(file);
}

#[test]
fn sqlite_several_processes() {
    let folder = tempfile::tempdir().unwrap();
    several_processes(&file(folder.path()), folder.path());
}

#[test]
fn postgres_at_every_point() {
    let Some(server) = server::shared() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    at_every_point(&server.place(), folder.path());
}

#[test]
fn postgres_at_random_moments() {
    let Some(server) = server::shared() else {
        return;
    };
    at_random_moments(|_| server.place());
}

#[test]
fn postgres_several_processes() {
    let Some(server) = server::shared() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    several_processes(&server.place(), folder.path());
}
