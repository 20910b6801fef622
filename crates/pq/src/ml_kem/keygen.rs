//! Key generation (FIPS 203, algorithms 13 and 16), of `N` keys side by side: all hashes share
//! the lanes of [`run_to`], and what follows is done as soon as nothing is missing for it.

use super::MANY;
use super::arithmetic::Backend;
use super::keys::{MAX_K, Private, Public, Secrets, eta1, halves, inside};
use super::matrix::{Matrix, matrix_job, polys, take};
use super::poly::Poly;
use crate::list::List;
use crate::sponge::{
    Drawn, InTurn, Job, Kind, SHA3_256, SHA3_512, SHAKE256, Serial, Sink, run, run_to,
};
use adamant_base::{Secret, ct};
use core::array::from_fn;
use core::ops::Range;

/// Places for more than a block of randomness, which only two rows take: for each polynomial of s and e.
const NOISE: usize = 2 * 2 * if cfg!(feature = "alloc") { MANY } else { 1 };

/// A key in the making.
struct Making<'k> {
    k: usize,
    /// Â and t̂, which is ê until the product is added.
    polys: &'k mut [Poly],
    public: &'k mut Public,
    s: &'k mut [Poly],
    /// Polynomials that are missing: of s, of e and of each row of Â.
    missing: ([usize; 2], [usize; MAX_K]),
    /// Rows of t that are done.
    done: usize,
}

impl Making<'_> {
    /// A block of randomness for a polynomial of s, or after these of e; whether it was enough.
    /// `room` is for more than a block.
    #[inline]
    fn noise(
        &mut self,
        backend: Backend,
        drawn: &mut Drawn,
        block: &[u8],
        room: &mut [[u8; 192]],
    ) -> bool {
        let k = self.k;
        let (at, len) = (drawn.at, &mut drawn.count);
        let wanted = 64 * eta1(k);
        let vector = usize::from(at >= k);
        let polys = match vector {
            0 => &mut *self.s,
            _ => &mut self.polys[k * k..],
        };
        let poly = &mut polys[at - k * vector];
        if wanted <= block.len() {
            backend.sample_poly_cbd(poly, &block[..wanted]);
        } else {
            let bytes = &mut room[2 * k * drawn.key + at][..wanted];
            let now = block.len().min(wanted - *len);
            bytes[*len..*len + now].copy_from_slice(&block[..now]);
            *len += now;
            if *len < wanted {
                return false;
            }
            backend.sample_poly_cbd(poly, bytes);
        }
        let missing = &mut self.missing.0[vector];
        *missing -= 1;
        if *missing == 0 {
            backend.ntt(polys);
        }
        true
    }

    /// Algorithm 13, lines 18 to 20, for rows of t̂, whose encodings go to the hash, too. `room` is
    /// for products.
    fn rows(
        &mut self,
        backend: Backend,
        rows: Range<usize>,
        room: &mut [Poly],
        mut hash: Option<&mut Serial>,
    ) {
        let k = self.k;
        let (a, t) = self.polys.split_at_mut(k * k);
        let (t, products) = (&mut t[rows.clone()], &mut room[..rows.len()]);
        backend.multiply(products, &a[k * rows.start..k * rows.end], false, self.s);
        backend.add(t, products);
        for (bytes, t) in self.public.t_bytes[rows].iter_mut().zip(t) {
            backend.encode_ntt(bytes, t);
            ct::mark_public(bytes); // The public key.
            ct::mark_public_value(&mut t.0);
            if let Some(hash) = &mut hash {
                hash.push(bytes);
            }
        }
    }
}

/// Keys in the making, with the room of each.
struct All<'m, 'k> {
    backend: Backend,
    keys: &'m mut [Making<'k>],
    /// Where more than a block of randomness is put together.
    noise: Secret<List<[u8; 192], NOISE>>,
    products: Secret<[Poly; MAX_K]>,
    /// H(ek) of a single key.
    hash: Option<&'m mut Serial>,
}

