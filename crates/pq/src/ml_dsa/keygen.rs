//! Key generation (FIPS 204, algorithm 6), of `N` keys side by side: all hashes share the lanes of
//! [`run_to`], and what follows is done as soon as nothing is missing for it.

use super::keys::{Parameters, Private, Public, Secrets, T1_LEN, Vectors, inside, parameters};
use super::matrix::matrix_jobs;
use super::poly::{Backend, D, Poly};
use crate::sponge::{Drawn, Job, Kind, SHAKE256, Serial, Sink, run, run_to};
use adamant_base::{Secret, ct};
use alloc::vec;
use core::array::from_fn;
use core::ops::Range;

/// What a key is made from: Â, the public key, what is secret, and its vectors.
pub(super) struct Parts<'k, const K: usize, const L: usize> {
    pub(super) a: &'k mut [Poly],
    pub(super) public: &'k mut Public<K, L>,
    pub(super) secret: &'k mut Secrets<K, L>,
    pub(super) vectors: &'k mut Vectors<K, L>,
}

impl<const K: usize, const L: usize> Parts<'_, K, L> {
    /// Rows of t = A·s₁ + s₂ and its parts (algorithm 6, lines 5 and 6), of NTT(s₁) and s₂ outside
    /// of the NTT domain. The encodings of t₁ are shown around.
    pub(super) fn rows(&mut self, rows: Range<usize>, mut tell: impl FnMut(&[u8; T1_LEN])) {
        let backend = self.public.backend;
        let mut t = Secret::new([Poly::ZERO; K]);
        let t = &mut t[rows.clone()];
        let t0 = &mut self.vectors.t0[rows.clone()];
        backend.multiply(t, &self.a[L * rows.start..L * rows.end], &self.vectors.s1);
        backend.inverse_ntt(t);
        backend.add(t, &self.vectors.s2[rows.clone()]);
        backend.power2round(t, t0);
        for (bytes, t) in self.public.t1_bytes[rows.clone()].iter_mut().zip(t) {
            backend.simple_bit_pack(bytes, t);
            ct::mark_public(bytes); // The public key.
            tell(bytes);
        }
        for (bytes, t) in self.secret.t0_bytes[rows].iter_mut().zip(t0) {
            backend.bit_pack(bytes, t, 1 << (D - 1));
        }
    }
}

/// Keys in the making, with the room of each.
struct Making<'k, const K: usize, const L: usize, const N: usize> {
    backend: Backend,
    keys: [Parts<'k, K, L>; N],
    /// Polynomials that are missing: of s₁ and of s₂, and of each row of Â.
    missing: [([usize; 2], [usize; K]); N],
    /// Rows of t that are done.
    done: [usize; N],
    /// H(pk) of a single key.
    hash: Option<Serial>,
}

impl<const K: usize, const L: usize, const N: usize> Making<'_, K, L, N> {
    /// Rows of t that nothing is missing for.
    fn rows(&mut self, key: usize) {
        let (secrets, rows) = &self.missing[key];
        let from = self.done[key];
        let ready = rows[from..].iter().take_while(|missing| **missing == 0);
        let to = from + ready.count();
        // One by one takes longer: that is for the hash that waits for them.
        if from == to || *secrets != [0; 2] || (self.hash.is_none() && to < K) {
            return;
        }
        self.done[key] = to;
        self.keys[key].rows(from..to, |bytes| {
            if let Some(hash) = &mut self.hash {
                hash.push(bytes);
            }
        });
    }
}

impl<const K: usize, const L: usize, const N: usize> Sink for Making<'_, K, L, N> {
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        let backend = self.backend;
        let (key, at, count) = (drawn.key, drawn.at, drawn.count);
        let Parts {
            a, secret, vectors, ..
        } = &mut self.keys[key];
        let missing = &mut self.missing[key];
        match drawn.kind {
            Kind::Uniform => {
                drawn.count = backend.rej_ntt_poly(&mut a[at], count, block);
                if drawn.count < 256 {
                    return false;
                }
                missing.1[at / L] -= 1;
            }
            // Algorithm 33 (ExpandS): a polynomial of s₁, or behind these of s₂.
            Kind::Short => {
                let Parameters { eta, .. } = parameters(K);
                let (s, bytes) = match at.checked_sub(L) {
                    None => (&mut vectors.s1[at], &mut secret.s1_bytes[at]),
                    Some(at) => (&mut vectors.s2[at], &mut secret.s2_bytes[at]),
                };
                drawn.count = backend.rej_bounded_poly(s, eta, count, block);
                if drawn.count < 256 {
                    return false;
                }
                backend.bit_pack(&mut bytes[..parameters(K).s_len()], s, eta);
                missing.0[usize::from(at >= L)] -= 1;
                if at < L && missing.0[0] == 0 {
                    backend.ntt(&mut vectors.s1);
                }
            }
        }
        self.rows(key);
        true
    }

    fn serial(&mut self) -> Option<&mut Serial> {
        self.hash.as_mut()
    }
}

