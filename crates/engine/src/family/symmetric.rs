//! Hashes, MACs, key derivation, ciphers and authenticated encryption.

use super::Outcome;
use crate::Item;
use crate::op::{self, field, item, number};
use crate::serve::Engine;

/// `NAME/digest`.
pub fn digest<D: AsRef<[u8]> + 'static>(
    engine: &mut Engine,
    name: &str,
    hash: impl Fn(&[u8]) -> D + Clone + 'static,
) {
    engine.single(&format!("{name}/digest"), move |_, input| {
        let (hash, message) = (hash.clone(), field(input, "message")?);
        Ok(op::giving(
            move || Ok(hash(&message)),
            |digest| Ok(item([("digest", digest.as_ref())])),
        ))
    });
}

/// `NAME/mac`: `new` takes the key, `tag` the message.
pub fn mac<K: 'static, T: AsRef<[u8]> + 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    tag: impl Fn(&mut K, &[u8]) -> T + Clone + 'static,
) {
    engine.single(&format!("{name}/mac"), move |_, input| {
        let mut key = new(&field(input, "key")?)?;
        let (tag, message) = (tag.clone(), field(input, "message")?);
        Ok(op::giving(
            move || Ok(tag(&mut key, &message)),
            |tag| Ok(item([("tag", tag.as_ref())])),
        ))
    });
}

/// `NAME/mac` of a MAC that takes a nonce too, as GMAC: `tag` takes key, nonce and message.
pub fn nonced_mac<K: 'static, T: AsRef<[u8]> + 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    tag: impl Fn(&mut K, &[u8], &[u8]) -> Outcome<T> + Clone + 'static,
) {
    engine.single(&format!("{name}/mac"), move |_, input| {
        let mut key = new(&field(input, "key")?)?;
        let (nonce, message) = (field(input, "nonce")?, field(input, "message")?);
        let tag = tag.clone();
        Ok(op::giving(
            move || tag(&mut key, &nonce, &message),
            |tag| Ok(item([("tag", tag.as_ref())])),
        ))
    });
}