impl Sink for All<'_, '_> {
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        let key = &mut self.keys[drawn.key];
        let k = key.k;
        match drawn.kind {
            Kind::Uniform => {
                if !take(drawn, self.backend, key.polys, block) {
                    return false;
                }
                key.missing.1[drawn.at / k] -= 1;
            }
            Kind::Short => {
                if !key.noise(self.backend, drawn, block, &mut self.noise) {
                    return false;
                }
            }
        }
        // Rows of t̂ that nothing is missing for.
        let (noise, rows) = &key.missing;
        let from = key.done;
        let ready = rows[from..k].iter().take_while(|missing| **missing == 0);
        let to = from + ready.count();
        // One by one takes longer: that is for the hash that waits for them.
        if from < to && *noise == [0; 2] && (self.hash.is_some() || to == k) {
            key.done = to;
            let room = &mut self.products[..];
            key.rows(self.backend, from..to, room, self.hash.as_deref_mut());
        }
        true
    }

    fn serial(&mut self) -> Option<&mut Serial> {
        self.hash.as_deref_mut()
    }
}

/// The key of d || z, which keeps its matrix.
pub(super) fn keygen_one(k: usize, backend: Backend, seed: &[u8; 64]) -> Private {
    let mut room = Matrix::zeros(polys(k));
    let [mut key] = keygen(k, backend, [seed], &mut room);
    inside(&mut key.public).kept = room.keep();
    key
}

/// Algorithms 16 (ML-KEM.KeyGen_internal) and 13 (K-PKE.KeyGen), each from d || z; Â and t̂ are left
/// in the room.
pub(super) fn keygen<const N: usize>(
    k: usize,
    backend: Backend,
    seeds: [&[u8; 64]; N],
    room: &mut [Poly],
) -> [Private; N] {
    let mut g = Secret::new([[0; 64]; N]);
    let jobs = seeds.iter().zip(&mut *g);
    run(
        backend.keccak(),
        jobs.map(|(seed, g)| Job::new(SHA3_512, [&seed[..32]], g).tail([k as u8])),
    );
    let mut keys: [Private; N] = from_fn(|n| {
        let rho = &halves(&g[n])[0];
        ct::mark_public(rho); // ρ is part of the public key.
        let mut key = Private::room(k, backend);
        inside(&mut key.public).rho = *rho;
        let secret: &mut Secrets = &mut key.secret;
        (secret.seed, secret.has_d) = (*seeds[n], true);
        key
    });
    let mut rooms = room.chunks_exact_mut(polys(k));
    let mut making = keys.each_mut().map(|key| Making {
        k,
        polys: rooms.next().expect("room for each key"),
        public: inside(&mut key.public),
        s: &mut key.s,
        missing: ([k; 2], [k; MAX_K]),
        done: 0,
    });
    if N == 1 {
        let mut hash = Serial::new(SHA3_256, 384 * k + 32);
        make(backend, &g[..], &mut making, Some(&mut hash));
        let public = inside(&mut keys[0].public);
        hash.push(&public.rho);
        hash.finish(backend.keccak().one, &mut public.h);
        return keys;
    }
    make(backend, &g[..], &mut making, None);
    run(
        backend.keccak(),
        keys.iter_mut().map(|key| {
            let public = inside(&mut key.public);
            let parts = [public.t_bytes.as_flattened(), &public.rho];
            Job::new(SHA3_256, parts, &mut public.h)
        }),
    );
    keys
}

/// Draws the polynomials of keys, and does what follows; some of H(ek) of a single one.
fn make(backend: Backend, g: &[[u8; 64]], keys: &mut [Making], hash: Option<&mut Serial>) {
    let Some(Making { k, .. }) = keys.first() else {
        return;
    };
    let (k, one) = (*k, keys.len() == 1);
    let several_blocks = 64 * eta1(k) > SHAKE256.rate();
    let noise = if several_blocks {
        List::zeros(2 * k * keys.len())
    } else {
        List::none()
    };
    // The first row of a single key is wanted soon; of many keys, all jobs of one kind go together.
    let (s, row) = if one { (k, k) } else { (2 * k, 0) };
    let order = InTurn::new(
        keys.len(),
        [
            (Kind::Short, 0..s),
            (Kind::Uniform, 0..row),
            (Kind::Short, s..2 * k),
            (Kind::Uniform, row..k * k),
        ],
    );
    let jobs = order.map(|(kind, key, at)| {
        let [rho, sigma] = halves(&g[key]);
        match kind {
            Kind::Uniform => matrix_job(k, rho, key, at),
            Kind::Short => Job::draw(SHAKE256, [sigma], kind, key, at).tail([at as u8]),
        }
    });
    let mut all = All {
        backend,
        keys,
        noise: Secret::new(noise),
        products: Secret::new([Poly::ZERO; MAX_K]),
        hash,
    };
    run_to(backend.keccak(), jobs, &mut all);
}
