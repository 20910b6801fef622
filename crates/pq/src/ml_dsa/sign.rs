//! Signing (FIPS 204, 6.2).
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
use super::parameters::Parameters;
use super::poly::Poly;
use super::private::Private;
use super::verify::{BALL, Message, pack_w1, sample_in_ball};
use crate::sponge::{Job, SHAKE256, run};
use adamant_base::{Secret, Wipe, ct};
use alloc::vec::Vec;
use core::slice::{from_mut, from_ref};

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
