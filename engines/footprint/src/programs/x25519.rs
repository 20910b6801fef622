//! X25519: the public key of a private one, and the secret shared with a peer.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

/// The public key, and the secret.
type Agreed = Option<[[u8; 32]; 2]>;

#[cfg(feature = "facade")]
fn agree(private: &[u8; 32], peer: &[u8; 32]) -> Agreed {
    use facade::ec::x25519::{PrivateKey, PublicKey};
    let key = PrivateKey::from_bytes(private);
    let public = key.public_key().to_bytes();
    let shared = key.agree(&PublicKey::from_bytes(peer));
    Some([public, *shared.ok()?])
}

#[cfg(feature = "dalek-x25519")]
fn agree(private: &[u8; 32], peer: &[u8; 32]) -> Agreed {
    use x25519_dalek::{PublicKey, StaticSecret};
    let key = StaticSecret::from(*private);
    let public = PublicKey::from(&key).to_bytes();
    let shared = key.diffie_hellman(&PublicKey::from(*peer)).to_bytes();
    Some([public, shared])
}

#[cfg(feature = "graviola")]
fn agree(private: &[u8; 32], peer: &[u8; 32]) -> Agreed {
    use graviola::key_agreement::x25519::{PublicKey, StaticPrivateKey};
    let key = StaticPrivateKey::from_array(private);
    let public = key.public_key().as_bytes();
    let shared = key.diffie_hellman(&PublicKey::from_array(peer)).ok()?;
    Some([public, shared.0])
}

#[cfg(feature = "ring")]
fn agree(private: &[u8; 32], peer: &[u8; 32]) -> Agreed {
    use ring::agreement::{EphemeralPrivateKey, UnparsedPublicKey, X25519, agree_ephemeral};
    // Its keys are random, and what they make could not be checked.
    #[expect(deprecated)]
    let random = ring::test::rand::FixedSliceRandom { bytes: private };
    let key = EphemeralPrivateKey::generate(&X25519, &random).ok()?;
    let public = key.compute_public_key().ok()?.as_ref().try_into().ok()?;
    let peer = UnparsedPublicKey::new(&X25519, peer);
    let shared = agree_ephemeral(key, &peer, |shared| shared.try_into().ok());
    Some([public, shared.ok()??])
}

#[cfg(feature = "aws-lc-rs")]
fn agree(private: &[u8; 32], peer: &[u8; 32]) -> Agreed {
    use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
    let key = PrivateKey::from_private_key(&X25519, private).ok()?;
    let public = key.compute_public_key().ok()?.as_ref().try_into().ok()?;
    let peer = UnparsedPublicKey::new(&X25519, peer);
    let shared = agree(&key, peer, (), |shared| shared.try_into().map_err(|_| ()));
    Some([public, shared.ok()?])
}

#[cfg(feature = "libsodium")]
fn agree(private: &[u8; 32], peer: &[u8; 32]) -> Agreed {
    use libsodium_sys as sodium;
    let [mut public, mut shared] = [[0; 32]; 2];
    // SAFETY: all have the 32 bytes that the functions read and write.
    let done = unsafe {
        sodium::sodium_init() >= 0
            && sodium::crypto_scalarmult_base(public.as_mut_ptr(), private.as_ptr()) == 0
            && sodium::crypto_scalarmult(shared.as_mut_ptr(), private.as_ptr(), peer.as_ptr()) == 0
    };
    done.then_some([public, shared])
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [[0; 32]; 2];
    bare::input(bytes.as_flattened_mut());
    let [private, peer] = &bytes;
    match agree(private, peer) {
        Some(agreed) => bare::output(agreed.as_flattened()),
        None => return 1,
    }
    0
}
