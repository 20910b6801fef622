//! A key that is used once, as it travels: nothing of it is kept.

/// The functions of a parameter set, given k.
macro_rules! encoded {
    ($k:literal) => {
        /// [`DecapsulationKey::from_bytes`] and [`DecapsulationKey::decapsulate`] for a key that
        /// is used once, which takes less time than these. Nothing of the key is kept.
        ///
        /// # Errors
        /// As for [`DecapsulationKey::from_bytes`].
        #[inline]
        pub fn decapsulate_encoded(
            key: &[u8; DECAPSULATION_KEY_LEN],
            ciphertext: &Ciphertext,
        ) -> Result<SharedSecret, Error> {
            DecapsulationKey::decapsulate_encoded_on(key, ciphertext, Backend::best())
        }

        impl DecapsulateOn for DecapsulationKey {
            type Ciphertext = Ciphertext;

            fn decapsulate_encoded_on(
                key: &Self::Bytes,
                ciphertext: &Ciphertext,
                backend: Backend,
            ) -> Result<SharedSecret, Error> {
                let mut again = [0; CIPHERTEXT_LEN];
                let [secret] = encapsulate::decapsulate_encoded::<1>(
                    $k,
                    backend,
                    [key],
                    [ciphertext],
                    [&mut again[..]],
                );
                secret.map(SharedSecret)
            }
        }
    };
}
pub(super) use encoded;
