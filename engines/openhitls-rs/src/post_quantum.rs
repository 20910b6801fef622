//! ML-KEM, ML-DSA and SLH-DSA, with private keys in their expanded form.
//!
//! Signatures are the internal functions of the standards, which leave it to the user to put the
//! context in front of the message: the library's own certificates do it as is done here.

use adamant_engine::family;
use adamant_engine::op::text;
use adamant_engine::serve::Engine;
use hitls_crypto::mldsa::{self, MlDsaKeyPair};
use hitls_crypto::mlkem::MlKemKeyPair;
use hitls_crypto::slh_dsa::SlhDsaKeyPair;
use hitls_types::SlhDsaParamId;

pub(crate) fn register(engine: &mut Engine) {
    for set in [512, 768, 1024] {
        ml_kem(engine, set);
    }
    for set in [44, 65, 87] {
        ml_dsa(engine, set);
    }
    for (name, set) in [
        ("slh-dsa-sha2-128s", SlhDsaParamId::Sha2128s),
        ("slh-dsa-shake-128s", SlhDsaParamId::Shake128s),
        ("slh-dsa-sha2-128f", SlhDsaParamId::Sha2128f),
        ("slh-dsa-shake-128f", SlhDsaParamId::Shake128f),
        ("slh-dsa-sha2-192s", SlhDsaParamId::Sha2192s),
        ("slh-dsa-shake-192s", SlhDsaParamId::Shake192s),
        ("slh-dsa-sha2-192f", SlhDsaParamId::Sha2192f),
        ("slh-dsa-shake-192f", SlhDsaParamId::Shake192f),
        ("slh-dsa-sha2-256s", SlhDsaParamId::Sha2256s),
        ("slh-dsa-shake-256s", SlhDsaParamId::Shake256s),
        ("slh-dsa-sha2-256f", SlhDsaParamId::Sha2256f),
        ("slh-dsa-shake-256f", SlhDsaParamId::Shake256f),
    ] {
        slh_dsa(engine, name, set);
    }
}

/// The message behind an empty context, as FIPS 204 (Algorithm 2) and FIPS 205 (Algorithm 22) sign it.
fn without_context(message: &[u8]) -> Vec<u8> {
    [&[0, 0], message].concat()
}

fn ml_kem(engine: &mut Engine, set: u32) {
    let name = format!("ml-kem-{set}");
    family::encapsulate(
        engine,
        &name,
        move |bytes| MlKemKeyPair::from_encapsulation_key(set, bytes).map_err(text),
        |key| key.encapsulate().map_err(text),
        |(secret, ciphertext)| (ciphertext.clone(), secret.clone()),
    );
    family::decapsulate(
        engine,
        &name,
        move |bytes| MlKemKeyPair::from_decapsulation_key(set, bytes).map_err(text),
        |bytes| Ok(bytes.to_vec()),
        |key, ciphertext| key.decapsulate(ciphertext).map_err(text),
    );
}

fn ml_dsa(engine: &mut Engine, set: u32) {
    let name = format!("ml-dsa-{set}");
    family::sign(
        engine,
        &format!("{name}/sign"),
        move |bytes| MlDsaKeyPair::from_private_key(set, bytes).map_err(text),
        |key, message| key.sign(&without_context(message)).map_err(text),
        Vec::clone,
    );
    // A public key has no form but its bytes.
    let parse = move |bytes: &[u8]| {
        let parameters = mldsa::get_params(set).map_err(text)?;
        Ok((bytes.to_vec(), parameters))
    };
    family::verify(
        engine,
        &format!("{name}/verify"),
        parse,
        |signature| Ok(signature.to_vec()),
        |(key, parameters), message, signature| {
            let message = without_context(message);
            mldsa::mldsa_verify(key, &message, signature, parameters).unwrap_or(false)
        },
    );
    family::verify_encoded(engine, &name, move |key, message, signature| {
        let parameters = mldsa::get_params(set).map_err(text)?;
        let message = without_context(message);
        Ok(mldsa::mldsa_verify(key, &message, signature, &parameters).unwrap_or(false))
    });
}

fn slh_dsa(engine: &mut Engine, name: &str, set: SlhDsaParamId) {
    family::sign(
        engine,
        &format!("{name}/sign"),
        move |bytes| {
            // The only way to a private key that the library did not make itself; how it signs
            // with it is the same.
            #[expect(deprecated)]
            let key = SlhDsaKeyPair::from_private_key(set, bytes);
            key.map_err(text)
        },
        |key, message| key.sign(&without_context(message)).map_err(text),
        Vec::clone,
    );
    family::verify(
        engine,
        &format!("{name}/verify"),
        move |bytes| SlhDsaKeyPair::from_public_key(set, bytes).map_err(text),
        |signature| Ok(signature.to_vec()),
        |key, message, signature| {
            key.verify(&without_context(message), signature)
                .unwrap_or(false)
        },
    );
}
