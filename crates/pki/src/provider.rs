//! Where keys live and signatures are made and checked: here, in an HSM, in another library.
//!
//! Everything comes in batches, which a provider is asked for from many threads at once, a part
//! of the whole to each. A batch of one is a single operation.

use std::cell::RefCell;

use adamant::Rng;
use adamant::family::{Signer, Verifier};
use adamant::hash::Sha256;
use adamant::hazmat::base::same_length;
use adamant::rand::FastRng;
use adamant::rsa;
use adamant::x509::{self, ErrorKind, KeyAlgorithm, PrivateKey, PublicKey};

use crate::{Algorithm, Error, Result};

/// The result for one item of a batch of verifications.
pub type Verdict = Result<(), adamant::Error>;

/// A source of keys and signatures.
///
/// ```
/// use adamant_pki::{Adamant, Provider};
/// let keys = Adamant.generate_batch("p256".parse()?, 1)?;
/// let messages = [&b"first"[..], b"second"];
/// let signatures = Adamant.sign_batch(&keys[0], &messages)?;
///
/// let verifier = Adamant.verifier(&Adamant.public_key(&keys[0]).to_der())?;
/// let items = [(messages[0], &signatures[0][..]), (messages[0], &signatures[1][..])];
/// let mut verdicts = [Ok(()); 2];
/// Adamant.verify_batch(&verifier, &items, &mut verdicts)?;
/// assert_eq!(verdicts, [Ok(()), Err(adamant::Error::BadSignature)]);
/// # Ok::<(), adamant_pki::Error>(())
/// ```
pub trait Provider: Sync {
    /// A private key, or what stands for it.
    type Key: Send + Sync;
    /// A public key that is ready to verify.
    type Verifier: Send + Sync;

    /// The name in reports.
    fn name(&self) -> &'static str;

    /// Whether it has the algorithm: all of them, unless it says otherwise.
    fn has(&self, algorithm: Algorithm) -> bool {
        let _ = algorithm;
        true
    }

    /// Makes new keys.
    ///
    /// # Errors
    /// Whatever kept the provider from it.
    fn generate_batch(&self, algorithm: Algorithm, count: usize) -> Result<Vec<Self::Key>>;

    /// The public key.
    fn public_key(&self, key: &Self::Key) -> PublicKey;

    /// Signs messages, with the signature of the key's [`Algorithm`]; the results are as they
    /// are in BIT STRINGs.
    ///
    /// # Errors
    /// Whatever kept the provider from it.
    fn sign_batch(&self, key: &Self::Key, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>>;

    /// Reads a SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// If it is malformed, or of an algorithm that the provider has not.
    fn verifier(&self, spki: &[u8]) -> Result<Self::Verifier>;

    /// Checks signatures: `verdicts[i]` is that of the message and signature in `items[i]`.
    ///
    /// # Errors
    /// When `items` and `verdicts` differ in length, and whatever kept the provider from it.
    fn verify_batch(
        &self,
        verifier: &Self::Verifier,
        items: &[(&[u8], &[u8])],
        verdicts: &mut [Verdict],
    ) -> Result<()>;
}

/// This project's own implementations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Adamant;

thread_local! {
    /// Each thread has a generator of its own, made when it is first asked.
    static GENERATOR: RefCell<Option<FastRng>> = const { RefCell::new(None) };
}

/// The calling thread's generator, as one that anything can borrow.
struct ThreadRng;

impl Rng for ThreadRng {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), adamant::Error> {
        GENERATOR.with_borrow_mut(|generator| match generator {
            Some(generator) => generator.fill(out),
            None => generator.insert(FastRng::new()?).fill(out),
        })
    }
}

fn cannot_sign() -> Error {
    x509::Error::new(ErrorKind::CannotSign, 0).into()
}

