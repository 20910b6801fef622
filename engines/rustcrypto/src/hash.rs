//! Hashes, and key derivation over them.

use adamant_engine::family;
use adamant_engine::op::text;
use adamant_engine::serve::Engine;
use argon2::Argon2;
use blake2::{Blake2b, Blake2b512, Blake2s256};
use hmac::EagerHash;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::consts::U32;
use sha2::digest::{Digest, ExtendableOutput, Update, XofReader};
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_256};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};
use shake::{Shake128, Shake256};
use sm3::Sm3;
use turboshake::{TurboShake128, TurboShake256};

pub(crate) fn register(engine: &mut Engine) {
    digest::<Sha1>(engine, "sha1");
    digest::<Sha224>(engine, "sha224");
    digest::<Sha256>(engine, "sha256");
    digest::<Sha384>(engine, "sha384");
    digest::<Sha512>(engine, "sha512");
    digest::<Sha512_256>(engine, "sha512-256");
    digest::<Sha3_224>(engine, "sha3-224");
    digest::<Sha3_256>(engine, "sha3-256");
    digest::<Sha3_384>(engine, "sha3-384");
    digest::<Sha3_512>(engine, "sha3-512");
    digest::<Sm3>(engine, "sm3");
    digest::<Md5>(engine, "md5");
    digest::<Blake2b512>(engine, "blake2b-512");
    digest::<Blake2b<U32>>(engine, "blake2b-256");
    digest::<Blake2s256>(engine, "blake2s-256");
    xof::<Shake128, 32>(engine, "shake128");
    xof::<Shake256, 64>(engine, "shake256");
    xof::<TurboShake128, 32>(engine, "turboshake128");
    xof::<TurboShake256, 64>(engine, "turboshake256");

    derivation::<Sha1>(engine, "sha1");
    derivation::<Sha256>(engine, "sha256");
    derivation::<Sha384>(engine, "sha384");
    derivation::<Sha512>(engine, "sha512");
    derivation::<Sm3>(engine, "sm3");
    passwords(engine);
}

fn digest<H: Digest + 'static>(engine: &mut Engine, name: &str) {
    family::digest(engine, name, |message| H::digest(message));
}

fn xof<X, const N: usize>(engine: &mut Engine, name: &str)
where
    X: Default + Update + ExtendableOutput + 'static,
{
    family::digest(engine, name, |message| {
        let mut xof = X::default();
        xof.update(message);
        let mut out = [0; N];
        xof.finalize_xof().read(&mut out);
        out
    });
}

fn derivation<H>(engine: &mut Engine, name: &str)
where
    H: EagerHash + 'static,
    <H as EagerHash>::Core: Sync,
{
    family::hkdf(engine, name, |salt, ikm, info, okm| {
        let hkdf = hkdf::Hkdf::<H>::new(Some(salt), ikm);
        hkdf.expand(info, okm).map_err(text)
    });
    family::pbkdf2(engine, name, |password, salt, iterations, okm| {
        pbkdf2::pbkdf2_hmac::<H>(password, salt, iterations, okm);
        Ok(())
    });
}

fn passwords(engine: &mut Engine) {
    family::derive_key(
        engine,
        "scrypt",
        ["n", "r", "p"],
        |password, salt, [n, r, p], okm| {
            if !n.is_power_of_two() {
                return Err(format!("n is {n}, not a power of two"));
            }
            let params = scrypt::Params::new(n.ilog2() as u8, r, p).map_err(text)?;
            scrypt::scrypt(password, salt, &params, okm).map_err(text)
        },
    );
    for algorithm in [
        argon2::Algorithm::Argon2id,
        argon2::Algorithm::Argon2i,
        argon2::Algorithm::Argon2d,
    ] {
        let (name, numbers) = (algorithm.as_str(), ["memory", "passes", "lanes"]);
        family::derive_key(
            engine,
            name,
            numbers,
            move |password, salt, [memory, passes, lanes], okm| {
                let params = argon2::Params::new(memory, passes, lanes, Some(okm.len()));
                let context = Argon2::new(algorithm, argon2::Version::V0x13, params.map_err(text)?);
                context
                    .hash_password_into(password, salt, okm)
                    .map_err(text)
            },
        );
    }
}
