//! Signing and verifying (FIPS 204, 6.2 and 6.3).
//!
//! What this does differently from the standard's loop:
//!
//! 1. Several attempts are made at once: of many signatures, or the next ones of a single one,
//!    whose hashes then share the lanes of Keccak. Of those that succeed the first counts, so the
//!    signature is the standard's.
//! 2. An attempt ends at the first check that fails, the likeliest one first.
//!
//! Which attempts fail, at which check of which polynomial, and their challenges become public, as
//! in the standard: a challenge is a hash of what is not revealed, and a rejected attempt tells
//! nothing of the key (FIPS 204, 3.2, on rejection), nor does where it was rejected: each
//! coefficient is as likely to be the reason as any other, whatever the key.

use super::keys::{Parameters, Private, Verifier, parameters};
use super::matrix::matrix;
use super::poly::{Backend, Poly};
use crate::sponge::{Job, Keccak, SHAKE256, run};
use adamant_base::{Secret, Wipe, ct};
use alloc::vec::Vec;
use core::array::from_fn;
use core::slice::{from_mut, from_ref};

/// What is signed: M′ in its parts, or μ.
#[derive(Clone, Copy)]
pub(super) enum Message<'a> {
    /// The two bytes in front, the context, and the message or what stands for it.
    Parts([u8; 2], &'a [u8], &'a [u8]),
    /// Computed elsewhere.
    Mu(&'a [u8; 64]),
}

impl Message<'_> {
    /// The job of μ = H(tr || M′), if it is not known.
    fn job<'a>(&'a self, tr: &'a [u8; 64], out: &'a mut [u8; 64]) -> Option<Job<'a>> {
        match self {
            Message::Parts(head, context, message) => {
                Some(Job::new(SHAKE256, [tr, head, context, message], out))
            }
            Message::Mu(mu) => {
                *out = **mu;
                None
            }
        }
    }
}

/// Bytes of SHAKE256 that a challenge is drawn from.
const BALL: usize = 136;

/// Algorithm 29 (SampleInBall), from the output of the hash of c̃.
fn sample_in_ball(keccak: Keccak, to: &mut Poly, c: &[u8], drawn: &[u8; BALL], tau: usize) {
    if fill_ball(to, drawn, tau) {
        return;
    }
    let mut len = BALL;
    loop {
        len *= 2;
        let mut bytes = alloc::vec![0; len];
        run(keccak, [Job::new(SHAKE256, [c], &mut bytes)]);
        if fill_ball(to, &bytes, tau) {
            return;
        }
    }
}

fn fill_ball(Poly(c): &mut Poly, bytes: &[u8], tau: usize) -> bool {
    *c = [0; 256];
    let Some((signs, mut bytes)) = bytes.split_first_chunk() else {
        return false;
    };
    let mut signs = u64::from_le_bytes(*signs);
    for i in 256 - tau..256 {
        let j = loop {
            let Some((j, rest)) = bytes.split_first() else {
                return false;
            };
            bytes = rest;
            if usize::from(*j) <= i {
                break usize::from(*j);
            }
        };
        c[i] = c[j];
        c[j] = 1 - 2 * (signs & 1) as i32;
        signs >>= 1;
    }
    true
}

/// Room for attempts.
struct Work<const K: usize, const L: usize, const ATTEMPTS: usize> {
    /// Bytes of y.
    masks: [[[u8; 640]; L]; ATTEMPTS],
    y: [[Poly; L]; ATTEMPTS],
    /// The low bits of w.
    w: [[Poly; K]; ATTEMPTS],
    w1: [[[u8; 192]; K]; ATTEMPTS],
    c: [[u8; 64]; ATTEMPTS],
    balls: [[u8; BALL]; ATTEMPTS],
    columns: [Poly; L],
    rows: [Poly; K],
    high: [Poly; K],
    challenge: [Poly; 1],
}

impl<const K: usize, const L: usize, const ATTEMPTS: usize> Wipe for Work<K, L, ATTEMPTS> {
    fn wipe(&mut self) {
        self.masks.as_flattened_mut().wipe();
        self.y.wipe();
        self.w.wipe();
        self.w1.as_flattened_mut().wipe();
        self.columns.wipe();
        self.rows.wipe();
        self.high.wipe();
    }
}

/// A signature in the making.
struct Started {
    /// Its place among the items.
    index: usize,
    mu: [u8; 64],
    /// ρ″.
    rho: Secret<[u8; 64]>,
    kappa: u16,
    done: bool,
}

