//! Signing and verifying (FIPS 204, 6.2 and 6.3).
//!
//! Differences from the standard's loop:
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

use super::arithmetic::Backend;
use super::keys::{Private, Verifier};
use super::matrix::matrix;
use super::parameters::Parameters;
use super::poly::Poly;
use crate::sponge::{Job, Keccak, SHAKE256, run};
use adamant_base::{Secret, Wipe, ct};
use alloc::vec::Vec;
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
struct Room<const K: usize, const L: usize, const ATTEMPTS: usize> {
    masks: [[[u8; 640]; L]; ATTEMPTS],
    y: [[Poly; L]; ATTEMPTS],
    w: [[Poly; K]; ATTEMPTS],
    w1: [[[u8; 192]; K]; ATTEMPTS],
    c: [[u8; 64]; ATTEMPTS],
    balls: [[u8; BALL]; ATTEMPTS],
    columns: [Poly; L],
    rows: [Poly; K],
    high: [Poly; K],
    challenge: [Poly; 1],
}

impl<const K: usize, const L: usize, const ATTEMPTS: usize> Wipe for Room<K, L, ATTEMPTS> {
    fn wipe(&mut self) {
        let bytes = self.masks.as_flattened_mut().as_flattened_mut();
        bytes.wipe();
        self.y.as_flattened_mut().wipe();
        self.w.as_flattened_mut().wipe();
        let bytes = self.w1.as_flattened_mut().as_flattened_mut();
        bytes.wipe();
        self.columns.wipe();
        self.rows.wipe();
        self.high.wipe();
    }
}

/// The same for any parameters: what there is one of for each attempt is in a row.
struct Work<'w> {
    p: &'static Parameters,
    /// Bytes of y.
    masks: &'w mut [[u8; 640]],
    y: &'w mut [Poly],
    /// The low bits of w.
    w: &'w mut [Poly],
    w1: &'w mut [[u8; 192]],
    c: &'w mut [[u8; 64]],
    balls: &'w mut [[u8; BALL]],
    columns: &'w mut [Poly],
    rows: &'w mut [Poly],
    high: &'w mut [Poly],
    challenge: &'w mut [Poly],
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
pub(super) struct Item<'a> {
    pub(super) key: &'a Private,
    pub(super) message: Message<'a>,
    pub(super) rnd: &'a [u8; 32],
}

