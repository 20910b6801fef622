//! Finite-field Diffie-Hellman: numbers travel big-endian at the length of the prime.

use std::sync::OnceLock;

use adamant::Error;
use adamant::dh::{self, Group, Named, PrivateKey, PublicKey, SharedSecret, hazmat::Backend};
use adamant::rand::FastRng;

use crate::agreement::{self, Agreement};
use crate::keys::{KeyPair, put};
use crate::task::Registry;

/// The groups that are measured, in the order of their numbers below.
const GROUPS: [Named; 13] = [
    Named::Ffdhe2048,
    Named::Ffdhe3072,
    Named::Ffdhe4096,
    Named::Ffdhe6144,
    Named::Ffdhe8192,
    Named::Modp2048,
    Named::Modp3072,
    Named::Modp4096,
    Named::Modp6144,
    Named::Modp8192,
    Named::Modp1536,
    Named::Modp1024,
    Named::Modp768,
];

pub(crate) fn register(to: &mut Registry) {
    of_group::<0>(to);
    of_group::<1>(to);
    of_group::<2>(to);
    of_group::<3>(to);
    of_group::<4>(to);
    of_group::<5>(to);
    of_group::<6>(to);
    of_group::<7>(to);
    of_group::<8>(to);
    of_group::<9>(to);
    of_group::<10>(to);
    of_group::<11>(to);
    of_group::<12>(to);
}

fn of_group<const G: usize>(to: &mut Registry) {
    agreement::register::<Dh<G>>(to, &format!("dh-{}", GROUPS[G].name()));
}

struct Dh<const G: usize>;

/// Each group is set up once.
fn group<const G: usize>(table: Backend) -> Group {
    static KNOWN: [OnceLock<Group>; GROUPS.len()] = [const { OnceLock::new() }; GROUPS.len()];
    let group = KNOWN[G].get_or_init(|| Group::named(GROUPS[G]));
    group.clone().with_backend(table)
}

impl<const G: usize> KeyPair for Dh<G> {
    type Table = Backend;
    type Private = PrivateKey;
    type Public = PublicKey;

    fn generate(rng: &mut FastRng, table: Backend) -> Result<PrivateKey, Error> {
        PrivateKey::generate(&group::<G>(table), rng)
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<PrivateKey>, Error> {
        dh::generate_batch(count, &group::<G>(Backend::best()), rng)
    }
    fn private(bytes: &[u8], table: Backend) -> Result<PrivateKey, Error> {
        PrivateKey::from_bytes(&group::<G>(table), bytes)
    }
    fn private_bytes(key: &PrivateKey, to: &mut Vec<u8>) {
        put(to, &key.to_bytes()[..]);
    }
    fn public(bytes: &[u8], table: Backend) -> Result<PublicKey, Error> {
        PublicKey::from_bytes(&group::<G>(table), bytes)
    }
    fn public_bytes(key: &PublicKey, to: &mut Vec<u8>) {
        put(to, &key.to_bytes()[..]);
    }
    fn public_of(key: &PrivateKey) -> PublicKey {
        key.public_key()
    }
}

impl<const G: usize> Agreement for Dh<G> {
    type Shared = SharedSecret;
    fn agree(key: &PrivateKey, peer: &PublicKey) -> Result<SharedSecret, Error> {
        key.agree(peer)
    }
    fn agree_batch(
        items: &[(&PrivateKey, &PublicKey)],
        out: &mut [Result<SharedSecret, Error>],
    ) -> Result<(), Error> {
        dh::agree_batch_into(items, out)
    }
}
