//! Modes over the block ciphers of [`cipher`](mod@crate::cipher): CBC, CFB with whole blocks, OFB
//! and XTS for `cipher::BlockModeEncrypt` and `cipher::BlockModeDecrypt`; OFB is a
//! `cipher::StreamCipher` too.
//!
//! ```
//! use adamant_traits::cipher::Aes128;
//! use adamant_traits::modes::{CbcDec, CbcEnc};
//! use cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
//!
//! let mut blocks: [cipher::Block<Aes128>; 4] = [[3; 16].into(); 4];
//! CbcEnc::<Aes128>::new(&[7; 16].into(), &[9; 16].into()).encrypt_blocks(&mut blocks);
//! CbcDec::<Aes128>::new(&[7; 16].into(), &[9; 16].into()).decrypt_blocks(&mut blocks);
//! assert!(blocks.iter().all(|block| block[..] == [3; 16]));
//! ```
//!
//! None of these tells whether a ciphertext was changed.

use adamant::cipher::modes;
use adamant::family::{Block as OurBlock, BlockCipher};
use adamant::{Secret, Wipe};
use cipher::array::Array;
use cipher::array::typenum::Unsigned;
use cipher::common::InnerUser;
use cipher::consts::{U16, U32, U64};
use cipher::inout::{InOut, InOutBuf};
use cipher::{
    Block, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
    BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InnerIvInit, Iv, IvSizeUser, IvState,
    Key, KeyInit, KeyIvInit, KeySizeUser, ParBlocks, ParBlocksSizeUser, StreamCipher,
    StreamCipherError,
};
use core::fmt;

use crate::cipher::{Adapter, Aes128, Aes256, AtOnce};

/// A block of the cipher behind an adapter.
type BlockOf<C> = <<C as Adapter>::Cipher as BlockCipher>::Block;

/// These bytes, which are whole blocks.
fn whole<B: OurBlock>(bytes: &mut [u8]) -> &mut [B] {
    B::split_mut(bytes).0
}

/// An initialisation vector as a block.
fn state<C: Adapter>(iv: &Array<u8, C::BlockSize>) -> BlockOf<C> {
    let mut state = <BlockOf<C>>::ZERO;
    state.as_mut().copy_from_slice(iv);
    state
}

/// One direction of a mode: `$step` goes on from the state with blocks, in place.
macro_rules! direction {
    ([$($generics:tt)*] $name:ty, $label:literal, $block:ty, $step:ident, $mode:ident,
        $with_backend:ident, $closure:ident, $backend:ident, $one:ident, $par:ident, $tail:ident,
        $blocks:ident, $inout:ident) => {
        impl<$($generics)*> BlockSizeUser for $name {
            type BlockSize = $block;
        }

        direction!(@mode [$($generics)*] $name, $step, $mode, $with_backend, $closure, $backend,
            $one, $par, $tail, $blocks, $inout);

        impl<$($generics)*> ParBlocksSizeUser for $name {
            type ParBlocksSize = AtOnce;
        }

        impl<$($generics)*> fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($label)
            }
        }
    };
    (@mode [$($generics:tt)*] $name:ty, $step:ident, $mode:ident, $with_backend:ident,
        $closure:ident, $backend:ident, $one:ident, $par:ident, $tail:ident, $blocks:ident,
        $inout:ident) => {
        impl<$($generics)*> $mode for $name {
            fn $with_backend(&mut self, f: impl $closure<BlockSize = Self::BlockSize>) {
                f.call(self);
            }

            fn $blocks(&mut self, blocks: &mut [Block<Self>]) {
                self.$step(blocks);
            }

            fn $inout(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.$step(blocks.into_out_with_copied_in());
            }
        }

        impl<$($generics)*> $backend for $name {
            fn $one(&mut self, block: InOut<'_, '_, Block<Self>>) {
                self.$step(core::slice::from_mut(block.into_out_with_copied_in()));
            }

            fn $par(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.$step(blocks.into_out_with_copied_in());
            }

            fn $tail(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.$step(blocks.into_out_with_copied_in());
            }
        }
    };
}

