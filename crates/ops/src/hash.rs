//! `*/digest` and `*/digest_batch`: the message goes in, the digest comes out.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::Error;
use adamant::family::{Hash, Xof, XofReader};
use adamant::hash::blake2b::{Blake2b, Blake2b512};
use adamant::hash::blake2s::Blake2s256;
use adamant::hash::hmac::BatchHash;
use adamant::hash::{Blake3, Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_256, Sm3, sha3};
use adamant::hazmat::hash::{blake2b, blake2s, blake3, keccak, md5, sha1, sha256, sha512, sm3};

use crate::stream::Stream;
use crate::table::{Table, tables};
use crate::task::{
    BatchTask, Judge, LENGTHS, Registry, Task, Wrong, batch, copied, each, item, random, single,
};
use crate::{Item, Length};

tables!(sha256::Backend, sha512::Backend, keccak::Backend);
tables!(sm3::Backend, sha1::Backend, md5::Backend);
tables!(blake2b::Backend, blake2s::Backend, blake3::Backend);
tables!(
    sha256::lanes::Backend,
    sha512::lanes::Backend,
    keccak::lanes::Backend
);
tables!(
    sm3::lanes::Backend,
    sha1::lanes::Backend,
    md5::lanes::Backend
);
tables!(blake2b::lanes::Backend, blake2s::lanes::Backend);

pub(crate) fn register(to: &mut Registry) {
    single_and_batch::<Sha224>(to, "sha224/digest");
    single_and_batch::<Sha256>(to, "sha256/digest");
    single_and_batch::<Sha384>(to, "sha384/digest");
    single_and_batch::<Sha512>(to, "sha512/digest");
    single_and_batch::<Sha512_256>(to, "sha512-256/digest");
    single_and_batch::<sha3::Sha3_224>(to, "sha3-224/digest");
    single_and_batch::<sha3::Sha3_256>(to, "sha3-256/digest");
    single_and_batch::<sha3::Sha3_384>(to, "sha3-384/digest");
    single_and_batch::<sha3::Sha3_512>(to, "sha3-512/digest");
    single_and_batch::<Cut<sha3::Shake128, 32>>(to, "shake128/digest");
    single_and_batch::<Cut<sha3::Shake256, 64>>(to, "shake256/digest");
    to.single::<Digest<Cut<sha3::TurboShake128, 32>>>("turboshake128/digest");
    to.single::<Digest<Cut<sha3::TurboShake256, 64>>>("turboshake256/digest");
    single_and_batch::<Sm3>(to, "sm3/digest");
    single_and_batch::<Sha1>(to, "sha1/digest");
    single_and_batch::<Md5>(to, "md5/digest");
    to.single::<Digest<Blake2b512>>("blake2b-512/digest");
    to.single::<Digest<Blake2b<32>>>("blake2b-256/digest");
    to.single::<Digest<Blake2s256>>("blake2s-256/digest");
    to.single::<Digest<Blake3>>("blake3/digest");
}

fn single_and_batch<H: ChosenHash + BatchHash<Lanes: Table + Sync>>(to: &mut Registry, name: &str) {
    to.add(
        name,
        const {
            &[
                ("", single::<Digest<H>>()),
                ("_batch", batch::<DigestBatch<H>>()),
            ]
        },
    );
}

/// A hash whose implementation can be chosen; MACs build on it too.
pub(crate) trait ChosenHash: Hash + Sync + 'static {
    type Table: Table;
    /// The lengths of messages that show its speed.
    const LENGTHS: &'static [usize] = LENGTHS;
    fn new_on(table: Self::Table) -> Self;
    /// The one-shot call on the implementation of a hash that took nothing in, where it is another
    /// than taking in and finishing.
    fn digest_with(_fresh: &Self, table: Self::Table, message: &[u8]) -> Self::Output {
        let mut hash = Self::new_on(table);
        hash.update(message);
        hash.finalize()
    }
    /// What a batch writes over.
    #[inline(never)]
    fn place() -> Self::Output {
        Self::digest(b"")
    }
}

/// The digests of the list.
macro_rules! digests {
    (hashes { $({
        $feature:tt ($($hash:tt)*) $table:ident $lanes:tt $name:literal $tag:literal $oid:tt
        $standard:literal $kind:ident $($_h:tt)*
    })* }) => {
        $(chosen!($kind $table adamant::hash::$($hash)*);)*
    };
}

