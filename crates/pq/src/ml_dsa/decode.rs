//! Reading private keys (FIPS 204, 7.2).

use super::arithmetic::Backend;
use super::keygen::Making;
use super::keys::inside;
use super::matrix::matrix;
use super::parameters::{MAX_K, Parameters};
use super::poly::Poly;
use super::private::Private;
use crate::sponge::run;
use adamant_base::{Error, Secret, ct};

impl Private {
    /// Algorithm 25 (skDecode). The public key is computed again: t₀ and tr must be those that
    /// follow from the rest.
    pub(super) fn from_bytes(
        p: &'static Parameters,
        bytes: &[u8],
        backend: Backend,
    ) -> Result<Self, Error> {
        let bad = Error::BadPrivateKey;
        if bytes.len() != p.private_len() {
            return Err(bad);
        }
        let mut private = Self::room(p, backend);
        let (rho, rest) = bytes.split_first_chunk().ok_or(bad)?;
        let (key, rest) = rest.split_first_chunk().ok_or(bad)?;
        let (tr, rest) = rest.split_first_chunk::<64>().ok_or(bad)?;
        let (s, t0) = rest.split_at(p.s_end());
        private.secret.key = *key;
        private.encoded[..s.len()].copy_from_slice(s);
        // Whether a key is broken is public.
        let mut vectors = p.vectors();
        if !private.unpack(&mut vectors).declassify() {
            return Err(bad);
        }
        let mut a = matrix(p, backend, rho, None);
        backend.ntt(&mut vectors[..p.l]);
        let public = inside(&mut private.public);
        public.rho = *rho;
        let mut making = Making::new(p, &mut a, public, &mut private.encoded, &mut vectors);
        let mut t = Secret::new([Poly::ZERO; MAX_K]);
        making.rows(backend, 0..p.k, &mut t[..], None);
        backend.ntt(&mut vectors[p.l..]);
        public.a = a;
        run(backend.keccak(), [public.tr_job()]);
        let same = ct::eq(t0, &private.encoded[s.len()..]).and(ct::eq(tr, &public.tr));
        private.vectors = vectors;
        if same.declassify() {
            Ok(private)
        } else {
            Err(bad)
        }
    }
}
