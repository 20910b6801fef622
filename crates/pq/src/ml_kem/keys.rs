//! Parameters and keys of ML-KEM (FIPS 203, 7.1 to 7.3 and 8).

use super::arithmetic::Backend;
use super::matrix::{Matrix, matrix_job, polys, take};
use super::poly::Poly;
use crate::list::{List, Place, kept, place};
use crate::sponge::{Drawn, Job, SHA3_256, Sink, run_to};
use adamant_base::shared::Shared;
use adamant_base::{Error, Secret, Wipe};

/// η₁ of a parameter set (FIPS 203, 8, table 2).
pub(super) const fn eta1(k: usize) -> usize {
    if k == 2 { 3 } else { 2 }
}

/// The most rows of a parameter set.
pub(super) const MAX_K: usize = 4;

/// η₂ of every parameter set.
pub(super) const ETA2: usize = 2;

/// An encapsulation key.
#[derive(Clone)]
pub(super) struct Public {
    pub(super) backend: Backend,
    /// Â by rows, and t̂ after it: k·k + k polynomials, or none where these are not kept.
    pub(super) kept: List<Poly, { kept(polys(MAX_K)) }>,
    pub(super) t_bytes: List<[u8; 384], MAX_K>,
    pub(super) rho: [u8; 32],
    /// H(ek).
    pub(super) h: [u8; 32],
}

/// A decapsulation key. Its parts stay where they were made, but without an allocator: what is secret is
/// never moved, and the encapsulation key is shared with those who ask for it.
#[derive(Clone)]
pub(super) struct Private {
    pub(super) secret: Place<Secret<Secrets>>,
    /// ŝ.
    pub(super) s: Secret<List<Poly, MAX_K>>,
    pub(super) public: Shared<Public>,
}

/// What of a decapsulation key is secret, beside ŝ.
#[derive(Clone)]
pub(super) struct Secrets {
    /// d, and z: what is given out for a wrong ciphertext comes from the latter.
    pub(super) seed: [u8; 64],
    /// Whether d is known: where the key came from it.
    pub(super) has_d: bool,
}

impl Secrets {
    pub(super) fn z(&self) -> &[u8; 32] {
        &halves(&self.seed)[1]
    }
}

impl Wipe for Secrets {
    fn wipe(&mut self) {
        self.seed.wipe();
    }
}

impl Private {
    /// Room for a key.
    pub(super) fn room(k: usize, backend: Backend) -> Self {
        Self::of(Public::room(k, backend))
    }

    /// Room for the key of an encapsulation key.
    fn of(public: Shared<Public>) -> Self {
        Private {
            secret: place(Secret::new(Secrets {
                seed: [0; 64],
                has_d: false,
            })),
            s: Secret::new(List::zeros(public.k())),
            public,
        }
    }

    /// d and z, where the key came from them.
    pub(super) fn seed(&self) -> Option<Secret<[u8; 64]>> {
        self.secret.has_d.then(|| Secret::new(self.secret.seed))
    }
}

impl Public {
    /// Room for a key.
    pub(super) fn room(k: usize, backend: Backend) -> Shared<Self> {
        Shared::new(Public {
            backend,
            kept: List::none(),
            t_bytes: List::zeros(k),
            rho: [0; 32],
            h: [0; 32],
        })
    }

    /// Rows of the matrix.
    pub(super) fn k(&self) -> usize {
        self.t_bytes.len()
    }
}

/// What a room for a key leads to before it is shared.
pub(super) fn inside<T>(room: &mut Shared<T>) -> &mut T {
    Shared::get_mut(room).expect("not shared yet")
}

/// The halves of what G gives.
pub(super) fn halves(g: &[u8; 64]) -> &[[u8; 32]; 2] {
    g.as_chunks().0.try_into().expect("64 bytes")
}

