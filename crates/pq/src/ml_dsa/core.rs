//! ML-DSA's parameters and keys (FIPS 204, 4, 6.1 and 7.2) for a matrix of `K` rows and `L`
//! columns.

use super::poly::{Backend, D, Poly, Q};
use crate::sponge::{Fill, Job, SHAKE128, SHAKE256, Serial, Sink, run, run_to};
use adamant_base::{Error, Secret, Wipe, ct};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::Range;

/// Numbers of a parameter set (FIPS 204, 4, table 1), told by its rows.
#[derive(Clone, Copy)]
pub(super) struct Parameters {
    pub(super) eta: i32,
    pub(super) tau: usize,
    pub(super) gamma1: i32,
    pub(super) gamma2: i32,
    pub(super) omega: usize,
    /// Bytes of c̃: λ/4.
    pub(super) c_len: usize,
}

pub(super) const fn parameters(k: usize) -> Parameters {
    let (eta, tau, gamma1, gamma2, omega, c_len) = match k {
        4 => (2, 39, 1 << 17, (Q - 1) / 88, 80, 32),
        6 => (4, 49, 1 << 19, (Q - 1) / 32, 55, 48),
        _ => (2, 60, 1 << 19, (Q - 1) / 32, 75, 64),
    };
    Parameters {
        eta,
        tau,
        gamma1,
        gamma2,
        omega,
        c_len,
    }
}

impl Parameters {
    /// τ·η.
    pub(super) const fn beta(self) -> i32 {
        self.tau as i32 * self.eta
    }
    /// Bytes of a polynomial of s₁ or s₂.
    pub(super) const fn s_len(self) -> usize {
        if self.eta == 2 { 32 * 3 } else { 32 * 4 }
    }
    /// Bytes of a polynomial of z.
    pub(super) const fn z_len(self) -> usize {
        if self.gamma1 == 1 << 17 {
            32 * 18
        } else {
            32 * 20
        }
    }
    /// Bytes of a polynomial of w₁.
    pub(super) const fn w1_len(self) -> usize {
        if self.gamma2 == (Q - 1) / 88 {
            32 * 6
        } else {
            32 * 4
        }
    }
}

/// Bytes of a polynomial of t₁, of 10 bits.
const T1_LEN: usize = 320;
/// Bytes of a polynomial of t₀, of 13 bits.
const T0_LEN: usize = 416;

/// A public key.
#[derive(Clone)]
pub(super) struct Public<const K: usize, const L: usize> {
    pub(super) backend: Backend,
    /// Â, by rows: K·L polynomials, or none where it is not kept.
    pub(super) a: Vec<Poly>,
    pub(super) rho: [u8; 32],
    pub(super) t1_bytes: [[u8; T1_LEN]; K],
    /// H(pk).
    pub(super) tr: [u8; 64],
}

/// A public key with what verification needs beside its matrix.
#[derive(Clone)]
pub(super) struct Verifier<const K: usize, const L: usize> {
    pub(super) public: Arc<Public<K, L>>,
    /// NTT(t₁ · 2^d).
    pub(super) t1: Arc<[Poly; K]>,
}

impl<const K: usize, const L: usize> Verifier<K, L> {
    pub(super) fn new(public: Arc<Public<K, L>>) -> Self {
        let backend = public.backend;
        let mut t1 = [Poly::ZERO; K];
        for (t, bytes) in t1.iter_mut().zip(&public.t1_bytes) {
            backend.simple_bit_unpack(t, bytes);
            for x in &mut t.0 {
                *x <<= D;
            }
        }
        backend.ntt(&mut t1);
        let t1 = Arc::new(t1);
        Verifier { public, t1 }
    }
}

/// A private key. Its parts stay where they were made: what is secret is never moved, and the
/// public key is shared with those who ask for it.
#[derive(Clone)]
pub(super) struct Private<const K: usize, const L: usize> {
    pub(super) secret: Box<Secret<Secrets<K, L>>>,
    /// None where they are not kept, as the matrix then.
    vectors: Option<Box<Secret<Vectors<K, L>>>>,
    pub(super) public: Arc<Public<K, L>>,
}

/// NTT(s₁), NTT(s₂) and NTT(t₀).
#[derive(Clone)]
pub(super) struct Vectors<const K: usize, const L: usize> {
    pub(super) s1: [Poly; L],
    pub(super) s2: [Poly; K],
    pub(super) t0: [Poly; K],
}

