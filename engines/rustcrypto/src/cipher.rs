//! Block ciphers in their modes, ChaCha20 and AEADs, from one place to another; XTS in place.

use adamant_engine::family::{self, Outcome};
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use aes::cipher::array::Array;
use aes::cipher::consts::{U12, U16};
use aes::cipher::inout::InOutBuf;
use aes::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
    InnerIvInit, KeyInit, KeyIvInit, StreamCipher, StreamCipherCoreWrapper,
};
use aes::{Aes128, Aes192, Aes256};
use aes_gcm::AesGcm;
use aes_gcm::aead::AeadInOut;
use aes_gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};
use ccm::Ccm;
use chacha20::ChaCha20;
use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use des::TdesEde3;
use sm4::Sm4;
use xts_mode::Xts128;

pub(crate) fn register(engine: &mut Engine) {
    modes::<Aes128>(engine, "aes-128");
    modes::<Aes192>(engine, "aes-192");
    modes::<Aes256>(engine, "aes-256");
    modes::<Sm4>(engine, "sm4");
    blocks::<TdesEde3>(engine, "3des");
    xts::<Aes128>(engine, "aes-128-xts");
    xts::<Aes256>(engine, "aes-256-xts");
    xts::<Sm4>(engine, "sm4-xts");
    let chacha20 = |key: &mut [u8; 32], nonce: &[u8], from: &[u8], to: &mut [u8]| {
        let mut cipher = ChaCha20::new_from_slices(key, nonce).map_err(text)?;
        stream(&mut cipher, from, to)
    };
    family::encrypt(engine, "chacha20", exactly, chacha20);
    family::decrypt(engine, "chacha20", exactly, chacha20);

    aead::<AesGcm<Aes128, U12>>(engine, "aes-128-gcm");
    aead::<AesGcm<Aes192, U12>>(engine, "aes-192-gcm");
    aead::<AesGcm<Aes256, U12>>(engine, "aes-256-gcm");
    aead::<AesGcm<Sm4, U12>>(engine, "sm4-gcm");
    aead::<Ccm<Aes128, U16, U12>>(engine, "aes-128-ccm");
    aead::<Ccm<Aes192, U16, U12>>(engine, "aes-192-ccm");
    aead::<Ccm<Aes256, U16, U12>>(engine, "aes-256-ccm");
    aead::<Ccm<Sm4, U16, U12>>(engine, "sm4-ccm");
    aead::<Aes128GcmSiv>(engine, "aes-128-gcm-siv");
    aead::<Aes256GcmSiv>(engine, "aes-256-gcm-siv");
    aead::<ChaCha20Poly1305>(engine, "chacha20-poly1305");
    aead::<XChaCha20Poly1305>(engine, "xchacha20-poly1305");
    gmac::<Aes128>(engine, "gmac-aes-128");
    gmac::<Aes256>(engine, "gmac-aes-256");
}

type Block<C> = Array<u8, <C as BlockSizeUser>::BlockSize>;

/// The blocks of a message that is whole blocks.
fn whole<C: BlockSizeUser>(bytes: &[u8]) -> Outcome<&[Block<C>]> {
    match Array::slice_as_chunks(bytes) {
        (blocks, []) => Ok(blocks),
        (_, rest) => Err(format!("{} bytes are left after the blocks", rest.len())),
    }
}

fn whole_mut<C: BlockSizeUser>(bytes: &mut [u8]) -> Outcome<&mut [Block<C>]> {
    match Array::slice_as_chunks_mut(bytes) {
        (blocks, []) => Ok(blocks),
        (_, rest) => Err(format!("{} bytes are left after the blocks", rest.len())),
    }
}

/// The same with a key stream, whose function panics on lengths that differ.
fn stream(cipher: &mut impl StreamCipher, from: &[u8], to: &mut [u8]) -> Outcome<()> {
    cipher
        .try_apply_keystream_inout(InOutBuf::new(from, to).map_err(text)?)
        .map_err(text)
}

fn key<K: KeyInit>(bytes: &[u8]) -> Outcome<K> {
    K::new_from_slice(bytes).map_err(text)
}