/// A signature to make: the key, the message, and 32 random bytes or zeros.
pub(super) struct Item<'a, const K: usize, const L: usize> {
    pub(super) key: &'a Private<K, L>,
    pub(super) message: Message<'a>,
    pub(super) rnd: &'a [u8; 32],
}

/// Algorithm 7 (ML-DSA.Sign_internal) for each item, with so many attempts at once.
pub(super) fn sign<const K: usize, const L: usize, const ATTEMPTS: usize>(
    backend: Backend,
    items: &[Item<K, L>],
    signatures: &mut [&mut [u8]],
) {
    // Keys that keep nothing are expanded for this.
    let own: Vec<_> = items
        .iter()
        .map(|item| item.key.vectors().is_none().then(|| item.key.expanded()))
        .collect();
    let items: Vec<_> = items
        .iter()
        .zip(&own)
        .map(|(item, own)| Item {
            key: own.as_ref().unwrap_or(item.key),
            message: item.message,
            rnd: item.rnd,
        })
        .collect();
    let keccak = backend.keccak();
    let mut started: Vec<Started> = (0..items.len())
        .map(|index| Started {
            index,
            mu: [0; 64],
            rho: Secret::new([0; 64]),
            kappa: 0,
            done: false,
        })
        .collect();
    let jobs = items.iter().zip(&mut started);
    run(
        keccak,
        jobs.filter_map(|(item, s)| item.message.job(&item.key.public.tr, &mut s.mu)),
    );
    let jobs = items.iter().zip(&mut started);
    run(
        keccak,
        jobs.map(|(item, s)| {
            let parts = [&item.key.secret.key[..], item.rnd, &s.mu];
            Job::new(SHAKE256, parts, &mut *s.rho)
        }),
    );
    let mut work = Secret::new(Work::<K, L, ATTEMPTS> {
        masks: [[[0; 640]; L]; ATTEMPTS],
        y: [[Poly::ZERO; L]; ATTEMPTS],
        w: [[Poly::ZERO; K]; ATTEMPTS],
        w1: [[[0; 192]; K]; ATTEMPTS],
        c: [[0; 64]; ATTEMPTS],
        balls: [[0; BALL]; ATTEMPTS],
        columns: [Poly::ZERO; L],
        rows: [Poly::ZERO; K],
        high: [Poly::ZERO; K],
        challenge: [Poly::ZERO; 1],
    });
    // Those that are not done stay in front.
    let mut rest = &mut started[..];
    while !rest.is_empty() {
        let active = rest.len().min(ATTEMPTS);
        work.attempt(&rest[..active], &items);
        for attempt in 0..ATTEMPTS {
            let s = &mut rest[attempt % active];
            if !s.done {
                s.kappa = s.kappa.wrapping_add(L as u16);
                let signature = &mut *signatures[s.index];
                s.done = work.finish(attempt, items[s.index].key, signature);
            }
        }
        // The next ones take the places of those that are done.
        let mut done = 0;
        for i in 0..active {
            if rest[i].done {
                rest.swap(done, i);
                done += 1;
            }
        }
        rest = &mut rest[done..];
    }
}

impl<const K: usize, const L: usize, const ATTEMPTS: usize> Work<K, L, ATTEMPTS> {
    const P: Parameters = parameters(K);

    /// Algorithm 7, lines 11 to 16: commitments and challenges of the attempts, which go to the
    /// signatures in turn.
    fn attempt(&mut self, started: &[Started], items: &[Item<K, L>]) {
        let Some(backend) = started.first().map(|s| items[s.index].key.public.backend) else {
            return;
        };
        let keccak = backend.keccak();
        let of = |attempt: usize| &started[attempt % started.len()];
        let masks = self.masks.iter_mut().enumerate();
        // Algorithm 34 (ExpandMask).
        run(
            keccak,
            masks.flat_map(|(attempt, masks)| {
                let s = of(attempt);
                let ahead = (attempt / started.len() * L) as u16;
                masks.iter_mut().enumerate().map(move |(r, mask)| {
                    let number = s.kappa.wrapping_add(ahead).wrapping_add(r as u16);
                    let out = &mut mask[..Self::P.z_len()];
                    Job::new(SHAKE256, [&s.rho[..]], out).tail(number.to_le_bytes())
                })
            }),
        );
        for attempt in 0..ATTEMPTS {
            let public = &items[of(attempt).index].key.public;
            let y = &mut self.y[attempt];
            for (y, mask) in y.iter_mut().zip(&self.masks[attempt]) {
                backend.bit_unpack(y, &mask[..Self::P.z_len()], Self::P.gamma1);
            }
            self.columns = *y;
            backend.ntt(&mut self.columns);
            let w = &mut self.w[attempt];
            backend.multiply(w, &public.a, &self.columns);
            backend.inverse_ntt(w);
            backend.decompose(w, Self::P.gamma2, &mut self.high);
            for (bytes, high) in self.w1[attempt].iter_mut().zip(&self.high) {
                backend.simple_bit_pack(&mut bytes[..Self::P.w1_len()], high);
            }
            if Self::P.w1_len() != 192 {
                close_gaps(&mut self.w1[attempt], Self::P.w1_len());
            }
        }
        let jobs = self.w1.iter().zip(&mut self.c).enumerate();
        run(
            keccak,
            jobs.map(|(attempt, (w1, c))| {
                let w1 = &w1.as_flattened()[..K * Self::P.w1_len()];
                Job::new(SHAKE256, [&of(attempt).mu[..], w1], &mut c[..Self::P.c_len])
            }),
        );
        ct::mark_public(self.c.as_flattened()); // See above.
        let jobs = self.c.iter().zip(&mut self.balls);
        run(
            keccak,
            jobs.map(|(c, ball)| Job::new(SHAKE256, [&c[..Self::P.c_len]], ball)),
        );
    }

