//! SM2: private keys travel big-endian, public keys uncompressed, signatures in DER over the default
//! identity, ciphertexts in the form of ASN.1.

use std::hint::black_box;

use adamant::ec::sm2::{self, Ciphertext, PrivateKey, PublicKey, Signature};
use adamant::ec::sm2p256v1::Sm2P256v1;
use adamant::hazmat::base::{FromBytesOn, GenerateOn};
use adamant::hazmat::ec::sm2::Backend;
use adamant::rand::FastRng;
use adamant::{Error, hazmat::base::exactly};

use crate::keys::{self, KeyPair, put};
use crate::signature::{self, Scheme};
use crate::stream::Stream;
use crate::table::tables;
use crate::task::{
    BatchTask, Judge, Registry, Start, Task, Wrong, copied, each, field, item, one_field,
};
use crate::{Item, Length, weierstrass};

tables!(Backend);

pub(crate) fn register(to: &mut Registry) {
    signature::register::<Sm2>(to, "sm2");
    to.single_and_batch::<Encrypt>("sm2/encrypt");
    to.single_and_batch::<Decrypt>("sm2/decrypt");
    weierstrass::group::<Sm2P256v1, 4>(to, "sm2");
}

struct Sm2;

impl KeyPair for Sm2 {
    type Table = Backend;
    type Private = PrivateKey;
    type Public = PublicKey;

    fn generate(rng: &mut FastRng, table: Backend) -> Result<PrivateKey, Error> {
        PrivateKey::generate_on(rng, table)
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<PrivateKey>, Error> {
        sm2::generate_batch(count, rng)
    }
    fn private(bytes: &[u8], table: Backend) -> Result<PrivateKey, Error> {
        PrivateKey::from_bytes_on(exactly(bytes)?, table)
    }
    fn private_bytes(key: &PrivateKey, to: &mut Vec<u8>) {
        put(to, &key.to_bytes()[..]);
    }
    fn public(bytes: &[u8], table: Backend) -> Result<PublicKey, Error> {
        Ok(PublicKey::from_sec1(bytes)?.with_backend(table))
    }
    fn public_bytes(key: &PublicKey, to: &mut Vec<u8>) {
        put(to, &key.to_sec1()[..]);
    }
    fn public_of(key: &PrivateKey) -> PublicKey {
        key.public_key()
    }
}

impl Scheme for Sm2 {
    type Signature = Signature;
    const DETERMINED: bool = false;

    fn signature(bytes: &[u8]) -> Result<Signature, Error> {
        Signature::from_der(bytes)
    }
    fn signature_bytes(signature: &Signature, to: &mut Vec<u8>) {
        put(to, signature.to_der().as_ref());
    }
    fn sign(key: &PrivateKey, message: &[u8]) -> Signature {
        key.sign(message)
    }
    fn sign_batch(items: &[(&PrivateKey, &[u8])], out: &mut [Signature]) -> Result<(), Error> {
        sm2::sign_batch_into(items, out)
    }
    fn verify(key: &PublicKey, message: &[u8], signature: &Signature) -> Result<(), Error> {
        key.verify(message, signature)
    }
    fn verify_batch(
        items: &[(&PublicKey, &[u8], &Signature)],
        out: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        sm2::verify_batch_into(items, out)
    }
}

/// The length of message when none is asked for.
const BYTES: &[usize] = &[32];

fn generator(purpose: &str) -> FastRng {
    FastRng::from_seed(Stream::new(&format!("sm2 {purpose}")).array())
}

fn encoded(ciphertext: &Result<Ciphertext, Error>) -> Item {
    match ciphertext {
        Ok(ciphertext) => item([("ciphertext", &ciphertext.to_der())]),
        Err(_) => Item::new(),
    }
}

struct Encrypt;

impl Encrypt {
    fn judge(input: &Item, output: &Item) -> Result<(), Wrong> {
        let key = field(input, "private_key")?;
        let key = Sm2::private(key, Backend::portable())?;
        let ciphertext = Ciphertext::from_der(field(output, "ciphertext")?)?;
        if key.decrypt(&ciphertext)?[..] == field(input, "message")?[..] {
            Ok(())
        } else {
            Err("the ciphertext holds another message".into())
        }
    }
}

impl Task for Encrypt {
    type Table = Backend;
    type State = (PublicKey, Vec<u8>, FastRng);
    type Output = Result<Ciphertext, Error>;
    const LENGTH: Length = Length::Message;
    const START: Start = Self::START_BATCH;
    const BYTES: &'static [usize] = BYTES;
    const JUDGE: Judge = Judge::Each(Self::judge);

    /// With the private key, by which a ciphertext is judged.
    fn input(stream: &mut Stream, bytes: usize) -> Item {
        let mut item = keys::input::<Sm2>(stream);
        // An empty message cannot be encrypted.
        item.insert("message".into(), stream.bytes(bytes.max(1)));
        item
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let key = Sm2::public(field(input, "public_key")?, table)?;
        Ok((key, copied(input, "message")?, generator("encryption")))
    }
    fn run((key, message, rng): &mut Self::State) -> Self::Output {
        key.encrypt(message, rng)
    }
    fn encode(_: &Self::State, ciphertext: &Self::Output) -> Item {
        encoded(ciphertext)
    }
}

impl BatchTask for Encrypt {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let mut rng = generator("batch");
        let items = each(states, |(key, m, _)| (key, m.as_slice()));
        let mut ciphertexts = Ok(Vec::new());
        for _ in 0..iterations {
            ciphertexts = sm2::encrypt_batch(black_box(&items), &mut rng);
        }
        match ciphertexts {
            Ok(ciphertexts) => ciphertexts.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error); items.len()],
        }
    }
}

struct Decrypt;

struct Decryption {
    key: PrivateKey,
    ciphertext: Ciphertext,
    message: Vec<u8>,
}

impl Task for Decrypt {
    type Table = Backend;
    type State = Decryption;
    type Output = Result<(), Error>;
    const LENGTH: Length = Length::Message;
    const START: Start = Self::START_BATCH;
    const BYTES: &'static [usize] = BYTES;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        let mut item = Encrypt::input(stream, bytes);
        let mut state = Encrypt::ready(Backend::portable(), &item, 0).expect("our encoding");
        item.extend(encoded(&Encrypt::run(&mut state)));
        item.remove("message");
        item
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Decryption, Wrong> {
        let ciphertext = Ciphertext::from_der(field(input, "ciphertext")?)?;
        Ok(Decryption {
            key: Sm2::private(field(input, "private_key")?, table)?,
            message: vec![0; ciphertext.message_len()],
            ciphertext,
        })
    }
    fn run(state: &mut Decryption) -> Self::Output {
        state
            .key
            .decrypt_into(&state.ciphertext, &mut state.message)
    }
    fn encode(state: &Decryption, opened: &Self::Output) -> Item {
        one_field("message", opened.is_ok().then_some(&state.message))
    }
}

impl BatchTask for Decrypt {
    fn run_batch(states: &mut [Decryption], iterations: u64) -> Vec<Self::Output> {
        let mut results = vec![Err(Error::BadTag); states.len()];
        let mut items: Vec<_> = states
            .iter_mut()
            .map(|state| (&state.key, &state.ciphertext, state.message.as_mut_slice()))
            .collect();
        for _ in 0..iterations {
            let done = sm2::decrypt_batch_into(black_box(&mut items), black_box(&mut results));
            done.expect("as many places as ciphertexts, of their length");
        }
        results
    }
}
