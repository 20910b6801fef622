//! RSA: keys travel as PKCS#1 DER; SHA-256 throughout, salts of 32 bytes, no labels.

use std::hint::black_box;
use std::sync::OnceLock;

use adamant::Error;
use adamant::hash::Sha256;
use adamant::hazmat::rsa::{Backend, generate_on};
use adamant::rand::FastRng;
use adamant::rsa::{self, PrivateKey, PublicKey, SecretBytes};

use crate::keys::{self, KeyPair, put};
use crate::stream::Stream;
use crate::table::tables;
use crate::task::{
    self, BatchTask, Judge, Registry, Start, Task, Wrong, batch, copied, field, item, one_field,
    single, start, start_batch,
};
use crate::{Item, Length};

tables!(Backend);

pub(crate) fn register(to: &mut Registry) {
    of_size::<2048>(to);
    of_size::<3072>(to);
    of_size::<4096>(to);
}

fn of_size<const BITS: usize>(to: &mut Registry) {
    let algorithm = format!("rsa-{BITS}");
    keys::register::<Rsa<BITS>>(to, &algorithm);
    to.add(
        &algorithm,
        const {
            &[
                ("/sign-pkcs1", single::<Sign<BITS, false>>()),
                ("/sign-pkcs1_batch", batch::<Sign<BITS, false>>()),
                ("/verify-pkcs1", single::<Verify<BITS, false>>()),
                ("/verify-pkcs1_batch", batch::<Verify<BITS, false>>()),
                ("/sign-pss", single::<Sign<BITS, true>>()),
                ("/sign-pss_batch", batch::<Sign<BITS, true>>()),
                ("/verify-pss", single::<Verify<BITS, true>>()),
                ("/verify-pss_batch", batch::<Verify<BITS, true>>()),
                ("/encrypt-oaep", single::<Encrypt<BITS>>()),
                ("/decrypt-oaep", single::<Decrypt<BITS>>()),
                ("/decrypt-oaep_batch", batch::<Decrypt<BITS>>()),
            ]
        },
    );
}

/// The length of message when none is asked for.
const BYTES: &[usize] = &[32];

struct Rsa<const BITS: usize>;

/// Items are read and run alike at every size: as at this one.
const ANY: usize = 2048;

impl<const BITS: usize> KeyPair for Rsa<BITS> {
    /// For primes.
    const SEARCH: bool = true;
    type Table = Backend;
    type Private = PrivateKey;
    type Public = PublicKey;