macro_rules! encrypts {
    ([$($generics:tt)*] $name:ty, $label:literal, $block:ty) => {
        direction!([$($generics)*] $name, $label, $block, step, BlockModeEncrypt,
            encrypt_with_backend, BlockModeEncClosure, BlockModeEncBackend, encrypt_block,
            encrypt_par_blocks, encrypt_tail_blocks, encrypt_blocks, encrypt_blocks_inout);
    };
}

macro_rules! decrypts {
    (@mode [$($generics:tt)*] $name:ty) => {
        direction!(@mode [$($generics)*] $name, step, BlockModeDecrypt, decrypt_with_backend,
            BlockModeDecClosure, BlockModeDecBackend, decrypt_block, decrypt_par_blocks,
            decrypt_tail_blocks, decrypt_blocks, decrypt_blocks_inout);
    };
    ([$($generics:tt)*] $name:ty, $label:literal, $block:ty) => {
        direction!([$($generics)*] $name, $label, $block, step, BlockModeDecrypt,
            decrypt_with_backend, BlockModeDecClosure, BlockModeDecBackend, decrypt_block,
            decrypt_par_blocks, decrypt_tail_blocks, decrypt_blocks, decrypt_blocks_inout);
    };
}

/// Modes whose state is one block, which begins as the initialisation vector.
macro_rules! chained {
    ($($title:literal: $way:ident $name:ident, $label:literal, |$cipher:ident, $state:ident,
        $bytes:ident| $step:expr;)*) => { $(
        #[doc = concat!($title, ".")]
        pub struct $name<C: Adapter> {
            cipher: C,
            state: BlockOf<C>,
        }

        impl<C: Adapter> InnerUser for $name<C> {
            type Inner = C;
        }

        impl<C: Adapter> IvSizeUser for $name<C> {
            type IvSize = C::BlockSize;
        }

        impl<C: Adapter> InnerIvInit for $name<C> {
            fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
                let state = state::<C>(iv);
                $name { cipher, state }
            }
        }

        impl<C: Adapter> IvState for $name<C> {
            fn iv_state(&self) -> Iv<Self> {
                let mut iv = Iv::<Self>::default();
                iv.copy_from_slice(self.state.as_ref());
                iv
            }
        }

        impl<C: Adapter> $name<C> {
            fn step(&mut self, blocks: &mut [Array<u8, C::BlockSize>]) {
                let ($cipher, $state) = (self.cipher.inner(), &mut self.state);
                let $bytes = Array::slice_as_flattened_mut(blocks);
                $step;
            }
        }

        impl<C: Adapter> Drop for $name<C> {
            fn drop(&mut self) {
                self.state.as_mut().wipe();
            }
        }

        $way!([C: Adapter] $name<C>, $label, C::BlockSize);
    )* };
}

chained! {
    "Encryption by CBC": encrypts CbcEnc, "CbcEnc { .. }",
        |cipher, state, bytes| cipher.cbc_encrypt(state, whole(bytes));
    "Decryption by CBC": decrypts CbcDec, "CbcDec { .. }",
        |cipher, state, bytes| cipher.cbc_decrypt(state, whole(bytes));
    "Encryption by CFB, block by block": encrypts CfbEnc, "CfbEnc { .. }",
        |cipher, state, bytes| {
            modes::cfb::encrypt(cipher, state, bytes);
            *state = whole(bytes).last().copied().unwrap_or(*state);
        };
    "Decryption by CFB, block by block": decrypts CfbDec, "CfbDec { .. }",
        |cipher, state, bytes| {
            let last = whole(bytes).last().copied().unwrap_or(*state);
            modes::cfb::decrypt(cipher, state, bytes);
            *state = last;
        };
    "Encryption and decryption by OFB, in blocks; [`OfbStream`] takes any number of bytes":
        encrypts Ofb, "Ofb { .. }",
        |cipher, state, bytes| for block in whole::<BlockOf<C>>(bytes) {
            cipher.encrypt_blocks(core::slice::from_mut(state));
            *block = block.xor(*state);
        };
}

decrypts!(@mode [C: Adapter] Ofb<C>);

