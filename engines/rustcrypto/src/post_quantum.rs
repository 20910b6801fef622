//! ML-KEM, ML-DSA and SLH-DSA. Private keys come in their expanded form, as everywhere; signing is
//! hedged with fresh randomness.

use adamant_engine::family::{self, pair};
use adamant_engine::op::text;
use adamant_engine::serve::Engine;
use aes::cipher::array::Array;
use ml_dsa::{ExpandedSigningKey, MlDsaParams};
use ml_kem::{Decapsulate, Encapsulate, Kem, KeyExport, TryKeyInit};
use slh_dsa::signature::{Keypair, RandomizedSigner, Verifier};

pub(crate) fn register(engine: &mut Engine) {
    ml_kem(engine);
    ml_dsa::<ml_dsa::MlDsa44>(engine, "ml-dsa-44");
    ml_dsa::<ml_dsa::MlDsa65>(engine, "ml-dsa-65");
    ml_dsa::<ml_dsa::MlDsa87>(engine, "ml-dsa-87");
    slh_dsa::<slh_dsa::Sha2_128s>(engine, "slh-dsa-sha2-128s");
    slh_dsa::<slh_dsa::Sha2_128f>(engine, "slh-dsa-sha2-128f");
    slh_dsa::<slh_dsa::Sha2_192s>(engine, "slh-dsa-sha2-192s");
    slh_dsa::<slh_dsa::Sha2_192f>(engine, "slh-dsa-sha2-192f");
    slh_dsa::<slh_dsa::Sha2_256s>(engine, "slh-dsa-sha2-256s");
    slh_dsa::<slh_dsa::Sha2_256f>(engine, "slh-dsa-sha2-256f");
    slh_dsa::<slh_dsa::Shake128s>(engine, "slh-dsa-shake-128s");
    slh_dsa::<slh_dsa::Shake128f>(engine, "slh-dsa-shake-128f");
    slh_dsa::<slh_dsa::Shake192s>(engine, "slh-dsa-shake-192s");
    slh_dsa::<slh_dsa::Shake192f>(engine, "slh-dsa-shake-192f");
    slh_dsa::<slh_dsa::Shake256s>(engine, "slh-dsa-shake-256s");
    slh_dsa::<slh_dsa::Shake256f>(engine, "slh-dsa-shake-256f");
}

macro_rules! ml_kem {
    ($($name:literal, $kem:ident;)+) => {
        fn ml_kem(engine: &mut Engine) { $({
            type Private = ml_kem::DecapsulationKey<ml_kem::$kem>;
            type Public = ml_kem::EncapsulationKey<ml_kem::$kem>;
            family::keygen(
                engine,
                $name,
                || Ok(ml_kem::$kem::generate_keypair_from_rng(&mut rand::rng())),
                |(private, public)| {
                    // Keys travel in the expanded form, which the crate discourages.
                    #[expect(deprecated)]
                    let expanded = ml_kem::ExpandedKeyEncoding::to_expanded_bytes(private);
                    let mut item = pair(&expanded, &public.to_bytes());
                    if let Some(seed) = private.to_seed() {
                        item.insert("seed".into(), seed.to_vec());
                    }
                    Ok(item)
                },
            );
            family::encapsulate(
                engine,
                $name,
                |bytes| Public::new_from_slice(bytes).map_err(text),
                |key| Ok(key.encapsulate_with_rng(&mut rand::rng())),
                |(ciphertext, secret)| (ciphertext.to_vec(), secret.to_vec()),
            );
            family::decapsulate(
                engine,
                $name,
                |bytes| {
                    if let Ok(seed) = ml_kem::Seed::try_from(bytes) {
                        return Ok(Private::from_seed(seed));
                    }
                    let bytes = Array::try_from(bytes).map_err(text)?;
                    // As above.
                    #[expect(deprecated)]
                    Private::from_expanded(&bytes).map_err(text)
                },
                |bytes| Array::try_from(bytes).map_err(text),
                |key, ciphertext| Ok(key.decapsulate(ciphertext)),
            );
        })+ }
    };
}

ml_kem! {
    "ml-kem-512", MlKem512;
    "ml-kem-768", MlKem768;
    "ml-kem-1024", MlKem1024;
}

fn ml_dsa<P: MlDsaParams + 'static>(engine: &mut Engine, name: &str) {
    family::keygen(
        engine,
        name,
        || {
            let mut seed = ml_dsa::Seed::default();
            rand::Rng::fill_bytes(&mut rand::rng(), &mut seed);
            let key = ExpandedSigningKey::<P>::from_seed(&seed);
            let public = key.verifying_key();
            Ok((key, public, seed))
        },
        |(key, public, seed)| {
            // Keys travel in the expanded form, which the crate discourages.
            #[expect(deprecated)]
            let expanded = key.to_expanded();
            let mut item = pair(&expanded, &public.encode());
            item.insert("seed".into(), seed.to_vec());
            Ok(item)
        },
    );
    family::sign(
        engine,
        &format!("{name}/sign"),
        |bytes| {
            if let Ok(seed) = ml_dsa::Seed::try_from(bytes) {
                return Ok(ExpandedSigningKey::<P>::from_seed(&seed));
            }
            let bytes = Array::try_from(bytes).map_err(text)?;
            // As above.
            #[expect(deprecated)]
            Ok(ExpandedSigningKey::<P>::from_expanded(&bytes))
        },
        |key, message| {
            key.sign_randomized(message, &[], &mut rand::rng())
                .map_err(text)
        },
        |signature| signature.encode().to_vec(),
    );
    let public = |bytes: &[u8]| {
        let bytes = Array::try_from(bytes).map_err(text)?;
        Ok(ml_dsa::VerifyingKey::<P>::decode(&bytes))
    };
    let parse = |bytes: &[u8]| ml_dsa::Signature::<P>::try_from(bytes).map_err(text);
    family::verify(
        engine,
        &format!("{name}/verify"),
        public,
        parse,
        |key, message, signature| key.verify_with_context(message, &[], signature),
    );
    family::verify_encoded(engine, name, move |key, message, signature| {
        Ok(public(key)?.verify_with_context(message, &[], &parse(signature)?))
    });
}

fn slh_dsa<P: slh_dsa::ParameterSet + 'static>(engine: &mut Engine, name: &str) {
    family::keygen(
        engine,
        name,
        || Ok(slh_dsa::SigningKey::<P>::new(&mut rand::rng())),
        |key| Ok(pair(&key.to_bytes(), &key.verifying_key().to_bytes())),
    );
    family::sign(
        engine,
        &format!("{name}/sign"),
        |bytes| slh_dsa::SigningKey::<P>::try_from(bytes).map_err(text),
        |key, message| {
            key.try_sign_with_rng(&mut rand::rng(), message)
                .map_err(text)
        },
        slh_dsa::Signature::to_vec,
    );
    family::verify(
        engine,
        &format!("{name}/verify"),
        |bytes| slh_dsa::VerifyingKey::<P>::try_from(bytes).map_err(text),
        |bytes| slh_dsa::Signature::<P>::try_from(bytes).map_err(text),
        |key, message, signature| key.verify(message, signature).is_ok(),
    );
}