    fn generate(rng: &mut FastRng, table: Backend) -> Result<PrivateKey, Error> {
        generate_on(BITS, &[1, 0, 1], rng, table)
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<PrivateKey>, Error> {
        PrivateKey::generate_batch(count, BITS, rng)
    }
    fn private(bytes: &[u8], table: Backend) -> Result<PrivateKey, Error> {
        let key = private(bytes, table)?;
        if key.public_key().bits() != BITS {
            return Err(Error::BadPrivateKey);
        }
        Ok(key)
    }
    fn private_bytes(key: &PrivateKey, to: &mut Vec<u8>) {
        put(to, &key.to_pkcs1_der()[..]);
    }
    fn public(bytes: &[u8], table: Backend) -> Result<PublicKey, Error> {
        public(bytes, table)
    }
    fn public_bytes(key: &PublicKey, to: &mut Vec<u8>) {
        put(to, &key.to_pkcs1_der()[..]);
    }
    fn public_of(key: &PrivateKey) -> PublicKey {
        key.public_key()
    }
}

fn private(bytes: &[u8], table: Backend) -> Result<PrivateKey, Error> {
    let key = PrivateKey::from_pkcs1_der(bytes).map_err(Error::from)?;
    Ok(key.with_backend(table))
}

fn public(bytes: &[u8], table: Backend) -> Result<PublicKey, Error> {
    let key = PublicKey::from_pkcs1_der(bytes).map_err(|_| Error::BadPublicKey)?;
    Ok(key.with_backend(table))
}

/// Keys for inputs: as making them takes long, there are few of each size.
fn keys<const BITS: usize>(stream: &mut Stream) -> Item {
    const COUNT: usize = 4;
    static KEYS: [OnceLock<Vec<Item>>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];
    let keys = KEYS[BITS / 1024 - 2].get_or_init(|| {
        let seed = Stream::new(&format!("rsa-{BITS}")).array();
        let mut rng = FastRng::from_seed(seed);
        let each = (0..COUNT).filter_map(|_| Rsa::<BITS>::generate(&mut rng, Backend::best()).ok());
        each.map(|key| {
            item([
                ("private_key", &key.to_pkcs1_der()[..]),
                ("public_key", &key.public_key().to_pkcs1_der()),
            ])
        })
        .collect()
    });
    let [choice] = stream.array::<1>();
    keys[usize::from(choice) % COUNT].clone()
}

/// The generator of blinding, salts and seeds.
fn generator(name: &str) -> FastRng {
    FastRng::from_seed(Stream::new(name).array())
}

fn sign(key: &PrivateKey, pss: bool, message: &[u8], rng: &mut FastRng) -> Result<Vec<u8>, Error> {
    match pss {
        true => key.sign_pss::<Sha256>(message, rng),
        false => key.sign_pkcs1::<Sha256>(message, rng),
    }
}

fn verify(key: &PublicKey, pss: bool, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    match pss {
        true => key.verify_pss::<Sha256>(message, signature),
        false => key.verify_pkcs1::<Sha256>(message, signature),
    }
}

struct Sign<const BITS: usize, const PSS: bool>;

struct Signing {
    key: PrivateKey,
    message: Vec<u8>,
    rng: FastRng,
}

impl<const PSS: bool> Sign<ANY, PSS> {
    fn judge(input: &Item, output: &Item) -> Result<(), Wrong> {
        let state = Self::ready(Backend::best(), input, 0)?;
        let signature = field(output, "signature")?;
        // With PKCS#1 v1.5 there is only one signature.
        let done = verify(&state.key.public_key(), PSS, &state.message, signature);
        done.map_err(Wrong::from)
    }
}

impl<const BITS: usize, const PSS: bool> Task for Sign<BITS, PSS> {
    type Table = Backend;
    type State = Signing;
    type Output = Result<Vec<u8>, Error>;
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = BYTES;
    const JUDGE: Judge = Judge::Each(Sign::<ANY, PSS>::judge);
    const START: Start = Self::START_BATCH;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        let mut item = keys::<BITS>(stream);
        item.insert("message".into(), stream.bytes(bytes));
        item
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Signing, Wrong> {
        Ok(Signing {
            key: private(field(input, "private_key")?, table)?,
            message: copied(input, "message")?,
            rng: generator("signing"),
        })
    }
    fn run(state: &mut Signing) -> Self::Output {
        sign(&state.key, PSS, &state.message, &mut state.rng)
    }
    fn encode(_: &Signing, signature: &Self::Output) -> Item {
        one_field("signature", signature.as_deref().ok())
    }
}

impl<const BITS: usize, const PSS: bool> BatchTask for Sign<BITS, PSS> {
    const START_BATCH: Start = start_batch::<Sign<ANY, PSS>>();

    fn run_batch(states: &mut [Signing], iterations: u64) -> Vec<Self::Output> {
        let mut rng = generator("batch");
        let items = task::each(states, |s| (&s.key, s.message.as_slice()));
        let mut signatures = Ok(Vec::new());
        for _ in 0..iterations {
            signatures = match PSS {
                true => rsa::sign_pss_batch::<Sha256>(black_box(&items), &mut rng),
                false => rsa::sign_pkcs1_batch::<Sha256>(black_box(&items), &mut rng),
            };
        }
        each(signatures, states.len())
    }
}

/// The results of a batch, which may have failed as a whole.
fn each<T>(results: Result<Vec<T>, Error>, count: usize) -> Vec<Result<T, Error>> {
    match results {
        Ok(results) => results.into_iter().map(Ok).collect(),
        Err(error) => (0..count).map(|_| Err(error)).collect(),
    }
}

/// Keys are parsed beforehand.
struct Verify<const BITS: usize, const PSS: bool>;

impl<const BITS: usize, const PSS: bool> Task for Verify<BITS, PSS> {
    type Table = Backend;
    type State = (PublicKey, Vec<u8>, Vec<u8>);
    type Output = Result<(), Error>;
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = BYTES;
    const START: Start = Self::START_BATCH;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        let mut item = Sign::<BITS, PSS>::input(stream, bytes);
        let mut state = Sign::<ANY, PSS>::ready(Backend::best(), &item, 0).expect("our encoding");
        let signature = Sign::<ANY, PSS>::run(&mut state).unwrap_or_default();
        item.insert("signature".into(), signature);
        item.remove("private_key");
        item
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let key = public(field(input, "public_key")?, table)?;
        let field = |name| field(input, name).cloned();
        Ok((key, field("message")?, field("signature")?))
    }
    fn run((key, message, signature): &mut Self::State) -> Self::Output {
        verify(key, PSS, message, signature)
    }
    fn encode(_: &Self::State, result: &Self::Output) -> Item {
        item([("valid", &[u8::from(result.is_ok())])])
    }
}

