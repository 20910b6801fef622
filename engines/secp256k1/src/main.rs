//! The engine of libsecp256k1, through the crate `secp256k1`.
//!
//! The library's functions are called as they are, on one context that was blinded once: the
//! crate's own signing blinds it anew for each signature, which takes longer than the signature.
//! The library signs digests; the crate `sha2` makes them. It accepts only low values of `s`, so
//! that parsing a signature normalises it. BIP 340's signatures are `schnorr-secp256k1`, with
//! public keys of 32 bytes.

use std::io;
use std::ptr;

use adamant_engine::family::{self, Outcome, pair};
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::{Engine, serve};
use rand::Rng;
use secp256k1::ffi::{self, CPtr};
use secp256k1::{Keypair, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, schnorr};
use sha2::{Digest, Sha256};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let build = format!("{}; the C code at the same level", env!("ENGINE_BUILD"));
    let mut engine = Engine::new("secp256k1", env!("ENGINE_VERSIONS"), &build);
    let context = Context::new();
    ecdsa(&mut engine, context);
    agreement(&mut engine);
    schnorr(&mut engine, context);
    engine
}

/// A context of the library, which lives as long as the program.
#[derive(Clone, Copy)]
struct Context(ptr::NonNull<ffi::Context>);

impl Context {
    fn new() -> Self {
        let mut seed = [0; 32];
        rand::rng().fill_bytes(&mut seed);
        // SAFETY: the library allocates the context; it takes 32 bytes to blind it with.
        unsafe {
            let context = ffi::secp256k1_context_create(ffi::SECP256K1_START_SIGN);
            ffi::secp256k1_context_randomize(context, seed.as_c_ptr());
            Context(context)
        }
    }

    fn public_key(self, secret: &SecretKey) -> Outcome<PublicKey> {
        // SAFETY: context, key and place are of the library's types and live through the call; the
        // place is used only where the call filled it.
        unsafe {
            let mut public = ffi::PublicKey::new();
            let context = self.0.as_ptr();
            match ffi::secp256k1_ec_pubkey_create(context, &mut public, secret.as_c_ptr()) {
                1 => Ok(PublicKey::from(public)),
                _ => Err("the key is out of range".into()),
            }
        }
    }

    fn sign_ecdsa(self, secret: &SecretKey, message: &[u8]) -> Outcome<ecdsa::Signature> {
        let digest: [u8; 32] = Sha256::digest(message).into();
        // SAFETY: as above; the digest has the 32 bytes that the library reads.
        unsafe {
            let mut signature = ffi::Signature::new();
            let done = ffi::secp256k1_ecdsa_sign(
                self.0.as_ptr(),
                &mut signature,
                digest.as_c_ptr(),
                secret.as_c_ptr(),
                ffi::secp256k1_nonce_function_rfc6979,
                ptr::null(),
            );
            match done {
                1 => Ok(ecdsa::Signature::from(signature)),
                _ => Err("no signature was made".into()),
            }
        }
    }

    fn sign_schnorr(self, keypair: &Keypair, message: &[u8]) -> Outcome<[u8; 64]> {
        let mut random = [0; 32];
        rand::rng().fill_bytes(&mut random);
        let extra = ffi::SchnorrSigExtraParams::new(None, random.as_c_ptr().cast());
        let mut signature = [0; 64];
        // SAFETY: as above; the place has the 64 bytes that the library writes.
        let done = unsafe {
            ffi::secp256k1_schnorrsig_sign_custom(
                self.0.as_ptr(),
                signature.as_mut_ptr(),
                message.as_ptr(),
                message.len(),
                keypair.as_c_ptr(),
                &extra,
            )
        };
        match done {
            1 => Ok(signature),
            _ => Err("no signature was made".into()),
        }
    }

    /// A key and its public key.
    fn keygen(self) -> Outcome<(SecretKey, PublicKey)> {
        let mut bytes = [0; 32];
        loop {
            rand::rng().fill_bytes(&mut bytes);
            // One in 2^128 is out of range.
            if let Ok(secret) = SecretKey::from_secret_bytes(bytes) {
                return Ok((secret, self.public_key(&secret)?));
            }
        }
    }
}

fn secret(bytes: &[u8]) -> Outcome<SecretKey> {
    SecretKey::from_secret_bytes(exactly(bytes)?).map_err(text)
}

fn public(bytes: &[u8]) -> Outcome<PublicKey> {
    PublicKey::from_slice(bytes).map_err(text)
}

fn ecdsa(engine: &mut Engine, context: Context) {
    for name in ["ecdsa-secp256k1", "ecdh-secp256k1"] {
        family::keygen(
            engine,
            name,
            move || context.keygen(),
            |(secret, public)| {
                let public = public.serialize_uncompressed();
                Ok(pair(secret.as_secret_bytes(), &public))
            },
        );
    }
    family::sign(
        engine,
        "ecdsa-secp256k1/sign",
        secret,
        move |secret, message| context.sign_ecdsa(secret, message),
        |signature| signature.serialize_der().to_vec(),
    );
    let parse = |der: &[u8]| {
        let mut signature = ecdsa::Signature::from_der(der).map_err(text)?;
        signature.normalize_s();
        Ok(signature)
    };
    let verify = |key: &PublicKey, message: &[u8], signature: &ecdsa::Signature| {
        let digest: [u8; 32] = Sha256::digest(message).into();
        let digest = secp256k1::Message::from_digest(digest);
        ecdsa::verify(signature, digest, key).is_ok()
    };
    family::verify(engine, "ecdsa-secp256k1/verify", public, parse, verify);
    family::verify_encoded(engine, "ecdsa-secp256k1", move |key, message, der| {
        Ok(verify(&public(key)?, message, &parse(der)?))
    });
}

fn agreement(engine: &mut Engine) {
    family::derive(engine, "ecdh-secp256k1", secret, public, |secret, peer| {
        let point = ecdh::shared_secret_point(peer, secret);
        exactly::<32>(&point[..32])
    });
}

fn schnorr(engine: &mut Engine, context: Context) {
    let keypair = |secret: &SecretKey| Keypair::from_secret_key(secret);
    family::keygen(
        engine,
        "schnorr-secp256k1",
        move || context.keygen(),
        |(secret, public)| {
            let (public, _) = public.x_only_public_key();
            Ok(pair(secret.as_secret_bytes(), &public.to_byte_array()))
        },
    );
    family::sign(
        engine,
        "schnorr-secp256k1/sign",
        move |bytes| Ok(keypair(&secret(bytes)?)),
        move |keypair, message| context.sign_schnorr(keypair, message),
        |signature| signature.to_vec(),
    );
    let public = |bytes: &[u8]| XOnlyPublicKey::from_byte_array(exactly(bytes)?).map_err(text);
    let parse = |bytes: &[u8]| Ok(schnorr::Signature::from_byte_array(exactly(bytes)?));
    family::verify(
        engine,
        "schnorr-secp256k1/verify",
        public,
        parse,
        |key, message, signature| schnorr::verify(signature, message, key).is_ok(),
    );
    family::verify_encoded(engine, "schnorr-secp256k1", move |key, message, bytes| {
        Ok(schnorr::verify(&parse(bytes)?, message, &public(key)?).is_ok())
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        adamant_engine::answers::check(&super::engine()).unwrap();
    }
}
