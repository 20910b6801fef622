//! ECDSA, Ed25519, RSA and key agreement.

use adamant_engine::Item;
use adamant_engine::family::{self, pair};
use adamant_engine::op::{self, field, item, text};
use adamant_engine::serve::Engine;
use ring::agreement::{self, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::rand::SystemRandom;
use ring::rsa;
use ring::signature::{
    self, EcdsaKeyPair, Ed25519KeyPair, KeyPair, Signature, VerificationAlgorithm,
};

pub(crate) fn register(engine: &mut Engine) {
    ecdsa(engine);
    ed25519(engine);
    rsa(engine);
    for (name, algorithm) in [
        ("ecdh-p256", &agreement::ECDH_P256),
        ("ecdh-p384", &agreement::ECDH_P384),
        ("x25519", &agreement::X25519),
    ] {
        derive(engine, name, algorithm);
    }
}

/// Verification: ring's keys stay encoded until they are used, so that both operations are one.
fn verify(engine: &mut Engine, name: &str, algorithm: &'static dyn VerificationAlgorithm) {
    family::verify(
        engine,
        &format!("{name}/verify"),
        move |key| Ok(signature::UnparsedPublicKey::new(algorithm, key.to_vec())),
        |signature| Ok(signature.to_vec()),
        |key, message, signature| key.verify(message, signature).is_ok(),
    );
    family::verify_encoded(engine, name, move |key, message, signature| {
        let key = signature::UnparsedPublicKey::new(algorithm, key);
        Ok(key.verify(message, signature).is_ok())
    });
}

fn encode(signature: &Signature) -> Vec<u8> {
    signature.as_ref().to_vec()
}

fn ecdsa(engine: &mut Engine) {
    for (name, signing, verifying, scalar) in [
        (
            "ecdsa-p256",
            &signature::ECDSA_P256_SHA256_ASN1_SIGNING,
            &signature::ECDSA_P256_SHA256_ASN1,
            36..68,
        ),
        (
            "ecdsa-p384",
            &signature::ECDSA_P384_SHA384_ASN1_SIGNING,
            &signature::ECDSA_P384_SHA384_ASN1,
            35..83,
        ),
    ] {
        let random = SystemRandom::new();
        family::keygen(
            engine,
            name,
            move || EcdsaKeyPair::generate_pkcs8(signing, &random).map_err(text),
            move |document| {
                let der = document.as_ref();
                let key = EcdsaKeyPair::from_pkcs8(signing, der, &SystemRandom::new());
                let key = key.map_err(text)?;
                let private = der.get(scalar.clone()).ok_or("the encoding is short")?;
                Ok(pair(private, key.public_key().as_ref()))
            },
        );
        engine.single(&format!("{name}/sign"), move |_, input| {
            let private = field(input, "private_key")?;
            let public = field(input, "public_key")?;
            let message = field(input, "message")?;
            let random = SystemRandom::new();
            let key =
                EcdsaKeyPair::from_private_key_and_public_key(signing, &private, &public, &random);
            let key = key.map_err(text)?;
            Ok(op::giving(
                move || key.sign(&random, &message).map_err(text),
                |signature| Ok(item([("signature", signature.as_ref())])),
            ))
        });
        verify(engine, name, verifying);
    }
}

fn ed25519(engine: &mut Engine) {
    let random = SystemRandom::new();
    family::keygen(
        engine,
        "ed25519",
        move || Ed25519KeyPair::generate_pkcs8(&random).map_err(text),
        |document| {
            let der = document.as_ref();
            let key = Ed25519KeyPair::from_pkcs8(der).map_err(text)?;
            let seed = der.get(16..48).ok_or("the encoding is short")?;
            Ok(pair(seed, key.public_key().as_ref()))
        },
    );
    family::sign(
        engine,
        "ed25519/sign",
        |seed| Ed25519KeyPair::from_seed_unchecked(seed).map_err(text),
        |key, message| Ok(key.sign(message)),
        encode,
    );
    verify(engine, "ed25519", &signature::ED25519);
}

fn rsa(engine: &mut Engine) {
    type Padding = &'static dyn signature::RsaEncoding;
    let schemes: [(&str, Padding, &'static signature::RsaParameters); 2] = [
        (
            "pkcs1",
            &signature::RSA_PKCS1_SHA256,
            &signature::RSA_PKCS1_2048_8192_SHA256,
        ),
        (
            "pss",
            &signature::RSA_PSS_SHA256,
            &signature::RSA_PSS_2048_8192_SHA256,
        ),
    ];
    for bits in [2048, 3072, 4096] {
        for (scheme, padding, parameters) in schemes {
            let random = SystemRandom::new();
            engine.single(&format!("rsa-{bits}/sign-{scheme}"), move |_, input| {
                let der = field(input, "private_key")?;
                let message = field(input, "message")?;
                let key = rsa::KeyPair::from_der(&der).map_err(text)?;
                let random = random.clone();
                Ok(op::filling(
                    vec![0; key.public().modulus_len()],
                    move |out: &mut Vec<u8>| {
                        key.sign(padding, &random, &message, out).map_err(text)
                    },
                    |signature| item([("signature", signature)]),
                ))
            });
            family::verify(
                engine,
                &format!("rsa-{bits}/verify-{scheme}"),
                move |der| Ok(signature::UnparsedPublicKey::new(parameters, der.to_vec())),
                |signature| Ok(signature.to_vec()),
                |key, message, signature| key.verify(message, signature).is_ok(),
            );
        }
    }
}

/// How many keys are laid ready at once.
const KEYS: usize = 16;

fn derive(engine: &mut Engine, name: &str, algorithm: &'static agreement::Algorithm) {
    engine.task(&format!("{name}/derive"), move |_, input| {
        let private = field(input, "private_key")?;
        let peer = UnparsedPublicKey::new(algorithm, field(input, "peer_public_key")?);
        fixed(algorithm, &private)?;
        let states: Vec<_> = (0..KEYS).map(|_| (None, None)).collect();
        Ok(op::consuming(
            states,
            move |(key, _)| *key = fixed(algorithm, &private).ok(),
            move |(key, secret)| {
                let key = key.take().ok_or("the key has been used")?;
                *secret =
                    Some(agree_ephemeral(key, &peer, |secret| Secret::from(secret)).map_err(text)?);
                Ok(())
            },
            |(_, secret): &(Option<EphemeralPrivateKey>, Option<Secret>)| match secret {
                Some(secret) => item([("shared_secret", &secret.bytes[..secret.len])]),
                None => Item::new(),
            },
        ))
    });
}

/// The key of these bytes.
fn fixed(
    algorithm: &'static agreement::Algorithm,
    private: &[u8],
) -> Result<EphemeralPrivateKey, String> {
    // Marked as internal; without it the result could not be checked.
    #[expect(deprecated)]
    let bytes = ring::test::rand::FixedSliceRandom { bytes: private };
    EphemeralPrivateKey::generate(algorithm, &bytes).map_err(text)
}

/// A shared secret of one of several lengths.
struct Secret {
    bytes: [u8; 48],
    len: usize,
}

impl From<&[u8]> for Secret {
    fn from(secret: &[u8]) -> Self {
        let mut bytes = [0; 48];
        let len = secret.len().min(48);
        bytes[..len].copy_from_slice(&secret[..len]);
        Secret { bytes, len }
    }
}