/// Algorithm 7 (ML-DSA.Sign_internal) for each item, with this many attempts at once.
pub(super) fn sign<const K: usize, const L: usize, const ATTEMPTS: usize>(
    items: &[Item],
    signatures: &mut [&mut [u8]],
) {
    let Some(first) = items.first() else {
        return;
    };
    let mut room = Secret::new(Room::<K, L, ATTEMPTS> {
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
    let room = &mut *room;
    let work = Work {
        p: first.key.public.p,
        masks: room.masks.as_flattened_mut(),
        y: room.y.as_flattened_mut(),
        w: room.w.as_flattened_mut(),
        w1: room.w1.as_flattened_mut(),
        c: &mut room.c,
        balls: &mut room.balls,
        columns: &mut room.columns,
        rows: &mut room.rows,
        high: &mut room.high,
        challenge: &mut room.challenge,
    };
    sign_all(first.key.public.backend, work, items, signatures);
}

/// Once for all parameters.
fn sign_all(backend: Backend, mut work: Work, items: &[Item], signatures: &mut [&mut [u8]]) {
    let attempts = work.c.len();
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
    // Those that are not done stay in front.
    let mut rest = &mut started[..];
    while !rest.is_empty() {
        let active = rest.len().min(attempts);
        work.attempt(&rest[..active], &items);
        for attempt in 0..attempts {
            let s = &mut rest[attempt % active];
            if !s.done {
                s.kappa = s.kappa.wrapping_add(work.p.l as u16);
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

impl Work<'_> {
    /// Algorithm 7, lines 11 to 16: commitments and challenges of the attempts, which go to the
    /// signatures in turn.
    fn attempt(&mut self, started: &[Started], items: &[Item]) {
        let p = self.p;
        let (k, l) = (p.k, p.l);
        let Some(backend) = started.first().map(|s| items[s.index].key.public.backend) else {
            return;
        };
        let keccak = backend.keccak();
        let of = |attempt: usize| &started[attempt % started.len()];
        let masks = self.masks.chunks_exact_mut(l).enumerate();
        // Algorithm 34 (ExpandMask).
        run(
            keccak,
            masks.flat_map(|(attempt, masks)| {
                let s = of(attempt);
                let ahead = (attempt / started.len() * l) as u16;
                masks.iter_mut().enumerate().map(move |(r, mask)| {
                    let number = s.kappa.wrapping_add(ahead).wrapping_add(r as u16);
                    let out = &mut mask[..p.z_len()];
                    Job::new(SHAKE256, [&s.rho[..]], out).tail(number.to_le_bytes())
                })
            }),
        );
        let masks = self.masks.chunks_exact(l).zip(self.y.chunks_exact_mut(l));
        let rows = self.w.chunks_exact_mut(k).zip(self.w1.chunks_exact_mut(k));
        for (attempt, ((masks, y), (w, w1))) in masks.zip(rows).enumerate() {
            let public = &items[of(attempt).index].key.public;
            for (y, mask) in y.iter_mut().zip(masks) {
                backend.bit_unpack(y, &mask[..p.z_len()], p.gamma1);
            }
            self.columns.copy_from_slice(y);
            backend.ntt(self.columns);
            backend.multiply(w, &public.a, self.columns);
            backend.inverse_ntt(w);
            backend.decompose(w, p.gamma2, self.high);
            pack_w1(p, backend, w1, self.high);
        }
        let jobs = self.w1.chunks_exact(k).zip(&mut *self.c).enumerate();
        run(
            keccak,
            jobs.map(|(attempt, (w1, c))| {
                let w1 = &w1.as_flattened()[..k * p.w1_len()];
                Job::new(SHAKE256, [&of(attempt).mu[..], w1], &mut c[..p.c_len])
            }),
        );
        ct::mark_public(self.c.as_flattened()); // See above.
        let jobs = self.c.iter().zip(&mut *self.balls);
        run(
            keccak,
            jobs.map(|(c, ball)| Job::new(SHAKE256, [&c[..p.c_len]], ball)),
        );
    }

    /// Algorithm 7, lines 16 to 33: writes the signature of an attempt, if it does not fail.
    fn finish(&mut self, attempt: usize, key: &Private, signature: &mut [u8]) -> bool {
        let backend = key.public.backend;
        let [s1, s2, t0] = key.vectors().expect("an expanded key");
        let p = self.p;
        let Parameters {
            k,
            l,
            gamma1,
            gamma2,
            tau,
            omega,
            c_len,
            ..
        } = *p;
        let beta = p.beta();
        let (c, ball) = (&self.c[attempt][..c_len], &self.balls[attempt]);
        sample_in_ball(backend.keccak(), &mut self.challenge[0], c, ball, tau);
        backend.ntt(self.challenge);
        let challenge = &self.challenge[0];
        // Whether an attempt fails is public.
        let fails = |norm: i32, bound: i32| !ct::Choice::lt_u64(norm as u64, bound as u64);

        // r₀ = LowBits(w − c·s₂), as far as these do not reach beyond ±γ₂.
        let w = &mut self.w[attempt * k..][..k];
        for (i, w) in w.iter_mut().enumerate() {
            let (w, row) = (from_mut(w), from_mut(&mut self.rows[i]));
            backend.scale(row, challenge, from_ref(&s2[i]));
            backend.inverse_ntt(row);
            backend.subtract(w, row);
            if fails(backend.norm(w), gamma2 - beta).declassify() {
                return false;
            }
        }
        let z = &mut self.y[attempt * l..][..l];
        for (i, z) in z.iter_mut().enumerate() {
            let (z, column) = (from_mut(z), from_mut(&mut self.columns[i]));
            backend.scale(column, challenge, from_ref(&s1[i]));
            backend.inverse_ntt(column);
            backend.add(z, column);
            if fails(backend.norm(z), gamma1 - beta).declassify() {
                return false;
            }
        }
        backend.scale(self.rows, challenge, t0);
        backend.inverse_ntt(self.rows);
        if fails(backend.norm(self.rows), gamma2).declassify() {
            return false;
        }
        backend.add(w, self.rows);
        let w1 = self.w1[attempt * k..][..k].as_flattened();
        for (high, bytes) in self.high.iter_mut().zip(w1.chunks_exact(p.w1_len())) {
            backend.simple_bit_unpack(high, bytes);
        }
        let mut ones = backend.make_hint(self.rows, w, self.high, gamma2);
        ct::mark_public_value(&mut ones); // So is this check.
        if ones > omega {
            return false;
        }

        // Algorithm 26 (sigEncode).
        let (c_bytes, rest) = signature.split_at_mut(c_len);
        let (z_bytes, hints) = rest.split_at_mut(l * p.z_len());
        c_bytes.copy_from_slice(c);
        for (bytes, z) in z_bytes.chunks_exact_mut(p.z_len()).zip(z) {
            backend.bit_pack(bytes, z, gamma1);
        }
        for hints in &mut *self.rows {
            ct::mark_public_value(&mut hints.0); // The signature.
        }
        hint_bit_pack(hints, self.rows, omega);
        ct::mark_public(signature);
        true
    }
}

/// Algorithm 28 (w1Encode): rows of the high bits, in a row from the front.
fn pack_w1(p: &Parameters, backend: Backend, to: &mut [[u8; 192]], from: &[Poly]) {
    for (bytes, high) in to.iter_mut().zip(from) {
        backend.simple_bit_pack(&mut bytes[..p.w1_len()], high);
    }
    if p.w1_len() != 192 {
        close_gaps(to, p.w1_len());
    }
}

/// Puts rows of fewer bytes one after the other.
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
    keys: [&Verifier; N],
    messages: [Message; N],
    signatures: [&[u8]; N],
) -> [bool; N] {
    let mut valid = [true; N];
    let mut w1 = [[[0; 192]; K]; N];
    let check = Check {
        keys: &keys,
        messages: &messages,
        signatures: &signatures,
        mu: &mut [[0; 64]; N],
        balls: &mut [[0; BALL]; N],
        w1: w1.as_flattened_mut(),
        again: &mut [[0; 64]; N],
        z: &mut [Poly::ZERO; L],
        w: &mut [Poly::ZERO; K],
        rows: &mut [Poly::ZERO; K],
    };
    check.all(&mut valid);
    valid
}

/// Signatures to check, with the room for it.
struct Check<'a> {
    keys: &'a [&'a Verifier],
    messages: &'a [Message<'a>],
    signatures: &'a [&'a [u8]],
    mu: &'a mut [[u8; 64]],
    balls: &'a mut [[u8; BALL]],
    w1: &'a mut [[u8; 192]],
    again: &'a mut [[u8; 64]],
    z: &'a mut [Poly],
    w: &'a mut [Poly],
    rows: &'a mut [Poly],
}

