//! Hashes, MACs, key derivation, ChaCha20 and AEADs.

use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use adamant_engine::family::{self, Outcome};
use adamant_engine::op::exactly;
use adamant_engine::serve::Engine;
use libsodium_sys as sodium;

use crate::{done, len};

pub(crate) fn register(engine: &mut Engine) {
    hashes(engine);
    macs(engine);
    derivation(engine);
    aeads(engine);
    let chacha20 = |key: &mut [u8; 32], nonce: &[u8], message: &[u8], out: &mut [u8]| {
        let nonce: [u8; 12] = exactly(nonce)?;
        // SAFETY: the lengths are those that the library reads and writes.
        done(unsafe {
            sodium::crypto_stream_chacha20_ietf_xor(
                out.as_mut_ptr(),
                message.as_ptr(),
                len(message),
                nonce.as_ptr(),
                key.as_ptr(),
            )
        })
    };
    family::encrypt(engine, "chacha20", exactly, chacha20);
    family::decrypt(engine, "chacha20", exactly, chacha20);
}

fn hashes(engine: &mut Engine) {
    macro_rules! digests {
        ($($name:literal, $function:ident, $bytes:literal;)+) => { $(
            family::digest(engine, $name, |message| {
                let mut out = [0; $bytes];
                // SAFETY: the place has the bytes that the function writes.
                unsafe { sodium::$function(out.as_mut_ptr(), message.as_ptr(), len(message)) };
                out
            });
        )+ };
    }
    digests! {
        "sha256", crypto_hash_sha256, 32;
        "sha512", crypto_hash_sha512, 64;
        "sha3-256", crypto_hash_sha3256, 32;
        "sha3-512", crypto_hash_sha3512, 64;
    }
    macro_rules! of_any_length {
        ($($name:literal, $function:ident, $bytes:literal $(, $key:expr, $key_len:expr)?;)+) => { $(
            family::digest(engine, $name, |message| {
                let mut out = [0; $bytes];
                // SAFETY: the function is told how many bytes the place has.
                unsafe {
                    sodium::$function(
                        out.as_mut_ptr(),
                        out.len(),
                        message.as_ptr(),
                        len(message),
                        $($key, $key_len)?
                    )
                };
                out
            });
        )+ };
    }
    of_any_length! {
        "shake128", crypto_xof_shake128, 32;
        "shake256", crypto_xof_shake256, 64;
        "turboshake128", crypto_xof_turboshake128, 32;
        "turboshake256", crypto_xof_turboshake256, 64;
        "blake2b-256", crypto_generichash, 32, null(), 0;
        "blake2b-512", crypto_generichash, 64, null(), 0;
    }
}

fn macs(engine: &mut Engine) {
    // The keyed state is copied for each message.
    macro_rules! hmacs {
        ($($name:literal, $state:ident, $init:ident, $update:ident, $finish:ident, $bytes:literal;)+) => { $(
            family::mac(
                engine,
                $name,
                |key| {
                    let mut state = MaybeUninit::<sodium::$state>::uninit();
                    // SAFETY: the function initialises the state.
                    unsafe {
                        done(sodium::$init(state.as_mut_ptr(), key.as_ptr(), key.len()))?;
                        Ok(state.assume_init())
                    }
                },
                |keyed, message| {
                    let mut state = *keyed;
                    let mut tag = [0; $bytes];
                    // SAFETY: the place has the bytes that the function writes.
                    unsafe {
                        sodium::$update(&mut state, message.as_ptr(), len(message));
                        sodium::$finish(&mut state, tag.as_mut_ptr());
                    }
                    tag
                },
            );
        )+ };
    }
    hmacs! {
        "hmac-sha256", crypto_auth_hmacsha256_state, crypto_auth_hmacsha256_init,
            crypto_auth_hmacsha256_update, crypto_auth_hmacsha256_final, 32;
        "hmac-sha512", crypto_auth_hmacsha512_state, crypto_auth_hmacsha512_init,
            crypto_auth_hmacsha512_update, crypto_auth_hmacsha512_final, 64;
    }
    macro_rules! one_shot {
        ($($name:literal, $function:ident, $key:literal, $bytes:literal;)+) => { $(
            family::mac(engine, $name, exactly::<$key>, |key, message| {
                let mut tag = [0; $bytes];
                // SAFETY: key and place have the bytes that the function reads and writes.
                unsafe {
                    sodium::$function(
                        tag.as_mut_ptr(),
                        message.as_ptr(),
                        len(message),
                        key.as_ptr(),
                    )
                };
                tag
            });
        )+ };
    }
    one_shot! {
        "poly1305", crypto_onetimeauth_poly1305, 32, 16;
        "siphash-2-4", crypto_shorthash_siphash24, 16, 8;
    }
}