macro_rules! chosen {
    (extendable $($_h:tt)*) => {};
    (customizable $($_h:tt)*) => {};
    (separable $($_h:tt)*) => {};
    ($kind:ident $table:ident $hash:ty) => {
        impl ChosenHash for $hash {
            type Table = $table::Backend;
            fn new_on(table: Self::Table) -> Self {
                <$hash>::new_on(table)
            }
            one_shot!($table);
        }
    };
}

macro_rules! one_shot {
    // These take in and finish.
    (keccak) => {};
    (blake2b) => {};
    (blake2s) => {};
    // Its tree has more lanes to fill the longer the message.
    (blake3) => {
        const LENGTHS: &'static [usize] = &[16, 64, 256, 1024, 8192, 16384, 65536];
        one_shot!(any);
    };
    ($table:ident) => {
        fn digest_with(fresh: &Self, _table: Self::Table, message: &[u8]) -> Self::Output {
            fresh.finish_with(&[message])
        }
    };
}
adamant::hazmat::base::hashes!(digests);

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
    ($($xof:ident $(($domain:expr))? $(, $function:ident)?;)+) => { $(
        impl<const N: usize> ChosenHash for Cut<sha3::$xof, N> {
            type Table = keccak::Backend;
            fn new_on(table: Self::Table) -> Self {
                Cut(sha3::$xof::new_on($($domain,)? table))
            }
        }
        $(
            impl<const N: usize> BatchHash for Cut<sha3::$xof, N> {
                type Lanes = keccak::lanes::Backend;
                fn lanes() -> Self::Lanes {
                    Self::Lanes::best()
                }
                fn digest_batch_on(
                    messages: &[&[u8]],
                    out: &mut [Self::Output],
                    lanes: Self::Lanes,
                ) -> Result<(), Error> {
                    sha3::$xof::$function.batch(lanes, messages, out)
                }
            }
        )?
    )+ };
}

chosen_xof! {
    Shake128, FUNCTION;
    Shake256, FUNCTION;
    TurboShake128(sha3::Domain::DEFAULT);
    TurboShake256(sha3::Domain::DEFAULT);
}

fn digest_item<H: Hash>(digest: &H::Output) -> Item {
    item([("digest", digest.as_ref())])
}

struct Digest<H>(PhantomData<H>);

impl<H: ChosenHash> Task for Digest<H> {
    type Table = H::Table;
    type State = (H, H::Table, Vec<u8>);
    type Output = H::Output;
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = H::LENGTHS;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        random(stream, &[("message", bytes)])
    }
    fn ready(table: H::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        Ok((H::new_on(table), table, copied(input, "message")?))
    }
    fn run((fresh, table, message): &mut Self::State) -> H::Output {
        H::digest_with(fresh, *table, message)
    }
    fn encode(_: &Self::State, digest: &H::Output) -> Item {
        digest_item::<H>(digest)
    }
}

/// The batch call.
struct DigestBatch<H>(PhantomData<H>);

impl<H: ChosenHash + BatchHash<Lanes: Table + Sync>> Task for DigestBatch<H> {
    type Table = H::Lanes;
    type State = (H::Lanes, Vec<u8>);
    type Output = H::Output;
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = H::LENGTHS;
    const JUDGE: Judge = Digest::<H>::JUDGE;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        Digest::<H>::input(stream, bytes)
    }
    fn ready(table: H::Lanes, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        Ok((table, copied(input, "message")?))
    }
    fn run((_, message): &mut Self::State) -> H::Output {
        H::digest(message)
    }
    fn encode(_: &Self::State, digest: &H::Output) -> Item {
        digest_item::<H>(digest)
    }
}

impl<H: ChosenHash + BatchHash<Lanes: Table + Sync>> BatchTask for DigestBatch<H> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<H::Output> {
        let messages = each(states, |(_, message)| &message[..]);
        let mut digests = vec![H::place(); messages.len()];
        let lanes = states.first().map_or(H::Lanes::best(), |(lanes, _)| *lanes);
        for _ in 0..iterations {
            let done = H::digest_batch_on(black_box(&messages), black_box(&mut digests), lanes);
            done.expect("as many places as messages");
        }
        digests
    }
}
