//! Powers of r, for implementations that work on several blocks at once, in limbs of 44, 44 and
//! 42 bits.

use super::State;
use super::portable64::wide;
use adamant_base::Wipe;

const MASK44: u64 = (1 << 44) - 1;
const MASK42: u64 = (1 << 42) - 1;

/// A number in limbs, which may be a little longer.
type Limbs = [u64; 3];

/// The limbs of a number below 2^132.
#[inline(always)]
pub(super) fn limbs([w0, w1, w2]: [u64; 3]) -> Limbs {
    [
        w0 & MASK44,
        (w0 >> 44 | w1 << 20) & MASK44,
        w1 >> 24 | w2 << 40,
    ]
}

/// The product of two numbers with limbs below 2^46; its own are below 2^44 + 2^12. The weight of
/// a third limb's successor is 2^132 = 4 · 5.
#[inline(always)]
fn multiply([x0, x1, x2]: Limbs, [y0, y1, y2]: Limbs) -> Limbs {
    let (z1, z2) = (20 * y1, 20 * y2);
    let d0 = wide(x1, z2) + wide(x2, z1) + wide(x0, y0);
    let d1 = wide(x2, z2) + wide(x0, y1) + wide(x1, y0);
    let d2 = wide(x0, y2) + wide(x1, y1) + wide(x2, y0);
    // All carries of a round move at once.
    let t0 = (d0 as u64 & MASK44) + 5 * (d2 >> 42) as u64;
    let t1 = (d1 as u64 & MASK44) + (d0 >> 44) as u64;
    let t2 = (d2 as u64 & MASK42) + (d1 >> 44) as u64;
    [
        (t0 & MASK44) + 5 * (t2 >> 42),
        (t1 & MASK44) + (t0 >> 44),
        (t2 & MASK42) + (t1 >> 44),
    ]
}

/// Limb by limb, those of eight numbers.
pub(super) type Eight = [[u64; 8]; 3];

/// r to r^8, and r^16, r^24 and r^32, as far as they were needed.
pub(crate) struct Powers {
    first: Eight,
    /// The first three.
    eights: Eight,
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
        first: [[0; 8]; 3],
        eights: [[0; 8]; 3],
        known: Known::None,
    };

    /// r to r^8, if they are known.
    #[inline]
    pub(super) fn first(&self) -> Option<&Eight> {
        (self.known >= Known::First).then_some(&self.first)
    }

    /// Where r to r^8 are written; they are known then.
    #[inline]
    pub(super) fn set_first(&mut self) -> &mut Eight {
        self.known = Known::First;
        &mut self.first
    }

    /// r^16, r^24 and r^32, if they are known.
    #[inline]
    pub(super) fn eights(&self) -> Option<&Eight> {
        (self.known == Known::All).then_some(&self.eights)
    }

    /// Where r^16, r^24 and r^32 are written, after the first; they are known then.
    #[inline]
    pub(super) fn set_eights(&mut self) -> &mut Eight {
        self.known = Known::All;
        &mut self.eights
    }
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
    /// r^1 to r^8, one after the other.
    #[inline]
    pub(super) fn first_powers(&mut self) -> [Limbs; 8] {
        if let Some(first) = self.powers.first() {
            return core::array::from_fn(|i| first.map(|limb| limb[i]));
        }
        let r = limbs([self.r[0], self.r[1], 0]);
        let r2 = multiply(r, r);
        let (r3, r4) = (multiply(r2, r), multiply(r2, r2));
        let (r5, r6) = (multiply(r4, r), multiply(r4, r2));
        let (r7, r8) = (multiply(r4, r3), multiply(r4, r4));
        let powers = [r, r2, r3, r4, r5, r6, r7, r8];
        for (i, limb) in self.powers.set_first().iter_mut().enumerate() {
            *limb = powers.map(|power| power[i]);
        }
        powers
    }
}
