//! `*/seal` and `*/open`: the key is scheduled beforehand; data is worked on in place, one message
//! over and over. No associated data, unless inputs of any length are asked for.

use std::marker::PhantomData;

use adamant::cipher::ccm::Ccm;
use adamant::cipher::chacha20_poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use adamant::cipher::eax::Eax;
use adamant::cipher::gcm::AesGcm;
use adamant::cipher::gcm_siv::AesGcmSiv;
use adamant::cipher::sm4::Sm4Gcm;
use adamant::hazmat::cipher::{chacha20_poly1305, gcm, gcm_siv, sm4};
use adamant::{
    Error,
    family::{Aead, Block, BlockCipher},
};

use crate::cipher::{ChosenCipher, wrong_key};
use crate::stream::Stream;
use crate::table::{Table, tables};
use crate::task::{Registry, Task, Wrong, copied, field, insert, item, random, single};
use crate::{Item, Length};

/// Those of the list.
macro_rules! register {
    (aeads { $({ $feature:tt ($($aead:tt)*) $table:tt $name:literal $($_a:tt)* })* }) => {
        pub(crate) fn register(to: &mut Registry) {
            $(both::<adamant::cipher::$($aead)*>(to, $name);)*
        }
    };
}
adamant::hazmat::base::aeads!(register);

fn both<A: ChosenAead>(to: &mut Registry, name: &str) {
    to.add(
        name,
        const {
            &[
                ("/seal", single::<Seal<A>>()),
                ("/open", single::<Open<A>>()),
            ]
        },
    );
}

tables! { gcm::Backend, sm4::gcm::Backend, gcm_siv::Backend, chacha20_poly1305::Backend }

/// An AEAD whose implementation can be chosen.
trait ChosenAead: Aead + Sync + 'static {
    type Table: Table;
    /// Whether the key stream depends only on key and nonce.
    const ONE_STREAM: bool = true;
    fn new_on(key: &[u8], table: Self::Table) -> Result<Self, Wrong>;
}

/// Those with a table of their own.
macro_rules! chosen {
    ($([$($generics:tt)*] $aead:ty: $table:ty $(, one stream $one_stream:literal)?;)+) => { $(
        impl<$($generics)*> ChosenAead for $aead {
            type Table = $table;
            $(const ONE_STREAM: bool = $one_stream;)?
            fn new_on(key: &[u8], table: Self::Table) -> Result<Self, Wrong> {
                let key = key.try_into().map_err(|_| wrong_key(key))?;
                Ok(<$aead>::new_on(key, table))
            }
        }
    )+ };
}

chosen! {
    [const KEY_LEN: usize] AesGcm<KEY_LEN>: gcm::Backend;
    [const KEY_LEN: usize] AesGcmSiv<KEY_LEN>: gcm_siv::Backend, one stream false;
    [] Sm4Gcm: sm4::gcm::Backend;
    [] ChaCha20Poly1305: chacha20_poly1305::Backend;
    [] XChaCha20Poly1305: chacha20_poly1305::Backend;
}

/// Modes of any cipher, on its table.
macro_rules! modes {
    ($($mode:ident)+) => { $(
        impl<C: ChosenCipher + BlockCipher<Block = [u8; 16]>> ChosenAead for $mode<C>
        where
            $mode<C>: Aead,
        {
            type Table = C::Table;
            fn new_on(key: &[u8], table: C::Table) -> Result<Self, Wrong> {
                C::new_on(key, table).map($mode::with_cipher)
            }
        }
    )+ };
}
modes! { Ccm Eax }

/// A cipher with a message.
struct Message<A> {
    cipher: A,
    text: Text,
}

/// What does not depend on the cipher.
struct Text {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    original: Vec<u8>,
    data: Vec<u8>,
    /// The tags that the data has by turns.
    tags: [Vec<u8>; 2],
}

impl Text {
    #[inline(never)]
    fn new(input: &Item, text: &str, tag_len: usize) -> Result<Self, Wrong> {
        let original = copied(input, text)?;
        Ok(Text {
            nonce: copied(input, "nonce")?,
            aad: copied(input, "aad")?,
            data: original.clone(),
            original,
            tags: [vec![0; tag_len], vec![0; tag_len]],
        })
    }
}

impl<A: ChosenAead> Message<A> {
    fn new(table: A::Table, input: &Item, text: &str) -> Result<Self, Wrong> {
        let text = Text::new(input, text, A::TAG_LEN)?;
        let cipher = A::new_on(field(input, "key")?, table)?;
        Ok(Message { cipher, text })
    }

    #[inline(never)]
    fn seal(&self, data: &mut [u8], tag: &mut [u8]) -> Result<(), Wrong> {
        let Text { nonce, aad, .. } = &self.text;
        let (nonce, tag) = (A::Nonce::from_slice(nonce)?, A::Tag::from_mut_slice(tag)?);
        *tag = self.cipher.seal(nonce, aad, data)?;
        Ok(())
    }

    #[inline(never)]
    fn open(&self, data: &mut [u8], tag: &[u8]) -> Result<(), Wrong> {
        let Text { nonce, aad, .. } = &self.text;
        let (nonce, tag) = (A::Nonce::from_slice(nonce)?, A::Tag::from_slice(tag)?);
        Ok(self.cipher.open(nonce, aad, data, tag)?)
    }
}

/// A call of a cipher on data and tag.
type Apply<'a> = &'a dyn Fn(&mut [u8], &mut [u8]) -> Result<(), Wrong>;

#[inline(never)]
fn key_and_nonce(stream: &mut Stream, key: usize, nonce: usize) -> Item {
    let mut item = random(stream, &[("key", key), ("nonce", nonce)]);
    let aad = stream.length(0);
    insert(&mut item, "aad", stream.bytes(aad));
    item
}

