//! Encrypts messages to a public key: HPKE (RFC 9180).

use adamant::hybrid::hpke::{Aead, Kdf, Kem, Mode, PrivateKey, PublicKey, Suite};
use adamant::{Error, SystemRng};

fn main() -> Result<(), Error> {
    let suite = Suite::new(Kem::X25519, Kdf::HkdfSha256, Aead::Aes128Gcm);
    let key = PrivateKey::generate(suite.kem(), &mut SystemRng)?;
    let published = key.public_key().to_bytes();

    let public = PublicKey::from_bytes(suite.kem(), &published)?;
    let (enc, mut sender) = suite.sender(&public, b"example 1", Mode::Base, &mut SystemRng)?;
    let sealed = [sender.seal(b"", b"one")?, sender.seal(b"", b"two")?];

    let mut receiver = suite.receiver(&enc, &key, b"example 1", Mode::Base)?;
    assert_eq!(receiver.open(b"", &sealed[0])?, b"one");
    assert_eq!(receiver.open(b"", &sealed[1])?, b"two");
    println!("two messages sealed and opened");
    Ok(())
}
