//! Signs with Ed25519 and with ML-DSA-65, generically: code that does not name the scheme.

use adamant::ec::ed25519;
use adamant::family::{Signer, Verifier};
use adamant::pq::ml_dsa_65;
use adamant::{Error, SystemRng};

fn sign_and_verify<K: Signer>(name: &str) -> Result<(), Error> {
    let key = K::generate(&mut SystemRng)?;
    let signature = key.sign(b"attack at dawn");
    let bytes = signature.as_ref(); // what travels
    println!("{name}: {} bytes", bytes.len());

    let received = K::Verifier::signature(bytes)?;
    key.verifier().verify(b"attack at dawn", &received)?;
    assert!(key.verifier().verify(b"attack at dusk", &received).is_err());
    Ok(())
}

fn main() -> Result<(), Error> {
    sign_and_verify::<ed25519::PrivateKey>("Ed25519")?;
    sign_and_verify::<ml_dsa_65::PrivateKey>("ML-DSA-65")
}
