//! Ed25519, X25519, the scalars of their group, ML-KEM-768 and X-Wing.

use adamant_engine::family::{self, Outcome, pair};
use adamant_engine::op::{self, array, exactly, item};
use adamant_engine::serve::Engine;
use libsodium_sys as sodium;

use crate::{done, len};

pub(crate) fn register(engine: &mut Engine) {
    ed25519(engine);
    x25519(engine);
    scalars(engine);
    kems(engine);
}

fn ed25519(engine: &mut Engine) {
    family::keygen(
        engine,
        "ed25519",
        || {
            let (mut public, mut private) = ([0; 32], [0; 64]);
            // SAFETY: the places have the bytes that the function writes.
            done(unsafe {
                sodium::crypto_sign_keypair(public.as_mut_ptr(), private.as_mut_ptr())
            })?;
            Ok((private, public))
        },
        |(private, public)| Ok(pair(&private[..32], public)),
    );
    family::sign(
        engine,
        "ed25519/sign",
        |seed| {
            let seed: [u8; 32] = exactly(seed)?;
            let (mut public, mut private) = ([0; 32], [0; 64]);
            // SAFETY: as above; the function reads 32 bytes.
            done(unsafe {
                sodium::crypto_sign_seed_keypair(
                    public.as_mut_ptr(),
                    private.as_mut_ptr(),
                    seed.as_ptr(),
                )
            })?;
            Ok(private)
        },
        |private: &[u8; 64], message| {
            let mut signature = [0; 64];
            // SAFETY: the place has the bytes that the function writes.
            done(unsafe {
                sodium::crypto_sign_detached(
                    signature.as_mut_ptr(),
                    std::ptr::null_mut(),
                    message.as_ptr(),
                    len(message),
                    private.as_ptr(),
                )
            })?;
            Ok(signature)
        },
        |signature| signature.to_vec(),
    );
    // Keys stay encoded until they are used, so that both operations are one.
    let verify = |key: &[u8; 32], message: &[u8], signature: &[u8; 64]| {
        // SAFETY: key and signature have the bytes that the function reads.
        let result = unsafe {
            sodium::crypto_sign_verify_detached(
                signature.as_ptr(),
                message.as_ptr(),
                len(message),
                key.as_ptr(),
            )
        };
        result == 0
    };
    family::verify(engine, "ed25519/verify", exactly, exactly, verify);
    family::verify_encoded(engine, "ed25519", move |key, message, signature| {
        Ok(verify(&exactly(key)?, message, &exactly(signature)?))
    });
}

fn x25519(engine: &mut Engine) {
    family::keygen(
        engine,
        "x25519",
        || {
            let (mut public, mut private) = ([0; 32], [0; 32]);
            // SAFETY: the places have the bytes that the function writes.
            done(unsafe { sodium::crypto_box_keypair(public.as_mut_ptr(), private.as_mut_ptr()) })?;
            Ok((private, public))
        },
        |(private, public)| Ok(pair(private, public)),
    );
    family::derive(
        engine,
        "x25519",
        exactly::<32>,
        exactly::<32>,
        |private, peer| {
            let mut secret = [0; 32];
            // SAFETY: all three have the 32 bytes that the function reads and writes.
            done(unsafe {
                sodium::crypto_scalarmult(secret.as_mut_ptr(), private.as_ptr(), peer.as_ptr())
            })?;
            Ok(secret)
        },
    );
}

fn scalars(engine: &mut Engine) {
    type Binary = unsafe extern "C" fn(*mut u8, *const u8, *const u8);
    let functions: [(&str, Binary); 2] = [
        ("mul", sodium::crypto_core_ed25519_scalar_mul),
        ("add", sodium::crypto_core_ed25519_scalar_add),
    ];
    for (name, function) in functions {
        engine.single(&format!("scalar25519/{name}"), move |_, input| {
            let (a, b): ([u8; 32], [u8; 32]) = (array(input, "scalar")?, array(input, "other")?);
            Ok(op::giving(
                move || {
                    let mut out = [0; 32];
                    // SAFETY: all three have the 32 bytes that the function reads and writes.
                    unsafe { function(out.as_mut_ptr(), a.as_ptr(), b.as_ptr()) };
                    Ok(out)
                },
                |out| Ok(item([("scalar", out)])),
            ))
        });
    }
    engine.single("scalar25519/invert", |_, input| {
        let scalar: [u8; 32] = array(input, "scalar")?;
        Ok(op::giving(
            move || {
                let mut out = [0; 32];
                // SAFETY: both have the 32 bytes that the function reads and writes.
                done(unsafe {
                    sodium::crypto_core_ed25519_scalar_invert(out.as_mut_ptr(), scalar.as_ptr())
                })?;
                Ok(out)
            },
            |out| Ok(item([("scalar", out)])),
        ))
    });
}

/// Keys are made of a seed, which travels beside them.
fn kems(engine: &mut Engine) {
    macro_rules! kems {
        ($($name:literal, $seed:literal, $private:literal, $public:literal, $ciphertext:literal, $keypair:ident,
            $enc:ident, $dec:ident;)+) => { $(
            family::keygen(
                engine,
                $name,
                || {
                    let mut seed = [0; $seed];
                    let (mut public, mut private) = ([0; $public], [0; $private]);
                    // SAFETY: the places have the bytes that the functions read and write.
                    done(unsafe {
                        sodium::randombytes_buf(seed.as_mut_ptr().cast(), seed.len());
                        sodium::$keypair(public.as_mut_ptr(), private.as_mut_ptr(), seed.as_ptr())
                    })?;
                    Ok((private, public, seed))
                },
                |(private, public, seed)| {
                    let mut item = pair(private, public);
                    item.insert("seed".into(), seed.to_vec());
                    Ok(item)
                },
            );
            family::encapsulate(
                engine,
                $name,
                exactly::<$public>,
                |public| {
                    let (mut ciphertext, mut secret) = ([0; $ciphertext], [0; 32]);
                    // SAFETY: all three have the bytes that the function reads and writes.
                    done(unsafe {
                        sodium::$enc(ciphertext.as_mut_ptr(), secret.as_mut_ptr(), public.as_ptr())
                    })?;
                    Ok((ciphertext, secret))
                },
                |(ciphertext, secret)| (ciphertext.to_vec(), secret.to_vec()),
            );
            family::decapsulate(
                engine,
                $name,
                exactly::<$private>,
                exactly::<$ciphertext>,
                |private, ciphertext| -> Outcome<[u8; 32]> {
                    let mut secret = [0; 32];
                    // SAFETY: as above.
                    done(unsafe {
                        sodium::$dec(secret.as_mut_ptr(), ciphertext.as_ptr(), private.as_ptr())
                    })?;
                    Ok(secret)
                },
            );
        )+ };
    }
    kems! {
        "ml-kem-768", 64, 2400, 1184, 1088, crypto_kem_mlkem768_seed_keypair, crypto_kem_mlkem768_enc,
            crypto_kem_mlkem768_dec;
        "x-wing", 32, 32, 1216, 1120, crypto_kem_xwing_seed_keypair, crypto_kem_xwing_enc,
            crypto_kem_xwing_dec;
    }
}
