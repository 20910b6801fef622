//! Keys of OpenSSL 3.0.19's in every group that it has, one of the usual length and one as long as
//! the prime, with what both agree on:
//!
//! ```text
//! openssl genpkey -algorithm DH -pkeyopt group:ffdhe3072 -out a.pem
//! openssl genpkey -algorithm DH -pkeyopt group:ffdhe3072 -pkeyopt priv_len:3071 -out b.pem
//! openssl pkey -in b.pem -pubout -out b.pub
//! openssl pkeyutl -derive -inkey a.pem -peerkey b.pub
//! ```

use adamant_dh::hazmat::Backend;
use adamant_dh::{Group, PrivateKey};
use adamant_hash::Sha256;
use adamant_testkit::table;

use crate::common::named;

#[test]
fn keys_and_secrets() {
    let lines = include_str!("vectors/openssl.txt").lines().skip(1);
    let mut count = 0;
    for line in lines {
        let [group, x, public, x_peer, public_peer, secret] =
            line.split(' ').collect::<Vec<_>>()[..]
        else {
            panic!("a line of another form");
        };
        let check = |backend| {
            let group = Group::named(named(group)).with_backend(backend);
            let [key, peer] = [(x, public), (x_peer, public_peer)].map(|(x, public)| {
                let key = PrivateKey::from_bytes(&group, &hex::decode(x).unwrap()).unwrap();
                let digest = Sha256::digest(&key.public_key().to_bytes());
                assert_eq!(hex::encode(digest), public);
                key
            });
            for (one, other) in [(&key, &peer), (&peer, &key)] {
                let made = one.agree(&other.public_key()).unwrap();
                assert_eq!(hex::encode(Sha256::digest(&made)), secret);
            }
        };
        // The portable ones take seconds for the long groups.
        if named(group).bits() <= 2048 {
            table!(Backend).for_each(check);
        } else {
            check(Backend::best());
        }
        count += 1;
    }
    assert_eq!(count, 11);
}