    /// Algorithm 7, lines 16 to 33: writes the signature of an attempt, if it does not fail.
    fn finish(&mut self, attempt: usize, key: &Private<K, L>, signature: &mut [u8]) -> bool {
        let backend = key.public.backend;
        let secret = key.vectors().expect("an expanded key");
        let Parameters {
            gamma1,
            gamma2,
            tau,
            omega,
            c_len,
            ..
        } = Self::P;
        let beta = Self::P.beta();
        let (c, ball) = (&self.c[attempt][..c_len], &self.balls[attempt]);
        sample_in_ball(backend.keccak(), &mut self.challenge[0], c, ball, tau);
        backend.ntt(&mut self.challenge);
        let challenge = &self.challenge[0];
        // Whether an attempt fails is public.
        let fails = |norm: i32, bound: i32| !ct::Choice::lt_u64(norm as u64, bound as u64);

        // r₀ = LowBits(w − c·s₂), as far as these do not reach beyond ±γ₂.
        let w = &mut self.w[attempt];
        for (i, w) in w.iter_mut().enumerate() {
            let (w, row) = (from_mut(w), from_mut(&mut self.rows[i]));
            backend.scale(row, challenge, from_ref(&secret.s2[i]));
            backend.inverse_ntt(row);
            backend.subtract(w, row);
            if fails(backend.norm(w), gamma2 - beta).declassify() {
                return false;
            }
        }
        let z = &mut self.y[attempt];
        for (i, z) in z.iter_mut().enumerate() {
            let (z, column) = (from_mut(z), from_mut(&mut self.columns[i]));
            backend.scale(column, challenge, from_ref(&secret.s1[i]));
            backend.inverse_ntt(column);
            backend.add(z, column);
            if fails(backend.norm(z), gamma1 - beta).declassify() {
                return false;
            }
        }
        backend.scale(&mut self.rows, challenge, &secret.t0);
        backend.inverse_ntt(&mut self.rows);
        if fails(backend.norm(&self.rows), gamma2).declassify() {
            return false;
        }
        backend.add(w, &self.rows);
        let w1 = self.w1[attempt].as_flattened();
        for (high, bytes) in self.high.iter_mut().zip(w1.chunks_exact(Self::P.w1_len())) {
            backend.simple_bit_unpack(high, bytes);
        }
        let mut ones = backend.make_hint(&mut self.rows, w, &self.high, gamma2);
        ct::mark_public_value(&mut ones); // So is this check.
        if ones > omega {
            return false;
        }

        // Algorithm 26 (sigEncode).
        let (c_bytes, rest) = signature.split_at_mut(c_len);
        let (z_bytes, hints) = rest.split_at_mut(L * Self::P.z_len());
        c_bytes.copy_from_slice(c);
        for (bytes, z) in z_bytes.chunks_exact_mut(Self::P.z_len()).zip(z) {
            backend.bit_pack(bytes, z, gamma1);
        }
        for hints in &mut self.rows {
            ct::mark_public_value(&mut hints.0); // The signature.
        }
        hint_bit_pack(hints, &self.rows, omega);
        ct::mark_public(signature);
        true
    }
}

