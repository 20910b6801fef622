//! Powers of r, for implementations that work on several blocks at once.

use super::State;
use super::portable::fold;
use super::portable64::wide;
use adamant_base::Wipe;

/// r to r^8, and r^16, r^24 and r^32, as far as they were needed.
pub(crate) struct Powers {
    first: [[u64; 3]; 8],
    eights: [[u64; 3]; 3],
    known: Known,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Known {
    None,
    First,
    All,
}

impl Powers {
    /// None yet.
    pub(super) const NONE: Self = Powers {
        first: [[0; 3]; 8],
        eights: [[0; 3]; 3],
        known: Known::None,
    };
}

impl Wipe for Powers {
    /// What was never written is zero already.
    #[inline]
    fn wipe(&mut self) {
        if self.known >= Known::First {
            self.first.as_flattened_mut().wipe();
        }
        if self.known == Known::All {
            self.eights.as_flattened_mut().wipe();
        }
    }
}

impl State {
    /// r^1 to r^8.
    pub(super) fn first_powers(&mut self) -> &[[u64; 3]; 8] {
        let powers = &mut self.powers;
        if powers.known < Known::First {
            let r = [self.r[0], self.r[1], 0];
            let r2 = multiply(r, r);
            let (r3, r4) = (multiply(r2, r), multiply(r2, r2));
            let (r5, r6) = (multiply(r4, r), multiply(r4, r2));
            let (r7, r8) = (multiply(r4, r3), multiply(r4, r4));
            powers.first = [r, r2, r3, r4, r5, r6, r7, r8];
            powers.known = Known::First;
        }
        &self.powers.first
    }

    /// r^16, r^24 and r^32.
    pub(super) fn further_powers(&mut self) -> &[[u64; 3]; 3] {
        let r8 = self.first_powers()[7];
        let powers = &mut self.powers;
        if powers.known < Known::All {
            let r16 = multiply(r8, r8);
            powers.eights = [r16, multiply(r16, r8), multiply(r16, r16)];
            powers.known = Known::All;
        }
        &self.powers.eights
    }
}

/// The product of two numbers below 2^131.
pub(super) fn multiply([a0, a1, a2]: [u64; 3], [b0, b1, b2]: [u64; 3]) -> [u64; 3] {
    let low = wide(a0, b0);
    let t1 = wide(a0, b1) + (low >> 64);
    let u1 = wide(a1, b0) + u128::from(t1 as u64);
    let t2 = wide(a1, b1) + (t1 >> 64) + (u1 >> 64);
    let u2 = wide(a0, b2) + wide(a2, b0) + u128::from(t2 as u64);
    let t3 = wide(a1, b2) + wide(a2, b1) + (t2 >> 64) + (u2 >> 64);
    let (w0, w1, w2, w3) = (low as u64, u1 as u64, u2 as u64, t3 as u64);
    let w4 = (t3 >> 64) as u64 + a2 * b2;
    // What is above 2^130, times 5.
    let t0 = u128::from(w0) + 5 * u128::from(w2 >> 2 | w3 << 62);
    let t1 = u128::from(w1) + 5 * u128::from(w3 >> 2 | w4 << 62) + (t0 >> 64);
    fold([
        t0 as u64,
        t1 as u64,
        (w2 & 3) + 5 * (w4 >> 2) + (t1 >> 64) as u64,
    ])
}
