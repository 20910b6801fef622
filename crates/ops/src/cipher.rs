//! `*/encrypt`, `*/decrypt` and `*/encrypt_batch`: the key is scheduled beforehand; data is worked
//! on in place, one message over and over.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::cipher::aes::Aes;
use adamant::cipher::chacha20::ChaCha20;
use adamant::cipher::des::Tdea;
use adamant::cipher::modes::ctr::Ctr;
use adamant::cipher::modes::{Message as InBatch, cbc, cfb, ecb, ofb, xts::Xts};
use adamant::cipher::sm4::Sm4;
use adamant::family::{Block, BlockCipher};
use adamant::hazmat::cipher::aes::{self, lanes};
use adamant::hazmat::cipher::{chacha20, des, sm4};

use crate::stream::Stream;
use crate::table::{Table, tables};
use crate::task::{
    BatchTask, Judge, Registry, Start, Task, Wrong, batch, copied, field, insert, item, random,
    single, start,
};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    modes::<Aes<16>>(to, "aes-128");
    modes::<Aes<24>>(to, "aes-192");
    modes::<Aes<32>>(to, "aes-256");
    batches::<16>(to, "aes-128");
    batches::<24>(to, "aes-192");
    batches::<32>(to, "aes-256");
    modes::<Sm4>(to, "sm4");
    feedback::<Sm4>(to, "sm4");
    modes::<Tdea<24>>(to, "3des");
    feedback::<Tdea<24>>(to, "3des");
    modes::<Tdea<8>>(to, "des");
    feedback::<Tdea<8>>(to, "des");
    sectors::<Aes<16>>(to, "aes-128");
    sectors::<Aes<32>>(to, "aes-256");
    sectors::<Sm4>(to, "sm4");
    to.single::<Encrypt>("chacha20/encrypt");
}

fn sectors<C: BlockCipher<Block = [u8; 16]> + 'static>(to: &mut Registry, cipher: &str)
where
    Xts<C>: ChosenCipher,
{
    to.add(
        cipher,
        const {
            &[
                ("-xts/encrypt", single::<Crypt<Xts<C>, Sector, true>>()),
                ("-xts/decrypt", single::<Crypt<Xts<C>, Sector, false>>()),
            ]
        },
    );
}

fn feedback<C: ChosenCipher + BlockCipher>(to: &mut Registry, cipher: &str) {
    to.add(
        cipher,
        const {
            &[
                ("-cfb/encrypt", single::<Crypt<C, Cfb, true>>()),
                ("-cfb/decrypt", single::<Crypt<C, Cfb, false>>()),
                ("-ofb/encrypt", single::<Crypt<C, Ofb, true>>()),
                ("-ofb/decrypt", single::<Crypt<C, Ofb, false>>()),
            ]
        },
    );
}

fn modes<C: ChosenCipher + BlockCipher>(to: &mut Registry, cipher: &str) {
    to.add(
        cipher,
        const {
            &[
                ("-ecb/encrypt", single::<Crypt<C, Ecb, true>>()),
                ("-ecb/decrypt", single::<Crypt<C, Ecb, false>>()),
                ("-cbc/encrypt", single::<Crypt<C, Cbc, true>>()),
                ("-cbc/decrypt", single::<Crypt<C, Cbc, false>>()),
                ("-ctr/encrypt", single::<Crypt<C, Counter, true>>()),
                ("-ctr/decrypt", single::<Crypt<C, Counter, false>>()),
            ]
        },
    );
}

fn batches<const KEY_LEN: usize>(to: &mut Registry, cipher: &str) {
    to.add(
        cipher,
        const {
            &[
                ("-cbc/encrypt_batch", batch::<EncryptBatch<KEY_LEN, Cbc>>()),
                (
                    "-ctr/encrypt_batch",
                    batch::<EncryptBatch<KEY_LEN, Counter>>(),
                ),
            ]
        },
    );
}

tables! { aes::Backend, sm4::Backend, des::Backend, lanes::Backend, chacha20::Backend }

/// A block cipher whose implementation can be chosen.
pub(crate) trait ChosenCipher: Sync + 'static {
    type Table: Table;
    const KEY_LEN: usize;
    /// Bytes of a block.
    const BLOCK: usize = 16;
    fn new_on(key: &[u8], table: Self::Table) -> Result<Self, Wrong>
    where
        Self: Sized;
}

impl<const KEY_LEN: usize> ChosenCipher for Aes<KEY_LEN> {
    type Table = aes::Backend;
    const KEY_LEN: usize = KEY_LEN;
    fn new_on(key: &[u8], table: aes::Backend) -> Result<Self, Wrong> {
        let key = key.try_into().map_err(|_| wrong_key(key))?;
        Ok(Aes::new_on(key, table))
    }
}

