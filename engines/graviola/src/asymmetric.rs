//! ECDSA, Ed25519, RSA, key agreement and ML-KEM.

use adamant_engine::family::{self, pair};
use adamant_engine::op::{self, array, exactly, field, item, text};
use adamant_engine::serve::Engine;
use graviola::hashing::{Sha256, Sha384};
use graviola::key_agreement::mlkem768::{Ciphertext, DecapKey, EncapKey};
use graviola::key_agreement::{p256, p384, x25519};
use graviola::signing::ecdsa::{P256, P384, SigningKey, VerifyingKey};
use graviola::signing::eddsa::{Ed25519SigningKey, Ed25519VerifyingKey};
use graviola::signing::rsa;

pub(crate) fn register(engine: &mut Engine) {
    weierstrass(engine);
    curve25519(engine);
    rsa(engine);
    ml_kem(engine);
}

/// A signature of one of several lengths.
#[derive(Clone, Copy)]
struct Short<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Short<N> {
    /// What `sign` leaves in the bytes; it gives how many.
    fn fill(
        sign: impl FnOnce(&mut [u8]) -> Result<usize, graviola::Error>,
    ) -> Result<Self, String> {
        let mut bytes = [0; N];
        let len = sign(&mut bytes).map_err(text)?;
        Ok(Short { bytes, len })
    }
    fn bytes(&self) -> Vec<u8> {
        self.bytes[..self.len].to_vec()
    }
}

macro_rules! weierstrass {
    ($($module:ident, $curve:ident, $hash:ident, $name:literal;)+) => {
        fn weierstrass(engine: &mut Engine) { $(
            let private =
                |bytes: &[u8]| $module::StaticPrivateKey::from_bytes(bytes).map_err(text);
            for scheme in ["ecdsa-", "ecdh-"] {
                family::keygen(
                    engine,
                    &[scheme, $name].concat(),
                    || {
                        let key = $module::StaticPrivateKey::new_random().map_err(text)?;
                        let public = key.public_key_uncompressed();
                        Ok((key, public))
                    },
                    |(key, public)| Ok(pair(&key.as_bytes(), public)),
                );
            }
            family::sign(
                engine,
                concat!("ecdsa-", $name, "/sign"),
                move |bytes| Ok(SigningKey::<$curve> { private_key: private(bytes)? }),
                |key, message| {
                    Short::<128>::fill(|out| {
                        key.sign_asn1::<$hash>(&[message], out).map(<[u8]>::len)
                    })
                },
                Short::bytes,
            );
            let public = |bytes: &[u8]| {
                VerifyingKey::<$curve>::from_x962_uncompressed(bytes).map_err(text)
            };
            let name = concat!("ecdsa-", $name);
            family::verify(
                engine,
                &[name, "/verify"].concat(),
                public,
                |signature| Ok(signature.to_vec()),
                |key, message, signature| key.verify_asn1::<$hash>(&[message], signature).is_ok(),
            );
            family::verify_encoded(engine, name, move |key, message, signature| {
                Ok(public(key)?.verify_asn1::<$hash>(&[message], signature).is_ok())
            });
            family::derive(
                engine,
                concat!("ecdh-", $name),
                private,
                |bytes| $module::PublicKey::from_x962_uncompressed(bytes).map_err(text),
                |key, peer| Ok(key.diffie_hellman(peer).map_err(text)?.0),
            );
        )+ }
    };
}

weierstrass! {
    p256, P256, Sha256, "p256";
    p384, P384, Sha384, "p384";
}

fn curve25519(engine: &mut Engine) {
    family::keygen(
        engine,
        "ed25519",
        || Ed25519SigningKey::generate().map_err(text),
        |key| Ok(pair(&key.as_seed(), &key.public_key().as_bytes())),
    );
    family::sign(
        engine,
        "ed25519/sign",
        |seed| Ed25519SigningKey::from_bytes(seed).map_err(text),
        |key, message| Ok(key.sign(message)),
        |signature| signature.to_vec(),
    );
    let public = |bytes: &[u8]| Ed25519VerifyingKey::from_bytes(bytes).map_err(text);
    family::verify(
        engine,
        "ed25519/verify",
        public,
        |signature| Ok(signature.to_vec()),
        |key, message, signature| key.verify(signature, message).is_ok(),
    );
    family::verify_encoded(engine, "ed25519", move |key, message, signature| {
        Ok(public(key)?.verify(signature, message).is_ok())
    });
    family::keygen(
        engine,
        "x25519",
        || {
            let key = x25519::StaticPrivateKey::new_random().map_err(text)?;
            let public = key.public_key();
            Ok((key, public))
        },
        |(key, public)| Ok(pair(&key.as_bytes(), &public.as_bytes())),
    );
    family::derive(
        engine,
        "x25519",
        |bytes| Ok(x25519::StaticPrivateKey::from_array(&exactly(bytes)?)),
        |bytes| Ok(x25519::PublicKey::from_array(&exactly(bytes)?)),
        |key, peer| Ok(key.diffie_hellman(peer).map_err(text)?.0),
    );
}

