//! Powers of r, for implementations that work on several blocks at once.

use super::State;
use super::portable64::{Limbs, limbs, multiply};
use adamant_base::Wipe;

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
