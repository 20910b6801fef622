//! HKDF as RFC 9180, section 4 uses it: what goes in is labelled with the version, the suite and
//! the purpose.

use super::Kdf;
use adamant_base::{Error, Secret};
use adamant_hash::{Sha256, Sha384, Sha512, hkdf};
use alloc::vec::Vec;

/// The longest digest.
const MAX: usize = 64;

/// A secret as long as a digest.
#[derive(Clone)]
pub(super) struct Digest {
    bytes: Secret<[u8; MAX]>,
    len: usize,
}

impl Digest {
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub(super) fn as_mut_bytes(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }
}

/// Whom the labels name.
#[derive(Clone, Copy)]
pub(super) struct Labeled<'a> {
    pub(super) kdf: Kdf,
    pub(super) suite: &'a [u8],
}

impl Kdf {
    /// Bytes of a digest.
    pub(super) fn len(self) -> usize {
        match self {
            Kdf::HkdfSha256 => 32,
            Kdf::HkdfSha384 => 48,
            Kdf::HkdfSha512 => 64,
        }
    }
}

impl Labeled<'_> {
    /// `LabeledExtract`.
    pub(super) fn extract(&self, salt: &[u8], label: &str, ikm: &[u8]) -> Digest {
        let mut labeled = Vec::with_capacity(7 + self.suite.len() + label.len() + ikm.len());
        for part in [b"HPKE-v1", self.suite, label.as_bytes(), ikm] {
            labeled.extend_from_slice(part);
        }
        let mut bytes = Secret::new([0; MAX]);
        let len = self.kdf.len();
        let out = &mut bytes[..len];
        match self.kdf {
            Kdf::HkdfSha256 => out.copy_from_slice(&hkdf::extract::<Sha256>(salt, &labeled)),
            Kdf::HkdfSha384 => out.copy_from_slice(&hkdf::extract::<Sha384>(salt, &labeled)),
            Kdf::HkdfSha512 => out.copy_from_slice(&hkdf::extract::<Sha512>(salt, &labeled)),
        }
        adamant_base::Wipe::wipe(labeled.as_mut_slice());
        Digest { bytes, len }
    }

    /// `LabeledExpand`.
    ///
    /// # Errors
    /// [`Error::BadLength`] for an output of more than 255 digests.
    pub(super) fn expand(
        &self,
        prk: &[u8],
        label: &str,
        info: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let limit = 255 * self.kdf.len();
        let actual = out.len();
        let len = u16::try_from(actual).ok().filter(|_| actual <= limit);
        let len = len.ok_or(Error::BadLength {
            expected: limit,
            actual,
        })?;
        let mut labeled = Vec::with_capacity(9 + self.suite.len() + label.len() + info.len());
        let len = len.to_be_bytes();
        for part in [&len, &b"HPKE-v1"[..], self.suite, label.as_bytes(), info] {
            labeled.extend_from_slice(part);
        }
        match self.kdf {
            Kdf::HkdfSha256 => hkdf::expand::<Sha256>(prk, &labeled, out),
            Kdf::HkdfSha384 => hkdf::expand::<Sha384>(prk, &labeled, out),
            Kdf::HkdfSha512 => hkdf::expand::<Sha512>(prk, &labeled, out),
        }
    }
}
