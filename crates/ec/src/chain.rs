//! Powers of field elements with fixed exponents, by chains: what inverses and square roots are made
//! of.

/// How the next power of a chain, which starts with x, comes about: this many squarings of the last
/// one, times the one at this place.
pub(crate) type Link = (u32, usize);

/// Makes a field element's power by the first links of a chain, of the functions for a square and a
/// product: one loop, as there is one product in it and one square.
macro_rules! power {
    ($chain:expr, $square:ident $mul:ident $(#[$attribute:meta])*) => {
        /// The power to which this many links of the chain lead.
        $(#[$attribute])*
        fn power(self, links: usize) -> Self {
            let mut powers = [self; 1 + $chain.len()];
            let mut i = 0;
            while i < links {
                let (squarings, factor) = $chain[i];
                let mut x = powers[i];
                let mut j = 0;
                while j < squarings {
                    x = x.$square();
                    j += 1;
                }
                i += 1;
                powers[i] = x.$mul(powers[factor]);
            }
            powers[links]
        }
    };
}
pub(crate) use power;
