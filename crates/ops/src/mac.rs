//! `*/mac`: the key is scheduled beforehand; the message goes in, the tag comes out.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::cipher::poly1305::{OneTimeKey, Poly1305};
use adamant::cipher::{aes::Aes, cmac::Cmac, des::Tdea, gmac::Gmac, sm4::Sm4};
use adamant::family::BlockCipher;
use adamant::family::Mac;
use adamant::hash::hmac::BatchHash;
use adamant::hash::siphash::{SipHash13, SipHash24};
use adamant::hash::{
    Hmac, Kmac128, Kmac256, Sha1, Sha3_256, Sha3_512, Sha256, Sha384, Sha512, Sm3,
};
use adamant::hazmat::cipher::{ghash, poly1305};
use adamant::hazmat::hash::keccak;

use crate::cipher::ChosenCipher;
use crate::hash::ChosenHash;
use crate::stream::Stream;
use crate::table::{OnlyPortable, Table, tables};
use crate::task::{BatchTask, Registry, Start, Task, Wrong, copied, each, field, item, random};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    to.single_and_batch::<HmacMac<Sha256>>("hmac-sha256/mac");
    to.single_and_batch::<HmacMac<Sha384>>("hmac-sha384/mac");
    to.single_and_batch::<HmacMac<Sha512>>("hmac-sha512/mac");
    to.single_and_batch::<HmacMac<Sha3_256>>("hmac-sha3-256/mac");
    to.single_and_batch::<HmacMac<Sha3_512>>("hmac-sha3-512/mac");
    to.single::<KmacMac<Kmac128<32>>>("kmac128/mac");
    to.single::<KmacMac<Kmac256<64>>>("kmac256/mac");
    to.single::<CmacMac<Aes<16>>>("cmac-aes-128/mac");
    to.single::<CmacMac<Aes<24>>>("cmac-aes-192/mac");
    to.single::<CmacMac<Aes<32>>>("cmac-aes-256/mac");
    to.single::<CmacMac<Sm4>>("cmac-sm4/mac");
    to.single::<CmacMac<Tdea<24>>>("cmac-3des/mac");
    to.single::<GhashMac>("ghash/mac");
    to.single::<GmacMac<Aes<16>>>("gmac-aes-128/mac");
    to.single::<GmacMac<Aes<24>>>("gmac-aes-192/mac");
    to.single::<GmacMac<Aes<32>>>("gmac-aes-256/mac");
    to.single::<GmacMac<Sm4>>("gmac-sm4/mac");
    to.single_and_batch::<HmacMac<Sm3>>("hmac-sm3/mac");
    to.single_and_batch::<HmacMac<Sha1>>("hmac-sha1/mac");
    to.single::<SipMac<SipHash24>>("siphash-2-4/mac");
    to.single::<SipMac<SipHash13>>("siphash-1-3/mac");
    to.single::<PolyMac>("poly1305/mac");
}

/// CMAC over a block cipher.
struct CmacMac<C>(PhantomData<C>);

impl<C: ChosenCipher + BlockCipher> Task for CmacMac<C>
where
    C::Block: Sync + 'static,
{
    type Table = C::Table;
    type State = (Cmac<C>, Vec<u8>);
    type Output = C::Block;
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        random(stream, &[("key", C::KEY_LEN), ("message", bytes)])
    }
    fn ready(table: C::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let cipher = C::new_on(field(input, "key")?, table)?;
        Ok((Cmac::with_cipher(cipher), copied(input, "message")?))
    }
    fn run((keyed, message): &mut Self::State) -> C::Block {
        keyed.tag(message)
    }
    fn encode(_: &Self::State, tag: &C::Block) -> Item {
        item([("tag", tag.as_ref())])
    }
}
tables! { poly1305::Backend, ghash::Backend }

/// GMAC with a cipher, whose implementation is the best; those of GHASH can be chosen.
struct GmacMac<C>(PhantomData<C>);

struct GmacState<C> {
    gmac: Gmac<C>,
    nonce: [u8; 12],
    message: Vec<u8>,
}

impl<C: ChosenCipher + BlockCipher<Block = [u8; 16]>> Task for GmacMac<C> {
    type Table = ghash::Backend;
    type State = GmacState<C>;
    type Output = [u8; 16];
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        random(
            stream,
            &[("key", C::KEY_LEN), ("nonce", 12), ("message", bytes)],
        )
    }
    fn ready(table: ghash::Backend, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let cipher = C::new_on(field(input, "key")?, C::Table::best())?;
        let nonce = field(input, "nonce")?[..].try_into();
        Ok(GmacState {
            gmac: Gmac::with_cipher_on(cipher, table),
            nonce: nonce.map_err(|_| "the nonce has not 12 bytes")?,
            message: copied(input, "message")?,
        })
    }
    fn run(state: &mut Self::State) -> [u8; 16] {
        state.gmac.tag(&state.nonce, &state.message)
    }
    fn encode(_: &Self::State, tag: &[u8; 16]) -> Item {
        item([("tag", tag)])
    }
}

/// HMAC under a key of a digest's length, unless any is asked for.
struct HmacMac<H>(PhantomData<H>);

struct HmacState<H: ChosenHash> {
    keyed: Hmac<H>,
    key: Vec<u8>,
    message: Vec<u8>,
}

