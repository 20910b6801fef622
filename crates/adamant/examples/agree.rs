//! Two sides agree on keys over an open line: X25519, then HKDF.

use adamant::ec::x25519::{PrivateKey, PublicKey};
use adamant::hash::{Sha256, hkdf};
use adamant::{Error, Secret, SystemRng};

fn key(own: &PrivateKey, peer: &[u8; 32], transcript: &[u8]) -> Result<Secret<[u8; 32]>, Error> {
    let shared = own.agree(&PublicKey::from_bytes(peer))?;
    let mut key = Secret::new([0; 32]);
    hkdf::derive::<Sha256>(b"", &*shared, transcript, &mut *key)?;
    Ok(key)
}

fn main() -> Result<(), Error> {
    let alice = PrivateKey::generate(&mut SystemRng)?;
    let bob = PrivateKey::generate(&mut SystemRng)?;
    let (to_bob, to_alice) = (alice.public_key().to_bytes(), bob.public_key().to_bytes());
    let transcript = [b"example 1", &to_bob[..], &to_alice].concat();

    let at_alice = key(&alice, &to_alice, &transcript)?;
    let at_bob = key(&bob, &to_bob, &transcript)?;
    assert_eq!(*at_alice, *at_bob);
    println!("both sides have the same key");
    Ok(())
}
