//! Key generation (FIPS 204, algorithm 6), of `N` keys side by side: all hashes share the lanes of
//! [`run_to`], and what follows is done as soon as nothing is missing for it.

use super::arithmetic::Backend;
use super::keys::{Public, T1_LEN, inside};
use super::matrix::matrix_job;
use super::parameters::{MAX_K, Parameters};
use super::poly::{D, Poly};
use super::private::{Private, T0_LEN};
use crate::list::List;
use crate::sponge::{Drawn, InTurn, Job, Kind, SHAKE256, Serial, Sink, run, run_to};
use adamant_base::{Secret, SecretVec, ct};
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::Range;

/// A key in the making.
pub(super) struct Making<'k> {
    p: &'static Parameters,
    a: &'k mut [Poly],
    public: &'k mut Public,
    /// The encodings of s₁, s₂ and t₀.
    encoded: &'k mut [u8],
    /// s₁, s₂ and t₀.
    vectors: &'k mut [Poly],
    /// Polynomials that are missing: of s₁ and of s₂, and of each row of Â.
    missing: ([usize; 2], [usize; MAX_K]),
    /// Rows of t that are done.
    done: usize,
}

impl<'k> Making<'k> {
    pub(super) fn new(
        p: &'static Parameters,
        a: &'k mut [Poly],
        public: &'k mut Public,
        encoded: &'k mut [u8],
        vectors: &'k mut [Poly],
    ) -> Self {
        Making {
            p,
            a,
            public,
            encoded,
            vectors,
            missing: ([p.l, p.k], [p.l; MAX_K]),
            done: 0,
        }
    }

    /// Rows of t = A·s₁ + s₂ and its parts (algorithm 6, lines 5 and 6), of NTT(s₁) and s₂ outside
    /// of the NTT domain. The encodings of t₁ go to the hash, too; `room` is for t.
    pub(super) fn rows(
        &mut self,
        backend: Backend,
        rows: Range<usize>,
        room: &mut [Poly],
        mut hash: Option<&mut Serial>,
    ) {
        let Parameters { k, l, .. } = *self.p;
        let (s1, rest) = self.vectors.split_at_mut(l);
        let (s2, t0) = rest.split_at_mut(k);
        let t0_bytes = self.encoded[self.p.s_end()..].as_chunks_mut::<T0_LEN>().0;
        let (t, t0) = (&mut room[..rows.len()], &mut t0[rows.clone()]);
        backend.multiply(t, &self.a[l * rows.start..l * rows.end], s1);
        backend.inverse_ntt(t);
        backend.add(t, &s2[rows.clone()]);
        backend.power2round(t, t0);
        for (bytes, t) in self.public.t1_bytes[rows.clone()].iter_mut().zip(t) {
            backend.simple_bit_pack(bytes, t);
            ct::mark_public(bytes); // The public key.
            if let Some(hash) = &mut hash {
                hash.push(bytes);
            }
        }
        for (bytes, t) in t0_bytes[rows].iter_mut().zip(t0) {
            backend.bit_pack(bytes, t, 1 << (D - 1));
        }
    }

    /// The next block of a polynomial; whether it was enough.
    #[inline]
    fn take(&mut self, backend: Backend, drawn: &mut Drawn, block: &[u8]) -> bool {
        let Parameters { l, eta, .. } = *self.p;
        let (at, count) = (drawn.at, drawn.count);
        match drawn.kind {
            Kind::Uniform => {
                drawn.count = backend.rej_ntt_poly(&mut self.a[at], count, block);
                if drawn.count < 256 {
                    return false;
                }
                self.missing.1[at / l] -= 1;
            }
            // Algorithm 33 (ExpandS): a polynomial of s₁, or after these of s₂.
            Kind::Short => {
                let s = &mut self.vectors[at];
                drawn.count = backend.rej_bounded_poly(s, eta, count, block);
                if drawn.count < 256 {
                    return false;
                }
                let len = self.p.s_len();
                backend.bit_pack(&mut self.encoded[at * len..][..len], s, eta);
                let missing = &mut self.missing.0;
                missing[usize::from(at >= l)] -= 1;
                if at < l && missing[0] == 0 {
                    backend.ntt(&mut self.vectors[..l]);
                }
            }
        }
        true
    }
}

/// Keys in the making, with the room of each.
struct All<'m, 'k> {
    backend: Backend,
    keys: &'m mut [Making<'k>],
    t: Secret<[Poly; MAX_K]>,
    /// H(pk) of a single key.
    hash: Option<&'m mut Serial>,
}

impl Sink for All<'_, '_> {
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        let key = &mut self.keys[drawn.key];
        if !key.take(self.backend, drawn, block) {
            return false;
        }
        // Rows of t that nothing is missing for.
        let k = key.p.k;
        let (secrets, rows) = &key.missing;
        let from = key.done;
        let ready = rows[from..k].iter().take_while(|missing| **missing == 0);
        let to = from + ready.count();
        // One by one takes longer: that is for the hash that waits for them.
        if from < to && *secrets == [0; 2] && (self.hash.is_some() || to == k) {
            key.done = to;
            let room = &mut self.t[..];
            key.rows(self.backend, from..to, room, self.hash.as_deref_mut());
        }
        true
    }

    fn serial(&mut self) -> Option<&mut Serial> {
        self.hash.as_deref_mut()
    }
}

