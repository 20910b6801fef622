//! Powers of r, for implementations that work on several blocks at once.

use super::State;
use super::portable64::{Limbs, limbs, multiply};
use adamant_base::Wipe;

/// r to r^8, and r^16, r^24 and r^32, as far as they were needed.
pub(crate) struct Powers {
    first: [Limbs; 8],
    eights: [Limbs; 3],
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
    #[inline]
    pub(super) fn first_powers(&mut self) -> [Limbs; 8] {
        let powers = &mut self.powers;
        if powers.known >= Known::First {
            return powers.first;
        }
        let r = limbs([self.r[0], self.r[1], 0]);
        let r2 = multiply(r, r);
        let (r3, r4) = (multiply(r2, r), multiply(r2, r2));
        let (r5, r6) = (multiply(r4, r), multiply(r4, r2));
        let (r7, r8) = (multiply(r4, r3), multiply(r4, r4));
        let first = [r, r2, r3, r4, r5, r6, r7, r8];
        powers.first = first;
        powers.known = Known::First;
        first
    }

    /// r^16, r^24 and r^32, from r^8.
    #[inline]
    pub(super) fn further_powers(&mut self, r8: Limbs) -> [Limbs; 3] {
        let powers = &mut self.powers;
        if powers.known == Known::All {
            return powers.eights;
        }
        let r16 = multiply(r8, r8);
        let eights = [r16, multiply(r16, r8), multiply(r16, r16)];
        powers.eights = eights;
        powers.known = Known::All;
        eights
    }
}