/// OFB as a key stream.
pub struct OfbStream<C: Adapter> {
    cipher: C,
    /// The block of stream that is in use, and how much of it was.
    state: BlockOf<C>,
    used: usize,
}

impl<C: Adapter> InnerUser for OfbStream<C> {
    type Inner = C;
}

impl<C: Adapter> IvSizeUser for OfbStream<C> {
    type IvSize = C::BlockSize;
}

impl<C: Adapter> InnerIvInit for OfbStream<C> {
    fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
        let state = state::<C>(iv);
        OfbStream {
            cipher,
            state,
            used: state.as_ref().len(),
        }
    }
}

impl<C: Adapter> StreamCipher for OfbStream<C> {
    fn check_remaining(&self, _len: usize) -> Result<(), StreamCipherError> {
        Ok(())
    }

    fn unchecked_apply_keystream_inout(&mut self, buffer: InOutBuf<'_, '_, u8>) {
        let mut data = buffer.into_out_with_copied_in();
        while !data.is_empty() {
            if self.used == self.state.as_ref().len() {
                let cipher = self.cipher.inner();
                cipher.encrypt_blocks(core::slice::from_mut(&mut self.state));
                self.used = 0;
            }
            let stream = &self.state.as_ref()[self.used..];
            let (now, rest) = data.split_at_mut(stream.len().min(data.len()));
            for (byte, stream) in now.iter_mut().zip(stream) {
                *byte ^= stream;
            }
            self.used += now.len();
            data = rest;
        }
    }

    fn unchecked_write_keystream(&mut self, out: &mut [u8]) {
        out.fill(0);
        self.unchecked_apply_keystream_inout(out.into());
    }
}

impl<C: Adapter> Drop for OfbStream<C> {
    fn drop(&mut self) {
        self.state.as_mut().wipe();
    }
}

impl<C: Adapter> fmt::Debug for OfbStream<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OfbStream { .. }")
    }
}

/// XTS in one direction.
macro_rules! xts {
    ($($title:literal: $way:ident $name:ident($cipher:ty), $label:literal, $key:ty, $step:ident;)*) => { $(
        #[doc = concat!($title, ", of data units of whole blocks. The key is that for data and that")]
        /// for numbers, and the initialisation vector the number of the data unit, little-endian.
        /// [`adamant::cipher::modes::xts::Xts`] also takes data units that end in a part of a
        /// block, and refuses equal keys and more than 2^20 blocks.
        pub struct $name {
            cipher: $cipher,
            tweak: Secret<[u8; 16]>,
        }

        impl KeySizeUser for $name {
            type KeySize = $key;
        }

        impl IvSizeUser for $name {
            type IvSize = U16;
        }

        impl KeyIvInit for $name {
            fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
                let (data, tweak) = key.as_slice().split_at(key.len() / 2);
                let half = |key: &[u8]| {
                    let mut half = Secret::new([0; <$key>::USIZE / 2]);
                    half.copy_from_slice(key);
                    <$cipher>::new((&*half).into())
                };
                let mut first = Secret::new([(*iv).into()]);
                half(tweak).inner().encrypt_blocks(&mut *first);
                $name {
                    cipher: half(data),
                    tweak: Secret::new(first[0]),
                }
            }
        }

        impl $name {
            fn step(&mut self, blocks: &mut [Array<u8, U16>]) {
                let bytes = Array::slice_as_flattened_mut(blocks);
                self.cipher.inner().$step(&mut self.tweak, whole(bytes));
            }
        }

        $way!([] $name, $label, U16);
    )* };
}

xts! {
    "Encryption by XTS with AES-128": encrypts XtsAes128Enc(Aes128), "XtsAes128Enc { .. }", U32,
        xts_encrypt;
    "Decryption by XTS with AES-128": decrypts XtsAes128Dec(Aes128), "XtsAes128Dec { .. }", U32,
        xts_decrypt;
    "Encryption by XTS with AES-256": encrypts XtsAes256Enc(Aes256), "XtsAes256Enc { .. }", U64,
        xts_encrypt;
    "Decryption by XTS with AES-256": decrypts XtsAes256Dec(Aes256), "XtsAes256Dec { .. }", U64,
        xts_decrypt;
}
