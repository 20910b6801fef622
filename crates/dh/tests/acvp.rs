//! Known answers of NIST for ephemeral Diffie-Hellman (SP 800-56A, dhEphem) and its keys.

use adamant_dh::hazmat::Backend;
use adamant_dh::{Group, Named, PrivateKey, PublicKey};
use adamant_testkit::table;

use crate::common::named;

/// The public key of a private one, and what it agrees on with a peer.
#[test]
fn kas_ffc_ssc() {
    let lines = include_str!("vectors/acvp_ffdhe2048.txt").lines().skip(1);
    let fields: Vec<Vec<u8>> = lines
        .map(|line| hex::decode(line.split_once(' ').unwrap().1).unwrap())
        .collect();
    assert_eq!(fields.len(), 2 * 4);
    for case in fields.chunks_exact(4) {
        let [private, public, peer, z] = case else {
            unreachable!("chunks of four");
        };
        table!(Backend).for_each(|backend| {
            let group = Group::named(Named::Ffdhe2048).with_backend(backend);
            let key = PrivateKey::from_bytes(&group, private).unwrap();
            assert_eq!(key.public_key().to_bytes(), *public);
            let peer = PublicKey::from_bytes(&group, peer).unwrap();
            assert_eq!(peer.check_subgroup(), Ok(()));
            assert_eq!(key.agree(&peer).unwrap()[..], **z);
        });
    }
}

/// Whether two numbers are a private key and its public one.
#[test]
fn safe_primes() {
    let lines = include_str!("vectors/acvp_safe_primes.txt").lines().skip(1);
    let mut counts = [0; 2];
    for line in lines {
        let [group, x, y, good] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("a line of another form");
        };
        let (x, y) = (hex::decode(x).unwrap(), hex::decode(y).unwrap());
        table!(Backend).for_each(|backend| {
            let group = Group::named(named(group)).with_backend(backend);
            let key = PrivateKey::from_bytes(&group, &x);
            let belongs = key.is_ok_and(|key| key.public_key().to_bytes() == y);
            assert_eq!(belongs, good == "good");
        });
        counts[usize::from(good == "good")] += 1;
    }
    assert_eq!(counts, [4, 8]);
}