impl<const BITS: usize, const PSS: bool> BatchTask for Verify<BITS, PSS> {
    const START_BATCH: Start = start_batch::<Verify<ANY, PSS>>();

    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let items = task::each(states, |(k, m, s)| (k, &m[..], &s[..]));
        let mut results = Vec::new();
        for _ in 0..iterations {
            results = match PSS {
                true => rsa::verify_pss_batch::<Sha256>(black_box(&items)),
                false => rsa::verify_pkcs1_batch::<Sha256>(black_box(&items)),
            };
        }
        results
    }
}

struct Encrypt<const BITS: usize>;

impl Encrypt<ANY> {
    fn judge(input: &Item, output: &Item) -> Result<(), Wrong> {
        let key = field(input, "private_key")?;
        let key = private(key, Backend::best())?;
        let ciphertext = field(output, "ciphertext")?;
        let opened = key.decrypt_oaep::<Sha256>(ciphertext, &[], &mut generator("judge"));
        match opened {
            Ok(opened) if opened[..] == **field(input, "message")? => Ok(()),
            Ok(_) => Err("the ciphertext holds another message".into()),
            Err(error) => Err(error.into()),
        }
    }
}

impl<const BITS: usize> Task for Encrypt<BITS> {
    type Table = Backend;
    type State = (PublicKey, Vec<u8>, FastRng);
    type Output = Result<Vec<u8>, Error>;
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = BYTES;
    const JUDGE: Judge = Judge::Each(Encrypt::<ANY>::judge);
    const START: Start = start::<Encrypt<ANY>>();

    /// With the private key, by which a ciphertext is judged.
    fn input(stream: &mut Stream, bytes: usize) -> Item {
        Sign::<BITS, false>::input(stream, bytes)
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let key = public(field(input, "public_key")?, table)?;
        let message = copied(input, "message")?;
        Ok((key, message, generator("encryption")))
    }
    fn run((key, message, rng): &mut Self::State) -> Self::Output {
        key.encrypt_oaep::<Sha256>(message, &[], rng)
    }
    fn encode(_: &Self::State, ciphertext: &Self::Output) -> Item {
        one_field("ciphertext", ciphertext.as_deref().ok())
    }
}

struct Decrypt<const BITS: usize>;

struct Decryption {
    key: PrivateKey,
    ciphertext: Vec<u8>,
    rng: FastRng,
}

impl<const BITS: usize> Task for Decrypt<BITS> {
    type Table = Backend;
    type State = Decryption;
    type Output = Result<SecretBytes, Error>;
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = BYTES;
    const START: Start = Self::START_BATCH;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        let mut item = Encrypt::<BITS>::input(stream, bytes);
        let mut state = Encrypt::<ANY>::ready(Backend::best(), &item, 0).expect("our encoding");
        let ciphertext = Encrypt::<ANY>::run(&mut state).unwrap_or_default();
        item.insert("ciphertext".into(), ciphertext);
        item.remove("message");
        item
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Decryption, Wrong> {
        Ok(Decryption {
            key: private(field(input, "private_key")?, table)?,
            ciphertext: copied(input, "ciphertext")?,
            rng: generator("decryption"),
        })
    }
    fn run(state: &mut Decryption) -> Self::Output {
        let key = &state.key;
        key.decrypt_oaep::<Sha256>(&state.ciphertext, &[], &mut state.rng)
    }
    fn encode(_: &Decryption, message: &Self::Output) -> Item {
        one_field("message", message.as_deref().ok())
    }
}

impl<const BITS: usize> BatchTask for Decrypt<BITS> {
    const START_BATCH: Start = start_batch::<Decrypt<ANY>>();

    fn run_batch(states: &mut [Decryption], iterations: u64) -> Vec<Self::Output> {
        let mut rng = generator("batch");
        let items = task::each(states, |s| (&s.key, s.ciphertext.as_slice()));
        let mut messages = Ok(Vec::new());
        for _ in 0..iterations {
            messages = rsa::decrypt_oaep_batch::<Sha256>(black_box(&items), &mut rng);
        }
        match messages {
            Ok(messages) => messages,
            Err(error) => each(Err(error), states.len()),
        }
    }
}