impl<const K: usize, const L: usize> Vectors<K, L> {
    pub(super) const ZERO: Self = Vectors {
        s1: [Poly::ZERO; L],
        s2: [Poly::ZERO; K],
        t0: [Poly::ZERO; K],
    };

    fn room() -> Box<Secret<Self>> {
        Box::new(Secret::new(Self::ZERO))
    }

    /// What is left to enter the NTT domain behind the last row.
    fn transform(&mut self, backend: Backend) {
        backend.ntt(&mut self.s2);
        backend.ntt(&mut self.t0);
    }
}

impl<const K: usize, const L: usize> Wipe for Vectors<K, L> {
    fn wipe(&mut self) {
        self.s1.wipe();
        self.s2.wipe();
        self.t0.wipe();
    }
}

/// What of a private key is secret.
#[derive(Clone)]
pub(super) struct Secrets<const K: usize, const L: usize> {
    /// K.
    pub(super) key: [u8; 32],
    /// The encodings of s₁, s₂ and t₀.
    s1_bytes: [[u8; 128]; L],
    s2_bytes: [[u8; 128]; K],
    t0_bytes: [[u8; T0_LEN]; K],
    /// ξ, if it is known.
    seed: [u8; 32],
    has_seed: bool,
}

impl<const K: usize, const L: usize> Wipe for Secrets<K, L> {
    fn wipe(&mut self) {
        self.key.wipe();
        self.s1_bytes.wipe();
        self.s2_bytes.wipe();
        self.t0_bytes.wipe();
        self.seed.wipe();
    }
}

/// What a room for a key leads to before it is shared.
fn inside<T>(room: &mut Arc<T>) -> &mut T {
    Arc::get_mut(room).expect("not shared yet")
}

/// A polynomial drawn by rejection, in the making.
struct Drawn {
    /// The number of its key among those at hand, and its own: in the matrix, or of s₁ and behind
    /// these of s₂.
    key: usize,
    at: usize,
    /// How many coefficients are known.
    count: usize,
}

/// Algorithm 32 (ExpandA) for the polynomials `places` of Â: the jobs.
fn matrix_jobs<'a, const L: usize, T>(
    rho: &'a [u8; 32],
    key: usize,
    places: Range<usize>,
    wrap: impl Fn(Drawn) -> T,
) -> impl Iterator<Item = Job<'a, T>> {
    places.map(move |at| {
        let place = Drawn { key, at, count: 0 };
        Job::to(SHAKE128, [rho], wrap(place)).tail([(at % L) as u8, (at / L) as u8])
    })
}

/// Where a matrix goes, and another output meanwhile.
struct Matrix<'m>(Backend, &'m mut [Poly]);

/// A place of these.
enum Place<'a> {
    Uniform(Drawn),
    Bytes(&'a mut [u8]),
}

impl Sink<Place<'_>> for Matrix<'_> {
    #[inline]
    fn take(&mut self, place: &mut Place, block: &[u8]) -> bool {
        match place {
            Place::Uniform(poly) => {
                poly.count = self.0.rej_ntt_poly(&mut self.1[poly.at], poly.count, block);
                poly.count == 256
            }
            Place::Bytes(out) => Fill.take(out, block),
        }
    }
}

/// Â of a seed; another hash is done on the way.
pub(super) fn matrix<const K: usize, const L: usize>(
    backend: Backend,
    rho: &[u8; 32],
    other: Option<Job>,
) -> Vec<Poly> {
    let mut a = vec![Poly::ZERO; K * L];
    let jobs = matrix_jobs::<L, _>(rho, 0, 0..K * L, Place::Uniform);
    fn shorter<'s, 'l: 's>(job: Job<'l>) -> Job<'s, Place<'s>> {
        job.map(Place::Bytes)
    }
    let other = other.into_iter().map(shorter);
    run_to(
        backend.keccak(),
        other.chain(jobs),
        &mut Matrix(backend, &mut a),
    );
    a
}

impl<const K: usize, const L: usize> Public<K, L> {
    /// Room for a key.
    fn room(backend: Backend) -> Arc<Self> {
        Arc::new(Public {
            backend,
            a: Vec::new(),
            rho: [0; 32],
            t1_bytes: [[0; T1_LEN]; K],
            tr: [0; 64],
        })
    }

