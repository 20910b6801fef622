//! Many keys at once, of signatures and of key agreement.

/// Makes the functions of a module over its `generate`, which hands on new keys one by one.
macro_rules! keygen {
    ($module:literal) => {
        /// Makes `count` keys, as [`PrivateKey::generate`] does one by one.
        ///
        /// # Errors
        /// [`Error::NoEntropy`] from the generator.
        #[cfg(feature = "alloc")]
        pub fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<PrivateKey>, Error> {
            let mut keys = Vec::with_capacity(count);
            generate(count, rng, |key| keys.push(key))?;
            Ok(keys)
        }

        /// As [`generate_batch`], without heap: makes a key for each place. Where the generator
        /// fails, the places from some multiple of 64 on are untouched.
        ///
        /// ```
        /// # use adamant_base::{Error, Rng};
        #[doc = concat!("use adamant_ec::", $module, "::{PrivateKey, generate_batch_into};")]
        /// # struct Fixed(u8);
        /// # impl Rng for Fixed {
        /// #     fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        /// #         for b in out { self.0 = self.0.wrapping_mul(5).wrapping_add(7); *b = self.0 }
        /// #         Ok(())
        /// #     }
        /// # }
        /// # let mut rng = Fixed(1); // any generator; the program's own is the system's
        /// let mut keys: [Option<PrivateKey>; 10] = [const { None }; 10];
        /// generate_batch_into(&mut keys, &mut rng)?;
        /// assert!(keys.iter().all(Option::is_some));
        /// # Ok::<(), Error>(())
        /// ```
        ///
        /// # Errors
        /// [`Error::NoEntropy`] from the generator.
        pub fn generate_batch_into(
            out: &mut [Option<PrivateKey>],
            rng: &mut impl Rng,
        ) -> Result<(), Error> {
            let count = out.len();
            let mut places = out.iter_mut();
            generate(count, rng, |key| {
                if let Some(place) = places.next() {
                    *place = Some(key);
                }
            })
        }
    };
}
pub(super) use keygen;
