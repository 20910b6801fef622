//! A thousand signatures verified one by one and in one batch, with the time that each takes.

use adamant::ec::ed25519::PrivateKey;
use adamant::family::{Signer, Verifier};
use adamant::{Error, FastRng};
use std::time::Instant;

fn main() -> Result<(), Error> {
    let mut rng = FastRng::new()?;
    let keys = PrivateKey::generate_batch(1000, &mut rng)?;
    let items: Vec<(_, &[u8])> = keys.iter().map(|key| (key, &b"message"[..])).collect();
    let signatures = PrivateKey::sign_batch(&items);
    let public: Vec<_> = keys.iter().map(PrivateKey::public_key).collect();

    let start = Instant::now();
    for (key, signature) in public.iter().zip(&signatures) {
        key.verify(b"message", signature)?;
    }
    println!("one by one: {:?}", start.elapsed());

    let pairs = public.iter().zip(&signatures);
    let items: Vec<_> = pairs
        .map(|(key, signature)| (key, &b"message"[..], signature))
        .collect();
    let start = Instant::now();
    for verdict in Verifier::verify_batch(&items) {
        verdict?;
    }
    println!("in a batch: {:?}", start.elapsed());
    Ok(())
}
