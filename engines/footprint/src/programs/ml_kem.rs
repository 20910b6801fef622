//! ML-KEM-768: opens the ciphertext of its input with the key before it, given as a seed
//! and expanded, and seals a secret for the same key.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

/// The secret of the ciphertext, and whether one that was sealed for the key is the one it opens.
type Opened = Option<([u8; 32], bool)>;

#[cfg(feature = "facade")]
fn open_and_seal(seed: &[u8; 64], _: &[u8; 2400], ciphertext: &[u8; 1088]) -> Opened {
    use facade::pq::ml_kem::ml_kem_768::DecapsulationKey;
    let key = DecapsulationKey::from_seed(seed);
    let secret = *key.decapsulate(ciphertext).as_bytes();
    let public = key.encapsulation_key();
    let (sealed, own) = public.encapsulate(&mut bare::Generator).ok()?;
    Some((
        secret,
        key.decapsulate(&sealed).as_bytes() == own.as_bytes(),
    ))
}

#[cfg(feature = "rustcrypto-ml-kem")]
fn open_and_seal(seed: &[u8; 64], _: &[u8; 2400], ciphertext: &[u8; 1088]) -> Opened {
    use rustcrypto_ml_kem::kem::{Decapsulate, Encapsulate};
    use rustcrypto_ml_kem::{DecapsulationKey, MlKem768};
    let key = DecapsulationKey::<MlKem768>::from_seed((*seed).into());
    let secret = key.decapsulate(ciphertext.into());
    let (sealed, own) = key.encapsulation_key().encapsulate();
    Some((secret.into(), key.decapsulate(&sealed) == own))
}

#[cfg(feature = "graviola")]
fn open_and_seal(seed: &[u8; 64], _: &[u8; 2400], ciphertext: &[u8; 1088]) -> Opened {
    use graviola::key_agreement::mlkem768::{Ciphertext, DecapKey};
    // A key opens once.
    let key = || DecapKey::keygen_internal(seed);
    let secret = key().decaps(&Ciphertext::from(*ciphertext));
    let (own, sealed) = key().encapsulation_key().encaps().ok()?;
    let opened = key().decaps(&sealed);
    Some((*secret.as_ref(), opened.as_ref() == own.as_ref()))
}

#[cfg(feature = "aws-lc-rs")]
fn open_and_seal(_: &[u8; 64], expanded: &[u8; 2400], ciphertext: &[u8; 1088]) -> Opened {
    use aws_lc_rs::kem::{Ciphertext, DecapsulationKey, EncapsulationKey, ML_KEM_768};
    let key = DecapsulationKey::new(&ML_KEM_768, expanded).ok()?;
    let secret = key.decapsulate(Ciphertext::from(&ciphertext[..])).ok()?;
    // It does not compute the public key of such a key: the key contains it.
    let public = EncapsulationKey::new(&ML_KEM_768, &expanded[1152..2336]).ok()?;
    let (sealed, own) = public.encapsulate().ok()?;
    let opened = key.decapsulate(sealed).ok()?;
    Some((
        secret.as_ref().try_into().ok()?,
        opened.as_ref() == own.as_ref(),
    ))
}

#[cfg(feature = "libsodium")]
fn open_and_seal(seed: &[u8; 64], _: &[u8; 2400], ciphertext: &[u8; 1088]) -> Opened {
    use libsodium_sys as sodium;
    let (mut public, mut key, mut sealed) = ([0; 1184], [0; 2400], [0; 1088]);
    let [mut secret, mut own, mut opened] = [[0; 32]; 3];
    let (public, key) = (public.as_mut_ptr(), key.as_mut_ptr());
    // SAFETY: all have the bytes that the functions read and write.
    let done = unsafe {
        sodium::sodium_init() >= 0
            && sodium::crypto_kem_mlkem768_seed_keypair(public, key, seed.as_ptr()) == 0
            && sodium::crypto_kem_mlkem768_dec(secret.as_mut_ptr(), ciphertext.as_ptr(), key) == 0
            && sodium::crypto_kem_mlkem768_enc(sealed.as_mut_ptr(), own.as_mut_ptr(), public) == 0
            && sodium::crypto_kem_mlkem768_dec(opened.as_mut_ptr(), sealed.as_ptr(), key) == 0
    };
    done.then_some((secret, opened == own))
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let (mut seed, mut expanded, mut ciphertext) = ([0; 64], [0; 2400], [0; 1088]);
    bare::input(&mut seed);
    bare::input(&mut expanded);
    bare::input(&mut ciphertext);
    let Some((secret, same)) = open_and_seal(&seed, &expanded, &ciphertext) else {
        return 1;
    };
    bare::output(&secret);
    bare::output(&[u8::from(same)]);
    0
}