/// The key of ξ, which keeps its matrix and its vectors.
pub(super) fn keygen_one<const K: usize, const L: usize>(
    backend: Backend,
    seed: &[u8; 32],
) -> Private<K, L> {
    let mut a = vec![Poly::ZERO; K * L];
    let mut vectors = Vectors::room();
    let [mut key] = keygen(
        backend,
        [seed],
        &mut a,
        core::slice::from_mut(&mut **vectors),
    );
    vectors.transform(backend);
    inside(&mut key.public).a = a;
    key.vectors = Some(vectors);
    key
}

/// Algorithm 6 (ML-DSA.KeyGen_internal) for each ξ. Matrices are left in the first room, of K·L
/// polynomials for each key, and vectors in the second, all but s₁ outside of the NTT domain.
pub(super) fn keygen<const K: usize, const L: usize, const N: usize>(
    backend: Backend,
    seeds: [&[u8; 32]; N],
    matrices: &mut [Poly],
    vectors: &mut [Vectors<K, L>],
) -> [Private<K, L>; N] {
    let keccak = backend.keccak();
    // ρ, ρ′ and K.
    let mut expanded = Secret::new([[0; 128]; N]);
    let jobs = seeds.iter().zip(&mut *expanded);
    run(
        keccak,
        jobs.map(|(seed, out)| Job::new(SHAKE256, [&seed[..]], out).tail([K as u8, L as u8])),
    );
    let expanded = expanded.each_ref().map(|bytes| {
        let (rho, rest) = bytes.split_first_chunk::<32>().expect("128 bytes");
        let (rho_prime, key) = rest.split_first_chunk::<64>().expect("96 bytes");
        ct::mark_public(rho); // It is part of the public key.
        (rho, rho_prime, key)
    });
    let mut keys: [Private<K, L>; N] = from_fn(|n| {
        let mut key = Private::room(backend);
        let (rho, _, k) = expanded[n];
        let public = inside(&mut key.public);
        public.rho = *rho;
        let secret = &mut **key.secret;
        secret.key.copy_from_slice(k);
        (secret.seed, secret.has_seed) = (*seeds[n], true);
        key
    });
    let hash = (N == 1).then(|| {
        let mut hash = Serial::new(SHAKE256, 32 + T1_LEN * K);
        hash.push(expanded[0].0);
        hash
    });
    let mut rooms = matrices.chunks_exact_mut(K * L).zip(vectors);
    let mut making = Making::<K, L, N> {
        backend,
        keys: keys.each_mut().map(|key| {
            let (a, vectors) = rooms.next().expect("room for each key");
            Parts {
                a,
                public: inside(&mut key.public),
                secret: &mut **key.secret,
                vectors,
            }
        }),
        missing: [([L, K], [L; K]); N],
        done: [0; N],
        hash,
    };
    let bounded = |places: Range<usize>| {
        expanded
            .iter()
            .enumerate()
            .flat_map(move |(key, (_, rho_prime, _))| {
                places.clone().map(move |at| {
                    let parts = [&rho_prime[..]];
                    Job::draw(SHAKE256, parts, Kind::Short, key, at).tail([at as u8, 0])
                })
            })
    };
    let matrix = |places: Range<usize>| {
        expanded
            .iter()
            .enumerate()
            .flat_map(move |(key, (rho, ..))| matrix_jobs(L, rho, key, places.clone()))
    };
    // The first row of a single key is wanted soon; of many keys, all jobs of one kind go together.
    let (s, row) = if N == 1 { (L, L) } else { (L + K, 0) };
    let jobs = bounded(0..s).chain(matrix(0..row));
    let jobs = jobs.chain(bounded(s..L + K)).chain(matrix(row..K * L));
    run_to(keccak, jobs, &mut making);
    if let Some(hash) = making.hash.take() {
        hash.finish(keccak.one, &mut inside(&mut keys[0].public).tr);
        return keys;
    }
    run(
        keccak,
        keys.iter_mut().map(|key| inside(&mut key.public).tr_job()),
    );
    keys
}
