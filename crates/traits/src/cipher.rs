//! Ciphers: block ciphers for `cipher::BlockCipherEncrypt` and `cipher::BlockCipherDecrypt`, key
//! streams for `cipher::StreamCipher` and `cipher::StreamCipherSeek`.
//!
//! ```
//! use adamant_traits::cipher::{Aes128, Ctr128BE};
//! use cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
//!
//! let mut data = *b"attack at dawn";
//! let mut stream = Ctr128BE::<Aes128>::new(&[7; 16].into(), &[9; 16].into());
//! stream.apply_keystream(&mut data);
//! stream.seek(0_u32);
//! stream.apply_keystream(&mut data);
//! assert_eq!(&data, b"attack at dawn");
//! ```

use adamant::Secret;
use adamant::cipher::{aes, chacha20, des, modes, sm4};
use adamant::family::BlockCipher;
use cipher::array::{Array, ArraySize};
use cipher::common::InnerUser;
use cipher::consts::{U8, U12, U16, U24, U32};
use cipher::inout::{InOut, InOutBuf};
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InnerIvInit, Iv, IvSizeUser, Key,
    KeyInit, KeyIvInit, KeySizeUser, OverflowError, ParBlocks, ParBlocksSizeUser, SeekNum,
    StreamCipher, StreamCipherError, StreamCipherSeek,
};
use core::fmt;

/// Blocks that generic modes hand over at once.
pub(crate) type AtOnce = U32;

macro_rules! block_ciphers {
    ($($title:literal: $name:ident($ours:ty), $key:ty, $block:ty;)*) => { $(
        #[doc = concat!($title, ".")]
        pub struct $name(pub $ours);

        impl KeySizeUser for $name {
            type KeySize = $key;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                $name(<$ours>::new(key.as_ref()))
            }
        }

        impl BlockSizeUser for $name {
            type BlockSize = $block;
        }

        impl ParBlocksSizeUser for $name {
            type ParBlocksSize = AtOnce;
        }

        block_ciphers!(@way $name, BlockCipherEncrypt, encrypt_with_backend,
            BlockCipherEncClosure, BlockCipherEncBackend, encrypt_block, encrypt_par_blocks,
            encrypt_tail_blocks, encrypt_blocks, encrypt_blocks_inout);
        block_ciphers!(@way $name, BlockCipherDecrypt, decrypt_with_backend,
            BlockCipherDecClosure, BlockCipherDecBackend, decrypt_block, decrypt_par_blocks,
            decrypt_tail_blocks, decrypt_blocks, decrypt_blocks_inout);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }
    )* };
    (@way $name:ident, $cipher:ident, $with_backend:ident, $closure:ident, $backend:ident,
        $block:ident, $par:ident, $tail:ident, $blocks:ident, $inout:ident) => {
        impl $cipher for $name {
            fn $with_backend(&self, f: impl $closure<BlockSize = Self::BlockSize>) {
                f.call(self);
            }

            fn $blocks(&self, blocks: &mut [Block<Self>]) {
                self.0.$blocks(Array::cast_slice_to_core_mut(blocks));
            }

            fn $inout(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                $cipher::$blocks(self, blocks.into_out_with_copied_in());
            }
        }

        impl $backend for $name {
            fn $block(&self, block: InOut<'_, '_, Block<Self>>) {
                let block = block.into_out_with_copied_in();
                $cipher::$blocks(self, core::slice::from_mut(block));
            }

            fn $par(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                $cipher::$blocks(self, blocks.into_out_with_copied_in());
            }

            fn $tail(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                $cipher::$inout(self, blocks);
            }
        }
    };
}

block_ciphers! {
    "AES-128": Aes128(aes::Aes<16>), U16, U16;
    "AES-192": Aes192(aes::Aes<24>), U24, U16;
    "AES-256": Aes256(aes::Aes<32>), U32, U16;
    "SM4": Sm4(sm4::Sm4), U16, U16;
    "DES, broken: only for old formats": Des(des::Tdea<8>), U8, U8;
    "Triple DES with two keys, only for old formats": TdesEde2(des::Tdea<16>), U16, U8;
    "Triple DES with three keys, only for old formats": TdesEde3(des::Tdea<24>), U24, U8;
}

/// A block cipher of this module, for [`Ctr128BE`] and the [modes](crate::modes).
pub trait Adapter: BlockSizeUser<BlockSize: ArraySize<ArrayType<u8>: Copy>> {
    /// The cipher of `adamant`.
    type Cipher: BlockCipher;

    /// That cipher.
    fn inner(&self) -> &Self::Cipher;
}

macro_rules! adapters {
    ($($name:ident($ours:ty))*) => { $(
        impl Adapter for $name {
            type Cipher = $ours;

            fn inner(&self) -> &$ours {
                &self.0
            }
        }
    )* };
}
adapters! {
    Aes128(aes::Aes<16>) Aes192(aes::Aes<24>) Aes256(aes::Aes<32>) Sm4(sm4::Sm4)
    Des(des::Tdea<8>) TdesEde2(des::Tdea<16>) TdesEde3(des::Tdea<24>)
}

