//! Operations with asymmetric keys.

use super::Outcome;
use crate::Item;
use crate::op::{self, field, item, valid};
use crate::serve::Engine;

/// A private key and its public key as they travel.
#[must_use]
pub fn pair(private: &[u8], public: &[u8]) -> Item {
    item([("private_key", private), ("public_key", public)])
}

/// `NAME/keygen`: `generate` makes a key, `encode` gives both its halves as [`pair`] does, and
/// more where that belongs to the key.
pub fn keygen<K: 'static>(
    engine: &mut Engine,
    name: &str,
    generate: impl Fn() -> Outcome<K> + Clone + 'static,
    encode: impl Fn(&K) -> Outcome<Item> + Clone + 'static,
) {
    engine.single(&format!("{name}/keygen"), move |_, _| {
        Ok(op::giving(generate.clone(), encode.clone()))
    });
}

/// The private key, or the seed where a key travels only as that.
fn private_key(input: &Item) -> Outcome<Vec<u8>> {
    field(input, "private_key").or_else(|missing| field(input, "seed").map_err(|_| missing))
}

/// `NAME` (`SCHEME/sign` or a variant of it): `parse` takes the private key (or the seed, where there
/// is nothing else), `run` the key and the message, `encode` the signature.
pub fn sign<K: 'static, S: 'static>(
    engine: &mut Engine,
    name: &str,
    parse: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&K, &[u8]) -> Outcome<S> + Clone + 'static,
    encode: impl Fn(&S) -> Vec<u8> + Clone + 'static,
) {
    engine.single(name, move |_, input| {
        let key = parse(&private_key(input)?)?;
        let message = field(input, "message")?;
        let (run, encode) = (run.clone(), encode.clone());
        Ok(op::giving(
            move || run(&key, &message),
            move |signature| Ok(item([("signature", &encode(signature))])),
        ))
    });
}

/// `NAME` (`SCHEME/verify` or a variant of it): `parse` takes the public key and `signature` the
/// signature, both outside the timing; `run` takes key, message and signature.
pub fn verify<K: 'static, S: 'static>(
    engine: &mut Engine,
    name: &str,
    parse: impl Fn(&[u8]) -> Outcome<K> + 'static,
    signature: impl Fn(&[u8]) -> Outcome<S> + 'static,
    run: impl Fn(&K, &[u8], &S) -> bool + Clone + 'static,
) {
    engine.single(name, move |_, input| {
        let key = parse(&field(input, "public_key")?)?;
        let signature = signature(&field(input, "signature")?)?;
        let (run, message) = (run.clone(), field(input, "message")?);
        Ok(op::giving(
            move || Ok(run(&key, &message, &signature)),
            |verified| Ok(valid(*verified)),
        ))
    });
}

/// `NAME` (`SCHEME/verify_batch`), where a library gives one verdict on all items, which each of them
/// gets: `parse` takes a public key and `signature` a signature, both outside the timing; `run` takes
/// all messages, signatures and keys.
pub fn verify_together<K: 'static, S: 'static>(
    engine: &mut Engine,
    name: &str,
    parse: impl Fn(&[u8]) -> Outcome<K> + 'static,
    signature: impl Fn(&[u8]) -> Outcome<S> + 'static,
    run: impl Fn(&[&[u8]], &[S], &[K]) -> bool + Clone + 'static,
) {
    engine.batch(name, move |_, items| {
        let each = |item: &Item| -> Outcome<_> {
            let key = parse(&field(item, "public_key")?)?;
            let signature = signature(&field(item, "signature")?)?;
            Ok((field(item, "message")?, (signature, key)))
        };
        let parsed: Outcome<Vec<_>> = items.iter().map(each).collect();
        let (messages, (signatures, keys)): (Vec<_>, (Vec<S>, Vec<K>)) =
            parsed?.into_iter().unzip();
        let run = run.clone();
        Ok(op::whole(
            (messages, false),
            move |(messages, verdict)| {
                let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
                *verdict = run(&messages, &signatures, &keys);
                Ok(())
            },
            |(messages, verdict)| vec![valid(*verdict); messages.len()],
        ))
    });
}

/// `NAME/verify-encoded`: `run` takes the encoded public key, the message and the signature.
pub fn verify_encoded(
    engine: &mut Engine,
    name: &str,
    run: impl Fn(&[u8], &[u8], &[u8]) -> Outcome<bool> + Clone + 'static,
) {
    engine.single(&format!("{name}/verify-encoded"), move |_, input| {
        let (key, message) = (field(input, "public_key")?, field(input, "message")?);
        let (run, signature) = (run.clone(), field(input, "signature")?);
        Ok(op::giving(
            move || run(&key, &message, &signature),
            |verified| Ok(valid(*verified)),
        ))
    });
}

