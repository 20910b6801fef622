//! The engine `openssl-system`: the OpenSSL found on the machine, loaded at run time.
//!
//! It uses OpenSSL as a well-written program does. Of the ways that its manual recommends, the
//! fastest was taken (measured on 3.0, nanoseconds for 64 bytes where there is a message):
//!
//! | operation | here | left aside |
//! |---|---|---|
//! | digest | a context used again, `EVP_DigestInit_ex` with a fetched digest: 133 | `EVP_Digest`: 179; `SHA256()`: 436; the deprecated `SHA256_Init`: 77 |
//! | HMAC | a context used again, `EVP_MAC_init` with the key it has: 273 | a copy of the context: 639; the deprecated `HMAC_Init_ex`: 230 |
//! | HKDF | a context used again, salt, key and info given each time: 2532 | digest given each time: 2823; the deprecated `EVP_PKEY_derive`: 4475 |
//! | ECDSA | digest as above, then `EVP_PKEY_sign` on a context used again: 14600 | `EVP_DigestSign`: 14900 without and 15900 with its initialisation |
//! | ECDH, X25519 | `EVP_PKEY_derive` on a context that has its peer | |
//! | Ed25519 | `EVP_DigestSign` on a context used again | |
//! | key generation | `EVP_PKEY_keygen` on a context used again | |
//!
//! Keys are parsed, and peers' keys checked, outside the timing. `verify-encoded` starts from the
//! bytes of the public key. OpenSSL 1.1.1 is measured too, but for HMAC and HKDF.

mod ffi;

use std::ffi::CStr;
use std::path::Path;

use self::ffi::keys::{Agreement, DigestSigner, DigestVerifier, Generator, Key, KeyType};
use self::ffi::messages::{MessageSigner, MessageVerifier};
use self::ffi::symmetric::{Digest, Hkdf, Hmac, MAX_DIGEST};
use crate::Item;
use crate::serve::{Engine, Single};

pub use self::ffi::Libcrypto;

/// The engine's name.
pub const NAME: &str = "openssl-system";

/// The engine: the library at `path`, or the first that the system finds.
///
/// # Errors
/// A sentence where there is none.
pub fn engine(path: Option<&Path>) -> Result<Engine, String> {
    let lib = Libcrypto::load(path)?;
    let mut engine = Engine::new(NAME, &lib.version(), &lib.build());
    symmetric(&mut engine, lib);
    p256(&mut engine, lib);
    curve25519(&mut engine, lib);
    Ok(engine)
}

/// Digests by the names of both sides; those that the library at hand lacks are left out.
const DIGESTS: [(&str, &CStr); 12] = [
    ("sha256", c"SHA256"),
    ("sha384", c"SHA384"),
    ("sha512", c"SHA512"),
    ("sha3-224", c"SHA3-224"),
    ("sha3-256", c"SHA3-256"),
    ("sha3-384", c"SHA3-384"),
    ("sha3-512", c"SHA3-512"),
    ("sm3", c"SM3"),
    ("sha1", c"SHA1"),
    ("md5", c"MD5"),
    ("blake2b-512", c"BLAKE2B-512"),
    ("blake2s-256", c"BLAKE2S-256"),
];
/// Those that HMAC and HKDF are measured with.
const HMAC: [&str; 7] = [
    "sha256", "sha384", "sha512", "sha3-256", "sha3-512", "sm3", "sha1",
];
const HKDF: [&str; 3] = ["sha256", "sha384", "sha512"];

fn symmetric(engine: &mut Engine, lib: Libcrypto) {
    for (name, digest) in DIGESTS {
        if Digest::new(lib, digest).is_err() {
            continue;
        }
        engine.single(&format!("{name}/digest"), move |_, input| {
            Ok(DigestOp {
                digest: Digest::new(lib, digest)?,
                message: field(input, "message")?,
                out: Buffer::default(),
            })
        });
        // Before 3.0 there is neither EVP_MAC nor EVP_KDF.
        if Hkdf::new(lib, c"SHA256").is_err() {
            continue;
        }
        if HMAC.contains(&name) {
            engine.single(&format!("hmac-{name}/mac"), move |_, input| {
                Ok(MacOp {
                    mac: Hmac::new(lib, digest, &field(input, "key")?)?,
                    message: field(input, "message")?,
                    out: Buffer::default(),
                })
            });
        }
        if HKDF.contains(&name) {
            engine.single(&format!("hkdf-{name}/derive"), move |bytes, input| {
                Ok(HkdfOp {
                    hkdf: Hkdf::new(lib, digest)?,
                    salt: field(input, "salt")?,
                    ikm: field(input, "ikm")?,
                    info: field(input, "info")?,
                    okm: vec![0; bytes],
                })
            });
        }
    }
}