/// The traits of a key stream, for a type with the field `position`, the constant `END` (the bytes
/// that there are) and the method `apply`, which works from the position on.
macro_rules! stream {
    ([$($generics:tt)*] $name:ty, $label:literal, block: $block:literal) => {
        impl<$($generics)*> StreamCipher for $name {
            fn check_remaining(&self, len: usize) -> Result<(), StreamCipherError> {
                match self.position.checked_add(len as u128) {
                    Some(end) if end <= Self::END => Ok(()),
                    _ => Err(StreamCipherError),
                }
            }

            fn unchecked_apply_keystream_inout(&mut self, buffer: InOutBuf<'_, '_, u8>) {
                let data = buffer.into_out_with_copied_in();
                self.apply(data);
                self.position += data.len() as u128;
            }

            fn unchecked_write_keystream(&mut self, out: &mut [u8]) {
                out.fill(0);
                self.unchecked_apply_keystream_inout(out.into());
            }
        }

        impl<$($generics)*> StreamCipherSeek for $name {
            fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
                // The number of the block after this one, and how much of this one is used.
                let used = match self.position % $block {
                    0 => $block,
                    used => used as u8,
                };
                T::from_block_byte(self.position.div_ceil($block), used, $block)
            }

            fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
                let at = position.into_block_byte::<u128>($block);
                let (block, byte) = at.map_err(|_| StreamCipherError)?;
                let position = block.checked_mul($block).and_then(|p| p.checked_add(byte.into()));
                match position {
                    Some(position) if position <= Self::END => {
                        self.position = position;
                        Ok(())
                    }
                    _ => Err(StreamCipherError),
                }
            }
        }

        impl<$($generics)*> fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($label)
            }
        }
    };
}

/// Counter mode with a big-endian counter of 128 bits, over a block cipher of this module.
pub struct Ctr128BE<C> {
    cipher: C,
    iv: [u8; 16],
    position: u128,
}

impl<C: Adapter> InnerUser for Ctr128BE<C> {
    type Inner = C;
}

impl<C: Adapter> IvSizeUser for Ctr128BE<C> {
    type IvSize = U16;
}

impl<C: Adapter> InnerIvInit for Ctr128BE<C> {
    fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
        Ctr128BE {
            cipher,
            iv: (*iv).into(),
            position: 0,
        }
    }
}

impl<C: Adapter<Cipher: BlockCipher<Block = [u8; 16]>>> Ctr128BE<C> {
    /// Fewer than the counter could tell apart.
    const END: u128 = u128::MAX;

    fn apply(&self, data: &mut [u8]) {
        let counter = u128::from_be_bytes(self.iv).wrapping_add(self.position / 16);
        let mut stream = modes::ctr::Ctr::new(self.cipher.inner(), counter.to_be_bytes(), 16);
        let done = skip(
            &mut [0; 16][..(self.position % 16) as usize],
            data,
            |data| stream.apply_keystream(data),
        );
        debug_assert!(done.is_ok(), "the length was checked");
    }
}

stream!([C: Adapter<Cipher: BlockCipher<Block = [u8; 16]>>] Ctr128BE<C>, "Ctr128BE { .. }", block: 16);

macro_rules! chacha20 {
    ($($title:literal: $name:ident, $len:literal, $size:ty, $counter:ty, $end:expr;)*) => { $(
        #[doc = concat!($title, ".")]
        pub struct $name {
            key: Secret<[u8; 32]>,
            nonce: [u8; $len],
            position: u128,
        }

        impl KeySizeUser for $name {
            type KeySize = U32;
        }

        impl IvSizeUser for $name {
            type IvSize = $size;
        }

        impl KeyIvInit for $name {
            fn new(key: &Key<Self>, nonce: &Iv<Self>) -> Self {
                $name {
                    key: Secret::new((*key).into()),
                    nonce: (*nonce).into(),
                    position: 0,
                }
            }
        }

        impl $name {
            const END: u128 = $end;

            fn apply(&self, data: &mut [u8]) {
                if data.is_empty() {
                    return;
                }
                let counter = (self.position / 64) as $counter;
                let mut stream = chacha20::ChaCha20::new(&self.key, &self.nonce, counter);
                let done = skip(&mut [0; 64][..(self.position % 64) as usize], data, |data| {
                    stream.apply_keystream(data)
                });
                debug_assert!(done.is_ok(), "the length was checked");
            }
        }

        stream!([] $name, $title, block: 64);
    )* };
}

chacha20! {
    "ChaCha20 of RFC 8439": ChaCha20, 12, U12, u32, 1 << 38;
    "ChaCha20 of 2008, with a nonce of 8 bytes": ChaCha20Legacy, 8, U8, u64, 1 << 70;
    "XChaCha20": XChaCha20, 24, U24, u32, 1 << 38;
}

/// Applies a key stream to bytes that nobody wants, and then to the data.
fn skip<E>(
    unwanted: &mut [u8],
    data: &mut [u8],
    mut apply: impl FnMut(&mut [u8]) -> Result<(), E>,
) -> Result<(), E> {
    apply(unwanted)?;
    // It was zeros and is key stream now.
    adamant::Wipe::wipe(unwanted);
    apply(data)
}
