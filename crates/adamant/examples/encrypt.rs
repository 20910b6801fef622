//! Encrypts messages with AES-256-GCM under one key, with counted nonces.

use adamant::cipher::gcm::Aes256Gcm;
use adamant::{Error, Rng, Secret, SystemRng};

fn main() -> Result<(), Error> {
    let mut key = Secret::new([0; 32]);
    SystemRng.fill(&mut *key)?;
    let cipher = Aes256Gcm::new(&key);

    for (count, message) in ["attack at dawn", "retreat at dusk"].iter().enumerate() {
        // A nonce must never serve two messages under one key.
        let mut nonce = [0; 12];
        nonce[4..].copy_from_slice(&(count as u64).to_be_bytes());

        let mut data = message.as_bytes().to_vec();
        let tag = cipher.seal(&nonce, b"header", &mut data)?;
        println!(
            "message {count}: {} bytes and a tag of {}",
            data.len(),
            tag.len()
        );

        cipher.open(&nonce, b"header", &mut data, &tag)?;
        assert_eq!(data, message.as_bytes());
    }
    Ok(())
}
