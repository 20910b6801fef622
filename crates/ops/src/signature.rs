//! What the signature schemes share: signing and verifying as operations.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::Error;
pub(crate) use adamant::family::{Signer, Verifier};
use adamant::rand::FastRng;

use crate::keys::{self, KeyPair};
use crate::stream::Stream;
use crate::table::{Choice, Table};
use crate::task::{
    BatchTask, Judge, Registry, Start, Task, Wrong, batch, copied, each, field, fields, insert,
    item, owned, single, value,
};
use crate::{Item, Length};

/// A signature scheme.
pub(crate) trait Scheme: KeyPair {
    type Signature: Copy + 'static;

    /// Whether there is one signature of a message under a key. Where others may differ from
    /// ours, they are verified.
    const DETERMINED: bool;

    fn signature(bytes: &[u8]) -> Result<Self::Signature, Error>;
    fn signature_bytes(signature: &Self::Signature, to: &mut Vec<u8>);

    fn sign(key: &Self::Private, message: &[u8]) -> Self::Signature;
    fn sign_batch(
        items: &[(&Self::Private, &[u8])],
        out: &mut [Self::Signature],
    ) -> Result<(), Error>;
    fn verify(key: &Self::Public, message: &[u8], s: &Self::Signature) -> Result<(), Error>;
    fn verify_batch(
        items: &[(&Self::Public, &[u8], &Self::Signature)],
        out: &mut [Result<(), Error>],
    ) -> Result<(), Error>;
}

/// Makes a [`Scheme`] of the types and functions of a module.
macro_rules! scheme {
    ($name:ident, $module:ident, DETERMINED: $determined:literal) => {
        impl $crate::signature::Scheme for $name {
            type Signature = $module::Signature;
            const DETERMINED: bool = $determined;

            fn signature(bytes: &[u8]) -> Result<Self::Signature, Error> {
                <Self::Public as $crate::signature::Verifier>::signature(bytes)
            }
            fn signature_bytes(signature: &Self::Signature, to: &mut Vec<u8>) {
                $crate::keys::put(to, &signature.to_bytes()[..]);
            }
            fn sign(key: &Self::Private, message: &[u8]) -> Self::Signature {
                key.sign(message)
            }
            fn sign_batch(
                items: &[(&Self::Private, &[u8])],
                out: &mut [Self::Signature],
            ) -> Result<(), Error> {
                out.copy_from_slice(&$crate::signature::Signer::sign_batch(items));
                Ok(())
            }
            fn verify(
                key: &Self::Public,
                message: &[u8],
                s: &Self::Signature,
            ) -> Result<(), Error> {
                key.verify(message, s)
            }
            fn verify_batch(
                items: &[(&Self::Public, &[u8], &Self::Signature)],
                out: &mut [Result<(), Error>],
            ) -> Result<(), Error> {
                out.copy_from_slice(&$crate::signature::Verifier::verify_batch(items));
                Ok(())
            }
        }
    };
}
pub(crate) use scheme;

/// Adds every operation of a scheme.
pub(crate) fn register<S: Scheme>(to: &mut Registry, algorithm: &str) {
    keys::register::<S>(to, algorithm);
    to.add(
        algorithm,
        const {
            &[
                ("/sign", single::<Sign<S>>()),
                ("/sign_batch", batch::<Sign<S>>()),
                ("/verify", single::<Verify<S>>()),
                ("/verify_batch", batch::<Verify<S>>()),
                ("/verify-encoded", single::<VerifyEncoded<S>>()),
            ]
        },
    );
}

/// The length of message that signatures are measured with when none is asked for.
const BYTES: &[usize] = &[32];

/// Reads a signature; as [`keys::private`].
#[inline(never)]
fn parsed<S: Scheme>(bytes: &[u8]) -> Result<S::Signature, Error> {
    S::signature(bytes)
}

struct Sign<S>(PhantomData<fn(S)>);

