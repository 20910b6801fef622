//! The operations on numbers: RSAEP and RSADP (RFC 8017, 5.1), RSASP1 and RSAVP1 (5.2).
//!
//! With the private key, for each input c:
//!
//! 1. Blinding: c r^e for a random r = r1 r2, two odd numbers below 2^64, modulo p and q.
//! 2. The exponentiations, both halves side by side: their time says nothing about c, as nobody
//!    knows what is raised to the power.
//! 3. Both halves together (Garner): s = s_q + q (q_inv (s_p - s_q) mod p).
//! 4. The result is divided by r1 and by r2, which takes only an inverse modulo one limb.
//! 5. The check: s^e has to be c. A result that fails is wiped, and none is given out.

use crate::key::Inner;
use crate::{PrivateKey, PublicKey};
use adamant_base::{Error, Rng, Secret, SecretVec};
use adamant_bignum::{Modulus, Number, hazmat::Task, limbs};
use alloc::vec::Vec;

/// The number of these big-endian bytes, if it is below the modulus: `None` says that it is not.
pub(crate) fn number_below(key: &PublicKey, bytes: &[u8]) -> Option<Number> {
    let number = Number::from_be_bytes(bytes, key.n.len())?;
    // A ciphertext or a signature is public.
    if !limbs::less(&number, key.n.limbs()).declassify() {
        return None;
    }
    Some(number)
}

/// `inputs[i]^e` modulo each key's n.
pub(crate) fn public(keys: &[&PublicKey], inputs: &[Number]) -> Vec<Number> {
    let mut outs: Vec<_> = keys.iter().map(|key| Number::zero(key.n.len())).collect();
    let mut tasks: Vec<_> = (keys.iter().zip(inputs).zip(&mut outs))
        .map(|((key, input), out)| Task {
            modulus: &key.n,
            base: input,
            exponent: key.exponent(),
            out,
        })
        .collect();
    if let Some(key) = keys.first() {
        key.backend.power_vartime(&mut tasks);
    }
    drop(tasks);
    outs
}

/// One private operation on its way; halves are those of p and q.
struct Job<'a> {
    key: &'a Inner,
    factors: Secret<[u64; 2]>,
    halves: [Half<'a>; 2],
}

struct Half<'a> {
    modulus: &'a Modulus,
    exponent: &'a [u64],
    base: Number,
    power: Number,
}

impl<'a> Job<'a> {
    fn new(key: &'a PrivateKey, rng: &mut impl Rng) -> Result<Self, Error> {
        let mut bytes = Secret::new([[0; 8]; 2]);
        rng.fill(bytes.as_flattened_mut())?;
        // Odd, and not 1.
        let factors = Secret::new(bytes.map(|b| u64::from_le_bytes(b) | 1 << 63 | 1));
        let product = u128::from(factors[0]) * u128::from(factors[1]);
        let half = |modulus: &'a Modulus, exponent: &'a Number| {
            let mut base = Number::zero(modulus.len());
            base[..2].copy_from_slice(&[product as u64, (product >> 64) as u64]);
            Half {
                modulus,
                exponent,
                base,
                power: Number::zero(modulus.len()),
            }
        };
        let key = &*key.inner;
        Ok(Job {
            key,
            factors,
            halves: [half(&key.p, &key.d_p), half(&key.q, &key.d_q)],
        })
    }

    /// s, from the powers of both halves.
    fn combine(&self) -> Number {
        let Inner {
            public, p, q_inv, ..
        } = self.key;
        let [half_p, half_q] = &self.halves;
        let mut difference = half_p.power.clone();
        p.sub(&mut difference, &p.reduce(&half_q.power));
        let h = p.multiply_plain(&difference, q_inv);
        let mut s = SecretVec::<u64>::zeros(p.len() + half_q.power.len());
        public.backend.mul(&mut s, &h, half_q.modulus.limbs());
        limbs::add(&mut s, &half_q.power);
        // Below n, whatever the halves are.
        let s = Number::from_limbs(&s[..public.n.len()]);
        public.n.divide_by_limbs(&s, *self.factors)
    }
}

/// The exponentiations of all halves: `power = base^exponent`.
fn powers(jobs: &mut [Job<'_>], public: bool) {
    let Some(backend) = jobs.first().map(|job| job.key.public.backend) else {
        return;
    };
    let mut tasks = Vec::with_capacity(2 * jobs.len());
    for job in jobs {
        for half in &mut job.halves {
            tasks.push(Task {
                modulus: half.modulus,
                base: &half.base,
                exponent: if public {
                    job.key.public.exponent()
                } else {
                    half.exponent
                },
                out: &mut half.power,
            });
        }
    }
    if public {
        backend.power_vartime(&mut tasks);
    } else {
        backend.power(&mut tasks);
    }
}

/// `inputs[i]^d` modulo each key's n, for inputs below it.
pub(crate) fn private(
    keys: &[&PrivateKey],
    inputs: &[Number],
    rng: &mut impl Rng,
) -> Result<Vec<Number>, Error> {
    private_with(keys, inputs, rng, |_| ())
}

/// As [`private`]; `tamper` gets the powers of both halves before they are put together, for the
/// test of the check.
pub(crate) fn private_with(
    keys: &[&PrivateKey],
    inputs: &[Number],
    rng: &mut impl Rng,
    mut tamper: impl FnMut([&mut Number; 2]),
) -> Result<Vec<Number>, Error> {
    let jobs = keys.iter().map(|key| Job::new(key, rng));
    let mut jobs = jobs.collect::<Result<Vec<_>, _>>()?;
    powers(&mut jobs, true);
    for (job, input) in jobs.iter_mut().zip(inputs) {
        for half in &mut job.halves {
            let input = half.modulus.reduce(input);
            half.base = half.modulus.multiply_plain(&input, &half.power);
        }
    }
    powers(&mut jobs, false);
    for job in &mut jobs {
        let [p, q] = &mut job.halves;
        tamper([&mut p.power, &mut q.power]);
    }
    let results: Vec<_> = jobs.iter().map(Job::combine).collect();
    let publics: Vec<_> = keys.iter().map(|key| key.public()).collect();
    let back = public(&publics, &results);
    let mut faults = adamant_base::ct::Choice::FALSE;
    for (input, back) in inputs.iter().zip(&back) {
        faults = faults.or(!limbs::equal(input, back));
    }
    // That there was a fault is public; what came out is not.
    if faults.declassify() {
        return Err(Error::BadPrivateKey);
    }
    Ok(results)
}