fn p256(engine: &mut Engine, lib: Libcrypto) {
    for name in ["ecdsa-p256/keygen", "ecdh-p256/keygen"] {
        engine.single(name, move |_, _| {
            KeygenOp::new(lib, KeyType::Ec, Some(c"P-256"))
        });
    }
    engine.single("ecdsa-p256/sign", move |_, input| {
        let key = Key::private_der(lib, &p256_pkcs8(&field(input, "private_key")?)?)?;
        Ok(EcdsaSignOp {
            digest: Digest::new(lib, c"SHA256")?,
            signer: DigestSigner::new(&key)?,
            message: field(input, "message")?,
            signature: [0; 80],
            len: 0,
        })
    });
    engine.single("ecdsa-p256/verify", move |_, input| {
        let key = Key::public_der(lib, &p256_spki(&field(input, "public_key")?)?)?;
        Ok(EcdsaVerifyOp {
            digest: Digest::new(lib, c"SHA256")?,
            verifier: DigestVerifier::new(&key)?,
            message: field(input, "message")?,
            signature: field(input, "signature")?,
            valid: false,
        })
    });
    engine.single("ecdh-p256/derive", move |_, input| {
        let key = Key::private_der(lib, &p256_pkcs8(&field(input, "private_key")?)?)?;
        let peer = Key::public_der(lib, &p256_spki(&field(input, "peer_public_key")?)?)?;
        Ok(DeriveOp {
            agreement: Agreement::new(&key, &peer)?,
            secret: [0; 32],
        })
    });
}

fn curve25519(engine: &mut Engine, lib: Libcrypto) {
    use KeyType::{Ed25519, X25519};
    engine.single("ed25519/keygen", move |_, _| {
        KeygenOp::new(lib, Ed25519, None)
    });
    engine.single("ed25519/sign", move |_, input| {
        let key = Key::private_raw(lib, Ed25519, &field(input, "private_key")?)?;
        Ok(EddsaSignOp {
            signer: MessageSigner::new(key)?,
            message: field(input, "message")?,
            signature: [0; 64],
        })
    });
    engine.single("ed25519/verify", move |_, input| {
        let (message, signature) = (field(input, "message")?, field(input, "signature")?);
        let key = Key::public_raw(lib, Ed25519, &field(input, "public_key")?)?;
        Ok(EddsaVerifyOp {
            verifier: MessageVerifier::new(key, &message, &signature)?,
            message,
            signature,
            valid: false,
        })
    });
    engine.single("ed25519/verify-encoded", move |_, input| {
        Ok(EddsaVerifyEncodedOp {
            lib,
            public_key: field(input, "public_key")?,
            message: field(input, "message")?,
            signature: field(input, "signature")?,
            valid: false,
        })
    });
    engine.single("x25519/keygen", move |_, _| {
        KeygenOp::new(lib, X25519, None)
    });
    engine.single("x25519/derive", move |_, input| {
        let key = Key::private_raw(lib, X25519, &field(input, "private_key")?)?;
        let peer = Key::public_raw(lib, X25519, &field(input, "peer_public_key")?)?;
        Ok(DeriveOp {
            agreement: Agreement::new(&key, &peer)?,
            secret: [0; 32],
        })
    });
}

fn field(input: &Item, name: &str) -> Result<Vec<u8>, String> {
    input
        .get(name)
        .cloned()
        .ok_or_else(|| format!("{name} is missing"))
}

fn item<const N: usize>(fields: [(&str, &[u8]); N]) -> Result<Item, String> {
    let owned = fields.map(|(name, value)| (name.to_owned(), value.to_vec()));
    Ok(Item::from(owned))
}

/// `SEQUENCE { id-ecPublicKey, secp256r1 }`.
const P256_ALGORITHM: [u8; 21] = [
    0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
    0xce, 0x3d, 0x03, 0x01, 0x07,
];

/// The PKCS#8 form (RFC 5208 with RFC 5915) of a scalar.
fn p256_pkcs8(scalar: &[u8]) -> Result<Vec<u8>, String> {
    if scalar.len() != 32 {
        return Err("private_key has to have 32 bytes".into());
    }
    let ec_private_key = [0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20];
    let version = [0x30, 0x41, 0x02, 0x01, 0x00];
    Ok([
        &version[..],
        &P256_ALGORITHM,
        &[0x04, 0x27],
        &ec_private_key,
        scalar,
    ]
    .concat())
}

/// The `SubjectPublicKeyInfo` (RFC 5480) of an uncompressed point.
fn p256_spki(point: &[u8]) -> Result<Vec<u8>, String> {
    if point.len() != 65 {
        return Err("the public key has to have 65 bytes".into());
    }
    Ok([
        &[0x30, 0x59],
        &P256_ALGORITHM[..],
        &[0x03, 0x42, 0x00],
        point,
    ]
    .concat())
}

/// Room for any digest, and how much of it is one.
struct Buffer {
    bytes: [u8; MAX_DIGEST],
    len: usize,
}

impl Default for Buffer {
    fn default() -> Self {
        Buffer {
            bytes: [0; MAX_DIGEST],
            len: 0,
        }
    }
}

