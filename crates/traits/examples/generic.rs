//! A program written for RustCrypto's traits: its functions know no algorithm, and the imports alone
//! say whose they are.
//!
//! ```sh
//! cargo run -p adamant-traits --example generic
//! ```

// These were aes_gcm::Aes256Gcm, hmac::Hmac, p256::ecdsa::{Signature, SigningKey}, sha2::Sha256.
use adamant_traits::aead::Aes256Gcm;
use adamant_traits::hash::Sha256;
use adamant_traits::mac::Hmac;
use adamant_traits::signature::p256::{Signature, SigningKey};

use adamant_traits::rng::ToRandCore;
use aead::{Aead, AeadInOut, Nonce};
use digest::{Digest, KeyInit, Mac};
use signature::{Keypair, SignatureEncoding, Signer, Verifier};

/// The digest of a document.
fn fingerprint<D: Digest>(document: &[u8]) -> Vec<u8> {
    D::digest(document).to_vec()
}

/// A key for a purpose.
fn derive<M: Mac + KeyInit>(key: &[u8], purpose: &[u8]) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(key).expect("any length will do");
    mac.update(purpose);
    mac.finalize().into_bytes().to_vec()
}

/// Encrypts: nobody else can read it.
fn seal<A: AeadInOut + KeyInit>(key: &[u8], message: &[u8]) -> Vec<u8> {
    let cipher = A::new_from_slice(key).expect("a key of the right length");
    // The key is for this message only.
    let nonce = Nonce::<A>::default();
    cipher.encrypt(&nonce, message).expect("not too long")
}

/// Signs: everybody can check it.
fn sign<K, S>(key: &K, message: &[u8]) -> Vec<u8>
where
    K: Signer<S> + Keypair,
    K::VerifyingKey: Verifier<S>,
    S: SignatureEncoding,
{
    let signature = key.sign(message);
    key.verifying_key()
        .verify(message, &signature)
        .expect("its own signature");
    signature.to_vec()
}

fn main() -> Result<(), signature::Error> {
    let document = b"attack at dawn";
    let key = SigningKey::generate_from(&mut ToRandCore(adamant::SystemRng))?;
    let message_key = derive::<Hmac<Sha256>>(b"a secret", b"message 1");
    println!("digest     {:02x?}", fingerprint::<Sha256>(document));
    println!(
        "sealed     {:02x?}",
        seal::<Aes256Gcm>(&message_key, document)
    );
    println!("signature  {:02x?}", sign::<_, Signature>(&key, document));
    Ok(())
}