impl Public {
    /// Reads t̂ and ρ of each key, with the modulus check of 7.2. Other hashes are done on the way.
    ///
    /// # Panics
    /// Where a key has another length than t̂ of `k` polynomials and ρ.
    pub(super) fn read<'a, const N: usize>(
        k: usize,
        keys: [&'a [u8]; N],
        backend: Backend,
        others: &mut dyn Iterator<Item = Job<'a>>,
    ) -> [Result<Shared<Self>, Error>; N] {
        let read = keys.map(|bytes| {
            let mut room = Self::room(k, backend);
            let public = inside(&mut room);
            let (t_bytes, rho) = bytes.as_chunks::<384>();
            public.t_bytes.copy_from_slice(t_bytes);
            public.rho.copy_from_slice(rho);
            room
        });
        let mut good = [true; N];
        let mut hashed = [[0; 32]; N];
        let hashes = keys.iter().zip(&mut hashed);
        let hashes = hashes.map(|(bytes, h)| Job::new(SHA3_256, [bytes], h));
        let others = hashes.chain(others.map(shorter));
        let mut read = Self::keep(read, &mut good, &mut { others });
        for (key, h) in read.iter_mut().zip(hashed) {
            inside(key).h = h;
        }
        let mut good = good.into_iter();
        read.map(|key| match good.next() {
            Some(true) => Ok(key),
            _ => Err(Error::BadPublicKey),
        })
    }

    /// The same keys with their matrices; `good` where all numbers of t̂ are below q. Other hashes are
    /// done on the way.
    #[cfg(feature = "alloc")]
    fn keep<'a, const N: usize>(
        mut keys: [Shared<Self>; N],
        good: &mut [bool; N],
        others: &mut dyn Iterator<Item = Job<'a>>,
    ) -> [Shared<Self>; N] {
        let mut matrices = [const { Matrix::none() }; N];
        expand(&keys.each_ref(), &mut matrices, good, others);
        for (key, matrix) in keys.iter_mut().zip(matrices) {
            inside(key).kept = matrix;
        }
        keys
    }

    /// The same, where nothing is kept.
    #[cfg(not(feature = "alloc"))]
    fn keep<'a, const N: usize>(
        keys: [Shared<Self>; N],
        good: &mut [bool; N],
        others: &mut dyn Iterator<Item = Job<'a>>,
    ) -> [Shared<Self>; N] {
        let mut backend = None;
        let mut room = Poly::ZERO;
        for (key, good) in keys.iter().zip(good) {
            for bytes in &*key.t_bytes {
                *good &= key.backend.decode_ntt(&mut room, bytes).declassify();
            }
            backend = Some(key.backend);
        }
        if let Some(backend) = backend {
            crate::sponge::run(backend.keccak(), others.map(shorter));
        }
        keys
    }

    /// Reads a key.
    pub(super) fn from_bytes(
        k: usize,
        bytes: &[u8],
        backend: Backend,
    ) -> Result<Shared<Self>, Error> {
        let [key] = Self::read(k, [bytes], backend, &mut core::iter::empty());
        key
    }
}

impl Private {
    /// Reads ŝ, ek, H(ek) and z of each key, with the checks of 7.3 and of the keys inside. Other
    /// hashes are done on the way.
    ///
    /// # Panics
    /// Where a key has another length than these for `k` rows.
    pub(super) fn read<'a, const N: usize>(
        k: usize,
        keys: [&'a [u8]; N],
        backend: Backend,
        others: &mut dyn Iterator<Item = Job<'a>>,
    ) -> [Result<Self, Error>; N] {
        let publics = keys.map(|bytes| &bytes[384 * k..][..384 * k + 32]);
        let publics = Public::read(k, publics, backend, others);
        let mut keys = keys.into_iter();
        publics.map(|public| Self::read_rest(keys.next().expect("one for each key"), public))
    }

