//! The common form of certificates, requests, lists and responses: a part that is signed, an
//! algorithm, and a signature.

use alloc::vec::Vec;

use adamant_der::{Reader, Tag, Tlv, Writer};

use crate::{
    AlgorithmIdentifier, Element, Error, ErrorKind, PublicKey, Result, SignatureAlgorithm,
    SigningKey, sign::verify_signature_legacy, verify_signature,
};

/// A signed part, the algorithm of the signature, and the signature: certificates, requests, lists
/// and responses dereference to it.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    der: &'a [u8],
    tbs: &'a [u8],
    algorithm: AlgorithmIdentifier<'a>,
    signature: &'a [u8],
    /// Where the whole was read.
    position: usize,
}

/// A signed part that is to be read.
pub(crate) struct Tbs<'a> {
    /// Its contents.
    pub(crate) reader: Reader<'a>,
    /// The element outside of it that is the algorithm.
    algorithm_der: &'a [u8],
}

impl<'a> Signed<'a> {
    /// The encoding of the whole.
    pub const fn as_der(&self) -> &'a [u8] {
        self.der
    }

    /// The encoding of the part that is signed.
    pub const fn tbs(&self) -> &'a [u8] {
        self.tbs
    }

    /// The algorithm of the signature; where the signed part names it too, it is the same there.
    pub const fn signature_algorithm(&self) -> &AlgorithmIdentifier<'a> {
        &self.algorithm
    }

    /// The signature: the contents of the BIT STRING.
    pub const fn signature(&self) -> &'a [u8] {
        self.signature
    }

    /// Checks the signature under the signer's key.
    ///
    /// # Errors
    /// As [`crate::verify_signature`], with the position of the signature or its algorithm.
    pub fn verify(&self, signer: &PublicKey) -> Result<()> {
        let verdict = verify_signature(signer, &self.algorithm, self.tbs, self.signature);
        self.located(verdict)
    }

    /// As [`Self::verify`], and with SHA-1 too, for which anybody with the means can make two
    /// messages of one signature: for documents from before 2017, of which a trusted copy tells that
    /// they are that old.
    ///
    /// # Errors
    /// As there.
    pub fn verify_legacy(&self, signer: &PublicKey) -> Result<()> {
        let verdict = verify_signature_legacy(signer, &self.algorithm, self.tbs, self.signature);
        self.located(verdict)
    }

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
        let (signed, algorithm_der) = Self::read_signature(r, &tlv, &tbs)?;
        let more = more(r)?;
        rest.finish()?;
        let tbs = Tbs {
            reader: tbs.reader()?,
            algorithm_der,
        };
        Ok((signed, tbs, more))
    }

    /// Reads algorithm and signature of a part of a whole, and tells the algorithm's octets.
    #[inline]
    pub(crate) fn read_signature(
        r: &mut Reader<'a>,
        whole: &Tlv<'a>,
        tbs: &Tlv<'a>,
    ) -> Result<(Self, &'a [u8])> {
        let (algorithm, algorithm_der) = AlgorithmIdentifier::read_whole(r)?;
        let signed = Self {
            der: whole.raw,
            tbs: tbs.raw,
            algorithm,
            signature: r.bit_string_octets()?.bytes,
            position: whole.position,
        };
        Ok((signed, algorithm_der))
    }

    /// Takes the algorithm inside of the signed part, which is the one outside of it.
    #[inline]
    pub(crate) fn check_algorithm(&self, r: &mut Reader<'a>, tbs: &Tbs<'a>) -> Result<()> {
        if r.read_inline(Tag::SEQUENCE)?.raw != tbs.algorithm_der {
            return Err(ErrorKind::AlgorithmMismatch.at(self.algorithm.position()));
        }
        Ok(())
    }

    /// Where a part of the whole is.
    pub(crate) fn position_of(&self, part: &'a [u8]) -> usize {
        self.position + (part.as_ptr().addr() - self.der.as_ptr().addr())
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
    pub(crate) fn write_with(&self, w: &mut Writer, tbs: impl FnOnce(&mut Writer)) {
        w.sequence(|w| {
            tbs(w);
            self.write_signature(w);
        });
    }

    /// Appends algorithm and signature.
    pub(crate) fn write_signature(&self, w: &mut Writer) {
        self.algorithm.write(w);
        w.bit_string(self.signature, 0);
    }
}

/// Each type with a signature is a [`Signed`] with more.
macro_rules! signed {
    ($($type:ident . $field:ident),*) => { $(
        impl<'a> core::ops::Deref for $type<'a> {
            type Target = crate::Signed<'a>;

            fn deref(&self) -> &crate::Signed<'a> {
                &self.$field
            }
        }
    )* };
}
pub(crate) use signed;

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
pub(crate) fn sign_tbs<K: SigningKey + ?Sized>(tbs: &[u8], key: &K) -> Result<Vec<u8>> {
    let mut signature = Vec::with_capacity(80);
    key.sign(tbs, &mut signature)?;
    Ok(assemble(tbs, key.algorithm(), &signature))
}