    /// The same key with its matrix kept.
    pub(super) fn expanded(this: &Arc<Self>) -> Arc<Self> {
        if !this.a.is_empty() {
            return Arc::clone(this);
        }
        let mut public = Self::clone(this);
        public.a = matrix::<K, L>(public.backend, &public.rho, None);
        Arc::new(public)
    }

    /// The job of tr = H(pk).
    fn tr_job(&mut self) -> Job<'_> {
        let parts = [&self.rho[..], self.t1_bytes.as_flattened()];
        Job::new(SHAKE256, parts, &mut self.tr)
    }

    /// Algorithm 23 (pkDecode): every string of the right length is a key.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Arc<Self>, Error> {
        let bad = Error::BadPublicKey;
        let (rho, t1) = bytes.split_first_chunk().ok_or(bad)?;
        let (t1, []) = t1.as_chunks() else {
            return Err(bad);
        };
        if t1.len() != K {
            return Err(bad);
        }
        let mut room = Self::room(backend);
        let public = inside(&mut room);
        public.rho = *rho;
        public.t1_bytes.copy_from_slice(t1);
        public.a = matrix::<K, L>(backend, rho, Some(public.tr_job()));
        Ok(room)
    }

    /// Algorithm 22 (pkEncode).
    pub(super) fn write(&self, to: &mut [u8]) {
        let (rho, t1) = to.split_at_mut(32);
        rho.copy_from_slice(&self.rho);
        t1.copy_from_slice(self.t1_bytes.as_flattened());
    }
}

impl<const K: usize, const L: usize> Secrets<K, L> {
    const P: Parameters = parameters(K);

    /// s₁ and s₂ from their bytes; whether all coefficients lie between −η and η.
    fn unpack(&self, backend: Backend, to: &mut Vectors<K, L>) -> ct::Choice {
        let Parameters { eta, .. } = Self::P;
        let s1 = to.s1.iter_mut().zip(&self.s1_bytes);
        let s2 = to.s2.iter_mut().zip(&self.s2_bytes);
        for (s, bytes) in s1.chain(s2) {
            backend.bit_unpack(s, &bytes[..Self::P.s_len()], eta);
        }
        let norm = backend.norm(&to.s1).max(backend.norm(&to.s2));
        ct::Choice::lt_u64(norm as u64, eta as u64 + 1)
    }
}

/// What a key is made from: Â, the public key, what is secret, and its vectors.
struct Parts<'k, const K: usize, const L: usize> {
    a: &'k mut [Poly],
    public: &'k mut Public<K, L>,
    secret: &'k mut Secrets<K, L>,
    vectors: &'k mut Vectors<K, L>,
}

