//! `*/digest` and `*/digest_batch`: the message goes in, the digest comes out.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::base::Error;
use adamant::base::family::Hash;
use adamant::hash::{blake2b, blake2s, blake3, md5, sha1, sha256, sha512, sm3};

use crate::stream::Stream;
use crate::table::{Best, Table, tables};
use crate::task::{BatchTask, Registry, Task, field, item};
use crate::{Item, Length};

tables!(sha256::Backend, sha512::Backend);
tables!(sm3::Backend, sha1::Backend, md5::Backend);
tables!(blake2b::Backend, blake2s::Backend, blake3::Backend);

pub(crate) fn register(to: &mut Registry) {
    to.single::<Digest<sha256::Sha256>>("sha256/digest");
    to.batch::<DigestBatch<sha256::Sha256>>("sha256/digest_batch");
    to.single::<Digest<sha512::Sha384>>("sha384/digest");
    to.single::<Digest<sha512::Sha512>>("sha512/digest");
    to.batch::<DigestBatch<sha512::Sha512>>("sha512/digest_batch");
    to.single::<Digest<sm3::Sm3>>("sm3/digest");
    to.single::<Digest<sha1::Sha1>>("sha1/digest");
    to.single::<Digest<md5::Md5>>("md5/digest");
    to.single::<Digest<blake2b::Blake2b512>>("blake2b-512/digest");
    to.single::<Digest<blake2b::Blake2b<32>>>("blake2b-256/digest");
    to.single::<Digest<blake2s::Blake2s256>>("blake2s-256/digest");
    to.single::<Digest<blake3::Blake3>>("blake3/digest");
}

/// A hash whose implementation can be chosen; MACs build on it too.
pub(crate) trait ChosenHash: Hash + Sync + 'static {
    type Table: Table;
    fn with_backend(table: Self::Table) -> Self;
}

/// A hash with a batch call.
trait BatchHash: ChosenHash {
    fn digest_batch(messages: &[&[u8]], out: &mut [Self::Output]) -> Result<(), Error>;
}

macro_rules! chosen {
    ($($hash:ty: $module:ident $(, $batch:ident)?;)+) => { $(
        impl ChosenHash for $hash {
            type Table = $module::Backend;
            fn with_backend(table: Self::Table) -> Self {
                <$hash>::with_backend(table)
            }
        }
        $(
            impl BatchHash for $hash {
                fn digest_batch(messages: &[&[u8]], out: &mut [Self::Output]) -> Result<(), Error> {
                    $module::$batch(messages, out)
                }
            }
        )?
    )+ };
}

chosen! {
    sha256::Sha256: sha256, digest_batch;
    sha512::Sha384: sha512;
    sha512::Sha512: sha512, digest_batch;
    sm3::Sm3: sm3;
    sha1::Sha1: sha1;
    md5::Md5: md5;
    blake2b::Blake2b512: blake2b;
    blake2b::Blake2b<32>: blake2b;
    blake2s::Blake2s256: blake2s;
    blake3::Blake3: blake3;
}

fn digest_item<H: Hash>(digest: H::Output) -> Item {
    item([("digest", digest.as_ref())])
}

struct Digest<H>(PhantomData<H>);

impl<H: ChosenHash> Task for Digest<H> {
    type Table = H::Table;
    type State = (H::Table, Vec<u8>);
    type Output = H::Output;
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        item([("message", &stream.bytes(bytes))])
    }
    fn ready(table: H::Table, input: &Item, _: usize) -> Result<Self::State, String> {
        Ok((table, field(input, "message")?.clone()))
    }
    fn run((table, message): &mut Self::State) -> H::Output {
        let mut hash = H::with_backend(*table);
        hash.update(message);
        hash.finalize()
    }
    fn encode(_: &Self::State, digest: H::Output) -> Item {
        digest_item::<H>(digest)
    }
}

/// The batch call, which chooses its implementation itself.
struct DigestBatch<H>(PhantomData<H>);

impl<H: BatchHash> Task for DigestBatch<H> {
    type Table = Best<H::Table>;
    type State = Vec<u8>;
    type Output = H::Output;
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        Digest::<H>::input(stream, bytes)
    }
    fn ready(_: Self::Table, input: &Item, _: usize) -> Result<Self::State, String> {
        Ok(field(input, "message")?.clone())
    }
    fn run(message: &mut Self::State) -> H::Output {
        H::digest(message)
    }
    fn encode(_: &Self::State, digest: H::Output) -> Item {
        digest_item::<H>(digest)
    }
    fn judge(input: &Item, output: &Item, bytes: usize) -> Result<(), String> {
        Digest::<H>::judge(input, output, bytes)
    }
}

impl<H: BatchHash> BatchTask for DigestBatch<H> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<H::Output> {
        let messages: Vec<&[u8]> = states.iter().map(Vec::as_slice).collect();
        let mut digests = vec![H::digest(b""); messages.len()];
        for _ in 0..iterations {
            let done = H::digest_batch(black_box(&messages), black_box(&mut digests));
            done.expect("as many places as messages");
        }
        digests
    }
}