impl<H: ChosenHash + BatchHash> Task for HmacMac<H> {
    type Table = H::Table;
    type State = HmacState<H>;
    type Output = H::Output;
    const LENGTH: Length = Length::Message;
    const START: Start = Self::START_BATCH;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        let key = stream.length(H::OUTPUT_LEN);
        random(stream, &[("key", key), ("message", bytes)])
    }
    fn ready(table: H::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let key = copied(input, "key")?;
        Ok(HmacState {
            keyed: Hmac::with_hash(&H::new_on(table), &key),
            key,
            message: copied(input, "message")?,
        })
    }
    fn run(state: &mut Self::State) -> H::Output {
        state.keyed.tag(&[&state.message])
    }
    fn encode(_: &Self::State, tag: &H::Output) -> Item {
        item([("tag", tag.as_ref())])
    }
}

/// The batch call schedules the keys too.
impl<H: ChosenHash + BatchHash> BatchTask for HmacMac<H> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<H::Output> {
        let keys = each(states, |state| &state.key[..]);
        let messages = each(states, |state| &state.message[..]);
        let mut tags = vec![H::place(); messages.len()];
        for _ in 0..iterations {
            let tags = black_box(&mut tags);
            Hmac::<H>::mac_batch_into(black_box(&keys), black_box(&messages), tags)
                .expect("as many keys and places as messages");
        }
        tags
    }
}

/// KMAC under a key of 32 bytes, unless any length is asked for, without a customization string.
struct KmacMac<M>(PhantomData<M>);

/// A MAC over Keccak.
trait Keyed: Mac + Sync + 'static {
    fn new_on(key: &[u8], table: keccak::Backend) -> Self;
}

macro_rules! keyed {
    ($($kmac:ident)+) => { $(
        impl<const N: usize> Keyed for $kmac<N> {
            fn new_on(key: &[u8], table: keccak::Backend) -> Self {
                $kmac::new_on(key, b"", table)
            }
        }
    )+ };
}
keyed! { Kmac128 Kmac256 }

impl<M: Keyed> Task for KmacMac<M> {
    type Table = keccak::Backend;
    type State = (M, Vec<u8>);
    type Output = M::Output;
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        let key = stream.length(32);
        random(stream, &[("key", key), ("message", bytes)])
    }
    fn ready(table: keccak::Backend, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let keyed = M::new_on(field(input, "key")?, table);
        Ok((keyed, copied(input, "message")?))
    }
    fn run((keyed, message): &mut Self::State) -> M::Output {
        let mut mac = keyed.clone();
        mac.update(message);
        mac.finalize()
    }
    fn encode(_: &Self::State, tag: &M::Output) -> Item {
        item([("tag", tag.as_ref())])
    }
}

/// A MAC with keys of 16 bytes and one implementation.
struct SipMac<M>(PhantomData<M>);

impl<M: Mac + Sync + 'static> Task for SipMac<M> {
    type Table = OnlyPortable;
    type State = (M, Vec<u8>);
    type Output = M::Output;
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        random(stream, &[("key", 16), ("message", bytes)])
    }
    fn ready(_: OnlyPortable, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let keyed = M::new(field(input, "key")?)?;
        Ok((keyed, copied(input, "message")?))
    }
    fn run((keyed, message): &mut Self::State) -> M::Output {
        let mut mac = keyed.clone();
        mac.update(message);
        mac.finalize()
    }
    fn encode(_: &Self::State, tag: &M::Output) -> Item {
        item([("tag", tag.as_ref())])
    }
}

/// Poly1305: the key serves one message, so it is set up in every run.
struct PolyMac;

impl Task for PolyMac {
    type Table = poly1305::Backend;
    type State = (poly1305::Backend, [u8; 32], Vec<u8>);
    type Output = [u8; 16];
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        random(stream, &[("key", 32), ("message", bytes)])
    }
    fn ready(table: poly1305::Backend, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let key = field(input, "key")?[..]
            .try_into()
            .map_err(|_| "the key has not 32 bytes")?;
        Ok((table, key, copied(input, "message")?))
    }
    fn run((table, key, message): &mut Self::State) -> [u8; 16] {
        Poly1305::mac(OneTimeKey::new(*key).with_backend(*table), message)
    }
    fn encode(_: &Self::State, tag: &[u8; 16]) -> Item {
        item([("tag", tag)])
    }
}

/// GHASH alone: the sum of whole blocks under a key, zeros filling up the last.
struct GhashMac;

impl Task for GhashMac {
    type Table = ghash::Backend;
    type State = (ghash::Key, Vec<[u8; 16]>);
    type Output = [u8; 16];
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        random(stream, &[("key", 16), ("message", bytes)])
    }
    fn ready(table: ghash::Backend, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let key = field(input, "key")?[..].try_into();
        let key: [u8; 16] = key.map_err(|_| "the key has not 16 bytes")?;
        let blocks = field(input, "message")?.chunks(16).map(|chunk| {
            let mut block = [0; 16];
            block[..chunk.len()].copy_from_slice(chunk);
            block
        });
        Ok((ghash::Key::new_on(&key, table), blocks.collect()))
    }
    fn run((key, blocks): &mut Self::State) -> [u8; 16] {
        let mut sum = [0; 16];
        key.update(&mut sum, blocks);
        sum
    }
    fn encode(_: &Self::State, tag: &[u8; 16]) -> Item {
        item([("tag", tag)])
    }
}
