//! `*/seal` and `*/open`: the key is scheduled beforehand; data is worked on in place, one message
//! over and over. No associated data.

use std::marker::PhantomData;

use adamant::base::Aead;
use adamant::cipher::aes::{self, Aes};
use adamant::cipher::ccm::{AesCcm, Ccm};
use adamant::cipher::chacha20_poly1305::{self, ChaCha20Poly1305, XChaCha20Poly1305};
use adamant::cipher::eax::{AesEax, Eax};
use adamant::cipher::gcm::{self, AesGcm};
use adamant::cipher::gcm_siv::{self, AesGcmSiv};
use adamant::cipher::sm4::{self, Sm4, Sm4Ccm, Sm4Gcm};

use crate::cipher::ChosenCipher;
use crate::stream::Stream;
use crate::table::{Table, tables};
use crate::task::{Registry, Task, field, item};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    both::<AesGcm<16>>(to, "aes-128-gcm");
    both::<AesGcm<24>>(to, "aes-192-gcm");
    both::<AesGcm<32>>(to, "aes-256-gcm");
    both::<AesCcm<16>>(to, "aes-128-ccm");
    both::<AesCcm<24>>(to, "aes-192-ccm");
    both::<AesCcm<32>>(to, "aes-256-ccm");
    both::<Sm4Gcm>(to, "sm4-gcm");
    both::<Sm4Ccm>(to, "sm4-ccm");
    both::<AesEax<16>>(to, "aes-128-eax");
    both::<AesEax<24>>(to, "aes-192-eax");
    both::<AesEax<32>>(to, "aes-256-eax");
    both::<AesGcmSiv<16>>(to, "aes-128-gcm-siv");
    both::<AesGcmSiv<32>>(to, "aes-256-gcm-siv");
    both::<ChaCha20Poly1305>(to, "chacha20-poly1305");
    both::<XChaCha20Poly1305>(to, "xchacha20-poly1305");
}

fn both<A: ChosenAead>(to: &mut Registry, name: &str) {
    to.single::<Seal<A>>(&format!("{name}/seal"));
    to.single::<Open<A>>(&format!("{name}/open"));
}

tables! { gcm::Backend, sm4::gcm::Backend, gcm_siv::Backend, chacha20_poly1305::Backend }

/// An AEAD whose implementation can be chosen.
trait ChosenAead: Aead + Sync + 'static {
    type Table: Table;
    /// Whether the key stream depends on key and nonce alone.
    const ONE_STREAM: bool = true;
    fn with_backend(table: Self::Table, key: &[u8]) -> Result<Self, String>;
}

impl<const KEY_LEN: usize> ChosenAead for AesGcm<KEY_LEN> {
    type Table = gcm::Backend;
    fn with_backend(table: gcm::Backend, key: &[u8]) -> Result<Self, String> {
        let key = key
            .try_into()
            .map_err(|_| format!("the key has {} bytes", key.len()))?;
        Ok(AesGcm::with_backend(table, key))
    }
}

impl<const KEY_LEN: usize> ChosenAead for AesGcmSiv<KEY_LEN> {
    type Table = gcm_siv::Backend;
    const ONE_STREAM: bool = false;
    fn with_backend(table: gcm_siv::Backend, key: &[u8]) -> Result<Self, String> {
        let key = key
            .try_into()
            .map_err(|_| format!("the key has {} bytes", key.len()))?;
        Ok(AesGcmSiv::with_backend(table, key))
    }
}

impl<const KEY_LEN: usize> ChosenAead for AesEax<KEY_LEN> {
    type Table = aes::Backend;
    fn with_backend(table: aes::Backend, key: &[u8]) -> Result<Self, String> {
        <Aes<KEY_LEN> as ChosenCipher>::with_backend(table, key).map(Eax::with_cipher)
    }
}

impl<const KEY_LEN: usize> ChosenAead for AesCcm<KEY_LEN> {
    type Table = aes::Backend;
    fn with_backend(table: aes::Backend, key: &[u8]) -> Result<Self, String> {
        <Aes<KEY_LEN> as ChosenCipher>::with_backend(table, key).map(Ccm::with_cipher)
    }
}

impl ChosenAead for Sm4Gcm {
    type Table = sm4::gcm::Backend;
    fn with_backend(table: sm4::gcm::Backend, key: &[u8]) -> Result<Self, String> {
        let key = key
            .try_into()
            .map_err(|_| format!("the key has {} bytes", key.len()))?;
        Ok(Sm4Gcm::with_backend(table, key))
    }
}

impl ChosenAead for Sm4Ccm {
    type Table = sm4::Backend;
    fn with_backend(table: sm4::Backend, key: &[u8]) -> Result<Self, String> {
        <Sm4 as ChosenCipher>::with_backend(table, key).map(Ccm::with_cipher)
    }
}