/// The usual lengths, and that of a packet of the network.
const LENGTHS: &[usize] = &[16, 64, 256, 1024, 1350, 8192, 16384];

struct Seal<A>(PhantomData<A>);

impl<A: ChosenAead> Task for Seal<A> {
    type Table = A::Table;
    type State = Message<A>;
    type Output = ();
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = LENGTHS;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        plain(stream, A::KEY_LEN, A::NONCE_LEN, bytes)
    }
    fn ready(table: A::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let message = Message::<A>::new(table, input, "message")?;
        let (mut data, mut tag) = (message.text.original.clone(), vec![0; A::TAG_LEN]);
        message.seal(&mut data, &mut tag)?;
        Ok(message)
    }
    fn run(state: &mut Self::State) {
        let Text {
            nonce,
            aad,
            data,
            tags: [tag, _],
            ..
        } = &mut state.text;
        let mut seal = || {
            *A::Tag::from_mut_slice(tag)? =
                state.cipher.seal(A::Nonce::from_slice(nonce)?, aad, data)?;
            Ok::<(), Error>(())
        };
        seal().expect("nonce and message have lengths that were accepted before");
    }
    /// Runs go on with what the last one left; the output is that of the input.
    fn encode(state: &Self::State, (): &()) -> Item {
        let seal = |data: &mut [u8], tag: &mut [u8]| state.seal(data, tag);
        sealed(&state.text.original, A::TAG_LEN, &seal)
    }
}

/// The input of sealing.
#[inline(never)]
fn plain(stream: &mut Stream, key: usize, nonce: usize, bytes: usize) -> Item {
    let mut input = key_and_nonce(stream, key, nonce);
    insert(&mut input, "message", stream.bytes(bytes));
    input
}

/// The output of sealing.
#[inline(never)]
fn sealed(message: &[u8], tag_len: usize, seal: Apply<'_>) -> Item {
    let (mut data, mut tag) = (message.to_vec(), vec![0; tag_len]);
    match seal(&mut data, &mut tag) {
        Ok(()) => item([("ciphertext", &data), ("tag", &tag)]),
        Err(_) => Item::new(),
    }
}

/// Opens a ciphertext, then what came out as if it were one, and so on in turns: sealing either
/// gives the other, as both are the exclusive or with one key stream. So every run opens data
/// whose tag is right, and none has to be copied into place. Where the key stream depends on the
/// message, it is copied, inside the timing.
struct Open<A>(PhantomData<A>);

impl<A: ChosenAead> Task for Open<A> {
    type Table = A::Table;
    type State = Message<A>;
    type Output = ();
    const LENGTH: Length = Length::Message;
    const BYTES: &'static [usize] = LENGTHS;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        let mut input = Seal::<A>::input(stream, bytes);
        let message = Message::<A>::new(A::Table::portable(), &input, "message");
        input.remove("message");
        if let Ok(message) = message {
            input.extend(Seal::encode(&message, &()));
        }
        input
    }
    fn ready(table: A::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let mut state = Message::<A>::new(table, input, "ciphertext")?;
        let tag = field(input, "tag")?;
        let seal = |data: &mut [u8], tag: &mut [u8]| state.seal(data, tag);
        let open = |data: &mut [u8], tag: &mut [u8]| state.open(data, tag);
        let original = &state.text.original;
        state.text.tags = match A::ONE_STREAM {
            true => both_tags(original, tag, A::TAG_LEN, &seal)?,
            false => one_tag(original, tag, &open)?,
        };
        Ok(state)
    }
    fn run(state: &mut Self::State) {
        let Text {
            nonce,
            aad,
            data,
            tags,
            original,
        } = &mut state.text;
        if !A::ONE_STREAM {
            data.copy_from_slice(original);
        }
        let mut open = || {
            let (nonce, tag) = (A::Nonce::from_slice(nonce)?, A::Tag::from_slice(&tags[0])?);
            state.cipher.open(nonce, aad, data, tag)
        };
        open().expect("a tag that was right before");
        tags.swap(0, 1);
    }
    fn encode(state: &Self::State, (): &()) -> Item {
        let open = |data: &mut [u8], tag: &mut [u8]| state.open(data, tag);
        opened(&state.text, &open)
    }
}

/// The tag of a ciphertext and that of its message, sealed in turns.
#[inline(never)]
fn both_tags(
    original: &[u8],
    right: &[u8],
    tag_len: usize,
    seal: Apply<'_>,
) -> Result<[Vec<u8>; 2], Wrong> {
    let (mut data, mut tag) = (original.to_vec(), vec![0; tag_len]);
    seal(&mut data, &mut tag)?; // the message, under the tag of the ciphertext
    let tags = [right.to_vec(), tag.clone()];
    seal(&mut data, &mut tag)?;
    if (&data[..], &tag[..]) != (original, right) {
        return Err("the tag is wrong".into());
    }
    Ok(tags)
}

/// The tag of a ciphertext, twice.
#[inline(never)]
fn one_tag(original: &[u8], tag: &[u8], open: Apply<'_>) -> Result<[Vec<u8>; 2], Wrong> {
    let (mut data, mut tag) = (original.to_vec(), tag.to_vec());
    open(&mut data, &mut tag)?;
    Ok([tag.clone(), tag])
}

/// The output of opening: under the tag that is right for the ciphertext.
#[inline(never)]
fn opened(text: &Text, open: Apply<'_>) -> Item {
    let mut data = Vec::new();
    let found = text.tags.iter().any(|tag| {
        data.clone_from(&text.original);
        open(&mut data, &mut tag.clone()).is_ok()
    });
    match found {
        true => item([("message", &data)]),
        false => Item::new(),
    }
}