fn rsa(engine: &mut Engine) {
    use rsa::{SigningKey, VerifyingKey};
    type Sign = for<'a> fn(&SigningKey, &'a mut [u8], &[u8]) -> Result<&'a [u8], graviola::Error>;
    type Verify = fn(&VerifyingKey, &[u8], &[u8]) -> Result<(), graviola::Error>;
    let schemes: [(&str, Sign, Verify); 2] = [
        (
            "pkcs1",
            SigningKey::sign_pkcs1_sha256,
            VerifyingKey::verify_pkcs1_sha256,
        ),
        (
            "pss",
            SigningKey::sign_pss_sha256,
            VerifyingKey::verify_pss_sha256,
        ),
    ];
    for (bits, size) in [
        (2048, rsa::KeySize::Rsa2048),
        (3072, rsa::KeySize::Rsa3072),
        (4096, rsa::KeySize::Rsa4096),
    ] {
        family::keygen(
            engine,
            &format!("rsa-{bits}"),
            move || SigningKey::generate(size).map_err(text),
            |key| {
                let (mut private, mut public) = ([0; 4096], [0; 1024]);
                let private = key.to_pkcs1_der(&mut private).map_err(text)?;
                let public = key.public_key().to_pkcs1_der(&mut public).map_err(text)?;
                Ok(pair(private, public))
            },
        );
        for (scheme, sign, verify) in schemes {
            family::sign(
                engine,
                &format!("rsa-{bits}/sign-{scheme}"),
                |der| SigningKey::from_pkcs1_der(der).map_err(text),
                move |key, message| {
                    Short::<512>::fill(|out| sign(key, out, message).map(<[u8]>::len))
                },
                Short::bytes,
            );
            family::verify(
                engine,
                &format!("rsa-{bits}/verify-{scheme}"),
                |der| VerifyingKey::from_pkcs1_der(der).map_err(text),
                |signature| Ok(signature.to_vec()),
                move |key, message, signature| verify(key, signature, message).is_ok(),
            );
        }
    }
}

/// How many keys are laid ready at once.
const KEYS: usize = 16;

fn ml_kem(engine: &mut Engine) {
    family::keygen(
        engine,
        "ml-kem-768",
        || {
            let mut seed = [0; 64];
            graviola::random::fill(&mut seed).map_err(text)?;
            Ok((DecapKey::keygen_internal(&seed), seed))
        },
        |(key, seed)| {
            let public = key.encapsulation_key().as_bytes();
            let mut item = pair(&key.as_bytes(), &public);
            item.insert("seed".into(), seed.to_vec());
            Ok(item)
        },
    );
    engine.task("ml-kem-768/encapsulate", |_, input| {
        let key = EncapKey::from_bytes(&array(input, "public_key")?).map_err(text)?;
        let states: Vec<_> = (0..KEYS).map(|_| (None, None)).collect();
        Ok(op::consuming(
            states,
            move |(place, _)| *place = Some(key.clone()),
            |(key, result)| {
                let key = key.take().ok_or("the key has been used")?;
                *result = Some(key.encaps().map_err(text)?);
                Ok(())
            },
            |(_, result)| match result {
                Some((secret, ciphertext)) => item([
                    ("ciphertext", ciphertext.as_ref()),
                    ("shared_secret", secret.as_ref()),
                ]),
                None => item([]),
            },
        ))
    });
    engine.single("ml-kem-768/encapsulate-encoded", |_, input| {
        let key: [u8; 1184] = array(input, "public_key")?;
        Ok(op::giving(
            move || {
                EncapKey::from_bytes(&key)
                    .and_then(EncapKey::encaps)
                    .map_err(text)
            },
            |(secret, ciphertext)| {
                Ok(item([
                    ("ciphertext", ciphertext.as_ref()),
                    ("shared_secret", secret.as_ref()),
                ]))
            },
        ))
    });
    engine.task("ml-kem-768/decapsulate", |_, input| {
        let seed: [u8; 64] = array(input, "seed")?;
        let ciphertext = Ciphertext::from(array::<1088>(input, "ciphertext")?);
        let key = DecapKey::keygen_internal(&seed).as_bytes();
        if field(input, "private_key").is_ok_and(|private| private != key) {
            return Err("private_key and seed are two keys".into());
        }
        let states: Vec<_> = (0..KEYS).map(|_| (None, None)).collect();
        Ok(op::consuming(
            states,
            move |(place, _)| *place = Some(DecapKey::keygen_internal(&seed)),
            move |(key, secret)| {
                let key = key.take().ok_or("the key has been used")?;
                *secret = Some(key.decaps(&ciphertext));
                Ok(())
            },
            |(_, secret)| match secret {
                Some(secret) => item([("shared_secret", secret.as_ref())]),
                None => item([]),
            },
        ))
    });
}