/// `NAME/derive`, for which both keys are parsed outside the timing, and `NAME/derive-encoded`,
/// which starts from the bytes of the peer's.
pub fn derive<K: 'static, P: 'static, S: AsRef<[u8]> + 'static>(
    engine: &mut Engine,
    name: &str,
    private: impl Fn(&[u8]) -> Outcome<K> + Clone + 'static,
    public: impl Fn(&[u8]) -> Outcome<P> + Clone + 'static,
    run: impl Fn(&K, &P) -> Outcome<S> + Clone + 'static,
) {
    let secret = |secret: &S| Ok(item([("shared_secret", secret.as_ref())]));
    let (own, peers, with) = (private.clone(), public.clone(), run.clone());
    engine.single(&format!("{name}/derive"), move |_, input| {
        let key = own(&field(input, "private_key")?)?;
        let peer = peers(&field(input, "peer_public_key")?)?;
        let with = with.clone();
        Ok(op::giving(move || with(&key, &peer), secret))
    });
    engine.single(&format!("{name}/derive-encoded"), move |_, input| {
        let key = private(&field(input, "private_key")?)?;
        let peer = field(input, "peer_public_key")?;
        let (public, run) = (public.clone(), run.clone());
        Ok(op::giving(move || run(&key, &public(&peer)?), secret))
    });
}

/// `NAME/encapsulate`, for which the key is parsed outside the timing, and
/// `NAME/encapsulate-encoded`, which starts from its bytes: `run` gives ciphertext and shared
/// secret, `encode` their bytes.
pub fn encapsulate<K: 'static, R: 'static>(
    engine: &mut Engine,
    name: &str,
    parse: impl Fn(&[u8]) -> Outcome<K> + Clone + 'static,
    run: impl Fn(&K) -> Outcome<R> + Clone + 'static,
    encode: impl Fn(&R) -> (Vec<u8>, Vec<u8>) + Clone + 'static,
) {
    let encode = move |result: &R| {
        let (ciphertext, secret) = encode(result);
        Ok(item([
            ("ciphertext", &ciphertext),
            ("shared_secret", &secret),
        ]))
    };
    let (public, with, output) = (parse.clone(), run.clone(), encode.clone());
    engine.single(&format!("{name}/encapsulate"), move |_, input| {
        let key = public(&field(input, "public_key")?)?;
        let with = with.clone();
        Ok(op::giving(move || with(&key), output.clone()))
    });
    engine.single(&format!("{name}/encapsulate-encoded"), move |_, input| {
        let key = field(input, "public_key")?;
        let (parse, run) = (parse.clone(), run.clone());
        Ok(op::giving(move || run(&parse(&key)?), encode.clone()))
    });
}

/// `NAME/decapsulate`; `parse` as in [`sign`](fn@sign).
pub fn decapsulate<K: 'static, C: 'static, S: AsRef<[u8]> + 'static>(
    engine: &mut Engine,
    name: &str,
    parse: impl Fn(&[u8]) -> Outcome<K> + 'static,
    ciphertext: impl Fn(&[u8]) -> Outcome<C> + 'static,
    run: impl Fn(&K, &C) -> Outcome<S> + Clone + 'static,
) {
    engine.single(&format!("{name}/decapsulate"), move |_, input| {
        let key = parse(&private_key(input)?)?;
        let ciphertext = ciphertext(&field(input, "ciphertext")?)?;
        let run = run.clone();
        Ok(op::giving(
            move || run(&key, &ciphertext),
            |secret| Ok(item([("shared_secret", secret.as_ref())])),
        ))
    });
}

/// `NAME` (`SCHEME/encrypt` or a variant of it) of a message to a public key.
pub fn encrypt_message<K: 'static>(
    engine: &mut Engine,
    name: &str,
    parse: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&K, &[u8]) -> Outcome<Vec<u8>> + Clone + 'static,
) {
    through(
        engine,
        name,
        ["public_key", "message", "ciphertext"],
        parse,
        run,
    );
}

/// `NAME` (`SCHEME/decrypt` or a variant of it) of a ciphertext with a private key.
pub fn decrypt_message<K: 'static>(
    engine: &mut Engine,
    name: &str,
    parse: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&K, &[u8]) -> Outcome<Vec<u8>> + Clone + 'static,
) {
    through(
        engine,
        name,
        ["private_key", "ciphertext", "message"],
        parse,
        run,
    );
}

fn through<K: 'static>(
    engine: &mut Engine,
    name: &str,
    [key, from, to]: [&'static str; 3],
    parse: impl Fn(&[u8]) -> Outcome<K> + 'static,
    run: impl Fn(&K, &[u8]) -> Outcome<Vec<u8>> + Clone + 'static,
) {
    engine.single(name, move |_, input| {
        let key = parse(&field(input, key)?)?;
        let (run, from) = (run.clone(), field(input, from)?);
        Ok(op::giving(
            move || run(&key, &from),
            move |out| Ok(item([(to, out)])),
        ))
    });
}
