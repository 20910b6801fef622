//! RSA with PKCS#1 v1.5, PSS and OAEP, all with SHA-256.

use std::cell::RefCell;

use adamant_engine::family::{self, Outcome, pair};
use adamant_engine::op::text;
use adamant_engine::serve::Engine;
use rscrypto::{
    RsaOaepProfile, RsaPkcs1v15Profile, RsaPrivateKey, RsaPrivateScratch, RsaPssProfile,
    RsaPublicKey, RsaPublicKeyPolicy, RsaPublicScratch, RsaSignatureProfile,
};

/// That with 2048 bits.
const POLICY: RsaPublicKeyPolicy = RsaPublicKeyPolicy::legacy_verification();

/// A key, and the room that it works in.
struct With<K, S> {
    key: K,
    scratch: RefCell<S>,
}

type Private = With<RsaPrivateKey, RsaPrivateScratch>;
type Public = With<RsaPublicKey, RsaPublicScratch>;

fn private(der: &[u8]) -> Outcome<Private> {
    let key = RsaPrivateKey::from_pkcs1_der_with_policy(der, &POLICY).map_err(text)?;
    let scratch = RefCell::new(key.private_scratch());
    Ok(With { key, scratch })
}

fn public(der: &[u8]) -> Outcome<Public> {
    let key = RsaPublicKey::from_pkcs1_der_with_policy(der, &POLICY).map_err(text)?;
    let scratch = RefCell::new(key.public_scratch());
    Ok(With { key, scratch })
}

pub(crate) fn register(engine: &mut Engine) {
    let schemes = [
        (
            "pkcs1",
            RsaSignatureProfile::pkcs1v15(RsaPkcs1v15Profile::Sha256),
        ),
        ("pss", RsaSignatureProfile::pss(RsaPssProfile::Sha256)),
    ];
    for bits in [2048, 3072, 4096] {
        let name = format!("rsa-{bits}");
        family::keygen(
            engine,
            &name,
            move || RsaPrivateKey::generate_with_policy(bits, &POLICY).map_err(text),
            |key| {
                Ok(pair(
                    key.to_pkcs1_der().as_bytes(),
                    &key.public_key().to_pkcs1_der(),
                ))
            },
        );
        for (scheme, profile) in schemes {
            family::sign(
                engine,
                &format!("{name}/sign-{scheme}"),
                private,
                move |with, message| {
                    let (mut signature, scratch) =
                        (vec![0; bits / 8], &mut with.scratch.borrow_mut());
                    let key = &with.key;
                    key.sign_signature_with_scratch(profile, message, &mut signature, scratch)
                        .map_err(text)?;
                    Ok(signature)
                },
                Vec::clone,
            );
            family::verify(
                engine,
                &format!("{name}/verify-{scheme}"),
                public,
                |signature| Ok(signature.to_vec()),
                move |with, message, signature: &Vec<u8>| {
                    let scratch = &mut with.scratch.borrow_mut();
                    let verified = with
                        .key
                        .verify_signature_with_scratch(profile, message, signature, scratch);
                    verified.is_ok()
                },
            );
        }
        let oaep = RsaOaepProfile::Sha256;
        family::encrypt_message(
            engine,
            &format!("{name}/encrypt-oaep"),
            public,
            move |with, message| {
                let (mut out, scratch) = (vec![0; bits / 8], &mut with.scratch.borrow_mut());
                let key = &with.key;
                key.encrypt_oaep_with_scratch(oaep, b"", message, &mut out, scratch)
                    .map_err(text)?;
                Ok(out)
            },
        );
        family::decrypt_message(
            engine,
            &format!("{name}/decrypt-oaep"),
            private,
            move |with, ciphertext| {
                let (mut out, scratch) = (vec![0; bits / 8], &mut with.scratch.borrow_mut());
                let key = &with.key;
                let len = key
                    .decrypt_oaep_with_scratch(oaep, b"", ciphertext, &mut out, scratch)
                    .map_err(text)?;
                out.truncate(len);
                Ok(out)
            },
        );
    }
}
