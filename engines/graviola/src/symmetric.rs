//! Hashes, HMAC and AEADs.

use adamant_engine::family::{self, Nonced, Outcome};
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use graviola::aead::{AesGcm, ChaCha20Poly1305, XChaCha20Poly1305};
use graviola::hashing::hmac::Hmac;
use graviola::hashing::sha3::{Sha3_256Context, Sha3_512Context, Shake128, Shake256};
use graviola::hashing::{Hash, Sha256, Sha384, Sha512};

pub(crate) fn register(engine: &mut Engine) {
    hash::<Sha256>(engine, "sha256");
    hash::<Sha384>(engine, "sha384");
    hash::<Sha512>(engine, "sha512");
    family::digest(engine, "sha3-256", |message| {
        let mut context = Sha3_256Context::new();
        context.update(message);
        context.finish()
    });
    family::digest(engine, "sha3-512", |message| {
        let mut context = Sha3_512Context::new();
        context.update(message);
        context.finish()
    });
    family::digest(engine, "shake128", |message| {
        let mut out = [0; 32];
        Shake128::new(&[message]).read(&mut out);
        out
    });
    family::digest(engine, "shake256", |message| {
        let mut out = [0; 64];
        Shake256::new(&[message]).read(&mut out);
        out
    });

    aead::<AesGcm, 16>(engine, "aes-128-gcm");
    aead::<AesGcm, 32>(engine, "aes-256-gcm");
    aead::<ChaCha20Poly1305, 32>(engine, "chacha20-poly1305");
    aead::<XChaCha20Poly1305, 32>(engine, "xchacha20-poly1305");
    for name in ["gmac-aes-128", "gmac-aes-256"] {
        family::nonced_mac(
            engine,
            name,
            |key| Ok(AesGcm::new(key)),
            |key, nonce, message| {
                let mut tag = [0; 16];
                key.encrypt(&exactly(nonce)?, message, &mut [], &mut tag);
                Ok(tag)
            },
        );
    }
}

/// A hash, and HMAC with it: the keyed context is copied for each message.
fn hash<H: Hash + 'static>(engine: &mut Engine, name: &str)
where
    Hmac<H>: Clone,
{
    family::digest(engine, name, H::hash);
    family::mac(
        engine,
        &format!("hmac-{name}"),
        |key| Ok(Hmac::<H>::new(key)),
        |keyed, message| {
            let mut mac = keyed.clone();
            mac.update(message);
            mac.finish()
        },
    );
}

/// What its AEADs share.
trait Aead: Sized + 'static {
    fn new(key: &[u8]) -> Outcome<Self>;
    fn seal(&self, nonced: &Nonced, message: &mut [u8]) -> Outcome<[u8; 16]>;
    fn open(&self, nonced: &Nonced, ciphertext: &mut [u8], tag: &[u8]) -> Outcome<()>;
}

macro_rules! aead {
    ($($aead:ty: $new:expr;)+) => { $(
        impl Aead for $aead {
            fn new(key: &[u8]) -> Outcome<Self> {
                $new(key)
            }
            fn seal(&self, nonced: &Nonced, message: &mut [u8]) -> Outcome<[u8; 16]> {
                let mut tag = [0; 16];
                self.encrypt(&exactly(&nonced.nonce)?, &nonced.aad, message, &mut tag);
                Ok(tag)
            }
            fn open(&self, nonced: &Nonced, ciphertext: &mut [u8], tag: &[u8]) -> Outcome<()> {
                self.decrypt(&exactly(&nonced.nonce)?, &nonced.aad, ciphertext, tag)
                    .map_err(text)
            }
        }
    )+ };
}

aead! {
    AesGcm: |key| Ok(AesGcm::new(key));
    ChaCha20Poly1305: |key| exactly(key).map(ChaCha20Poly1305::new);
    XChaCha20Poly1305: |key| exactly(key).map(XChaCha20Poly1305::new);
}

fn aead<A: Aead, const KEY: usize>(engine: &mut Engine, name: &str) {
    let new = |key: &[u8]| A::new(&exactly::<KEY>(key)?);
    family::seal_in_place(engine, name, new, |key, nonced, message| {
        key.seal(nonced, message)
    });
    family::open_in_place(engine, name, new, |key, nonced, sealed, len| {
        let (ciphertext, tag) = sealed.split_at_mut(len);
        key.open(nonced, ciphertext, tag)
    });
}
