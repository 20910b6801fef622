//! The hashes of the suites, and what is made of them: the transcript, HKDF and the PRF of TLS 1.2.

use std::marker::PhantomData;

use adamant::Wipe;
use adamant::family::Hash as HashFunction;
use adamant::hash::{Hmac, Sha256, Sha384, Sm3, tls_prf};
use rustls::Error;
use rustls::crypto::hash::{Context, Hash, HashAlgorithm, Output};
use rustls::crypto::hmac::Tag;
use rustls::crypto::tls12::Prf;
use rustls::crypto::tls13::{Hkdf, HkdfExpander, OkmBlock, OutputLengthError};
use rustls::crypto::{ActiveKeyExchange, SharedSecret};
use rustls::version::TLS12;

/// The provider's requirements of a hash function.
pub(crate) trait Function: HashFunction + Send + Sync + 'static {
    /// How rustls names it.
    const ALGORITHM: HashAlgorithm;
}

impl Function for Sha256 {
    const ALGORITHM: HashAlgorithm = HashAlgorithm::SHA256;
}

impl Function for Sha384 {
    const ALGORITHM: HashAlgorithm = HashAlgorithm::SHA384;
}

impl Function for Sm3 {
    // The first octet of `sm2sig_sm3`; nothing else has the number, so sessions are resumed only
    // under suites of this hash.
    const ALGORITHM: HashAlgorithm = HashAlgorithm::Unknown(0x07);
}

/// A hash function in all its parts of a suite.
pub(crate) struct Suite<H>(PhantomData<fn() -> H>);

impl<H> Suite<H> {
    pub(crate) const NEW: Self = Suite(PhantomData);
}

/// The hash of a transcript.
struct State<H>(H);

impl<H: Function> Hash for Suite<H> {
    fn start(&self) -> Box<dyn Context> {
        Box::new(State(H::new()))
    }

    fn hash(&self, data: &[u8]) -> Output {
        Output::new(H::digest(data).as_ref())
    }

    fn output_len(&self) -> usize {
        H::OUTPUT_LEN
    }

    fn algorithm(&self) -> HashAlgorithm {
        H::ALGORITHM
    }
}

impl<H: Function> Context for State<H> {
    fn fork_finish(&self) -> Output {
        Output::new(self.0.finish_with(&[]).as_ref())
    }

    fn fork(&self) -> Box<dyn Context> {
        Box::new(State(self.0.clone()))
    }

    fn finish(mut self: Box<Self>) -> Output {
        Output::new(self.0.finish().as_ref())
    }

    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

/// HKDF-Expand (RFC 5869) under one key, whose schedule is kept.
struct Expander<H: HashFunction>(Hmac<H>);

impl<H: Function> Expander<H> {
    /// The expander of HKDF-Extract; without a salt, that of zeros.
    fn extract(salt: Option<&[u8]>, ikm: &[u8]) -> Box<dyn HkdfExpander> {
        // HMAC fills keys up with zeros: the empty salt is that of zeros.
        let mut prk = Hmac::<H>::mac(salt.unwrap_or_default(), ikm);
        let expander = Box::new(Expander(Hmac::<H>::new(prk.as_ref())));
        prk.as_mut().wipe();
        expander
    }

    /// T(number), which follows on `previous`.
    fn block(&self, previous: &[u8], info: &[&[u8]], number: u8) -> H::Output {
        // The key schedule of TLS comes with at most six parts.
        let mut parts = [&[][..]; 10];
        let number = [number];
        if info.len() > parts.len() - 2 {
            return self.block(previous, &[&info.concat()], number[0]);
        }
        parts[0] = previous;
        parts[1..=info.len()].copy_from_slice(info);
        parts[info.len() + 1] = &number;
        self.0.tag(&parts[..info.len() + 2])
    }
}

impl<H: Function> HkdfExpander for Expander<H> {
    fn expand_slice(&self, info: &[&[u8]], output: &mut [u8]) -> Result<(), OutputLengthError> {
        if output.len() > 255 * H::OUTPUT_LEN {
            return Err(OutputLengthError);
        }
        let mut last: Option<H::Output> = None;
        for (number, chunk) in (1..=255).zip(output.chunks_mut(H::OUTPUT_LEN)) {
            let block = self.block(last.as_ref().map_or(&[], AsRef::as_ref), info, number);
            chunk.copy_from_slice(&block.as_ref()[..chunk.len()]);
            if let Some(mut done) = last.replace(block) {
                done.as_mut().wipe();
            }
        }
        if let Some(last) = &mut last {
            last.as_mut().wipe();
        }
        Ok(())
    }

    fn expand_block(&self, info: &[&[u8]]) -> OkmBlock {
        let mut block = self.block(&[], info, 1);
        let okm = OkmBlock::new(block.as_ref());
        block.as_mut().wipe();
        okm
    }

    fn hash_len(&self) -> usize {
        H::OUTPUT_LEN
    }
}

impl<H: Function> Hkdf for Suite<H> {
    fn extract_from_zero_ikm(&self, salt: Option<&[u8]>) -> Box<dyn HkdfExpander> {
        Expander::<H>::extract(salt, &[0; OkmBlock::MAX_LEN][..H::OUTPUT_LEN])
    }

    fn extract_from_secret(&self, salt: Option<&[u8]>, secret: &[u8]) -> Box<dyn HkdfExpander> {
        Expander::<H>::extract(salt, secret)
    }

    fn expander_for_okm(&self, okm: &OkmBlock) -> Box<dyn HkdfExpander> {
        Box::new(Expander(Hmac::<H>::new(okm.as_ref())))
    }

    fn hmac_sign(&self, key: &OkmBlock, message: &[u8]) -> Tag {
        let mut tag = Hmac::<H>::mac(key.as_ref(), message);
        let copy = Tag::new(tag.as_ref());
        tag.as_mut().wipe();
        copy
    }
}

impl<H: Function> Prf for Suite<H> {
    fn for_key_exchange(
        &self,
        output: &mut [u8; 48],
        kx: Box<dyn ActiveKeyExchange>,
        peer_pub_key: &[u8],
        label: &[u8],
        seed: &[u8],
    ) -> Result<(), Error> {
        let secret: SharedSecret = kx.complete_for_tls_version(peer_pub_key, &TLS12)?;
        tls_prf::derive::<H>(secret.secret_bytes(), label, seed, output);
        Ok(())
    }

    fn for_secret(&self, output: &mut [u8], secret: &[u8], label: &[u8], seed: &[u8]) {
        tls_prf::derive::<H>(secret, label, seed, output);
    }
}