impl<const K: usize, const L: usize> Parts<'_, K, L> {
    /// Rows of t = A·s₁ + s₂ and its parts (algorithm 6, lines 5 and 6), of NTT(s₁) and s₂ outside
    /// of the NTT domain. The encodings of t₁ are shown around.
    fn rows(&mut self, rows: Range<usize>, mut tell: impl FnMut(&[u8; T1_LEN])) {
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

/// A piece of a key in the making.
enum Piece {
    Uniform(Drawn),
    Bounded(Drawn),
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

impl<const K: usize, const L: usize, const N: usize> Sink<Piece> for Making<'_, K, L, N> {
    fn take(&mut self, piece: &mut Piece, block: &[u8]) -> bool {
        let backend = self.backend;
        let (Piece::Uniform(drawn) | Piece::Bounded(drawn)) = &*piece;
        let (key, at, count) = (drawn.key, drawn.at, drawn.count);
        let Parts {
            a, secret, vectors, ..
        } = &mut self.keys[key];
        let missing = &mut self.missing[key];
        match piece {
            Piece::Uniform(drawn) => {
                drawn.count = backend.rej_ntt_poly(&mut a[at], count, block);
                if drawn.count < 256 {
                    return false;
                }
                missing.1[at / L] -= 1;
            }
            // Algorithm 33 (ExpandS).
            Piece::Bounded(drawn) => {
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
                    let place = Piece::Bounded(Drawn { key, at, count: 0 });
                    Job::to(SHAKE256, [&rho_prime[..]], place).tail([at as u8, 0])
                })
            })
    };
    let matrix = |places: Range<usize>| {
        expanded
            .iter()
            .enumerate()
            .flat_map(move |(key, (rho, ..))| {
                matrix_jobs::<L, _>(rho, key, places.clone(), Piece::Uniform)
            })
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

impl<const K: usize, const L: usize> Private<K, L> {
    /// Room for a key.
    fn room(backend: Backend) -> Self {
        Private {
            vectors: None,
            secret: Box::new(Secret::new(Secrets {
                key: [0; 32],
                s1_bytes: [[0; 128]; L],
                s2_bytes: [[0; 128]; K],
                t0_bytes: [[0; T0_LEN]; K],
                seed: [0; 32],
                has_seed: false,
            })),
            public: Public::room(backend),
        }
    }

    /// What signing needs, where it is kept.
    pub(super) fn vectors(&self) -> Option<&Vectors<K, L>> {
        self.vectors.as_ref().map(|vectors| &***vectors)
    }

    /// The same key with its matrix and its vectors kept.
    pub(super) fn expanded(&self) -> Self {
        let mut key = self.clone();
        key.public = Public::expanded(&self.public);
        let backend = self.public.backend;
        key.vectors.get_or_insert_with(|| {
            let mut vectors = Vectors::room();
            let _ = self.secret.unpack(backend, &mut vectors); // They were in range before.
            for (t, bytes) in vectors.t0.iter_mut().zip(&self.secret.t0_bytes) {
                backend.bit_unpack(t, bytes, 1 << (D - 1));
            }
            backend.ntt(&mut vectors.s1);
            vectors.transform(backend);
            vectors
        });
        key
    }

    /// ξ, where the key came from it.
    pub(super) fn seed(&self) -> Option<Secret<[u8; 32]>> {
        self.secret.has_seed.then(|| Secret::new(self.secret.seed))
    }

    /// Algorithm 25 (skDecode). The public key is computed again: t₀ and tr must be those that
    /// follow from the rest.
    pub(super) fn from_bytes(bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        let bad = Error::BadPrivateKey;
        let s_len = parameters(K).s_len();
        if bytes.len() != 128 + s_len * (K + L) + T0_LEN * K {
            return Err(bad);
        }
        let mut private = Self::room(backend);
        let public = inside(&mut private.public);
        let secret = &mut **private.secret;
        let (rho, rest) = bytes.split_first_chunk().ok_or(bad)?;
        let (key, rest) = rest.split_first_chunk().ok_or(bad)?;
        let (tr, rest) = rest.split_first_chunk::<64>().ok_or(bad)?;
        let (s, t0) = rest.split_at(s_len * (K + L));
        public.rho = *rho;
        secret.key = *key;
        let places = secret.s1_bytes.iter_mut().chain(&mut secret.s2_bytes);
        for (to, from) in places.zip(s.chunks_exact(s_len)) {
            to[..s_len].copy_from_slice(from);
        }
        // Whether a key is broken is told openly.
        let mut vectors = Vectors::room();
        if !secret.unpack(backend, &mut vectors).declassify() {
            return Err(bad);
        }
        let mut a = matrix::<K, L>(backend, rho, None);
        backend.ntt(&mut vectors.s1);
        let mut parts = Parts {
            a: &mut a,
            public,
            secret,
            vectors: &mut vectors,
        };
        parts.rows(0..K, |_| {});
        vectors.transform(backend);
        public.a = a;
        run(backend.keccak(), [public.tr_job()]);
        let same = ct::eq(t0, secret.t0_bytes.as_flattened()).and(ct::eq(tr, &public.tr));
        private.vectors = Some(vectors);
        if same.declassify() {
            Ok(private)
        } else {
            Err(bad)
        }
    }

    /// Algorithm 24 (skEncode).
    pub(super) fn write(&self, to: &mut [u8]) {
        let secret = &*self.secret;
        let s_len = parameters(K).s_len();
        let (rho, rest) = to.split_at_mut(32);
        let (key, rest) = rest.split_at_mut(32);
        let (tr, rest) = rest.split_at_mut(64);
        let (s, t0) = rest.split_at_mut(s_len * (K + L));
        rho.copy_from_slice(&self.public.rho);
        key.copy_from_slice(&secret.key);
        tr.copy_from_slice(&self.public.tr);
        let polys = secret.s1_bytes.iter().chain(&secret.s2_bytes);
        for (to, from) in s.chunks_exact_mut(s_len).zip(polys) {
            to.copy_from_slice(&from[..s_len]);
        }
        t0.copy_from_slice(secret.t0_bytes.as_flattened());
    }
}
