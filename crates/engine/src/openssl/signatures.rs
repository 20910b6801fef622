//! Signatures: ECDSA, SM2, RSA, and the schemes that hash by themselves.

use std::ffi::CStr;

use super::curves::{CURVES, Curve, SM2, WHOLE};
use super::ffi::Libcrypto;
use super::ffi::keys::{DigestSigner, DigestVerifier, Key, KeyType, Setting};
use super::ffi::messages::{MAX_SIGNATURE, MessageSigner, MessageVerifier};
use super::ffi::symmetric::{Digest, MAX_DIGEST};
use super::keygen::{self, Form, Recipe};
use crate::Item;
use crate::op::{self, field, item, valid};
use crate::serve::{Engine, Single};

pub(super) fn register(engine: &mut Engine, lib: Libcrypto) {
    for curve in CURVES.iter() {
        let recipe = Recipe {
            kind: KeyType::EC,
            settings: curve.settings,
            group: None,
            form: Form::Curve,
        };
        // Some distributions leave curves out.
        if recipe.works(lib) && curve.private(lib, &vec![1; curve.size]).is_ok() {
            let name = format!("ecdsa-{}", curve.name);
            keygen::register(engine, lib, &name, recipe);
            ecdsa(engine, lib, &name, curve);
        }
    }
    let recipe = Recipe {
        form: Form::Curve,
        ..Recipe::raw(KeyType::SM2)
    };
    if recipe.works(lib) {
        keygen::register(engine, lib, "sm2", recipe);
        sm2(engine, lib);
    }
    for (name, settings) in RSA {
        let recipe = Recipe {
            kind: KeyType::RSA,
            settings,
            group: None,
            form: Form::Rsa,
        };
        keygen::register(engine, lib, name, recipe);
        for (padding, settings) in PADDINGS {
            rsa(engine, lib, name, padding, settings);
        }
    }
    for &(name, kind, long) in WHOLE {
        let recipe = Recipe::raw(kind);
        if recipe.works(lib) {
            keygen::register(engine, lib, name, recipe);
            whole_messages(engine, lib, name, kind, long);
        }
    }
}

/// Signs the digest of a prefix and a message.
struct Signer {
    digest: Digest,
    signer: DigestSigner,
    prefix: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
    len: usize,
}

impl Signer {
    fn operation(
        lib: Libcrypto,
        digest: &CStr,
        key: &Key,
        settings: &[Setting],
        prefix: Vec<u8>,
        input: &Item,
    ) -> Result<impl Single + use<>, String> {
        let state = Signer {
            digest: Digest::new(lib, digest)?,
            signer: DigestSigner::new(key, settings)?,
            prefix,
            message: field(input, "message")?,
            // Of RSA with 8192 bits.
            signature: vec![0; 1024],
            len: 0,
        };
        Ok(op::filling(
            state,
            |s| {
                let mut digest = [0; MAX_DIGEST];
                let len = s.digest.digest(&[&s.prefix, &s.message], &mut digest)?;
                s.len = s.signer.sign(&digest[..len], &mut s.signature)?;
                Ok(())
            },
            |s| item([("signature", &s.signature[..s.len])]),
        ))
    }
}

/// Verifies a signature of the digest of a prefix and a message.
struct Verifier {
    digest: Digest,
    verifier: DigestVerifier,
    prefix: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
    valid: bool,
}

impl Verifier {
    fn operation(
        lib: Libcrypto,
        digest: &CStr,
        key: &Key,
        settings: &[Setting],
        prefix: Vec<u8>,
        input: &Item,
    ) -> Result<impl Single + use<>, String> {
        let state = Verifier {
            digest: Digest::new(lib, digest)?,
            verifier: DigestVerifier::new(key, settings)?,
            prefix,
            message: field(input, "message")?,
            signature: field(input, "signature")?,
            valid: false,
        };
        Ok(op::filling(
            state,
            |v| {
                let mut digest = [0; MAX_DIGEST];
                let len = v.digest.digest(&[&v.prefix, &v.message], &mut digest)?;
                v.valid = v.verifier.verify(&digest[..len], &v.signature);
                Ok(())
            },
            |v| valid(v.valid),
        ))
    }
}

fn ecdsa(engine: &mut Engine, lib: Libcrypto, name: &str, curve: &'static Curve) {
    engine.single(&format!("{name}/sign"), move |_, input| {
        let key = curve.private(lib, &field(input, "private_key")?)?;
        Signer::operation(lib, curve.digest, &key, &[], Vec::new(), input)
    });
    engine.single(&format!("{name}/verify"), move |_, input| {
        let key = curve.public(lib, &field(input, "public_key")?)?;
        Verifier::operation(lib, curve.digest, &key, &[], Vec::new(), input)
    });
    engine.single(&format!("{name}/verify-encoded"), move |_, input| {
        let public_key = field(input, "public_key")?;
        let inputs = [
            public_key,
            field(input, "message")?,
            field(input, "signature")?,
        ];
        Ok(op::filling(
            (Digest::new(lib, curve.digest)?, inputs, false),
            move |(digest, [public_key, message, signature], valid)| {
                let key = curve.public(lib, public_key)?;
                let mut out = [0; MAX_DIGEST];
                let len = digest.digest(&[message], &mut out)?;
                *valid = DigestVerifier::new(&key, &[])?.verify(&out[..len], signature);
                Ok(())
            },
            |(_, _, v)| valid(*v),
        ))
    });
}

