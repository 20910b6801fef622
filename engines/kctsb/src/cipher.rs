//! ChaCha20 and AEADs, from one place to another.

use adamant_engine::family::{self, Outcome};
use adamant_engine::op::exactly;
use adamant_engine::serve::Engine;

use crate::done;
use crate::ffi::{self, AesKey, Open, Seal};

pub(crate) fn register(engine: &mut Engine) {
    for bits in [128, 192, 256] {
        aes_gcm(engine, &format!("aes-{bits}-gcm"));
    }
    aead::<32>(
        engine,
        "chacha20-poly1305",
        ffi::kctsb_chacha20_poly1305_encrypt,
        ffi::kctsb_chacha20_poly1305_decrypt,
    );
    aead::<16>(
        engine,
        "sm4-gcm",
        ffi::kctsb_sm4_gcm_encrypt_oneshot,
        ffi::kctsb_sm4_gcm_decrypt_oneshot,
    );
    let chacha20 = |key: &mut [u8; 32], nonce: &[u8], from: &[u8], to: &mut [u8]| {
        let nonce = exactly::<12>(nonce)?;
        let (start, len) = (from.as_ptr(), from.len().min(to.len()));
        // SAFETY: 32 bytes of key, 12 of nonce, as many of both places as said.
        done(unsafe {
            ffi::kctsb_chacha20(key.as_ptr(), nonce.as_ptr(), 0, start, len, to.as_mut_ptr())
        })
    };
    family::encrypt(engine, "chacha20", exactly, chacha20);
    family::decrypt(engine, "chacha20", exactly, chacha20);
}

fn aes(bytes: &[u8]) -> Outcome<Box<AesKey>> {
    let mut key = AesKey::new();
    // SAFETY: there is room for the key; as many bytes as said.
    done(unsafe { ffi::kctsb_aes_init(key.place(), bytes.as_ptr(), bytes.len()) })?;
    Ok(key)
}

fn aes_gcm(engine: &mut Engine, name: &str) {
    family::seal(engine, name, aes, |key, nonced, message, ciphertext| {
        let (nonce, aad) = (&nonced.nonce, &nonced.aad);
        let len = message.len().min(ciphertext.len());
        let mut tag = [0; 16];
        // SAFETY: the key is expanded; as many bytes as said, 16 of tag.
        done(unsafe {
            ffi::kctsb_aes_gcm_encrypt(
                key.get(),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                message.as_ptr(),
                len,
                ciphertext.as_mut_ptr(),
                tag.as_mut_ptr(),
            )
        })?;
        Ok(tag)
    });
    family::open(
        engine,
        name,
        aes,
        |key, nonced, ciphertext, tag, message| {
            let (nonce, aad) = (&nonced.nonce, &nonced.aad);
            let tag = exactly::<16>(tag)?;
            let len = ciphertext.len().min(message.len());
            // SAFETY: the key is expanded; as many bytes as said, 16 of tag.
            done(unsafe {
                ffi::kctsb_aes_gcm_decrypt(
                    key.get(),
                    nonce.as_ptr(),
                    nonce.len(),
                    aad.as_ptr(),
                    aad.len(),
                    ciphertext.as_ptr(),
                    len,
                    tag.as_ptr(),
                    message.as_mut_ptr(),
                )
            })
        },
    );
}

/// An AEAD that takes the bytes of its key, `N` of them, with each message.
fn aead<const N: usize>(engine: &mut Engine, name: &str, seal: Seal, open: Open) {
    family::seal(
        engine,
        name,
        exactly::<N>,
        move |key, nonced, message, ciphertext| {
            let nonce = exactly::<12>(&nonced.nonce)?;
            let (aad, aad_len) = (nonced.aad.as_ptr(), nonced.aad.len());
            let len = message.len().min(ciphertext.len());
            let mut tag = [0; 16];
            // SAFETY: as many bytes of key and nonce as the AEAD has, 16 of tag, of the rest as said.
            done(unsafe {
                seal(
                    key.as_ptr(),
                    nonce.as_ptr(),
                    aad,
                    aad_len,
                    message.as_ptr(),
                    len,
                    ciphertext.as_mut_ptr(),
                    tag.as_mut_ptr(),
                )
            })?;
            Ok(tag)
        },
    );
    family::open(
        engine,
        name,
        exactly::<N>,
        move |key, nonced, ciphertext, tag, message| {
            let (nonce, tag) = (exactly::<12>(&nonced.nonce)?, exactly::<16>(tag)?);
            let (aad, aad_len) = (nonced.aad.as_ptr(), nonced.aad.len());
            let len = ciphertext.len().min(message.len());
            // SAFETY: as many bytes of key and nonce as the AEAD has, 16 of tag, of the rest as said.
            done(unsafe {
                open(
                    key.as_ptr(),
                    nonce.as_ptr(),
                    aad,
                    aad_len,
                    ciphertext.as_ptr(),
                    len,
                    tag.as_ptr(),
                    message.as_mut_ptr(),
                )
            })
        },
    );
}
