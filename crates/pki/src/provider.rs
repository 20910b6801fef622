//! Where keys live and signatures are made and checked: here, in an HSM, in another library.
//!
//! Everything comes in batches, which a provider is asked for from many threads at once, a part
//! of the whole to each. A batch of one is a single operation.

use std::cell::RefCell;

use adamant::Rng;
use adamant::ec::{
    brainpoolp256r1, brainpoolp384r1, brainpoolp512r1, ed448, ed25519, p224, p256, p384, p521,
    secp256k1, sm2,
};
use adamant::hash::Sha256;
use adamant::pq::{
    ml_dsa_44, ml_dsa_65, ml_dsa_87, slh_dsa_sha2_128f, slh_dsa_sha2_128s, slh_dsa_shake_128f,
    slh_dsa_shake_128s,
};
use adamant::rand::FastRng;
use adamant::rsa;
use adamant::x509::{self, ErrorKind, KeyAlgorithm, PrivateKey, PublicKey};

use crate::{Algorithm, Error, Result};

/// What a batch of verifications gives for one item.
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
    /// stand in BIT STRINGs.
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

/// A key with each of the messages.
fn with_each<'a, K>(key: &'a K, messages: &[&'a [u8]]) -> Vec<(&'a K, &'a [u8])> {
    messages.iter().map(|&message| (key, message)).collect()
}

fn cannot_sign() -> Error {
    x509::Error::new(ErrorKind::CannotSign, 0).into()
}

/// RSA, which draws as it signs, and the algorithms with batches of their own: the kind of key,
/// its module, an empty signature, how one is read and written.
macro_rules! adamant {
    ($($kind:ident $module:ident $empty:expr, $read:ident, $write:ident;)*) => {
        impl Provider for Adamant {
            type Key = PrivateKey;
            type Verifier = PublicKey;

            fn name(&self) -> &'static str {
                "adamant"
            }

            fn generate_batch(&self, algorithm: Algorithm, count: usize) -> Result<Vec<PrivateKey>> {
                let rng = &mut ThreadRng;
                match algorithm.key() {
                    KeyAlgorithm::Rsa => {
                        let bits = algorithm.modulus_bits().ok_or_else(cannot_sign)?;
                        let keys = rsa::PrivateKey::generate_batch(count, bits, rng)?.into_iter();
                        Ok(keys.map(PrivateKey::Rsa).collect())
                    }
                    $(KeyAlgorithm::$kind => {
                        let keys = $module::keygen_batch(count, rng)?.into_iter();
                        Ok(keys.map(PrivateKey::$kind).collect())
                    })*
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
                        let items = with_each(key, messages);
                        Ok(rsa::sign_pkcs1_batch::<Sha256>(&items, &mut ThreadRng)?)
                    }
                    $(PrivateKey::$kind(key) => {
                        let empty = $module::Signature::from_bytes(&$empty)?;
                        let mut made = vec![empty; messages.len()];
                        $module::sign_batch(&with_each(key, messages), &mut made)?;
                        Ok(made.iter().map(|s| s.$write().as_ref().into()).collect())
                    })*
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
                match verifier {
                    PublicKey::Rsa(key) => {
                        same_length(items, verdicts)?;
                        let items: Vec<_> = items.iter().map(|(m, s)| (key, *m, *s)).collect();
                        verdicts.copy_from_slice(&rsa::verify_pkcs1_batch::<Sha256>(&items));
                        Ok(())
                    }
                    $(PublicKey::$kind(key) => verify_parsed(
                        key,
                        items,
                        verdicts,
                        $module::Signature::$read,
                        $module::PublicKey::verify,
                        $module::verify_batch,
                    ),)*
                    _ => Err(x509::Error::new(ErrorKind::WrongKey, 0).into()),
                }
            }
        }
    };
}

adamant! {
    P256 p256 [1; 64], from_der, to_der;
    P384 p384 [1; 96], from_der, to_der;
    P521 p521 [1; 132], from_der, to_der;
    P224 p224 [1; 56], from_der, to_der;
    Secp256k1 secp256k1 [1; 64], from_der, to_der;
    BrainpoolP256r1 brainpoolp256r1 [1; 64], from_der, to_der;
    BrainpoolP384r1 brainpoolp384r1 [1; 96], from_der, to_der;
    BrainpoolP512r1 brainpoolp512r1 [1; 128], from_der, to_der;
    Ed25519 ed25519 [0; 64], from_bytes, to_bytes;
    Ed448 ed448 [0; 114], from_bytes, to_bytes;
    Sm2 sm2 [1; 64], from_der, to_der;
    MlDsa44 ml_dsa_44 [0; ml_dsa_44::SIGNATURE_LEN], from_bytes, to_bytes;
    MlDsa65 ml_dsa_65 [0; ml_dsa_65::SIGNATURE_LEN], from_bytes, to_bytes;
    MlDsa87 ml_dsa_87 [0; ml_dsa_87::SIGNATURE_LEN], from_bytes, to_bytes;
    SlhDsaSha2_128s slh_dsa_sha2_128s [0; slh_dsa_sha2_128s::SIGNATURE_LEN], from_bytes, to_bytes;
    SlhDsaSha2_128f slh_dsa_sha2_128f [0; slh_dsa_sha2_128f::SIGNATURE_LEN], from_bytes, to_bytes;
    SlhDsaShake128s slh_dsa_shake_128s [0; slh_dsa_shake_128s::SIGNATURE_LEN], from_bytes, to_bytes;
    SlhDsaShake128f slh_dsa_shake_128f [0; slh_dsa_shake_128f::SIGNATURE_LEN], from_bytes, to_bytes;
}

/// Whether there is a verdict for each item.
///
/// # Errors
/// [`adamant::Error::BadLength`] otherwise.
pub fn same_length(items: &[(&[u8], &[u8])], verdicts: &[Verdict]) -> Result<()> {
    let (expected, actual) = (items.len(), verdicts.len());
    if expected == actual {
        Ok(())
    } else {
        Err(adamant::Error::BadLength { expected, actual }.into())
    }
}

/// Verifies those signatures that can be read; the others are bad.
fn verify_parsed<K, S>(
    key: &K,
    items: &[(&[u8], &[u8])],
    verdicts: &mut [Verdict],
    read: impl Fn(&[u8]) -> Result<S, adamant::Error>,
    verify: impl Fn(&K, &[u8], &S) -> Verdict,
    verify_batch: impl Fn(&[(&K, &[u8], &S)], &mut [Verdict]) -> Verdict,
) -> Result<()> {
    same_length(items, verdicts)?;
    if let [(message, signature)] = items {
        // Lanes of which one is used take longer.
        let signature = read(signature).map_err(|_| adamant::Error::BadSignature);
        verdicts[0] = signature.and_then(|signature| verify(key, message, &signature));
        return Ok(());
    }
    verdicts.fill(Err(adamant::Error::BadSignature));
    let signatures: Vec<(usize, S)> = items
        .iter()
        .enumerate()
        .filter_map(|(i, (_, signature))| Some((i, read(signature).ok()?)))
        .collect();
    let readable: Vec<_> = signatures
        .iter()
        .map(|(i, signature)| (key, items[*i].0, signature))
        .collect();
    let mut results = vec![Ok(()); readable.len()];
    verify_batch(&readable, &mut results)?;
    for ((i, _), result) in signatures.iter().zip(results) {
        verdicts[*i] = result;
    }
    Ok(())
}
