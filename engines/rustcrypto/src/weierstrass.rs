//! ECDSA and ECDH on the curves in short Weierstrass form, BIP 340's signatures, and SM2.

use adamant_engine::Item;
use adamant_engine::family::{self, pair};
use adamant_engine::op::{self, exactly, field, item, text};
use adamant_engine::serve::Engine;
use ecdsa::signature::{RandomizedSigner, Signer, Verifier};
use ecdsa::{Signature, SigningKey, VerifyingKey};
use elliptic_curve::group::{Curve, Group};
use elliptic_curve::sec1::{FromSec1Point, ModulusSize, ToSec1Point};
use elliptic_curve::{CurveArithmetic, Generate, PublicKey, SecretKey, ecdh};
use k256::schnorr;
use rand::Rng;
use sm2::{dsa, pke};

pub(crate) fn register(engine: &mut Engine) {
    ecdsa_and_ecdh(engine);
    schnorr(engine);
    sm2(engine);
}

macro_rules! curves {
    ($($name:literal, $curve:ty;)+) => {
        fn ecdsa_and_ecdh(engine: &mut Engine) { $(
            let name = concat!("ecdsa-", $name);
            family::keygen(
                engine,
                name,
                || Ok(SigningKey::<$curve>::generate_from_rng(&mut rand::rng())),
                |key| {
                    let public = key.verifying_key().to_sec1_point(false);
                    Ok(pair(&key.to_bytes(), public.as_bytes()))
                },
            );
            family::sign(
                engine,
                &format!("{name}/sign"),
                |bytes| SigningKey::<$curve>::from_slice(bytes).map_err(text),
                |key, message| -> Result<Signature<$curve>, String> {
                    key.try_sign(message).map_err(text)
                },
                |signature| signature.to_der().as_bytes().to_vec(),
            );
            let public =
                |bytes: &[u8]| VerifyingKey::<$curve>::from_sec1_bytes(bytes).map_err(text);
            // Where signatures have to have the lower of two values of s, this makes it so.
            let parse = |der: &[u8]| {
                let signature = Signature::<$curve>::from_der(der).map_err(text)?;
                Ok(if <$curve as ecdsa::EcdsaCurve>::NORMALIZE_S {
                    signature.normalize_s()
                } else {
                    signature
                })
            };
            family::verify(
                engine,
                &format!("{name}/verify"),
                public,
                parse,
                |key, message, signature| key.verify(message, signature).is_ok(),
            );
            family::verify_encoded(engine, name, move |key, message, signature| {
                Ok(public(key)?.verify(message, &parse(signature)?).is_ok())
            });
            let name = concat!("ecdh-", $name);
            family::keygen(
                engine,
                name,
                || {
                    let key = SecretKey::<$curve>::generate_from_rng(&mut rand::rng());
                    let public = key.public_key();
                    Ok((key, public))
                },
                |(key, public)| Ok(pair(&key.to_bytes(), public.to_sec1_point(false).as_bytes())),
            );
            family::derive(
                engine,
                name,
                |bytes| {
                    let key = SecretKey::<$curve>::from_slice(bytes).map_err(text)?;
                    Ok(key.to_nonzero_scalar())
                },
                |bytes| PublicKey::<$curve>::from_sec1_bytes(bytes).map_err(text),
                |key, peer| {
                    let secret = ecdh::diffie_hellman(key, peer.as_affine());
                    Ok(secret.raw_secret_bytes().clone())
                },
            );
            multiples::<$curve>(engine, $name);
        )+
            multiples::<sm2::Sm2>(engine, "sm2");
        }
    };
}

curves! {
    "p224", p224::NistP224;
    "p256", p256::NistP256;
    "p384", p384::NistP384;
    "p521", p521::NistP521;
    "secp256k1", k256::Secp256k1;
    "brainpoolp256r1", bp256::BrainpoolP256r1;
    "brainpoolp384r1", bp384::BrainpoolP384r1;
}