fn derivation(engine: &mut Engine) {
    macro_rules! hkdf {
        ($($name:literal, $extract:ident, $expand:ident, $bytes:literal;)+) => { $(
            family::hkdf(engine, $name, |salt, ikm, info, okm| {
                let mut prk = [0; $bytes];
                // SAFETY: the functions are told the lengths, but that of the key between them,
                // which is as long as they read and write.
                unsafe {
                    done(sodium::$extract(
                        prk.as_mut_ptr(),
                        salt.as_ptr(),
                        salt.len(),
                        ikm.as_ptr(),
                        ikm.len(),
                    ))?;
                    done(sodium::$expand(
                        okm.as_mut_ptr(),
                        okm.len(),
                        info.as_ptr().cast(),
                        info.len(),
                        prk.as_ptr(),
                    ))
                }
            });
        )+ };
    }
    hkdf! {
        "sha256", crypto_kdf_hkdf_sha256_extract, crypto_kdf_hkdf_sha256_expand, 32;
        "sha512", crypto_kdf_hkdf_sha512_extract, crypto_kdf_hkdf_sha512_expand, 64;
    }
    family::derive_key(
        engine,
        "scrypt",
        ["n", "r", "p"],
        |password, salt, [n, r, p], okm| {
            // SAFETY: the function is told all lengths.
            done(unsafe {
                sodium::crypto_pwhash_scryptsalsa208sha256_ll(
                    password.as_ptr(),
                    password.len(),
                    salt.as_ptr(),
                    salt.len(),
                    n.into(),
                    r,
                    p,
                    okm.as_mut_ptr(),
                    okm.len(),
                )
            })
        },
    );
    // It takes salts of 16 bytes and one lane.
    for (name, algorithm) in [
        ("argon2id", sodium::crypto_pwhash_ALG_ARGON2ID13),
        ("argon2i", sodium::crypto_pwhash_ALG_ARGON2I13),
    ] {
        let numbers = ["memory", "passes", "lanes"];
        family::derive_key(
            engine,
            name,
            numbers,
            move |password, salt, [memory, passes, lanes], okm| {
                if lanes != 1 {
                    return Err(format!("it has one lane, not {lanes}"));
                }
                let salt: [u8; 16] = exactly(salt)?;
                // SAFETY: the function is told all lengths but the salt's, which is checked.
                done(unsafe {
                    sodium::crypto_pwhash(
                        okm.as_mut_ptr(),
                        len(okm),
                        password.as_ptr().cast(),
                        len(password),
                        salt.as_ptr(),
                        passes.into(),
                        memory as usize * 1024,
                        algorithm as i32,
                    )
                })
            },
        );
    }
}

/// An AES-256-GCM key with its schedule, aligned as the library has it.
struct Aes(Box<sodium::crypto_aead_aes256gcm_state>);

fn aes(key: &[u8]) -> Outcome<Aes> {
    let key: [u8; 32] = exactly(key)?;
    let mut state = Box::new(MaybeUninit::uninit());
    // SAFETY: the function initialises the state from 32 bytes.
    unsafe {
        done(sodium::crypto_aead_aes256gcm_beforenm(
            state.as_mut_ptr(),
            key.as_ptr(),
        ))?;
        Ok(Aes(state.assume_init()))
    }
}

fn aeads(engine: &mut Engine) {
    macro_rules! aeads {
        ($($name:literal, $new:expr, $key:expr, $nonce:literal, $tag:literal, $seal:ident, $open:ident;)+) => { $(
            family::seal(engine, $name, $new, |key, nonced, message, ciphertext| {
                let nonce: [u8; $nonce] = exactly(&nonced.nonce)?;
                let mut tag = [0; $tag];
                // SAFETY: the places have the bytes that the function writes.
                done(unsafe {
                    sodium::$seal(
                        ciphertext.as_mut_ptr(),
                        tag.as_mut_ptr(),
                        null_mut(),
                        message.as_ptr(),
                        len(message),
                        nonced.aad.as_ptr(),
                        len(&nonced.aad),
                        null(),
                        nonce.as_ptr(),
                        $key(key),
                    )
                })?;
                Ok(tag)
            });
            family::open(engine, $name, $new, |key, nonced, ciphertext, tag, message| {
                let nonce: [u8; $nonce] = exactly(&nonced.nonce)?;
                let tag: [u8; $tag] = exactly(tag)?;
                // SAFETY: as above.
                done(unsafe {
                    sodium::$open(
                        message.as_mut_ptr(),
                        null_mut(),
                        ciphertext.as_ptr(),
                        len(ciphertext),
                        tag.as_ptr(),
                        nonced.aad.as_ptr(),
                        len(&nonced.aad),
                        nonce.as_ptr(),
                        $key(key),
                    )
                })
            });
        )+ };
    }
    aeads! {
        "chacha20-poly1305", exactly::<32>, |key: &[u8; 32]| key.as_ptr(), 12, 16,
            crypto_aead_chacha20poly1305_ietf_encrypt_detached,
            crypto_aead_chacha20poly1305_ietf_decrypt_detached;
        "xchacha20-poly1305", exactly::<32>, |key: &[u8; 32]| key.as_ptr(), 24, 16,
            crypto_aead_xchacha20poly1305_ietf_encrypt_detached,
            crypto_aead_xchacha20poly1305_ietf_decrypt_detached;
        "aegis-128l", exactly::<16>, |key: &[u8; 16]| key.as_ptr(), 16, 32,
            crypto_aead_aegis128l_encrypt_detached, crypto_aead_aegis128l_decrypt_detached;
        "aegis-256", exactly::<32>, |key: &[u8; 32]| key.as_ptr(), 32, 32,
            crypto_aead_aegis256_encrypt_detached, crypto_aead_aegis256_decrypt_detached;
    }
    // SAFETY: the function takes nothing.
    if unsafe { sodium::crypto_aead_aes256gcm_is_available() } == 1 {
        aeads! {
            "aes-256-gcm", aes, |key: &Aes| &raw const *key.0, 12, 16,
                crypto_aead_aes256gcm_encrypt_detached_afternm,
                crypto_aead_aes256gcm_decrypt_detached_afternm;
        }
    }
}
