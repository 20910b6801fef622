//! Signatures, key encapsulation and generators through generic code, against `adamant` itself,
//! whose own tests hold the known answers.

use adamant::SystemRng;
use adamant::hash::Sha256;
use adamant_traits::rng::{FromRandCore, ToRandCore};
use adamant_traits::{kem as kems, signature as signatures};
use kem::{Decapsulate, Decapsulator, Encapsulate, FromSeed, Kem, KeyExport, TryKeyInit};
use rand_core::{TryCryptoRng, TryRng, UnwrapErr};
use signature::{Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier};

/// What a program written for the traits does with any key.
fn sign_and_verify<K, S>(key: &K, sign: impl Fn(&[u8]) -> S)
where
    K: Keypair,
    K::VerifyingKey: Verifier<S>,
    S: SignatureEncoding + PartialEq + core::fmt::Debug,
{
    let signature = sign(b"message");
    let encoded = signature.to_bytes();
    let again = S::try_from(encoded.as_ref())
        .ok()
        .expect("its own encoding");
    assert_eq!(again, signature);
    let public = key.verifying_key();
    public.verify(b"message", &again).unwrap();
    assert!(public.verify(b"other", &again).is_err());
}

macro_rules! sign {
    ($($module:ident)*) => { $(
        #[test]
        fn $module() {
            use signatures::$module::{Signature, SigningKey};
            let key = SigningKey::generate_from(&mut ToRandCore(SystemRng)).unwrap();
            let ours = key.0.sign(b"message");
            let theirs: Signature = key.sign(b"message");
            assert_eq!(theirs.to_bytes()[..], ours.as_ref()[..]);
            assert!(Signature::try_from(&[1; 3][..]).is_err());
            sign_and_verify(&key, |message| -> Signature { key.sign(message) });
        }
    )* };
}

macro_rules! curves {
    (curves { $({ $feature:tt $curve:ident $module:ident $($_c:tt)* })* } $($_groups:tt)*) => {
        sign! { $($module)* }
    };
}
adamant::hazmat::base::schemes!(curves);

sign! {
    sm2 ed25519 ed448 ml_dsa_44 ml_dsa_65 ml_dsa_87 slh_dsa_sha2_128f slh_dsa_shake_128f
}

#[test]
fn rsa() {
    let key = adamant::rsa::PrivateKey::generate(2048, &mut SystemRng).unwrap();
    let rng = || UnwrapErr(ToRandCore(SystemRng));
    let pkcs1 = signatures::rsa::pkcs1v15::SigningKey::<Sha256>::new(key.clone());
    sign_and_verify(&pkcs1, |message| pkcs1.sign_with_rng(&mut rng(), message));
    let pss = signatures::rsa::pss::SigningKey::<Sha256>::new(key);
    sign_and_verify(&pss, |message| pss.sign_with_rng(&mut rng(), message));
}

/// What a program written for the traits does with any mechanism.
fn exchange<K: Kem + FromSeed>()
where
    K::DecapsulationKey: Decapsulate,
{
    let mut rng = UnwrapErr(ToRandCore(SystemRng));
    let (private, public) = K::generate_keypair_from_rng(&mut rng);
    assert_eq!(private.encapsulation_key(), &public);
    let public = K::EncapsulationKey::new(&public.to_bytes()).unwrap();
    let (ciphertext, secret) = public.encapsulate_with_rng(&mut rng);
    assert_eq!(private.decapsulate(&ciphertext), secret);
    assert!(K::EncapsulationKey::new_from_slice(&[0; 9]).is_err());
    let (one, _) = K::from_seed(&Default::default());
    let (_, same) = K::from_seed(&Default::default());
    assert_eq!(one.encapsulation_key(), &same);
}

#[test]
fn mechanisms() {
    exchange::<kems::ml_kem_512::MlKem512>();
    exchange::<kems::ml_kem_768::MlKem768>();
    exchange::<kems::ml_kem_1024::MlKem1024>();
    exchange::<kems::x_wing::XWing>();
}

#[test]
fn the_seed_is_that_of_adamant() {
    let (key, _) = kems::ml_kem_768::MlKem768::from_seed(&[7; 64].into());
    let ours = adamant::pq::ml_kem_768::DecapsulationKey::from_seed(&[7; 64]);
    assert_eq!(*key.0.to_bytes(), *ours.to_bytes());
}

/// A generator without entropy.
struct Empty;

impl TryRng for Empty {
    type Error = core::fmt::Error;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(core::fmt::Error)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(core::fmt::Error)
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        Err(core::fmt::Error)
    }
}

impl TryCryptoRng for Empty {}

#[test]
fn a_generator_that_fails_is_told() {
    use adamant::Rng;
    let error = FromRandCore::new(&mut Empty).fill(&mut [0; 4]);
    assert_eq!(error, Err(adamant::Error::NoEntropy));
    assert!(signatures::p256::SigningKey::generate_from(&mut Empty).is_err());
    use kem::Generate;
    let failed = kems::ml_kem_512::DecapsulationKey::try_generate_from_rng(&mut Empty);
    assert_eq!(failed.err(), Some(core::fmt::Error));
}