impl Buffer {
    fn digest(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

struct DigestOp {
    digest: Digest,
    message: Vec<u8>,
    out: Buffer,
}

impl Single for DigestOp {
    fn once(&mut self) -> Result<(), String> {
        self.out.len = self.digest.digest(&self.message, &mut self.out.bytes)?;
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        item([("digest", self.out.digest())])
    }
}

struct MacOp {
    mac: Hmac,
    message: Vec<u8>,
    out: Buffer,
}

impl Single for MacOp {
    fn once(&mut self) -> Result<(), String> {
        self.out.len = self.mac.mac(&self.message, &mut self.out.bytes)?;
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        item([("tag", self.out.digest())])
    }
}

struct HkdfOp {
    hkdf: Hkdf,
    salt: Vec<u8>,
    ikm: Vec<u8>,
    info: Vec<u8>,
    okm: Vec<u8>,
}

impl Single for HkdfOp {
    fn once(&mut self) -> Result<(), String> {
        self.hkdf
            .derive(&self.salt, &self.ikm, &self.info, &mut self.okm)
    }
    fn output(&mut self) -> Result<Item, String> {
        item([("okm", &self.okm)])
    }
}

struct KeygenOp {
    generator: Generator,
    kind: KeyType,
    key: Option<Key>,
}

impl KeygenOp {
    fn new(lib: Libcrypto, kind: KeyType, curve: Option<&CStr>) -> Result<Self, String> {
        Ok(KeygenOp {
            generator: Generator::new(lib, kind, curve)?,
            kind,
            key: None,
        })
    }
}

impl Single for KeygenOp {
    fn once(&mut self) -> Result<(), String> {
        self.key = Some(self.generator.generate()?);
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        let key = self.key.as_ref().ok_or("no key was made")?;
        if self.kind != KeyType::Ec {
            let (private, public) = key.raw()?;
            return item([("private_key", &private), ("public_key", &public)]);
        }
        // RFC 5915 with everything in it: version, 32 bytes of scalar, the curve's name, 65 bytes
        // of point.
        let der = key.to_private_der()?;
        let parts = (der.get(7..39), der.get(56..121));
        match parts {
            (Some(private), Some(public)) if der.len() == 121 && der[5..7] == [0x04, 0x20] => {
                item([("private_key", private), ("public_key", public)])
            }
            _ => Err("the key made has an encoding of another shape".into()),
        }
    }
}

struct EcdsaSignOp {
    digest: Digest,
    signer: DigestSigner,
    message: Vec<u8>,
    signature: [u8; 80],
    len: usize,
}

impl Single for EcdsaSignOp {
    fn once(&mut self) -> Result<(), String> {
        let mut digest = [0; MAX_DIGEST];
        let len = self.digest.digest(&self.message, &mut digest)?;
        self.len = self.signer.sign(&digest[..len], &mut self.signature)?;
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        item([("signature", &self.signature[..self.len])])
    }
}

struct EcdsaVerifyOp {
    digest: Digest,
    verifier: DigestVerifier,
    message: Vec<u8>,
    signature: Vec<u8>,
    valid: bool,
}

impl Single for EcdsaVerifyOp {
    fn once(&mut self) -> Result<(), String> {
        let mut digest = [0; MAX_DIGEST];
        let len = self.digest.digest(&self.message, &mut digest)?;
        self.valid = self.verifier.verify(&digest[..len], &self.signature);
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        item([("valid", &[u8::from(self.valid)])])
    }
}

struct DeriveOp {
    agreement: Agreement,
    secret: [u8; 32],
}

impl Single for DeriveOp {
    fn once(&mut self) -> Result<(), String> {
        self.agreement.derive(&mut self.secret)
    }
    fn output(&mut self) -> Result<Item, String> {
        item([("shared_secret", &self.secret)])
    }
}

struct EddsaSignOp {
    signer: MessageSigner,
    message: Vec<u8>,
    signature: [u8; 64],
}

impl Single for EddsaSignOp {
    fn once(&mut self) -> Result<(), String> {
        self.signer.sign(&self.message, &mut self.signature)
    }
    fn output(&mut self) -> Result<Item, String> {
        item([("signature", &self.signature)])
    }
}

struct EddsaVerifyOp {
    verifier: MessageVerifier,
    message: Vec<u8>,
    signature: Vec<u8>,
    valid: bool,
}

impl Single for EddsaVerifyOp {
    fn once(&mut self) -> Result<(), String> {
        self.valid = self.verifier.verify(&self.message, &self.signature);
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        item([("valid", &[u8::from(self.valid)])])
    }
}

struct EddsaVerifyEncodedOp {
    lib: Libcrypto,
    public_key: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
    valid: bool,
}

impl Single for EddsaVerifyEncodedOp {
    fn once(&mut self) -> Result<(), String> {
        let key = Key::public_raw(self.lib, KeyType::Ed25519, &self.public_key)?;
        self.valid = MessageVerifier::once(key)?.verify(&self.message, &self.signature);
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        item([("valid", &[u8::from(self.valid)])])
    }
}