impl<S: Scheme> Task for Sign<S> {
    type Table = S::Table;
    type State = (S::Private, Vec<u8>);
    type Output = S::Signature;
    const LENGTH: Length = Length::Message;
    const START: Start = Self::START_BATCH;
    const BYTES: &'static [usize] = BYTES;
    const JUDGE: Judge = Judge::Each(judge::<S>);

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        with_message(keys::input::<S>(stream), stream, bytes)
    }
    fn ready(table: S::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let [key, message] = fields(input, ["private_key", "message"])?;
        Ok((keys::private::<S>(key, table)?, owned(message)))
    }
    fn run((key, message): &mut Self::State) -> S::Signature {
        S::sign(key, message)
    }
    fn encode(_: &Self::State, signature: &S::Signature) -> Item {
        let mut bytes = Vec::new();
        S::signature_bytes(signature, &mut bytes);
        value("signature", bytes)
    }
}

#[inline(never)]
fn with_message(mut item: Item, stream: &mut Stream, bytes: usize) -> Item {
    insert(&mut item, "message", stream.bytes(bytes));
    item
}

fn judge<S: Scheme>(input: &Item, output: &Item) -> Result<(), Wrong> {
    judge_signature(input, output, same_signature::<S>)
}

/// It verifies, and is ours where there is only one.
#[inline(never)]
fn judge_signature(
    input: &Item,
    output: &Item,
    same: fn(&[u8], &[u8], &[u8]) -> Result<bool, Error>,
) -> Result<(), Wrong> {
    let ours = same(
        field(output, "signature")?,
        field(input, "private_key")?,
        field(input, "message")?,
    );
    if ours? {
        Ok(())
    } else {
        Err("the signature verifies but is not the one that the standard gives".into())
    }
}

/// Whether a signature that verifies is ours, where there is only one.
fn same_signature<S: Scheme>(bytes: &[u8], key: &[u8], message: &[u8]) -> Result<bool, Error> {
    verified::<S>(bytes, key, message)?;
    if !S::DETERMINED {
        return Ok(true);
    }
    let key = keys::private::<S>(key, S::Table::chosen(Choice::Portable))?;
    let mut ours = Vec::new();
    S::signature_bytes(&S::sign(&key, message), &mut ours);
    Ok(ours == bytes)
}

/// True of a signature that verifies, and an error of any other.
fn verified<S: Scheme>(bytes: &[u8], key: &[u8], message: &[u8]) -> Result<bool, Error> {
    let signature = parsed::<S>(bytes)?;
    let key = keys::private::<S>(key, S::Table::chosen(Choice::Portable))?;
    S::verify(&S::public_of(&key), message, &signature)?;
    Ok(true)
}

impl<S: Scheme> BatchTask for Sign<S> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<S::Signature> {
        let items = each(states, |(key, m)| (key, m.as_slice()));
        let Some((key, message)) = items.first() else {
            return Vec::new();
        };
        // Places to be written over.
        let mut signatures = vec![S::sign(key, message); items.len()];
        for _ in 0..iterations {
            let done = S::sign_batch(black_box(&items), black_box(&mut signatures));
            done.expect("as many places as messages");
        }
        signatures
    }
}

/// A scheme whose signatures are determined, or mix fresh randomness in.
pub(crate) trait Hedged: Scheme {
    fn sign_hedged(
        key: &Self::Private,
        message: &[u8],
        rng: &mut FastRng,
    ) -> Result<Self::Signature, Error>;
}

/// Signing with fresh randomness, of which each call takes some.
pub(crate) struct SignHedged<S>(PhantomData<fn(S)>);