impl ChosenCipher for Sm4 {
    type Table = sm4::Backend;
    const KEY_LEN: usize = 16;
    fn new_on(key: &[u8], table: sm4::Backend) -> Result<Self, Wrong> {
        let key = key.try_into().map_err(|_| wrong_key(key))?;
        Ok(Sm4::new_on(key, table))
    }
}

impl<const KEY_LEN: usize> ChosenCipher for Tdea<KEY_LEN> {
    type Table = des::Backend;
    const KEY_LEN: usize = KEY_LEN;
    const BLOCK: usize = 8;
    fn new_on(key: &[u8], table: des::Backend) -> Result<Self, Wrong> {
        let key = key.try_into().map_err(|_| wrong_key(key))?;
        Ok(Tdea::new_on(key, table))
    }
}

impl ChosenCipher for Xts<Sm4> {
    type Table = sm4::Backend;
    const KEY_LEN: usize = 32;
    fn new_on(keys: &[u8], table: sm4::Backend) -> Result<Self, Wrong> {
        let (data, tweak) = keys.split_at(keys.len() / 2);
        let [data, tweak] = [data, tweak].map(|key| <Sm4 as ChosenCipher>::new_on(key, table));
        Ok(Xts::with_ciphers(data?, tweak?))
    }
}

impl<const KEY_LEN: usize> ChosenCipher for Xts<Aes<KEY_LEN>> {
    type Table = aes::Backend;
    const KEY_LEN: usize = 2 * KEY_LEN;
    fn new_on(keys: &[u8], table: aes::Backend) -> Result<Self, Wrong> {
        let ([data, tweak], []) = keys.as_chunks() else {
            return Err(wrong_key(keys).into());
        };
        Xts::<Aes<KEY_LEN>>::new_on(data, tweak, table).map_err(Wrong::from)
    }
}

/// What is wrong with a key of another length.
#[cold]
pub(crate) fn wrong_key(key: &[u8]) -> String {
    format!("the key has {} bytes", key.len())
}

/// A mode of operation over `C`.
trait Mode<C>: Sync + 'static {
    /// Whether it takes whole blocks only.
    const WHOLE_BLOCKS: bool;
    /// The bytes of the shortest message.
    const LEAST: usize = 0;
    /// Whether it has an initialisation vector.
    const IV: bool = true;
    fn encrypt(cipher: &C, iv: &[u8], data: &mut [u8]);
    fn decrypt(cipher: &C, iv: &[u8], data: &mut [u8]);
}

/// An initialisation vector, which has the length of a block.
fn block<B: Block>(iv: &[u8]) -> B {
    let mut block = B::ZERO;
    block.as_mut().copy_from_slice(iv);
    block
}

struct Ecb;

impl<C: BlockCipher> Mode<C> for Ecb {
    const WHOLE_BLOCKS: bool = true;
    const IV: bool = false;
    fn encrypt(cipher: &C, _: &[u8], data: &mut [u8]) {
        ecb::encrypt(cipher, data).expect("whole blocks");
    }
    fn decrypt(cipher: &C, _: &[u8], data: &mut [u8]) {
        ecb::decrypt(cipher, data).expect("whole blocks");
    }
}

struct Cbc;

impl<C: BlockCipher> Mode<C> for Cbc {
    const WHOLE_BLOCKS: bool = true;
    fn encrypt(cipher: &C, iv: &[u8], data: &mut [u8]) {
        cbc::encrypt(cipher, &block(iv), data).expect("whole blocks");
    }
    fn decrypt(cipher: &C, iv: &[u8], data: &mut [u8]) {
        cbc::decrypt(cipher, &block(iv), data).expect("whole blocks");
    }
}

/// CTR, the whole block counting.
struct Counter;

impl<C: BlockCipher> Mode<C> for Counter {
    const WHOLE_BLOCKS: bool = false;
    fn encrypt(cipher: &C, iv: &[u8], data: &mut [u8]) {
        let done = Ctr::new(cipher, block(iv), 16).apply_keystream(data);
        done.expect("far from the end of the key stream");
    }
    fn decrypt(cipher: &C, iv: &[u8], data: &mut [u8]) {
        Self::encrypt(cipher, iv, data);
    }
}

/// CFB with segments of whole blocks.
struct Cfb;

impl<C: BlockCipher> Mode<C> for Cfb {
    const WHOLE_BLOCKS: bool = false;
    fn encrypt(cipher: &C, iv: &[u8], data: &mut [u8]) {
        cfb::encrypt(cipher, &block(iv), data);
    }
    fn decrypt(cipher: &C, iv: &[u8], data: &mut [u8]) {
        cfb::decrypt(cipher, &block(iv), data);
    }
}

struct Ofb;

