//! AES-128-GCM: seals what is in its input, and opens it again.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

#[cfg(feature = "facade")]
mod library {
    pub(crate) use facade::cipher::gcm::Aes128Gcm as Cipher;

    pub(crate) fn new(key: &[u8; 16]) -> Option<Cipher> {
        Some(Cipher::new(key))
    }
    pub(crate) fn seal(
        cipher: &Cipher,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8; 32],
    ) -> Option<[u8; 16]> {
        cipher.seal(nonce, aad, data).ok()
    }
    pub(crate) fn open(
        cipher: &Cipher,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8; 32],
        tag: &[u8; 16],
    ) -> Option<()> {
        cipher.open(nonce, aad, data, tag).ok()
    }
}

#[cfg(feature = "rustcrypto-aes-gcm")]
mod library {
    pub(crate) use rustcrypto_aes_gcm::Aes128Gcm as Cipher;
    use rustcrypto_aes_gcm::aead::{AeadInOut, KeyInit};

    pub(crate) fn new(key: &[u8; 16]) -> Option<Cipher> {
        Some(Cipher::new(key.into()))
    }
    pub(crate) fn seal(
        cipher: &Cipher,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8; 32],
    ) -> Option<[u8; 16]> {
        let tag = cipher.encrypt_inout_detached(nonce.into(), aad, data.as_mut_slice().into());
        Some(tag.ok()?.into())
    }
    pub(crate) fn open(
        cipher: &Cipher,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8; 32],
        tag: &[u8; 16],
    ) -> Option<()> {
        let data = data.as_mut_slice().into();
        cipher
            .decrypt_inout_detached(nonce.into(), aad, data, tag.into())
            .ok()
    }
}

#[cfg(feature = "graviola")]
mod library {
    pub(crate) use graviola::aead::AesGcm as Cipher;

    pub(crate) fn new(key: &[u8; 16]) -> Option<Cipher> {
        Some(Cipher::new(key))
    }
    pub(crate) fn seal(
        cipher: &Cipher,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8; 32],
    ) -> Option<[u8; 16]> {
        let mut tag = [0; 16];
        cipher.encrypt(nonce, aad, data, &mut tag);
        Some(tag)
    }
    pub(crate) fn open(
        cipher: &Cipher,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8; 32],
        tag: &[u8; 16],
    ) -> Option<()> {
        cipher.decrypt(nonce, aad, data, tag).ok()
    }
}

#[cfg(any(feature = "ring", feature = "aws-lc-rs"))]
mod library {
    #[cfg(feature = "aws-lc-rs")]
    use aws_lc_rs as ring;
    pub(crate) use ring::aead::LessSafeKey as Cipher;
    use ring::aead::{AES_128_GCM, Aad, Nonce, UnboundKey};

    pub(crate) fn new(key: &[u8; 16]) -> Option<Cipher> {
        Some(Cipher::new(UnboundKey::new(&AES_128_GCM, key).ok()?))
    }
    pub(crate) fn seal(
        cipher: &Cipher,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8; 32],
    ) -> Option<[u8; 16]> {
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let tag = cipher.seal_in_place_separate_tag(nonce, Aad::from(aad), data);
        tag.ok()?.as_ref().try_into().ok()
    }
    pub(crate) fn open(
        cipher: &Cipher,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut [u8; 32],
        tag: &[u8; 16],
    ) -> Option<()> {
        let mut sealed = [0; 48];
        sealed[..32].copy_from_slice(data);
        sealed[32..].copy_from_slice(tag);
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let opened = cipher.open_in_place(nonce, Aad::from(aad), &mut sealed);
        data.copy_from_slice(opened.ok()?);
        Some(())
    }
}

fn seal_and_open(bytes: &mut [u8; 64]) -> Option<()> {
    let (key, rest) = bytes.split_first_chunk_mut()?;
    let (nonce, rest) = rest.split_first_chunk_mut()?;
    let (aad, data) = rest.split_first_chunk_mut::<4>()?;
    let data: &mut [u8; 32] = data.try_into().ok()?;
    let cipher = library::new(key)?;
    let tag = library::seal(&cipher, nonce, aad, data)?;
    bare::output(data);
    bare::output(&tag);
    library::open(&cipher, nonce, aad, data, &tag)?;
    bare::output(data);
    Some(())
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64];
    bare::input(&mut bytes);
    i32::from(seal_and_open(&mut bytes).is_none())
}
