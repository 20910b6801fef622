//! How often one peer may ask, a bucket of tokens for each address; and how many connections it
//! may have.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Peers that are told apart; further ones share a bucket.
const PEERS: usize = 1 << 16;
/// The bucket of those: no address of IPv6 is it, since the lower half of those is zero.
const THE_REST: u128 = u128::MAX;
/// Between two searches for peers that are gone.
const PAUSE: Duration = Duration::from_secs(1);

/// Buckets that hold `rate` tokens at most and gain as many each second.
pub(super) struct Limiter {
    rate: f64,
    peers: Mutex<Peers>,
}

struct Peers {
    buckets: HashMap<u128, Bucket>,
    searched: Instant,
}

struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Limiter {
    /// No limit where `rate`, in requests a second, is 0.
    pub(super) fn new(rate: u32, now: Instant) -> Self {
        let peers = Peers {
            buckets: HashMap::new(),
            searched: now,
        };
        Self {
            rate: f64::from(rate),
            peers: Mutex::new(peers),
        }
    }

    /// Whether one more request of this peer is within the limit.
    pub(super) fn allows(&self, peer: IpAddr, now: Instant) -> bool {
        if self.rate == 0.0 {
            return true;
        }
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut key = key(peer);
        if peers.buckets.len() >= PEERS && !peers.buckets.contains_key(&key) {
            if now.saturating_duration_since(peers.searched) >= PAUSE {
                peers.searched = now;
                let rate = self.rate;
                peers
                    .buckets
                    .retain(|_, bucket| bucket.after(rate, now) < rate);
            }
            if peers.buckets.len() >= PEERS {
                key = THE_REST;
            }
        }
        let full = Bucket {
            tokens: self.rate,
            at: now,
        };
        let bucket = peers.buckets.entry(key).or_insert(full);
        bucket.tokens = bucket.after(self.rate, now);
        bucket.at = now;
        let allowed = bucket.tokens >= 1.0;
        if allowed {
            bucket.tokens -= 1.0;
        }
        allowed
    }
}

impl Bucket {
    fn after(&self, rate: f64, now: Instant) -> f64 {
        let gained = now.saturating_duration_since(self.at).as_secs_f64() * rate;
        (self.tokens + gained).min(rate)
    }
}

/// The open connections of each peer: as many peers as there are connections, at most.
pub(super) struct Crowd {
    most: u32,
    peers: Mutex<HashMap<u128, u32>>,
}

impl Crowd {
    /// No limit where `most` is 0.
    pub(super) fn new(most: u32) -> Self {
        Self {
            most,
            peers: Mutex::default(),
        }
    }

    /// Counts one more connection of a peer, if it may have it; [`Crowd::leave`] ends it.
    pub(super) fn enter(&self, peer: IpAddr) -> bool {
        if self.most == 0 {
            return true;
        }
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        let count = peers.entry(key(peer)).or_default();
        let allowed = *count < self.most;
        *count += u32::from(allowed);
        allowed
    }

    /// A connection that was let in is over.
    pub(super) fn leave(&self, peer: IpAddr) {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        let key = key(peer);
        match peers.get_mut(&key) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(peers.remove(&key)),
        }
    }
}

/// An address of IPv4; of IPv6 the network of 64 bits, which one subscriber has.
fn key(peer: IpAddr) -> u128 {
    match peer.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits() >> 64 << 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v4(last: u8) -> IpAddr {
        [192, 0, 2, last].into()
    }

    #[test]
    fn a_bucket_empties_and_fills() {
        let start = Instant::now();
        let limiter = Limiter::new(3, start);
        let allowed = (0..5).filter(|_| limiter.allows(v4(1), start)).count();
        assert_eq!(allowed, 3);
        assert!(limiter.allows(v4(2), start), "another peer");
        let later = start + Duration::from_millis(400);
        assert!(limiter.allows(v4(1), later));
        assert!(!limiter.allows(v4(1), later));
        let mapped = std::net::Ipv4Addr::new(192, 0, 2, 1)
            .to_ipv6_mapped()
            .into();
        assert!(!limiter.allows(mapped, later), "the same peer");
    }

    #[test]
    fn networks_of_ipv6_and_a_full_table() {
        let start = Instant::now();
        let limiter = Limiter::new(1, start);
        let v6 =
            |high: u64, low: u64| IpAddr::V6((u128::from(high) << 64 | u128::from(low)).into());
        assert!(limiter.allows(v6(1, 1), start));
        assert!(!limiter.allows(v6(1, 2), start));
        for high in 2..=PEERS as u64 {
            assert!(limiter.allows(v6(high, 0), start));
        }
        // The next share one token.
        assert!(limiter.allows(v6(1 << 40, 0), start));
        assert!(!limiter.allows(v6(2 << 40, 0), start));
        // Buckets that are full again make room.
        let later = start + Duration::from_secs(2);
        assert!(limiter.allows(v6(3 << 40, 0), later));
        assert!(limiter.allows(v6(4 << 40, 0), later));
    }

    #[test]
    fn a_crowd() {
        let crowd = Crowd::new(2);
        assert!(crowd.enter(v4(1)) && crowd.enter(v4(1)));
        assert!(!crowd.enter(v4(1)));
        assert!(crowd.enter(v4(2)), "another peer");
        crowd.leave(v4(1));
        assert!(crowd.enter(v4(1)));
        assert!(!crowd.enter(v4(1)));
        for peer in [1, 1, 2] {
            crowd.leave(v4(peer));
        }
        assert!(crowd.peers.lock().unwrap().is_empty());
        let any = Crowd::new(0);
        assert!((0..1000).all(|_| any.enter(v4(1))));
        any.leave(v4(1));
    }

    #[test]
    fn none() {
        let start = Instant::now();
        let limiter = Limiter::new(0, start);
        assert!((0..1000).all(|_| limiter.allows(v4(1), start)));
    }
}
