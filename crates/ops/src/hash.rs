//! `*/digest` and `*/digest_batch`: the message goes in, the digest comes out.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::base::Error;
use adamant::base::family::{Hash, Xof, XofReader};
use adamant::hash::{blake2b, blake2s, blake3, keccak, md5, sha1, sha3, sha256, sha512, sm3};

use crate::stream::Stream;
use crate::table::{Best, Table, tables};
use crate::task::{BatchTask, Registry, Task, field, item};
use crate::{Item, Length};

tables!(sha256::Backend, sha512::Backend, keccak::Backend);
tables!(sm3::Backend, sha1::Backend, md5::Backend);
tables!(blake2b::Backend, blake2s::Backend, blake3::Backend);

pub(crate) fn register(to: &mut Registry) {
    to.single::<Digest<sha256::Sha256>>("sha256/digest");
    to.batch::<DigestBatch<sha256::Sha256>>("sha256/digest_batch");
    to.single::<Digest<sha512::Sha384>>("sha384/digest");
    to.single::<Digest<sha512::Sha512>>("sha512/digest");
    to.batch::<DigestBatch<sha512::Sha512>>("sha512/digest_batch");
    to.single::<Digest<sha3::Sha3_224>>("sha3-224/digest");
    to.single::<Digest<sha3::Sha3_256>>("sha3-256/digest");
    to.batch::<DigestBatch<sha3::Sha3_256>>("sha3-256/digest_batch");
    to.single::<Digest<sha3::Sha3_384>>("sha3-384/digest");
    to.single::<Digest<sha3::Sha3_512>>("sha3-512/digest");
    to.batch::<DigestBatch<sha3::Sha3_512>>("sha3-512/digest_batch");
    to.single::<Digest<Cut<sha3::Shake128, 32>>>("shake128/digest");
    to.batch::<DigestBatch<Cut<sha3::Shake128, 32>>>("shake128/digest_batch");
    to.single::<Digest<Cut<sha3::Shake256, 64>>>("shake256/digest");
    to.batch::<DigestBatch<Cut<sha3::Shake256, 64>>>("shake256/digest_batch");
    to.single::<Digest<Cut<sha3::TurboShake128, 32>>>("turboshake128/digest");
    to.single::<Digest<Cut<sha3::TurboShake256, 64>>>("turboshake256/digest");
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
    /// The one-shot call, where it is another than taking in and finishing.
    fn digest_with_backend(table: Self::Table, message: &[u8]) -> Self::Output {
        let mut hash = Self::with_backend(table);
        hash.update(message);
        hash.finalize()
    }
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
            fn digest_with_backend(table: Self::Table, message: &[u8]) -> Self::Output {
                <$hash>::digest_with_backend(table, message)
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

/// The hashes over Keccak: their batch is a function of the type.
macro_rules! chosen_keccak {
    ($($hash:ident)+) => { $(
        impl ChosenHash for sha3::$hash {
            type Table = keccak::Backend;
            fn with_backend(table: Self::Table) -> Self {
                sha3::$hash::with_backend(table)
            }
        }
        impl BatchHash for sha3::$hash {
            fn digest_batch(messages: &[&[u8]], out: &mut [Self::Output]) -> Result<(), Error> {
                sha3::$hash::digest_batch(messages, out)
            }
        }
    )+ };
}

chosen_keccak! { Sha3_224 Sha3_256 Sha3_384 Sha3_512 }

/// The first `N` bytes of a function with output of any length.
#[derive(Clone)]
struct Cut<X, const N: usize>(X);

impl<X: Xof, const N: usize> Hash for Cut<X, N> {
    type Output = [u8; N];
    const BLOCK_LEN: usize = X::BLOCK_LEN;
    const OUTPUT_LEN: usize = N;

    fn new() -> Self {
        Cut(X::new())
    }
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
    fn finalize(self) -> [u8; N] {
        let mut out = [0; N];
        self.0.finalize_xof().read(&mut out);
        out
    }
}

macro_rules! chosen_xof {
    ($($xof:ident $(($domain:expr))? $(, $batch:ident)?;)+) => { $(
        impl<const N: usize> ChosenHash for Cut<sha3::$xof, N> {
            type Table = keccak::Backend;
            fn with_backend(table: Self::Table) -> Self {
                Cut(sha3::$xof::with_backend(table $(, $domain)?))
            }
        }
        $(
            impl<const N: usize> BatchHash for Cut<sha3::$xof, N> {
                fn digest_batch(messages: &[&[u8]], out: &mut [Self::Output]) -> Result<(), Error> {
                    sha3::$xof::$batch(messages, out)
                }
            }
        )?
    )+ };
}

chosen_xof! {
    Shake128, digest_batch;
    Shake256, digest_batch;
    TurboShake128(sha3::Domain::DEFAULT);
    TurboShake256(sha3::Domain::DEFAULT);
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
        H::digest_with_backend(*table, message)
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
