//! Sends a secret that withstands quantum computers: X-Wing, X25519 and ML-KEM-768 in one.

use adamant::hybrid::x_wing::{DecapsulationKey, EncapsulationKey};
use adamant::{Error, SystemRng};

fn main() -> Result<(), Error> {
    let bob = DecapsulationKey::generate(&mut SystemRng)?;
    let published = bob.encapsulation_key().to_bytes();

    let to_bob = EncapsulationKey::from_bytes(&published)?;
    let (ciphertext, secret) = to_bob.encapsulate(&mut SystemRng)?;
    println!(
        "{} bytes to publish, {} to send",
        published.len(),
        ciphertext.len()
    );

    assert_eq!(bob.decapsulate(&ciphertext).as_ref(), secret.as_ref());
    Ok(())
}