/// `hkdf-NAME/derive`: `derive` takes salt, input key material, info and the place of the output.
pub fn hkdf(
    engine: &mut Engine,
    name: &str,
    derive: impl Fn(&[u8], &[u8], &[u8], &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    engine.single(&format!("hkdf-{name}/derive"), move |bytes, input| {
        let (salt, ikm) = (field(input, "salt")?, field(input, "ikm")?);
        let (info, derive) = (field(input, "info")?, derive.clone());
        Ok(op::filling(
            vec![0; bytes],
            move |okm: &mut Vec<u8>| derive(&salt, &ikm, &info, okm),
            |okm| item([("okm", okm)]),
        ))
    });
}

/// `pbkdf2-hmac-NAME/derive`: `derive` takes password, salt, iterations and the place of the
/// output.
pub fn pbkdf2(
    engine: &mut Engine,
    name: &str,
    derive: impl Fn(&[u8], &[u8], u32, &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    derive_key(
        engine,
        &format!("pbkdf2-hmac-{name}"),
        ["iterations"],
        move |password, salt, [iterations], okm| derive(password, salt, iterations, okm),
    );
}

/// `NAME/derive` from a password, a salt and the numbers named.
pub fn derive_key<const N: usize>(
    engine: &mut Engine,
    name: &str,
    numbers: [&'static str; N],
    derive: impl Fn(&[u8], &[u8], [u32; N], &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    engine.single(&format!("{name}/derive"), move |bytes, input| {
        let (password, salt) = (field(input, "password")?, field(input, "salt")?);
        let mut values = [0; N];
        for (value, name) in values.iter_mut().zip(numbers) {
            *value = number(input, name)?;
        }
        let derive = derive.clone();
        Ok(op::filling(
            vec![0; bytes],
            move |okm: &mut Vec<u8>| derive(&password, &salt, values, okm),
            |okm| item([("okm", okm)]),
        ))
    });
}

/// What an authenticated cipher takes beside its key and the message.
pub struct Nonced {
    /// The nonce.
    pub nonce: Vec<u8>,
    /// The associated data.
    pub aad: Vec<u8>,
}

fn nonced(input: &Item) -> Outcome<Nonced> {
    Ok(Nonced {
        nonce: field(input, "nonce")?,
        aad: field(input, "aad")?,
    })
}

/// `NAME/seal` from one place to another: `seal` takes the key, nonce and associated data, the
/// message and the place of the ciphertext, and gives the tag.
pub fn seal<K: 'static, T: AsRef<[u8]> + Default + 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    seal: impl Fn(&mut K, &Nonced, &[u8], &mut [u8]) -> Outcome<T> + Clone + 'static,
) {
    engine.single(&format!("{name}/seal"), move |_, input| {
        let mut key = new(&field(input, "key")?)?;
        let (nonced, message) = (nonced(input)?, field(input, "message")?);
        let seal = seal.clone();
        Ok(op::filling(
            (vec![0; message.len()], T::default()),
            move |(ciphertext, tag): &mut (Vec<u8>, T)| {
                *tag = seal(&mut key, &nonced, &message, ciphertext)?;
                Ok(())
            },
            |(ciphertext, tag)| item([("ciphertext", ciphertext), ("tag", tag.as_ref())]),
        ))
    });
}

/// `NAME/open` from one place to another: `open` takes the key, nonce and associated data, the
/// ciphertext, the tag and the place of the message.
pub fn open<K: 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    open: impl Fn(&mut K, &Nonced, &[u8], &[u8], &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    engine.single(&format!("{name}/open"), move |_, input| {
        let mut key = new(&field(input, "key")?)?;
        let (nonced, ciphertext) = (nonced(input)?, field(input, "ciphertext")?);
        let (tag, open) = (field(input, "tag")?, open.clone());
        Ok(op::filling(
            vec![0; ciphertext.len()],
            move |message: &mut Vec<u8>| open(&mut key, &nonced, &ciphertext, &tag, message),
            |message| item([("message", message)]),
        ))
    });
}

/// `NAME/seal` in place: `seal` takes the key, nonce and associated data and the message, and
/// gives the tag.
pub fn seal_in_place<K: 'static, T: AsRef<[u8]> + Default + 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    seal: impl Fn(&mut K, &Nonced, &mut [u8]) -> Outcome<T> + Clone + 'static,
) {
    engine.task(&format!("{name}/seal"), move |_, input| {
        let mut key = new(&field(input, "key")?)?;
        let (nonced, message) = (nonced(input)?, field(input, "message")?);
        let seal = seal.clone();
        Ok(op::changing(
            (message.clone(), T::default()),
            move |(buffer, _)| buffer.copy_from_slice(&message),
            move |(buffer, tag): &mut (Vec<u8>, T)| {
                *tag = seal(&mut key, &nonced, buffer)?;
                Ok(())
            },
            |(ciphertext, tag)| item([("ciphertext", ciphertext), ("tag", tag.as_ref())]),
        ))
    });
}

/// `NAME/open` in place: `open` takes the key, nonce and associated data, the ciphertext with its
/// tag after it, and leaves the message where the ciphertext was.
pub fn open_in_place<K: 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    open: impl Fn(&mut K, &Nonced, &mut [u8], usize) -> Outcome<()> + Clone + 'static,
) {
    engine.task(&format!("{name}/open"), move |_, input| {
        let mut key = new(&field(input, "key")?)?;
        let (nonced, mut sealed) = (nonced(input)?, field(input, "ciphertext")?);
        let (len, open) = (sealed.len(), open.clone());
        sealed.extend(field(input, "tag")?);
        Ok(op::consuming(
            vec![sealed.clone(); op::copies(len)],
            move |buffer: &mut Vec<u8>| buffer.copy_from_slice(&sealed),
            move |buffer| open(&mut key, &nonced, buffer, len),
            move |buffer| item([("message", &buffer[..len])]),
        ))
    });
}

/// The two directions of a cipher without authentication: what goes in and what comes out.
const ENCRYPT: [&str; 3] = ["encrypt", "message", "ciphertext"];
const DECRYPT: [&str; 3] = ["decrypt", "ciphertext", "message"];

/// The initialisation vector or nonce; empty for modes without one.
fn iv(input: &Item) -> Vec<u8> {
    let named = input.get("iv").or_else(|| input.get("nonce"));
    named.cloned().unwrap_or_default()
}

/// `NAME/encrypt` from one place to another: `new` takes the key, `run` the key, the
/// initialisation vector, the message and the place of the ciphertext.
pub fn encrypt<K: 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&mut K, &[u8], &[u8], &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    between(engine, name, ENCRYPT, new, run);
}

/// `NAME/decrypt` from one place to another, as [`encrypt`].
pub fn decrypt<K: 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&mut K, &[u8], &[u8], &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    between(engine, name, DECRYPT, new, run);
}

fn between<K: 'static>(
    engine: &mut Engine,
    name: &str,
    [operation, from, to]: [&'static str; 3],
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&mut K, &[u8], &[u8], &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    engine.single(&format!("{name}/{operation}"), move |_, input| {
        let mut key = new(&field(input, "key")?)?;
        let (iv, from, run) = (iv(input), field(input, from)?, run.clone());
        Ok(op::filling(
            vec![0; from.len()],
            move |out: &mut Vec<u8>| run(&mut key, &iv, &from, out),
            move |out| item([(to, out)]),
        ))
    });
}

/// `NAME/encrypt` in place: `run` takes the key, the initialisation vector and the message.
pub fn encrypt_in_place<K: 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&mut K, &[u8], &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    in_place(engine, name, ENCRYPT, new, run);
}

/// `NAME/decrypt` in place, as [`encrypt_in_place`].
pub fn decrypt_in_place<K: 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&mut K, &[u8], &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    in_place(engine, name, DECRYPT, new, run);
}

fn in_place<K: 'static>(
    engine: &mut Engine,
    name: &str,
    [operation, from, to]: [&'static str; 3],
    new: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&mut K, &[u8], &mut [u8]) -> Outcome<()> + Clone + 'static,
) {
    engine.task(&format!("{name}/{operation}"), move |_, input| {
        let mut key = new(&field(input, "key")?)?;
        let (iv, from, run) = (iv(input), field(input, from)?, run.clone());
        Ok(op::changing(
            from.clone(),
            move |buffer: &mut Vec<u8>| buffer.copy_from_slice(&from),
            move |buffer| run(&mut key, &iv, buffer),
            move |buffer| item([(to, buffer)]),
        ))
    });
}