/// Puts rows of fewer bytes one behind the other.
fn close_gaps(rows: &mut [[u8; 192]], len: usize) {
    let count = rows.len();
    let bytes = rows.as_flattened_mut();
    for i in 1..count {
        bytes.copy_within(192 * i..192 * i + len, len * i);
    }
}

/// Algorithm 20 (HintBitPack).
fn hint_bit_pack(to: &mut [u8], hints: &[Poly], omega: usize) {
    to.fill(0);
    let mut index = 0;
    for (i, h) in hints.iter().enumerate() {
        for (j, h) in h.0.iter().enumerate() {
            if *h != 0 {
                to[index] = j as u8;
                index += 1;
            }
        }
        to[omega + i] = index as u8;
    }
}

/// Algorithm 21 (HintBitUnpack): false for what is not the one encoding of a hint.
fn hint_bit_unpack(hints: &mut [Poly], from: &[u8], omega: usize) -> bool {
    let (positions, ends) = from.split_at(omega);
    let mut index = 0;
    for (h, end) in hints.iter_mut().zip(ends) {
        h.0 = [0; 256];
        let end = usize::from(*end);
        if end < index || end > omega {
            return false;
        }
        let ones = &positions[index..end];
        if !ones.is_sorted_by(|a, b| a < b) {
            return false;
        }
        for j in ones {
            h.0[usize::from(*j)] = 1;
        }
        index = end;
    }
    positions[index..].iter().all(|x| *x == 0)
}

/// Algorithm 8 (ML-DSA.Verify_internal) for each key, message and signature of the right length.
pub(super) fn verify<const K: usize, const L: usize, const N: usize>(
    keys: [&Verifier<K, L>; N],
    messages: [Message; N],
    signatures: [&[u8]; N],
) -> [bool; N] {
    let p = parameters(K);
    let Some(backend) = keys.first().map(|key| key.public.backend) else {
        return [false; N];
    };
    let keccak = backend.keccak();
    let mut mu = [[0; 64]; N];
    let mut balls = [[0; BALL]; N];
    let mu_jobs = keys.iter().zip(&messages).zip(&mut mu);
    let mu_jobs = mu_jobs.filter_map(|((key, message), mu)| message.job(&key.public.tr, mu));
    let c = signatures.map(|s| &s[..p.c_len]);
    let ball_jobs = c
        .iter()
        .zip(&mut balls)
        .map(|(c, out)| Job::new(SHAKE256, [*c], out));
    run(keccak, mu_jobs.chain(ball_jobs));
    let mut w1 = [[[0; 192]; K]; N];
    let mut valid = [true; N];
    let (mut z, mut w, mut rows) = ([Poly::ZERO; L], [Poly::ZERO; K], [Poly::ZERO; K]);
    let mut challenge = [Poly::ZERO];
    for n in 0..N {
        let (z_bytes, hints) = signatures[n][p.c_len..].split_at(L * p.z_len());
        for (z, bytes) in z.iter_mut().zip(z_bytes.chunks_exact(p.z_len())) {
            backend.bit_unpack(z, bytes, p.gamma1);
        }
        valid[n] = backend.norm(&z) < p.gamma1 - p.beta();
        if !valid[n] {
            continue;
        }
        sample_in_ball(keccak, &mut challenge[0], c[n], &balls[n], p.tau);
        backend.ntt(&mut challenge);
        backend.ntt(&mut z);
        let public = &keys[n].public;
        if public.a.is_empty() {
            let own = matrix((K, L), backend, &public.rho, None);
            backend.multiply(&mut w, &own, &z);
        } else {
            backend.multiply(&mut w, &public.a, &z);
        }
        backend.scale(&mut rows, &challenge[0], &*keys[n].t1);
        backend.subtract(&mut w, &rows);
        backend.inverse_ntt(&mut w);
        valid[n] = hint_bit_unpack(&mut rows, hints, p.omega);
        backend.use_hint(&mut w, &rows, p.gamma2);
        for (bytes, w) in w1[n].iter_mut().zip(&w) {
            backend.simple_bit_pack(&mut bytes[..p.w1_len()], w);
        }
        if p.w1_len() != 192 {
            close_gaps(&mut w1[n], p.w1_len());
        }
    }
    let mut again = [[0; 64]; N];
    let jobs = mu.iter().zip(&w1).zip(&mut again);
    run(
        keccak,
        jobs.map(|((mu, w1), c)| {
            let w1 = &w1.as_flattened()[..K * p.w1_len()];
            Job::new(SHAKE256, [&mu[..], w1], &mut c[..p.c_len])
        }),
    );
    from_fn(|n| valid[n] && again[n][..p.c_len] == *c[n])
}