/// The modes that work on whole blocks.
fn blocks<C>(engine: &mut Engine, cipher: &str)
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit + 'static,
{
    let name = |mode: &str| format!("{cipher}-{mode}");
    family::encrypt(engine, &name("ecb"), key::<C>, |key, _, from, to| {
        let to = whole_mut::<C>(to)?;
        key.encrypt_blocks_b2b(whole::<C>(from)?, to).map_err(text)
    });
    family::decrypt(engine, &name("ecb"), key::<C>, |key, _, from, to| {
        let to = whole_mut::<C>(to)?;
        key.decrypt_blocks_b2b(whole::<C>(from)?, to).map_err(text)
    });
    family::encrypt(engine, &name("cbc"), key::<C>, |key, iv, from, to| {
        let mode = cbc::Encryptor::inner_iv_slice_init(&*key, iv);
        let to = whole_mut::<C>(to)?;
        mode.map_err(text)?
            .encrypt_blocks_b2b(whole::<C>(from)?, to)
            .map_err(text)
    });
    family::decrypt(engine, &name("cbc"), key::<C>, |key, iv, from, to| {
        let mode = cbc::Decryptor::inner_iv_slice_init(&*key, iv);
        let to = whole_mut::<C>(to)?;
        mode.map_err(text)?
            .decrypt_blocks_b2b(whole::<C>(from)?, to)
            .map_err(text)
    });
    family::encrypt(engine, &name("cfb"), key::<C>, |key, iv, from, to| {
        let mode = cfb_mode::Encryptor::inner_iv_slice_init(&*key, iv);
        let to = whole_mut::<C>(to)?;
        mode.map_err(text)?
            .encrypt_blocks_b2b(whole::<C>(from)?, to)
            .map_err(text)
    });
    family::decrypt(engine, &name("cfb"), key::<C>, |key, iv, from, to| {
        let mode = cfb_mode::Decryptor::inner_iv_slice_init(&*key, iv);
        let to = whole_mut::<C>(to)?;
        mode.map_err(text)?
            .decrypt_blocks_b2b(whole::<C>(from)?, to)
            .map_err(text)
    });
}

/// All modes of a cipher with blocks of 16 bytes.
fn modes<C>(engine: &mut Engine, cipher: &str)
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + KeyInit + 'static,
{
    blocks::<C>(engine, cipher);
    let ctr = |key: &mut C, iv: &[u8], from: &[u8], to: &mut [u8]| {
        let core = ctr::CtrCore::<_, ctr::flavors::Ctr128BE>::inner_iv_slice_init(&*key, iv);
        let mut mode = StreamCipherCoreWrapper::from_core(core.map_err(text)?);
        stream(&mut mode, from, to)
    };
    let ofb = |key: &mut C, iv: &[u8], from: &[u8], to: &mut [u8]| {
        let core = ofb::OfbCore::inner_iv_slice_init(&*key, iv);
        let mut mode = StreamCipherCoreWrapper::from_core(core.map_err(text)?);
        stream(&mut mode, from, to)
    };
    let (ctr_name, ofb_name) = (format!("{cipher}-ctr"), format!("{cipher}-ofb"));
    family::encrypt(engine, &ctr_name, key::<C>, ctr);
    family::decrypt(engine, &ctr_name, key::<C>, ctr);
    family::encrypt(engine, &ofb_name, key::<C>, ofb);
    family::decrypt(engine, &ofb_name, key::<C>, ofb);
}

fn xts<C>(engine: &mut Engine, name: &str)
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + KeyInit + 'static,
{
    let new = |bytes: &[u8]| {
        let (first, second) = bytes.split_at(bytes.len() / 2);
        Ok(Xts128::new(key::<C>(first)?, key::<C>(second)?))
    };
    family::encrypt_in_place(engine, name, new, |xts, tweak, buffer| {
        xts.encrypt_sector(buffer, exactly::<16>(tweak)?.into());
        Ok(())
    });
    family::decrypt_in_place(engine, name, new, |xts, tweak, buffer| {
        xts.decrypt_sector(buffer, exactly::<16>(tweak)?.into());
        Ok(())
    });
}

fn aead<A: AeadInOut + KeyInit + 'static>(engine: &mut Engine, name: &str) {
    family::seal(
        engine,
        name,
        key::<A>,
        |aead, nonced, message, ciphertext| {
            let nonce = Array::try_from(nonced.nonce.as_slice()).map_err(text)?;
            let buffer = InOutBuf::new(message, ciphertext).map_err(text)?;
            aead.encrypt_inout_detached(&nonce, &nonced.aad, buffer)
                .map_err(text)
        },
    );
    family::open(
        engine,
        name,
        key::<A>,
        |aead, nonced, ciphertext, tag, message| {
            let nonce = Array::try_from(nonced.nonce.as_slice()).map_err(text)?;
            let tag = Array::try_from(tag).map_err(text)?;
            let buffer = InOutBuf::new(ciphertext, message).map_err(text)?;
            aead.decrypt_inout_detached(&nonce, &nonced.aad, buffer, &tag)
                .map_err(text)
        },
    );
}

fn gmac<C>(engine: &mut Engine, name: &str)
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit + 'static,
{
    family::nonced_mac(
        engine,
        name,
        key::<AesGcm<C, U12>>,
        |aead, nonce, message| {
            let nonce = Array::try_from(nonce).map_err(text)?;
            let nothing = InOutBuf::from(&mut [][..]);
            aead.encrypt_inout_detached(&nonce, message, nothing)
                .map_err(text)
        },
    );
}