/// What SM2 hashes before a message, for the identity `1234567812345678` (GB/T 32918.2, 5.5): the
/// digest of the identity's length in bits, itself, the curve and the public key. It belongs to
/// the key and is computed once.
fn sm2_prefix(lib: Libcrypto, point: &[u8]) -> Result<Vec<u8>, String> {
    // a, b, and the base point of the curve (GB/T 32918.5).
    const CURVE: &str = "\
        FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFC\
        28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93\
        32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7\
        BC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0";
    let curve = hex::decode(CURVE).map_err(|e| e.to_string())?;
    let point = point.get(1..).unwrap_or_default();
    let mut out = [0; MAX_DIGEST];
    let parts = [&[0, 128], &b"1234567812345678"[..], &curve, point];
    let len = Digest::new(lib, c"SM3")?.digest(&parts, &mut out)?;
    Ok(out[..len].to_vec())
}

fn sm2(engine: &mut Engine, lib: Libcrypto) {
    engine.single("sm2/sign", move |_, input| {
        let key = SM2.private(lib, &field(input, "private_key")?)?;
        let prefix = sm2_prefix(lib, &field(input, "public_key")?)?;
        Signer::operation(lib, SM2.digest, &key, &[], prefix, input)
    });
    engine.single("sm2/verify", move |_, input| {
        let point = field(input, "public_key")?;
        let key = SM2.public(lib, &point)?;
        let prefix = sm2_prefix(lib, &point)?;
        Verifier::operation(lib, SM2.digest, &key, &[], prefix, input)
    });
}

pub(super) const RSA: [(&str, &[Setting]); 3] = [
    ("rsa-2048", &[(c"rsa_keygen_bits", c"2048")]),
    ("rsa-3072", &[(c"rsa_keygen_bits", c"3072")]),
    ("rsa-4096", &[(c"rsa_keygen_bits", c"4096")]),
];

const PADDINGS: [(&str, &[Setting]); 2] = [
    (
        "pkcs1",
        &[(c"rsa_padding_mode", c"pkcs1"), (c"digest", c"SHA256")],
    ),
    (
        "pss",
        &[
            (c"rsa_padding_mode", c"pss"),
            (c"digest", c"SHA256"),
            (c"rsa_pss_saltlen", c"32"),
        ],
    ),
];

fn rsa(
    engine: &mut Engine,
    lib: Libcrypto,
    name: &str,
    padding: &str,
    settings: &'static [Setting],
) {
    engine.single(&format!("{name}/sign-{padding}"), move |_, input| {
        let key = Key::private_der(lib, &field(input, "private_key")?)?;
        Signer::operation(lib, c"SHA256", &key, settings, Vec::new(), input)
    });
    engine.single(&format!("{name}/verify-{padding}"), move |_, input| {
        let key = Key::public_pkcs1(lib, &field(input, "public_key")?)?;
        Verifier::operation(lib, c"SHA256", &key, settings, Vec::new(), input)
    });
}

fn whole_messages(engine: &mut Engine, lib: Libcrypto, name: &str, kind: KeyType, long: bool) {
    engine.single(&format!("{name}/sign"), move |_, input| {
        let key = Key::private_raw(lib, kind, &field(input, "private_key")?)?;
        let signer = MessageSigner::new(key, long)?;
        Ok(op::filling(
            (signer, field(input, "message")?, vec![0; MAX_SIGNATURE], 0),
            |(signer, message, signature, len)| {
                *len = signer.sign(message, signature)?;
                Ok(())
            },
            |(_, _, signature, len)| item([("signature", &signature[..*len])]),
        ))
    });
    engine.single(&format!("{name}/verify"), move |_, input| {
        let (message, signature) = (field(input, "message")?, field(input, "signature")?);
        let key = Key::public_raw(lib, kind, &field(input, "public_key")?)?;
        let verifier = MessageVerifier::new(key, &message, &signature)?;
        Ok(op::filling(
            (verifier, message, signature, false),
            |(verifier, message, signature, valid)| {
                *valid = verifier.verify(message, signature);
                Ok(())
            },
            |(_, _, _, v)| valid(*v),
        ))
    });
    engine.single(&format!("{name}/verify-encoded"), move |_, input| {
        let public_key = field(input, "public_key")?;
        let inputs = [
            public_key,
            field(input, "message")?,
            field(input, "signature")?,
        ];
        Ok(op::filling(
            (inputs, false),
            move |([public_key, message, signature], valid)| {
                let key = Key::public_raw(lib, kind, public_key)?;
                *valid = MessageVerifier::once(key)?.verify(message, signature);
                Ok(())
            },
            |(_, v)| valid(*v),
        ))
    });
}
