//! Block ciphers in their modes, ChaCha20 and AEADs. Most give their output in memory of their
//! own, which belongs to what a message costs.

use adamant_engine::Item;
use adamant_engine::family::{self, Outcome};
use adamant_engine::op::{self, exactly, field, item, text};
use adamant_engine::serve::Engine;
use hitls_crypto::aes::AesKey;
use hitls_crypto::chacha20::{ChaCha20, ChaCha20Poly1305};
use hitls_crypto::modes::gcm::{GhashTable, gcm_decrypt_with, gcm_encrypt_with};
use hitls_crypto::modes::{cbc, ccm, cfb, ctr, ecb, gcm, ofb, wrap, xts};
use hitls_crypto::provider::BlockCipher;
use hitls_crypto::sm4::Sm4Key;
use hitls_types::CryptoError;

/// What the library gives.
type Given = Result<Vec<u8>, CryptoError>;

pub(crate) fn register(engine: &mut Engine) {
    for bits in [128, 192, 256] {
        aes(engine, &format!("aes-{bits}"));
    }
    sm4(engine);
    chacha20(engine);
}

/// The two directions: what they are called, what goes in and what comes out.
const ENCRYPT: [&str; 3] = ["encrypt", "message", "ciphertext"];
const DECRYPT: [&str; 3] = ["decrypt", "ciphertext", "message"];
const WRAP: [&str; 3] = ["wrap", "message", "ciphertext"];
const UNWRAP: [&str; 3] = ["unwrap", "ciphertext", "message"];

/// A mode that gives its output: `run` takes the key, the initialisation vector and the input.
fn mode<K: 'static>(
    engine: &mut Engine,
    name: &str,
    [operation, from, to]: [&'static str; 3],
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&K, &[u8], &[u8]) -> Given + Copy + 'static,
) {
    engine.single(&format!("{name}/{operation}"), move |_, input| {
        let key = new(&field(input, "key")?)?;
        let iv = input.get("iv").cloned().unwrap_or_default();
        let from = field(input, from)?;
        Ok(op::giving(
            move || run(&key, &iv, &from).map_err(text),
            move |out| Ok(item([(to, out)])),
        ))
    });
}

/// An AEAD that gives the ciphertext with the tag behind it, and takes both like that: the
/// functions take the key, the nonce, the associated data and the input.
fn aead<K: 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + Copy + 'static,
    seal: impl Fn(&K, &[u8], &[u8], &[u8]) -> Given + Copy + 'static,
    open: impl Fn(&K, &[u8], &[u8], &[u8]) -> Given + Copy + 'static,
) {
    let prepare = move |input: &Item| -> Outcome<_> {
        let (nonce, aad) = (field(input, "nonce")?, field(input, "aad")?);
        Ok((new(&field(input, "key")?)?, nonce, aad))
    };
    engine.single(&format!("{name}/seal"), move |_, input| {
        let ((key, nonce, aad), message) = (prepare(input)?, field(input, "message")?);
        Ok(op::giving(
            move || seal(&key, &nonce, &aad, &message).map_err(text),
            |sealed| {
                let (ciphertext, tag) = sealed.split_last_chunk::<16>().ok_or("there is no tag")?;
                Ok(item([("ciphertext", ciphertext), ("tag", tag)]))
            },
        ))
    });
    engine.single(&format!("{name}/open"), move |_, input| {
        let (key, nonce, aad) = prepare(input)?;
        let sealed = [field(input, "ciphertext")?, field(input, "tag")?].concat();
        Ok(op::giving(
            move || open(&key, &nonce, &aad, &sealed).map_err(text),
            |message| Ok(item([("message", message)])),
        ))
    });
}

fn bytes(key: &[u8]) -> Outcome<Vec<u8>> {
    Ok(key.to_vec())
}

/// Both keys of XTS.
fn halves(key: &[u8]) -> Outcome<(Vec<u8>, Vec<u8>)> {
    let (first, second) = key.split_at(key.len() / 2);
    Ok((first.to_vec(), second.to_vec()))
}

type InPlace = fn(&[u8], &[u8], &mut [u8]) -> Result<(), CryptoError>;

/// A key stream, which is laid over the message in place.
fn stream(engine: &mut Engine, name: &str, run: InPlace) {
    let run =
        move |key: &mut Vec<u8>, iv: &[u8], buffer: &mut [u8]| run(key, iv, buffer).map_err(text);
    family::encrypt_in_place(engine, name, bytes, run);
    family::decrypt_in_place(engine, name, bytes, run);
}

/// CBC, whose functions take any cipher.
fn cbc<C: BlockCipher + 'static>(
    engine: &mut Engine,
    cipher: &str,
    new: impl Fn(&[u8]) -> Outcome<C> + Copy + 'static,
) {
    let name = format!("{cipher}-cbc");
    mode(engine, &name, ENCRYPT, new, cbc::cbc_encrypt_raw_with);
    mode(engine, &name, DECRYPT, new, cbc::cbc_decrypt_raw_with);
}