impl<C: BlockCipher> Mode<C> for Ofb {
    const WHOLE_BLOCKS: bool = false;
    fn encrypt(cipher: &C, iv: &[u8], data: &mut [u8]) {
        ofb::apply_keystream(cipher, &block(iv), data);
    }
    fn decrypt(cipher: &C, iv: &[u8], data: &mut [u8]) {
        Self::encrypt(cipher, iv, data);
    }
}

/// XTS on data units of a block at least.
struct Sector;

impl<C: BlockCipher<Block = [u8; 16]>> Mode<Xts<C>> for Sector {
    const WHOLE_BLOCKS: bool = true;
    const LEAST: usize = 16;
    fn encrypt(cipher: &Xts<C>, number: &[u8], data: &mut [u8]) {
        let done = cipher.encrypt(&block(number), data);
        done.expect("a block at least");
    }
    fn decrypt(cipher: &Xts<C>, number: &[u8], data: &mut [u8]) {
        let done = cipher.decrypt(&block(number), data);
        done.expect("a block at least");
    }
}

/// One direction of a mode over a cipher. An item tells its direction: it has a message or a
/// ciphertext.
struct Crypt<C, M, const ENCRYPT: bool>(PhantomData<(C, M)>);

struct Message<C> {
    cipher: C,
    text: Text,
}

/// What does not depend on the cipher.
struct Text {
    /// As many bytes count as a block has.
    iv: [u8; 16],
    encrypt: bool,
    original: Vec<u8>,
    data: Vec<u8>,
}

impl Text {
    /// The output for the item's own data, by a call on them.
    #[inline(never)]
    fn output(&self, crypt: &dyn Fn(&mut [u8])) -> Item {
        let mut data = self.original.clone();
        crypt(&mut data);
        let name = if self.encrypt {
            "ciphertext"
        } else {
            "message"
        };
        item([(name, &data)])
    }
}

/// What goes in.
struct Layout {
    block: usize,
    whole_blocks: bool,
    least: usize,
    iv: bool,
}

impl Layout {
    #[inline(never)]
    fn input(&self, stream: &mut Stream, encrypt: bool, key_len: usize, bytes: usize) -> Item {
        let bytes = match self.whole_blocks {
            true => bytes.next_multiple_of(self.block),
            false => bytes,
        };
        let from = if encrypt { "message" } else { "ciphertext" };
        let mut input = random(stream, &[("key", key_len), (from, bytes)]);
        if self.iv {
            insert(&mut input, "iv", stream.bytes(self.block));
        }
        input
    }

    #[inline(never)]
    fn read(&self, input: &Item) -> Result<Text, Wrong> {
        let encrypt = input.contains_key("message");
        let original = copied(input, if encrypt { "message" } else { "ciphertext" })?;
        if self.whole_blocks && original.len() % self.block != 0 {
            return Err(format!("{} bytes are not whole blocks", original.len()).into());
        }
        if original.len() < self.least {
            return Err(format!("fewer than {} bytes", self.least).into());
        }
        let mut iv = [0; 16];
        if self.iv {
            let given = field(input, "iv")?;
            if given.len() != self.block {
                return Err(format!("iv has not {} bytes", self.block).into());
            }
            iv[..self.block].copy_from_slice(given);
        }
        Ok(Text {
            iv,
            encrypt,
            data: original.clone(),
            original,
        })
    }
}

impl<C: ChosenCipher, M: Mode<C>, const ENCRYPT: bool> Crypt<C, M, ENCRYPT> {
    const LAYOUT: &Layout = &Layout {
        block: C::BLOCK,
        whole_blocks: M::WHOLE_BLOCKS,
        least: M::LEAST,
        iv: M::IV,
    };

    #[inline]
    fn crypt(cipher: &C, encrypt: bool, iv: &[u8; 16], data: &mut [u8]) {
        let iv = &iv[..C::BLOCK];
        if encrypt {
            M::encrypt(cipher, iv, data);
        } else {
            M::decrypt(cipher, iv, data);
        }
    }
}

impl<C: ChosenCipher, M: Mode<C>, const ENCRYPT: bool> Task for Crypt<C, M, ENCRYPT> {
    type Table = C::Table;
    type State = Message<C>;
    type Output = ();
    const LENGTH: Length = Length::Message;
    const START: Start = start::<Crypt<C, M, true>>();

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        Self::LAYOUT.input(stream, ENCRYPT, C::KEY_LEN, bytes)
    }
    fn ready(table: C::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let text = Self::LAYOUT.read(input)?;
        let cipher = C::new_on(field(input, "key")?, table)?;
        Ok(Message { cipher, text })
    }
    fn run(state: &mut Self::State) {
        let Text {
            iv, encrypt, data, ..
        } = &mut state.text;
        Self::crypt(&state.cipher, *encrypt, iv, data);
    }
    /// Runs go on with what the last one left; the output is that of the input.
    fn encode(state: &Self::State, (): &()) -> Item {
        let Text { iv, encrypt, .. } = &state.text;
        state
            .text
            .output(&|data| Self::crypt(&state.cipher, *encrypt, iv, data))
    }
}