macro_rules! chacha20_poly1305 {
    ($($type:ty)+) => { $(
        impl ChosenAead for $type {
            type Table = chacha20_poly1305::Backend;
            fn with_backend(table: Self::Table, key: &[u8]) -> Result<Self, String> {
                let key = key
                    .try_into()
                    .map_err(|_| format!("the key has {} bytes", key.len()))?;
                Ok(<$type>::with_backend(table, key))
            }
        }
    )+ };
}
chacha20_poly1305! { ChaCha20Poly1305 XChaCha20Poly1305 }

/// A cipher with a message.
struct Message<A> {
    cipher: A,
    nonce: Vec<u8>,
    aad: Vec<u8>,
    original: Vec<u8>,
    data: Vec<u8>,
    /// The tags that the data has by turns.
    tags: [Vec<u8>; 2],
}

impl<A: ChosenAead> Message<A> {
    fn new(table: A::Table, input: &Item, text: &str) -> Result<Self, String> {
        let original = field(input, text)?.clone();
        Ok(Message {
            cipher: A::with_backend(table, field(input, "key")?)?,
            nonce: field(input, "nonce")?.clone(),
            aad: field(input, "aad")?.clone(),
            data: original.clone(),
            original,
            tags: [vec![0; A::TAG_LEN], vec![0; A::TAG_LEN]],
        })
    }

    fn seal(&self, data: &mut [u8], tag: &mut [u8]) -> Result<(), String> {
        let done = self.cipher.seal(&self.nonce, &self.aad, data, tag);
        done.map_err(|e| e.to_string())
    }
}

fn key_and_nonce<A: ChosenAead>(stream: &mut Stream) -> Item {
    item([
        ("key", &stream.bytes(A::KEY_LEN)),
        ("nonce", &stream.bytes(A::NONCE_LEN)),
        ("aad", b""),
    ])
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
        let mut input = key_and_nonce::<A>(stream);
        input.insert("message".to_owned(), stream.bytes(bytes));
        input
    }
    fn ready(table: A::Table, input: &Item, _: usize) -> Result<Self::State, String> {
        Message::new(table, input, "message")
    }
    fn run(state: &mut Self::State) {
        let Message {
            cipher,
            nonce,
            aad,
            data,
            tags: [tag, _],
            ..
        } = state;
        let done = cipher.seal(nonce, aad, data, tag);
        done.expect("nonce and message have lengths that were accepted before");
    }
    /// Runs go on with what the last one left; the output is that of the input.
    fn encode(state: &Self::State, (): ()) -> Item {
        let (mut data, mut tag) = (state.original.clone(), vec![0; A::TAG_LEN]);
        match state.seal(&mut data, &mut tag) {
            Ok(()) => item([("ciphertext", &data), ("tag", &tag)]),
            Err(_) => Item::new(),
        }
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
        let mut input = key_and_nonce::<A>(stream);
        input.insert("message".to_owned(), stream.bytes(bytes));
        let sealed = Message::<A>::new(A::Table::portable(), &input, "message").map(|message| {
            let (mut data, mut tag) = (message.original.clone(), vec![0; A::TAG_LEN]);
            message.seal(&mut data, &mut tag).map(|()| (data, tag))
        });
        input.remove("message");
        if let Ok(Ok((ciphertext, tag))) = sealed {
            input.insert("ciphertext".to_owned(), ciphertext);
            input.insert("tag".to_owned(), tag);
        }
        input
    }
    fn ready(table: A::Table, input: &Item, _: usize) -> Result<Self::State, String> {
        let mut state = Message::<A>::new(table, input, "ciphertext")?;
        let mut data = state.original.clone();
        let mut tag = vec![0; A::TAG_LEN];
        if !A::ONE_STREAM {
            tag.clone_from(field(input, "tag")?);
            let right = state.cipher.open(&state.nonce, &state.aad, &mut data, &tag);
            right.map_err(|e| e.to_string())?;
            state.tags = [tag.clone(), tag];
            return Ok(state);
        }
        state.seal(&mut data, &mut tag)?; // the message, under the tag of the ciphertext
        state.tags = [field(input, "tag")?.clone(), tag.clone()];
        state.seal(&mut data, &mut tag)?;
        if (&data, &tag) != (&state.original, &state.tags[0]) {
            return Err("the tag is wrong".into());
        }
        Ok(state)
    }
    fn run(state: &mut Self::State) {
        let Message {
            cipher,
            nonce,
            aad,
            data,
            tags,
            original,
        } = state;
        if !A::ONE_STREAM {
            data.copy_from_slice(original);
        }
        let done = cipher.open(nonce, aad, data, &tags[0]);
        done.expect("a tag that was right before");
        tags.swap(0, 1);
    }
    fn encode(state: &Self::State, (): ()) -> Item {
        let mut data = state.original.clone();
        let opened = state.tags.iter().find(|tag| {
            data.copy_from_slice(&state.original);
            let done = state.cipher.open(&state.nonce, &state.aad, &mut data, tag);
            done.is_ok()
        });
        match opened {
            Some(_) => item([("message", &data)]),
            None => Item::new(),
        }
    }
}
