//! Key generation (FIPS 203, algorithms 13 and 16), of `N` keys side by side: all hashes share
//! the lanes of [`run_to`], and what follows is done as soon as nothing is missing for it.

use super::keys::{Private, Public, Secrets, eta1, halves, inside};
use super::matrix::{matrix_jobs, polys, take};
use super::poly::{Backend, Poly};
use crate::sponge::{Drawn, Job, Kind, SHA3_256, SHA3_512, SHAKE256, Serial, Sink, run, run_to};
use adamant_base::{Secret, SecretVec, ct};
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::Range;

/// The parts of a key: Â and t̂, the encapsulation key, and what is secret.
type Parts<'k, const K: usize> = (&'k mut [Poly], &'k mut Public<K>, &'k mut Secrets<K>);

/// Keys in the making, with the room of each.
struct Making<'k, const K: usize, const N: usize> {
    backend: Backend,
    keys: [Parts<'k, K>; N],
    /// Where more than a block of randomness is put together.
    noise: SecretVec<[[u8; 192]; K]>,
    /// Polynomials that are missing: of s, of e and of each row of Â.
    missing: [([usize; 2], [usize; K]); N],
    /// Rows of t that are done.
    done: [usize; N],
    /// H(ek) of a single key.
    hash: Option<Serial>,
}

impl<const K: usize, const N: usize> Making<'_, K, N> {
    /// A block of randomness for a polynomial of s, or behind these of e; whether it was enough.
    fn noise(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        let (key, at, len) = (drawn.key, drawn.at, &mut drawn.count);
        let wanted = 64 * eta1(K);
        let (polys, _, secret) = &mut self.keys[key];
        let vector = at / K;
        // t̂ is ê until the product is added.
        let polys = match vector {
            0 => &mut secret.s,
            _ => &mut polys[K * K..],
        };
        if wanted <= block.len() {
            self.backend
                .sample_poly_cbd(&mut polys[at % K], &block[..wanted]);
        } else {
            let bytes = &mut self.noise[2 * key + vector][at % K][..wanted];
            let now = block.len().min(wanted - *len);
            bytes[*len..*len + now].copy_from_slice(&block[..now]);
            *len += now;
            if *len < wanted {
                return false;
            }
            self.backend.sample_poly_cbd(&mut polys[at % K], bytes);
        }
        let missing = &mut self.missing[key].0[vector];
        *missing -= 1;
        if *missing == 0 {
            self.backend.ntt(polys);
        }
        true
    }

    /// Algorithm 13, lines 18 to 20, for the rows of t̂ that nothing is missing for.
    fn rows(&mut self, key: usize) {
        let (noise, rows) = &self.missing[key];
        let from = self.done[key];
        let ready = rows[from..].iter().take_while(|missing| **missing == 0);
        let to = from + ready.count();
        // One by one takes longer: that is for the hash that waits for them.
        if from == to || *noise != [0; 2] || (self.hash.is_none() && to < K) {
            return;
        }
        self.done[key] = to;
        let backend = self.backend;
        let (polys, Public { t_bytes, .. }, secret) = &mut self.keys[key];
        let (a, t) = polys.split_at_mut(K * K);
        let mut products = Secret::new([Poly::ZERO; K]);
        let products = &mut products[from..to];
        backend.multiply(products, &a[K * from..K * to], false, &secret.s);
        backend.add(&mut t[from..to], products);
        for (bytes, t) in t_bytes[from..to].iter_mut().zip(&mut t[from..to]) {
            backend.encode_ntt(bytes, t);
            ct::mark_public(bytes); // The public key.
            ct::mark_public_value(&mut t.0);
            if let Some(hash) = &mut self.hash {
                hash.push(bytes);
            }
        }
    }
}

impl<const K: usize, const N: usize> Sink for Making<'_, K, N> {
    fn take(&mut self, drawn: &mut Drawn, block: &[u8]) -> bool {
        let key = drawn.key;
        match drawn.kind {
            Kind::Uniform => {
                if !take(drawn, self.backend, self.keys[key].0, block) {
                    return false;
                }
                self.missing[key].1[drawn.at / K] -= 1;
            }
            Kind::Short => {
                if !self.noise(drawn, block) {
                    return false;
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

/// The key of d || z, which keeps its matrix.
pub(super) fn keygen_one<const K: usize>(backend: Backend, seed: &[u8; 64]) -> Private<K> {
    let mut room = polys::<K, 1>();
    let [mut key] = keygen(backend, [seed], &mut room);
    inside(&mut key.public).kept = room;
    key
}

/// Algorithms 16 (ML-KEM.KeyGen_internal) and 13 (K-PKE.KeyGen), each from d || z; Â and t̂ are left
/// in the room.
pub(super) fn keygen<const K: usize, const N: usize>(
    backend: Backend,
    seeds: [&[u8; 64]; N],
    room: &mut [Poly],
) -> [Private<K>; N] {
    let keccak = backend.keccak();
    let mut g = Secret::new([[0; 64]; N]);
    let jobs = seeds.iter().zip(&mut *g);
    run(
        keccak,
        jobs.map(|(seed, g)| Job::new(SHA3_512, [&seed[..32]], g).tail([K as u8])),
    );
    let g = &*g;
    for g in g {
        ct::mark_public(&g[..32]); // ρ is part of the public key.
    }
    let mut keys: [Private<K>; N] = from_fn(|n| {
        let mut key = Private::room(backend);
        let public = inside(&mut key.public);
        public.rho = halves(&g[n])[0];
        let secret = &mut **key.secret;
        (secret.seed, secret.has_d) = (*seeds[n], true);
        key
    });
    let several_blocks = 64 * eta1(K) > SHAKE256.rate();
    let mut rooms = room.chunks_exact_mut(K * K + K);
    let mut making = Making::<K, N> {
        backend,
        keys: keys.each_mut().map(|key| {
            let room = rooms.next().expect("room for each key");
            (room, inside(&mut key.public), &mut **key.secret)
        }),
        noise: SecretVec::from(if several_blocks {
            vec![[[0; 192]; K]; 2 * N]
        } else {
            Vec::new()
        }),
        missing: [([K; 2], [K; K]); N],
        done: [0; N],
        hash: (N == 1).then(|| Serial::new(SHA3_256, 384 * K + 32)),
    };
    let noise = |places: Range<usize>| {
        g.iter().enumerate().flat_map(move |(key, g)| {
            let [_, sigma] = halves(g);
            places
                .clone()
                .map(move |at| Job::draw(SHAKE256, [sigma], Kind::Short, key, at).tail([at as u8]))
        })
    };
    let matrix = |places: Range<usize>| {
        g.iter().enumerate().flat_map(move |(key, g)| {
            let [rho, _] = halves(g);
            matrix_jobs::<K>(rho, key, places.clone())
        })
    };
    // The first row of a single key is wanted soon; of many keys, all jobs of one kind go together.
    let (s, row) = if N == 1 { (K, K) } else { (2 * K, 0) };
    let jobs = noise(0..s).chain(matrix(0..row));
    let jobs = jobs.chain(noise(s..2 * K)).chain(matrix(row..K * K));
    run_to(keccak, jobs, &mut making);
    if let Some(mut hash) = making.hash.take() {
        let public = inside(&mut keys[0].public);
        hash.push(&public.rho);
        hash.finish(keccak.one, &mut public.h);
        return keys;
    }
    run(
        keccak,
        keys.iter_mut().map(|key| {
            let public = inside(&mut key.public);
            let parts = [public.t_bytes.as_flattened(), &public.rho];
            Job::new(SHA3_256, parts, &mut public.h)
        }),
    );
    keys
}
