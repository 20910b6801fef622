//! What certificates, requests, lists and responses have in common: a part that is signed, an
//! algorithm, and a signature.

use alloc::vec::Vec;

use adamant_der::{Reader, Tag, Writer};

use crate::{
    AlgorithmIdentifier, Element, Error, PublicKey, Result, SignatureAlgorithm, SigningKey,
    verify_signature, verify_signature_legacy,
};

/// A signed part, the algorithm of the signature, and the signature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signed<'a> {
    /// The whole.
    pub(crate) der: &'a [u8],
    /// The part that is signed.
    pub(crate) tbs: &'a [u8],
    /// The algorithm.
    pub(crate) algorithm: AlgorithmIdentifier<'a>,
    /// The signature.
    pub(crate) signature: &'a [u8],
    /// Where the whole was read.
    position: usize,
}

/// A signed part that is to be read.
pub(crate) struct Tbs<'a> {
    /// Its contents.
    pub(crate) reader: Reader<'a>,
    /// The element outside of it that is the algorithm.
    pub(crate) algorithm_der: &'a [u8],
}

impl<'a> Signed<'a> {
    #[inline]
    pub(crate) fn read(r: &mut Reader<'a>) -> Result<(Self, Tbs<'a>)> {
        Self::read_more(r, |_| Ok(())).map(|(signed, tbs, ())| (signed, tbs))
    }

    /// Reads also what follows the signature.
    #[inline]
    pub(crate) fn read_more<T>(
        r: &mut Reader<'a>,
        more: impl FnOnce(&mut Reader<'a>) -> Result<T>,
    ) -> Result<(Self, Tbs<'a>, T)> {
        let tlv = r.read_inline(Tag::SEQUENCE)?;
        let mut rest = tlv.reader()?;
        let r = &mut rest;
        let tbs = r.read_inline(Tag::SEQUENCE)?;
        let (algorithm, algorithm_der) = AlgorithmIdentifier::read_whole(r)?;
        let signature = r.bit_string_octets()?;
        let signed = Self {
            der: tlv.raw,
            tbs: tbs.raw,
            algorithm,
            signature: signature.bytes,
            position: tlv.position,
        };
        let more = more(r)?;
        rest.finish()?;
        let tbs = Tbs {
            reader: tbs.reader()?,
            algorithm_der,
        };
        Ok((signed, tbs, more))
    }

    /// Where a part of the whole is.
    pub(crate) fn position_of(&self, part: &'a [u8]) -> usize {
        self.position + (part.as_ptr().addr() - self.der.as_ptr().addr())
    }

    /// Checks the signature; positions are where algorithm or signature was read.
    pub(crate) fn verify(&self, key: &PublicKey) -> Result<()> {
        self.located(verify_signature(
            key,
            &self.algorithm,
            self.tbs,
            self.signature,
        ))
    }

    /// The same with broken algorithms too.
    pub(crate) fn verify_legacy(&self, key: &PublicKey) -> Result<()> {
        let verdict = verify_signature_legacy(key, &self.algorithm, self.tbs, self.signature);
        self.located(verdict)
    }

    fn located(&self, verdict: Result<()>) -> Result<()> {
        use crate::ErrorKind::{NotBuiltIn, UnknownAlgorithm, WeakAlgorithm, WrongParameters};

        verdict.map_err(|error| {
            let position = match error.kind() {
                UnknownAlgorithm(oid)
                | NotBuiltIn(oid)
                | WeakAlgorithm(oid)
                | WrongParameters(oid)
                    if oid == self.algorithm.oid =>
                {
                    self.algorithm.position()
                }
                _ => self.position_of(self.signature),
            };
            Error::new(error.kind(), position)
        })
    }

    /// Appends the whole, with a signed part that `tbs` writes anew.
    pub(crate) fn write_with(
        &self,
        w: &mut Writer,
        tbs: impl FnOnce(&mut Writer),
        more: impl FnOnce(&mut Writer),
    ) {
        w.sequence(|w| {
            tbs(w);
            self.algorithm.write(w);
            w.bit_string(self.signature, 0);
            more(w);
        });
    }
}

/// Puts a signed part, its signature's algorithm and the signature together: a certificate,
/// request or list from its parts.
///
/// ```
/// use adamant_x509::{SignatureAlgorithm, assemble};
///
/// let tbs = [0x30, 0];
/// let der = assemble(&tbs, SignatureAlgorithm::Ed25519, &[7]);
/// assert_eq!(der, [0x30, 13, 0x30, 0, 0x30, 5, 0x06, 3, 0x2b, 0x65, 0x70, 0x03, 2, 0, 7]);
/// ```
pub fn assemble(tbs: &[u8], algorithm: SignatureAlgorithm, signature: &[u8]) -> Vec<u8> {
    assemble_with(tbs, algorithm, signature, |_| {})
}

pub(crate) fn assemble_with(
    tbs: &[u8],
    algorithm: SignatureAlgorithm,
    signature: &[u8],
    more: impl FnOnce(&mut Writer),
) -> Vec<u8> {
    let mut w = Writer::with_capacity(tbs.len() + signature.len() + 48);
    w.sequence(|w| {
        w.raw(tbs);
        algorithm.write(w);
        w.bit_string(signature, 0);
        more(w);
    });
    w.finish()
}

/// Signs a part and puts the whole together.
///
/// # Errors
/// That of the key.
pub fn sign_tbs<K: SigningKey + ?Sized>(tbs: &[u8], key: &K) -> Result<Vec<u8>> {
    let mut signature = Vec::with_capacity(80);
    key.sign(tbs, &mut signature)?;
    Ok(assemble(tbs, key.algorithm(), &signature))
}