/// The key of ξ, which keeps its matrix and its vectors.
pub(super) fn keygen_one(p: &'static Parameters, backend: Backend, seed: &[u8; 32]) -> Private {
    let mut a = List::zeros(p.k * p.l);
    let mut vectors = p.vectors();
    let [mut key] = keygen(p, backend, [seed], &mut a, &mut vectors);
    backend.ntt(&mut vectors[p.l..]);
    inside(&mut key.public).a = a;
    key.vectors = vectors;
    key
}

/// Room for what [`keygen`] leaves of this many keys.
pub(super) fn rooms(p: &Parameters, keys: usize) -> (Vec<Poly>, SecretVec<Poly>) {
    let polys = |each: usize| vec![Poly::ZERO; keys * each];
    (polys(p.k * p.l), polys(p.l + 2 * p.k).into())
}

/// Algorithm 6 (ML-DSA.KeyGen_internal) for each ξ. Matrices are left in the first room, of k·l
/// polynomials for each key, and vectors in the second, all but s₁ outside of the NTT domain.
pub(super) fn keygen<const N: usize>(
    p: &'static Parameters,
    backend: Backend,
    seeds: [&[u8; 32]; N],
    matrices: &mut [Poly],
    vectors: &mut [Poly],
) -> [Private; N] {
    let Parameters { k, l, .. } = *p;
    // ρ, ρ′ and K.
    let mut expanded = Secret::new([[0; 128]; N]);
    let jobs = seeds.iter().zip(&mut *expanded);
    run(
        backend.keccak(),
        jobs.map(|(seed, out)| Job::new(SHAKE256, [&seed[..]], out).tail([k as u8, l as u8])),
    );
    let mut keys: [Private; N] = from_fn(|n| {
        let (rho, rest) = parts(&expanded[n]);
        let mut key = Private::room(p, backend);
        ct::mark_public(rho); // It is part of the public key.
        inside(&mut key.public).rho = *rho;
        let secret = &mut **key.secret;
        secret.key.copy_from_slice(&rest[64..]);
        (secret.seed, secret.has_seed) = (*seeds[n], true);
        key
    });
    let mut matrices = matrices.chunks_exact_mut(k * l);
    let mut vectors = vectors.chunks_exact_mut(l + 2 * k);
    let mut making = keys.each_mut().map(|key| {
        let rooms = matrices.next().zip(vectors.next());
        let (a, vectors) = rooms.expect("room for each key");
        Making::new(p, a, inside(&mut key.public), &mut key.encoded, vectors)
    });
    if N == 1 {
        let mut hash = Serial::new(SHAKE256, 32 + T1_LEN * k);
        hash.push(parts(&expanded[0]).0);
        make(backend, &expanded[..], &mut making, Some(&mut hash));
        let public = inside(&mut keys[0].public);
        hash.finish(backend.keccak().one, &mut public.tr);
        return keys;
    }
    make(backend, &expanded[..], &mut making, None);
    run(
        backend.keccak(),
        keys.iter_mut().map(|key| inside(&mut key.public).tr_job()),
    );
    keys
}

/// ρ, and after it ρ′ and K.
fn parts(expanded: &[u8; 128]) -> (&[u8; 32], &[u8]) {
    expanded.split_first_chunk().expect("128 bytes")
}

/// Draws the polynomials of keys, and does what follows; some of H(pk) of a single one.
fn make(backend: Backend, expanded: &[[u8; 128]], keys: &mut [Making], hash: Option<&mut Serial>) {
    let Some(Making { p, .. }) = keys.first() else {
        return;
    };
    let p = *p;
    let Parameters { k, l, .. } = *p;
    let one = keys.len() == 1;
    // The first row of a single key is wanted soon; of many keys, all jobs of one kind go together.
    let (s, row) = if one { (l, l) } else { (l + k, 0) };
    let order = InTurn::new(
        keys.len(),
        [
            (Kind::Short, 0..s),
            (Kind::Uniform, 0..row),
            (Kind::Short, s..l + k),
            (Kind::Uniform, row..k * l),
        ],
    );
    let jobs = order.map(|(kind, key, at)| {
        let (rho, rest) = parts(&expanded[key]);
        match kind {
            Kind::Uniform => matrix_job(p, rho, key, at),
            Kind::Short => Job::draw(SHAKE256, [&rest[..64]], kind, key, at).tail([at as u8, 0]),
        }
    });
    let mut all = All {
        backend,
        keys,
        t: Secret::new([Poly::ZERO; MAX_K]),
        hash,
    };
    run_to(backend.keccak(), jobs, &mut all);
}
