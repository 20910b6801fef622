//! What field elements of all forms have in common: an array of limbs, and one type of their functions.

/// Functions of the trait of a field that are those of the type itself.
macro_rules! own {
    ($($f:ident($($x:ident: $t:ty),*) $(-> $out:ty)?;)*) => {$(
        #[inline(always)]
        fn $f($($x: $t),*) $(-> $out)? {
            Self::$f($($x),*)
        }
    )*};
}
pub(crate) use own;

/// Selections among elements `Fe` of limbs of this type.
macro_rules! selections {
    (swap $limb:ty) => {
        #[cfg_attr(feature = "small", inline(never))]
        #[cfg_attr(not(feature = "small"), inline(always))]
        fn swap(bit: u64, a: &mut Fe, b: &mut Fe) {
            let mask = adamant_base::ct::barrier(bit.wrapping_neg()) as $limb;
            for i in 0..a.0.len() {
                let t = mask & (a.0[i] ^ b.0[i]);
                a.0[i] ^= t;
                b.0[i] ^= t;
            }
        }
    };
    (assign $limb:ty) => {
        #[inline(always)]
        fn assign(&mut self, mask: u64, from: Fe) {
            for i in 0..self.0.len() {
                self.0[i] ^= mask as $limb & (self.0[i] ^ from.0[i]);
            }
        }
        #[inline(always)]
        fn or_masked(&mut self, mask: u64, from: &Fe) {
            for i in 0..self.0.len() {
                self.0[i] |= mask as $limb & from.0[i];
            }
        }
    };
}
pub(crate) use selections;