    /// Reads what is secret of a key.
    fn read_rest(bytes: &[u8], public: Result<Shared<Public>, Error>) -> Result<Self, Error> {
        let bad = Error::BadPrivateKey;
        let public = public.map_err(|_| bad)?;
        let (backend, k) = (public.backend, public.k());
        let (s_bytes, rest) = bytes.split_at(384 * k);
        let (h, z) = rest[384 * k + 32..].split_at(32);
        if public.h != *h {
            return Err(bad);
        }
        let mut key = Private::of(public);
        for (s, bytes) in key.s.iter_mut().zip(s_bytes.as_chunks().0) {
            let _ = backend.decode_ntt(s, bytes); // The standard reduces.
        }
        key.secret.seed[32..].copy_from_slice(z);
        Ok(key)
    }

    /// Reads a key.
    pub(super) fn from_bytes(k: usize, bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        let [key] = Self::read(k, [bytes], backend, &mut core::iter::empty());
        key
    }

    /// ŝ, ek, H(ek) and z in a row.
    pub(super) fn write(&self, to: &mut [u8]) {
        let (s, rest) = to.split_at_mut(384 * self.s.len());
        for (bytes, s) in s.as_chunks_mut().0.iter_mut().zip(&**self.s) {
            self.public.backend.encode_ntt(bytes, s);
        }
        let (public, rest) = rest.split_at_mut(384 * self.s.len() + 32);
        self.public.write(public);
        rest[..32].copy_from_slice(&self.public.h);
        rest[32..].copy_from_slice(self.secret.z());
    }
}

impl Public {
    /// The same key with its matrix kept.
    #[cfg(feature = "alloc")]
    pub(super) fn expanded(this: &Shared<Self>) -> Shared<Self> {
        if !this.kept.is_empty() {
            return Shared::clone(this);
        }
        let mut own = [Matrix::none()];
        let others = &mut core::iter::empty();
        expand(&[this], &mut own, &mut [true], others);
        let mut public = Self::clone(this);
        [public.kept] = own;
        Shared::new(public)
    }

    /// t̂ and ρ in a row.
    pub(super) fn write(&self, to: &mut [u8]) {
        let (t, rho) = to.split_at_mut(384 * self.k());
        t.copy_from_slice(self.t_bytes.as_flattened());
        rho.copy_from_slice(&self.rho);
    }
}

/// Where matrices go.
struct Matrices<'m> {
    backend: Backend,
    a: &'m mut [Matrix],
}

impl Sink for Matrices<'_> {
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        take(drawn, self.backend, &mut self.a[drawn.key], block)
    }
}

/// A job beside those of another lifetime.
pub(super) fn shorter<'s, 'l: 's>(job: Job<'l>) -> Job<'s> {
    job
}

/// Â and t̂ of the keys that do not keep them, to `own`; `good` where all numbers of t̂ are below q.
/// Other hashes are done on the way, if there is any such key.
pub(super) fn expand<'a>(
    keys: &[&Shared<Public>],
    own: &mut [Matrix],
    good: &mut [bool],
    others: &mut dyn Iterator<Item = Job<'a>>,
) {
    let Some(backend) = keys.iter().find(|key| key.kept.is_empty()) else {
        return;
    };
    let backend = backend.backend;
    let lacking = || {
        keys.iter()
            .enumerate()
            .filter(|(_, key)| key.kept.is_empty())
    };
    for (n, key) in lacking() {
        let k = key.k();
        own[n] = Matrix::zeros(polys(k));
        for (t, bytes) in own[n][k * k..].iter_mut().zip(&*key.t_bytes) {
            good[n] &= backend.decode_ntt(t, bytes).declassify(); // The key is public.
        }
    }
    let jobs = lacking().flat_map(|(n, key)| {
        let k = key.k();
        (0..k * k).map(move |at| matrix_job(k, &key.rho, n, at))
    });
    let mut matrices = Matrices { backend, a: own };
    let jobs = others.map(shorter).chain(jobs);
    run_to(backend.keccak(), jobs, &mut matrices);
}