/// The group itself.
fn multiples<C>(engine: &mut Engine, name: &str)
where
    C: CurveArithmetic,
    C::AffinePoint: FromSec1Point<C> + ToSec1Point<C>,
    C::FieldBytesSize: ModulusSize,
{
    let scalar = |input: &Item| {
        let key = SecretKey::<C>::from_slice(&field(input, "scalar")?).map_err(text)?;
        Ok::<_, String>(*key.to_nonzero_scalar())
    };
    let encode =
        |point: &C::AffinePoint| Ok(item([("point", point.to_sec1_point(false).as_bytes())]));
    engine.single(&format!("{name}/mul-base"), move |_, input| {
        let scalar = scalar(input)?;
        Ok(op::giving(
            move || Ok(C::ProjectivePoint::mul_by_generator(&scalar).to_affine()),
            encode,
        ))
    });
    engine.single(&format!("{name}/mul"), move |_, input| {
        let (scalar, point) = (scalar(input)?, field(input, "point")?);
        let point = PublicKey::<C>::from_sec1_bytes(&point).map_err(text)?;
        let point = point.to_projective();
        Ok(op::giving(move || Ok((point * scalar).to_affine()), encode))
    });
}

fn schnorr(engine: &mut Engine) {
    let name = "schnorr-secp256k1";
    family::keygen(
        engine,
        name,
        || Ok(schnorr::SigningKey::generate_from_rng(&mut rand::rng())),
        |key| Ok(pair(&key.to_bytes(), &key.verifying_key().to_bytes())),
    );
    family::sign(
        engine,
        &format!("{name}/sign"),
        |bytes| schnorr::SigningKey::from_slice(bytes).map_err(text),
        |key, message| {
            let mut random = [0; 32];
            rand::rng().fill_bytes(&mut random);
            key.sign_raw(message, &random).map_err(text)
        },
        |signature| signature.to_bytes().to_vec(),
    );
    let public = |bytes: &[u8]| schnorr::VerifyingKey::from_slice(bytes).map_err(text);
    let parse = |bytes: &[u8]| schnorr::Signature::try_from(bytes).map_err(text);
    family::verify(
        engine,
        &format!("{name}/verify"),
        public,
        parse,
        |key, message, signature| key.verify_raw(message, signature).is_ok(),
    );
    family::verify_encoded(engine, name, move |key, message, signature| {
        Ok(public(key)?.verify_raw(message, &parse(signature)?).is_ok())
    });
}

/// The identity that SM2's signatures are over.
const IDENTITY: &str = "1234567812345678";

fn sm2(engine: &mut Engine) {
    family::keygen(
        engine,
        "sm2",
        || {
            let key = sm2::SecretKey::generate_from_rng(&mut rand::rng());
            let public = key.public_key();
            Ok((key, public))
        },
        |(key, public)| {
            Ok(pair(
                &key.to_bytes(),
                public.to_sec1_point(false).as_bytes(),
            ))
        },
    );
    family::sign(
        engine,
        "sm2/sign",
        |bytes| dsa::SigningKey::from_slice(IDENTITY, bytes).map_err(text),
        |key, message| -> Result<dsa::Signature, String> {
            key.try_sign_with_rng(&mut rand::rng(), message)
                .map_err(text)
        },
        |signature| signature.to_der().as_bytes().to_vec(),
    );
    let public = |bytes: &[u8]| dsa::VerifyingKey::from_sec1_bytes(IDENTITY, bytes).map_err(text);
    let parse = |der: &[u8]| dsa::Signature::from_der(der).map_err(text);
    family::verify(
        engine,
        "sm2/verify",
        public,
        parse,
        |key, message, signature| key.verify(message, signature).is_ok(),
    );
    family::verify_encoded(engine, "sm2", move |key, message, signature| {
        Ok(public(key)?.verify(message, &parse(signature)?).is_ok())
    });
    family::encrypt_message(
        engine,
        "sm2/encrypt",
        |bytes| pke::EncryptingKey::from_sec1_bytes(bytes).map_err(text),
        |key, message| key.encrypt_der(&mut rand::rng(), message).map_err(text),
    );
    family::decrypt_message(
        engine,
        "sm2/decrypt",
        |bytes| pke::DecryptingKey::from_slice(&exactly::<32>(bytes)?).map_err(text),
        |key, ciphertext| key.decrypt_der(ciphertext).map_err(text),
    );
}