impl Check<'_> {
    /// Once for all parameters.
    fn all(self, valid: &mut [bool]) {
        let Check {
            keys,
            messages,
            signatures,
            mu,
            balls,
            w1,
            again,
            z,
            w,
            rows,
        } = self;
        let Some(public) = keys.first().map(|key| &key.public) else {
            return;
        };
        let (p, backend) = (public.p, public.backend);
        let (k, l, c_len) = (p.k, p.l, p.c_len);
        let keccak = backend.keccak();
        let mu_jobs = keys.iter().zip(messages).zip(&mut *mu);
        let mu_jobs = mu_jobs.filter_map(|((key, message), mu)| message.job(&key.public.tr, mu));
        let ball_jobs = signatures.iter().zip(&mut *balls);
        let ball_jobs = ball_jobs.map(|(s, out)| Job::new(SHAKE256, [&s[..c_len]], out));
        run(keccak, mu_jobs.chain(ball_jobs));
        let mut challenge = [Poly::ZERO];
        for (n, w1) in w1.chunks_exact_mut(k).enumerate() {
            let (c, rest) = signatures[n].split_at(c_len);
            let (z_bytes, hints) = rest.split_at(l * p.z_len());
            for (z, bytes) in z.iter_mut().zip(z_bytes.chunks_exact(p.z_len())) {
                backend.bit_unpack(z, bytes, p.gamma1);
            }
            valid[n] = backend.norm(z) < p.gamma1 - p.beta();
            if !valid[n] {
                continue;
            }
            sample_in_ball(keccak, &mut challenge[0], c, &balls[n], p.tau);
            backend.ntt(&mut challenge);
            backend.ntt(z);
            let public = &keys[n].public;
            if public.a.is_empty() {
                let own = matrix(p, backend, &public.rho, None);
                backend.multiply(w, &own, z);
            } else {
                backend.multiply(w, &public.a, z);
            }
            backend.scale(rows, &challenge[0], &keys[n].t1);
            backend.subtract(w, rows);
            backend.inverse_ntt(w);
            valid[n] = hint_bit_unpack(rows, hints, p.omega);
            backend.use_hint(w, rows, p.gamma2);
            pack_w1(p, backend, w1, w);
        }
        let jobs = mu.iter().zip(w1.chunks_exact(k)).zip(&mut *again);
        run(
            keccak,
            jobs.map(|((mu, w1), c)| {
                let w1 = &w1.as_flattened()[..k * p.w1_len()];
                Job::new(SHAKE256, [&mu[..], w1], &mut c[..c_len])
            }),
        );
        for ((valid, again), signature) in valid.iter_mut().zip(again).zip(signatures) {
            *valid &= again[..c_len] == signature[..c_len];
        }
    }
}
