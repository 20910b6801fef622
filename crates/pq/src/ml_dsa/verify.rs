//! Verifying (FIPS 204, 6.3), and what signing has in common with it.

use super::arithmetic::Backend;
use super::keys::Verifier;
use super::matrix::multiply;
use super::parameters::Parameters;
use super::poly::Poly;
use crate::sponge::{Job, Keccak, SHAKE256, run};

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
    pub(super) fn job<'a>(&'a self, tr: &'a [u8; 64], out: &'a mut [u8; 64]) -> Option<Job<'a>> {
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
pub(super) const BALL: usize = 136;

/// Algorithm 29 (SampleInBall), from the output of the hash of c̃.
pub(super) fn sample_in_ball(
    keccak: Keccak,
    to: &mut Poly,
    c: &[u8],
    drawn: &[u8; BALL],
    tau: usize,
) {
    if fill_ball(to, drawn, tau) {
        return;
    }
    // The first 128 bytes are enough but for a chance of 2^-87, these but for one of 2^-2000.
    let mut bytes = [0; 8 * BALL];
    run(keccak, [Job::new(SHAKE256, [c], &mut bytes)]);
    assert!(
        fill_ball(to, &bytes, tau),
        "a hash of nothing but large bytes"
    );
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

/// Algorithm 28 (w1Encode): rows of the high bits, in a row from the front.
pub(super) fn pack_w1(p: &Parameters, backend: Backend, to: &mut [[u8; 192]], from: &[Poly]) {
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
                multiply(public, w, z, rows);
            } else {
                backend.multiply(w, &public.a, z);
            }
            keys[n].scaled_t1(rows, &challenge[0]);
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
