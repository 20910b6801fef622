//! Powers of r, for implementations that work on several blocks at once, in limbs of 44, 44 and
//! 42 bits.

use adamant_base::Wipe;

const MASK44: u64 = (1 << 44) - 1;

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
