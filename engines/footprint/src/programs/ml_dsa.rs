//! ML-DSA-65: signs the message of its input with the key of the seed before it and verifies that
//! signature, and the one that follows the message.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;
#[path = "bare/heap.rs"]
mod heap;

/// Whether the signature made here is good, and the one that was given.
type Verified = Option<[bool; 2]>;

#[cfg(feature = "facade")]
fn sign_and_verify(seed: &[u8; 32], message: &[u8], given: &[u8; 3309]) -> Verified {
    use facade::pq::ml_dsa::ml_dsa_65::{PrivateKey, Signature};
    let key = PrivateKey::from_seed(seed);
    let public = key.public_key();
    let own = key.sign(message);
    let given = Signature::from_bytes(given);
    Some([own, given].map(|signature| public.verify(message, &signature).is_ok()))
}

#[cfg(feature = "rustcrypto-ml-dsa")]
fn sign_and_verify(seed: &[u8; 32], message: &[u8], given: &[u8; 3309]) -> Verified {
    use rustcrypto_ml_dsa::{ExpandedSigningKey, MlDsa65, Signature};
    let key = ExpandedSigningKey::<MlDsa65>::from_seed(seed.into());
    let public = key.verifying_key();
    let own = key.sign_deterministic(message, &[]).ok()?;
    let given = Signature::try_from(&given[..]).ok()?;
    Some([own, given].map(|signature| public.verify_with_context(message, &[], &signature)))
}

#[cfg(feature = "aws-lc-rs")]
fn sign_and_verify(seed: &[u8; 32], message: &[u8], given: &[u8; 3309]) -> Verified {
    use aws_lc_rs::signature::{
        KeyPair, ML_DSA_65, ML_DSA_65_SIGNING, PqdsaKeyPair, UnparsedPublicKey,
    };
    let key = PqdsaKeyPair::from_seed(&ML_DSA_65_SIGNING, seed).ok()?;
    let mut own = [0; 3309];
    key.sign(message, &mut own).ok()?;
    let public = UnparsedPublicKey::new(&ML_DSA_65, key.public_key().as_ref());
    Some([&own, given].map(|signature| public.verify(message, signature).is_ok()))
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let (mut seed, mut message, mut given) = ([0; 32], [0; 32], [0; 3309]);
    bare::input(&mut seed);
    bare::input(&mut message);
    bare::input(&mut given);
    let Some(valid) = sign_and_verify(&seed, &message, &given) else {
        return 1;
    };
    bare::output(&valid.map(u8::from));
    0
}