/// RSA, which draws as it signs, and the schemes with batches of their own, by the kinds of keys.
macro_rules! adamant {
    ($($kind:ident)*) => {
        impl Provider for Adamant {
            type Key = PrivateKey;
            type Verifier = PublicKey;

            fn name(&self) -> &'static str {
                "adamant"
            }

            fn generate_batch(&self, algorithm: Algorithm, count: usize) -> Result<Vec<PrivateKey>> {
                match algorithm.key() {
                    KeyAlgorithm::Rsa => {
                        let bits = algorithm.modulus_bits().ok_or_else(cannot_sign)?;
                        let keys = rsa::PrivateKey::generate_batch(count, bits, &mut ThreadRng)?;
                        Ok(keys.into_iter().map(PrivateKey::Rsa).collect())
                    }
                    $(KeyAlgorithm::$kind => generate(count, PrivateKey::$kind),)*
                    _ => Err(cannot_sign()),
                }
            }

            fn public_key(&self, key: &PrivateKey) -> PublicKey {
                key.public_key()
            }

            fn sign_batch(&self, key: &PrivateKey, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>> {
                if let [message] = messages {
                    let mut signature = Vec::new();
                    key.signer()?.sign(message, &mut signature)?;
                    return Ok(vec![signature]);
                }
                match key {
                    PrivateKey::Rsa(key) => {
                        let items: Vec<_> = messages.iter().map(|m| (key, *m)).collect();
                        Ok(rsa::sign_pkcs1_batch::<Sha256>(&items, &mut ThreadRng)?)
                    }
                    $(PrivateKey::$kind(key) => Ok(sign(key, messages)),)*
                    _ => Err(cannot_sign()),
                }
            }

            fn verifier(&self, spki: &[u8]) -> Result<PublicKey> {
                Ok(PublicKey::from_der(spki)?)
            }

            fn verify_batch(
                &self,
                verifier: &PublicKey,
                items: &[(&[u8], &[u8])],
                verdicts: &mut [Verdict],
            ) -> Result<()> {
                same_length(items.len(), verdicts.len())?;
                match verifier {
                    PublicKey::Rsa(key) => {
                        let items: Vec<_> = items.iter().map(|(m, s)| (key, *m, *s)).collect();
                        rsa::verify_pkcs1_batch_into::<Sha256>(&items, verdicts)?;
                    }
                    $(PublicKey::$kind(key) => verify(key, items, verdicts),)*
                    _ => return Err(x509::Error::new(ErrorKind::WrongKey, 0).into()),
                }
                Ok(())
            }
        }
    };
}

/// The kinds, of the list of the schemes.
macro_rules! kinds {
    (
        curves { $({ $cf:tt $curve:ident $($_c:tt)* })* }
        signatures { $({ $sf:tt $signs:ident $($_s:tt)* })* }
        $($_groups:tt)*
    ) => {
        adamant! { $($curve)* Sm2 $($signs)* }
    };
}
adamant::hazmat::base::schemes!(kinds);

// Each is compiled for every scheme: loops, of which less code comes than of chains of iterators.

fn generate<K: Signer>(count: usize, key: fn(K) -> PrivateKey) -> Result<Vec<PrivateKey>> {
    let mut keys = Vec::with_capacity(count);
    for made in K::generate_batch(count, &mut ThreadRng)? {
        keys.push(key(made));
    }
    Ok(keys)
}

fn sign<K: Signer>(key: &K, messages: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut items = Vec::with_capacity(messages.len());
    for message in messages {
        items.push((key, *message));
    }
    let mut signatures = Vec::with_capacity(items.len());
    for made in K::sign_batch(&items) {
        signatures.push(K::Verifier::signature_to_x509(&made));
    }
    signatures
}

/// Verifies those signatures that can be read; the others are bad.
fn verify<V: Verifier>(key: &V, items: &[(&[u8], &[u8])], verdicts: &mut [Verdict]) {
    let mut places = Vec::with_capacity(items.len());
    let mut signatures = Vec::with_capacity(items.len());
    for (place, (_, signature)) in items.iter().enumerate() {
        if let Ok(signature) = V::signature_from_x509(signature) {
            places.push(place);
            signatures.push(signature);
        }
    }
    let results = match (items, &signatures[..]) {
        // Lanes of which one is used take longer.
        ([(message, _)], [signature]) => vec![key.verify(message, signature)],
        _ => {
            let mut readable = Vec::with_capacity(places.len());
            for (place, signature) in places.iter().zip(&signatures) {
                readable.push((key, items[*place].0, signature));
            }
            V::verify_batch(&readable)
        }
    };
    scatter(&results, &places, verdicts);
}

/// Puts each result in its place; the others are bad.
fn scatter(results: &[Verdict], places: &[usize], verdicts: &mut [Verdict]) {
    verdicts.fill(Err(adamant::Error::BadSignature));
    for (place, result) in places.iter().zip(results) {
        verdicts[*place] = *result;
    }
}