impl<S: Hedged> Task for SignHedged<S> {
    type Table = S::Table;
    type State = (S::Private, Vec<u8>, FastRng);
    type Output = Result<S::Signature, Error>;
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = BYTES;
    const JUDGE: Judge = Judge::Each(|input, output| judge_signature(input, output, verified::<S>));

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        Sign::<S>::input(stream, bytes)
    }
    fn ready(table: S::Table, input: &Item, bytes: usize) -> Result<Self::State, Wrong> {
        let (key, message) = Sign::<S>::ready(table, input, bytes)?;
        let rng = FastRng::from_seed(Stream::new("hedged").array());
        Ok((key, message, rng))
    }
    fn run((key, message, rng): &mut Self::State) -> Self::Output {
        S::sign_hedged(key, message, rng)
    }
    fn encode(_: &Self::State, signature: &Self::Output) -> Item {
        let Ok(signature) = signature else {
            return Item::new();
        };
        let mut bytes = Vec::new();
        S::signature_bytes(signature, &mut bytes);
        value("signature", bytes)
    }
}

/// Keys and signatures are parsed beforehand.
struct Verify<S>(PhantomData<fn(S)>);

/// A public key, a message and its signature.
fn signed<S: Scheme>(stream: &mut Stream, bytes: usize) -> Item {
    signed_with(Sign::<S>::input(stream, bytes), |key, message, to| {
        let key =
            keys::private::<S>(key, S::Table::chosen(Choice::Best)).expect("our own encoding");
        S::signature_bytes(&S::sign(&key, message), to);
    })
}

#[inline(never)]
fn signed_with(mut item: Item, sign: fn(&[u8], &[u8], &mut Vec<u8>)) -> Item {
    let mut signature = Vec::new();
    sign(&item["private_key"], &item["message"], &mut signature);
    insert(&mut item, "signature", signature);
    item.remove("private_key");
    item.remove("seed");
    item
}

#[inline(never)]
fn valid(result: &Result<(), Error>) -> Item {
    item([("valid", &[u8::from(result.is_ok())])])
}

impl<S: Scheme> Task for Verify<S> {
    type Table = S::Table;
    type State = (S::Public, Vec<u8>, S::Signature);
    type Output = Result<(), Error>;
    const LENGTH: Length = Length::Message;
    const START: Start = Self::START_BATCH;
    const BYTES: &'static [usize] = BYTES;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        signed::<S>(stream, bytes)
    }
    fn ready(table: S::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let [key, message, signature] = fields(input, ["public_key", "message", "signature"])?;
        let signature = parsed::<S>(signature)?;
        Ok((keys::public::<S>(key, table)?, owned(message), signature))
    }
    fn run((key, message, signature): &mut Self::State) -> Result<(), Error> {
        S::verify(key, message, signature)
    }
    fn encode(_: &Self::State, result: &Result<(), Error>) -> Item {
        valid(result)
    }
}

impl<S: Scheme> BatchTask for Verify<S> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Result<(), Error>> {
        let items = each(states, |(key, m, s)| (key, m.as_slice(), s));
        let mut results = vec![Err(Error::BadSignature); items.len()];
        for _ in 0..iterations {
            let done = S::verify_batch(black_box(&items), black_box(&mut results));
            done.expect("as many places as signatures");
        }
        results
    }
}

/// Verification that starts from bytes.
struct VerifyEncoded<S>(PhantomData<fn(S)>);

struct Encoded {
    key: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

impl Encoded {
    #[inline(never)]
    fn new(input: &Item) -> Result<Self, Wrong> {
        Ok(Encoded {
            key: copied(input, "public_key")?,
            message: copied(input, "message")?,
            signature: copied(input, "signature")?,
        })
    }
}

impl<S: Scheme> Task for VerifyEncoded<S> {
    type Table = S::Table;
    type State = (S::Table, Encoded);
    type Output = Result<(), Error>;
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = BYTES;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        signed::<S>(stream, bytes)
    }
    fn ready(table: S::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        Ok((table, Encoded::new(input)?))
    }
    fn run((table, state): &mut Self::State) -> Result<(), Error> {
        let key = S::public(&state.key, *table)?;
        S::verify(&key, &state.message, &S::signature(&state.signature)?)
    }
    fn encode(_: &Self::State, result: &Result<(), Error>) -> Item {
        valid(result)
    }
}
