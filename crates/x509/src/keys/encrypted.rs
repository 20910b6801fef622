//! EncryptedPrivateKeyInfo (RFC 5958, section 3): a private key under a password.

use alloc::string::String;
use alloc::vec::Vec;

use adamant_base::{Rng, SecretBytes};
use adamant_der::{Reader, Writer, pem};

use super::{ENCRYPTED_LABEL, PrivateKey, PrivateKeyInfo};
use crate::element::{parse, sequence};
use crate::pbes2::{Budget, Limits, Pbes2, Scheme};
use crate::{Element, ErrorKind, Result};

/// The scheme, and the PrivateKeyInfo under it.
#[derive(Clone, Copy)]
pub(crate) struct EncryptedPrivateKey<'a> {
    scheme: Scheme<'a>,
    encrypted: &'a [u8],
}

impl EncryptedPrivateKey<'_> {
    #[cfg_attr(not(feature = "lab"), inline)]
    pub(crate) fn decrypt(&self, password: &[u8], budget: &mut Budget) -> Result<PrivateKey> {
        let der = self.scheme.decrypt(password, self.encrypted, budget)?;
        // With a wrong password the padding is right in one of 256 cases.
        let info = parse(&der, PrivateKeyInfo::read);
        PrivateKey::from_info(&info.map_err(|_| ErrorKind::WrongPassword.at(0))?)
    }
}

impl<'a> EncryptedPrivateKey<'a> {
    pub(crate) fn read(r: &mut Reader<'a>) -> Result<Self> {
        sequence(r, |r| {
            Ok(Self {
                scheme: Scheme::read(r)?,
                encrypted: r.octet_string()?,
            })
        })
    }
}

/// Appends an EncryptedPrivateKeyInfo of these octets.
#[cfg_attr(not(feature = "lab"), inline)]
pub(crate) fn write_encrypted(
    w: &mut Writer,
    info: &SecretBytes,
    password: &[u8],
    scheme: &Pbes2,
    rng: &mut impl Rng,
) -> Result<()> {
    let (algorithm, encrypted) = scheme.encrypt(password, info, rng)?;
    w.sequence(|w| {
        w.raw(&algorithm);
        w.octet_string(&encrypted);
    });
    Ok(())
}

impl PrivateKey {
    /// The EncryptedPrivateKeyInfo (PKCS #8, RFC 5958) under a password, with a fresh salt and
    /// initialization vector. See [`crate::pbes2`] for an example.
    ///
    /// # Errors
    /// [`ErrorKind::Crypto`]: that of the generator, parameters out of range or only fit for
    /// reading, too little memory.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn to_encrypted_der(
        &self,
        password: &[u8],
        scheme: &Pbes2,
        rng: &mut impl Rng,
    ) -> Result<Vec<u8>> {
        let mut w = Writer::new();
        write_encrypted(&mut w, &self.to_der(), password, scheme, rng)?;
        Ok(w.finish())
    }

    /// [`PrivateKey::to_encrypted_der`] as PEM.
    ///
    /// # Errors
    /// As there.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn to_encrypted_pem(
        &self,
        password: &[u8],
        scheme: &Pbes2,
        rng: &mut impl Rng,
    ) -> Result<String> {
        let der = self.to_encrypted_der(password, scheme, rng)?;
        Ok(pem::encode(ENCRYPTED_LABEL, &der))
    }

    /// Reads an EncryptedPrivateKeyInfo under PBES2.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownAlgorithm`]; [`ErrorKind::TooCostly`] where its parameters ask for more
    /// than `limits` allow; [`ErrorKind::WrongPassword`], also where the ciphertext was altered;
    /// for what is decrypted, as [`PrivateKey::from_der`], with positions in it.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn from_encrypted_der(der: &[u8], password: &[u8], limits: &Limits) -> Result<Self> {
        parse(der, EncryptedPrivateKey::read)?.decrypt(password, &mut Budget::new(limits))
    }

    /// Reads the first `ENCRYPTED PRIVATE KEY` of a text.
    ///
    /// # Errors
    /// As [`PrivateKey::from_encrypted_der`], and those of PEM.
    #[cfg_attr(not(feature = "lab"), inline)]
    pub fn from_encrypted_pem(text: &str, password: &[u8], limits: &Limits) -> Result<Self> {
        let block = pem::decode_first(text, &[ENCRYPTED_LABEL])?;
        Self::from_encrypted_der(block.der(), password, limits)
    }
}