/// A mode that encrypts many messages at once.
trait BatchMode: Sync + 'static {
    fn encrypt_batch<const KEY_LEN: usize>(
        backend: lanes::Backend,
        messages: &mut [InBatch<'_, KEY_LEN>],
    );
}

impl BatchMode for Cbc {
    fn encrypt_batch<const KEY_LEN: usize>(
        backend: lanes::Backend,
        messages: &mut [InBatch<'_, KEY_LEN>],
    ) {
        lanes::cbc_encrypt_on(messages, backend).expect("whole blocks");
    }
}

impl BatchMode for Counter {
    fn encrypt_batch<const KEY_LEN: usize>(
        backend: lanes::Backend,
        messages: &mut [InBatch<'_, KEY_LEN>],
    ) {
        let done = lanes::ctr_encrypt_on(16, messages, backend);
        done.expect("far from the end of the key stream");
    }
}

/// Encryption of many messages, each under a key of its own.
struct EncryptBatch<const KEY_LEN: usize, M>(PhantomData<M>);

type One<const KEY_LEN: usize, M> = Crypt<Aes<KEY_LEN>, M, true>;

impl<const KEY_LEN: usize, M: Mode<Aes<KEY_LEN>> + BatchMode> Task for EncryptBatch<KEY_LEN, M> {
    type Table = lanes::Backend;
    type State = (lanes::Backend, Message<Aes<KEY_LEN>>);
    type Output = ();
    const LENGTH: Length = Length::Message;
    const JUDGE: Judge = One::<KEY_LEN, M>::JUDGE;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        One::<KEY_LEN, M>::input(stream, bytes)
    }
    fn ready(table: lanes::Backend, input: &Item, bytes: usize) -> Result<Self::State, Wrong> {
        let message = One::<KEY_LEN, M>::ready(aes::Backend::best(), input, bytes)?;
        Ok((table, message))
    }
    fn run(state: &mut Self::State) {
        Self::run_batch(core::slice::from_mut(state), 1);
    }
    /// Runs go on with what the last one left; the output is that of the input.
    fn encode((backend, message): &Self::State, (): &()) -> Item {
        message.text.output(&|data| {
            let batch = InBatch {
                cipher: &message.cipher,
                iv: message.text.iv,
                data,
            };
            M::encrypt_batch(*backend, &mut [batch]);
        })
    }
}

impl<const KEY_LEN: usize, M: Mode<Aes<KEY_LEN>> + BatchMode> BatchTask
    for EncryptBatch<KEY_LEN, M>
{
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<()> {
        let done = vec![(); states.len()];
        let backend = states.first().map_or(lanes::Backend::best(), |s| s.0);
        let mut messages: Vec<_> = states
            .iter_mut()
            .map(|(_, message)| InBatch {
                cipher: &message.cipher,
                iv: message.text.iv,
                data: &mut message.text.data,
            })
            .collect();
        for _ in 0..iterations {
            M::encrypt_batch(backend, black_box(&mut messages));
        }
        done
    }
}

/// ChaCha20 from block 0 on.
struct Encrypt;

struct Keyed {
    backend: chacha20::Backend,
    key: [u8; 32],
    nonce: [u8; 12],
    original: Vec<u8>,
    data: Vec<u8>,
}

impl Keyed {
    fn apply(&self, data: &mut [u8]) {
        let mut cipher = ChaCha20::new_on(&self.key, &self.nonce, 0, self.backend);
        let done = cipher.apply_keystream(data);
        done.expect("far from the end of the key stream");
    }
}

impl Task for Encrypt {
    type Table = chacha20::Backend;
    type State = Keyed;
    type Output = ();
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        random(stream, &[("key", 32), ("nonce", 12), ("message", bytes)])
    }
    fn ready(backend: chacha20::Backend, input: &Item, _: usize) -> Result<Keyed, Wrong> {
        let original = copied(input, "message")?;
        let wrong = |name: &str| format!("{name} has another length");
        Ok(Keyed {
            backend,
            key: field(input, "key")?[..]
                .try_into()
                .map_err(|_| wrong("key"))?,
            nonce: field(input, "nonce")?[..]
                .try_into()
                .map_err(|_| wrong("nonce"))?,
            data: original.clone(),
            original,
        })
    }
    fn run(state: &mut Keyed) {
        let mut data = std::mem::take(&mut state.data);
        state.apply(&mut data);
        state.data = data;
    }
    /// Runs go on with what the last one left; the output is that of the input.
    fn encode(state: &Keyed, (): &()) -> Item {
        let mut data = state.original.clone();
        state.apply(&mut data);
        item([("ciphertext", &data)])
    }
}