fn aes(engine: &mut Engine, cipher: &str) {
    let name = |mode: &str| format!("{cipher}-{mode}");
    let new = |key: &[u8]| AesKey::new(key).map_err(text);
    cbc(engine, cipher, new);
    mode(engine, &name("ecb"), ENCRYPT, bytes, |key, _, from| {
        ecb::ecb_encrypt(key, from)
    });
    mode(engine, &name("ecb"), DECRYPT, bytes, |key, _, from| {
        ecb::ecb_decrypt(key, from)
    });
    mode(engine, &name("cfb"), ENCRYPT, bytes, |key, iv, from| {
        cfb::cfb_encrypt(key, iv, from)
    });
    mode(engine, &name("cfb"), DECRYPT, bytes, |key, iv, from| {
        cfb::cfb_decrypt(key, iv, from)
    });
    stream(engine, &name("ctr"), ctr::ctr_crypt);
    stream(engine, &name("ofb"), ofb::ofb_crypt);
    if cipher != "aes-192" {
        mode(engine, &name("xts"), ENCRYPT, halves, |(a, b), iv, from| {
            xts::xts_encrypt(a, b, iv, from)
        });
        mode(engine, &name("xts"), DECRYPT, halves, |(a, b), iv, from| {
            xts::xts_decrypt(a, b, iv, from)
        });
    }
    mode(engine, &name("kw"), WRAP, bytes, |key, _, from| {
        wrap::key_wrap(key, from)
    });
    mode(engine, &name("kw"), UNWRAP, bytes, |key, _, from| {
        wrap::key_unwrap(key, from)
    });
    mode(engine, &name("kwp"), WRAP, bytes, |key, _, from| {
        wrap::key_wrap_pad(key, from)
    });
    mode(engine, &name("kwp"), UNWRAP, bytes, |key, _, from| {
        wrap::key_unwrap_pad(key, from)
    });
    aead(
        engine,
        &name("gcm"),
        |key| {
            let key = AesKey::new(key).map_err(text)?;
            let table = GhashTable::from_cipher(&key).map_err(text)?;
            Ok((key, table))
        },
        |(key, table), nonce, aad, message| {
            gcm::gcm_encrypt_with_aes(key, table, nonce, aad, message)
        },
        |(key, table), nonce, aad, sealed| {
            gcm::gcm_decrypt_with_aes(key, table, nonce, aad, sealed)
        },
    );
    aead(
        engine,
        &name("ccm"),
        new,
        |key, nonce, aad, message| ccm::ccm_encrypt_with_key(key, nonce, aad, message, 16),
        |key, nonce, aad, sealed| ccm::ccm_decrypt_with_key(key, nonce, aad, sealed, 16),
    );
}

/// Without XTS, which is that of GB/T 17964 and so another function than IEEE 1619's.
fn sm4(engine: &mut Engine) {
    let new = |key: &[u8]| Sm4Key::new(key).map_err(text);
    cbc(engine, "sm4", new);
    mode(engine, "sm4-cfb", ENCRYPT, bytes, |key, iv, from| {
        cfb::sm4_cfb_encrypt(key, iv, from)
    });
    mode(engine, "sm4-cfb", DECRYPT, bytes, |key, iv, from| {
        cfb::sm4_cfb_decrypt(key, iv, from)
    });
    stream(engine, "sm4-ctr", ctr::sm4_ctr_crypt);
    stream(engine, "sm4-ofb", ofb::sm4_ofb_crypt);
    aead(
        engine,
        "sm4-gcm",
        |key| {
            let key = Sm4Key::new(key).map_err(text)?;
            let table = GhashTable::from_cipher(&key).map_err(text)?;
            Ok((key, table))
        },
        |(key, table), nonce, aad, message| gcm_encrypt_with(key, table, nonce, aad, message),
        |(key, table), nonce, aad, sealed| gcm_decrypt_with(key, table, nonce, aad, sealed),
    );
    aead(
        engine,
        "sm4-ccm",
        new,
        |key, nonce, aad, message| ccm::sm4_ccm_encrypt_with_key(key, nonce, aad, message, 16),
        |key, nonce, aad, sealed| ccm::sm4_ccm_decrypt_with_key(key, nonce, aad, sealed, 16),
    );
}

fn chacha20(engine: &mut Engine) {
    let new = |key: &[u8]| ChaCha20::new(key).map_err(text);
    let run = |cipher: &mut ChaCha20, nonce: &[u8], buffer: &mut [u8]| {
        cipher.apply_keystream(nonce, 0, buffer).map_err(text)
    };
    family::encrypt_in_place(engine, "chacha20", new, run);
    family::decrypt_in_place(engine, "chacha20", new, run);
    aead(
        engine,
        "chacha20-poly1305",
        |key| {
            let key = exactly::<32>(key)?;
            ChaCha20Poly1305::new(&key).map_err(text)
        },
        ChaCha20Poly1305::encrypt,
        ChaCha20Poly1305::decrypt,
    );
}
