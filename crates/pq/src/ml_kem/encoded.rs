//! Keys that are used once, as they travel: nothing of them is kept.

/// The functions of a parameter set, given k.
macro_rules! encoded {
    ($k:literal) => {
        /// [`EncapsulationKey::from_bytes`] and [`EncapsulationKey::encapsulate`] for many keys
        /// that are used once: what these would give one after the other from the same
        /// generator. Nothing of a key is kept.
        #[must_use]
        pub fn encapsulate_encoded_batch(
            keys: &[&[u8; ENCAPSULATION_KEY_LEN]],
            rng: &mut impl Rng,
        ) -> Vec<Result<(Ciphertext, SharedSecret), Error>> {
            let mut out: Vec<_> = keys.iter().map(|_| Err(Error::BadPublicKey)).collect();
            encapsulate_encoded_batch_into(keys, &mut out, rng).expect("as many places");
            out
        }

        /// As [`encapsulate_encoded_batch`], to memory of the caller's: `out[i]` is for `keys[i]`.
        ///
        /// # Errors
        /// [`Error::BadLength`] when `keys` and `out` differ in length; `out` is then
        /// untouched.
        pub fn encapsulate_encoded_batch_into(
            keys: &[&[u8; ENCAPSULATION_KEY_LEN]],
            out: &mut [Result<(Ciphertext, SharedSecret), Error>],
            rng: &mut impl Rng,
        ) -> Result<(), Error> {
            same_length(keys.len(), out.len())?;
            let backend = Backend::best();
            let (eights, rest) = keys.as_chunks::<MANY>();
            let (places, last) = out.as_chunks_mut::<MANY>();
            for (keys, out) in eights.iter().zip(places) {
                let keys = keys.map(|key| &key[..]);
                let none = &mut ::core::iter::empty();
                let keys = keys::Public::read($k, keys, backend, none);
                let keys = keys.map(|key| key.map(EncapsulationKey));
                let good: Vec<_> = keys.iter().flatten().collect();
                let mut results = encapsulate_batch(&good, rng).into_iter();
                for (key, out) in keys.iter().zip(out) {
                    *out = match key {
                        Ok(_) => results.next().expect("one for each good key"),
                        Err(error) => Err(*error),
                    };
                }
            }
            for (key, out) in rest.iter().zip(last) {
                *out = EncapsulationKey::from_bytes(key).and_then(|key| key.encapsulate(rng));
            }
            Ok(())
        }

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

        /// [`decapsulate_encoded`] for many keys and ciphertexts: what each item gives.
        #[cfg_attr(not(feature = "lab"), inline)]
        #[must_use]
        pub fn decapsulate_encoded_batch(
            items: &[(&[u8; DECAPSULATION_KEY_LEN], &Ciphertext)],
        ) -> Vec<Result<SharedSecret, Error>> {
            let mut out: Vec<_> = items.iter().map(|_| Err(Error::BadPrivateKey)).collect();
            decapsulate_encoded_batch_into(items, &mut out).expect("as many places");
            out
        }

        /// As [`decapsulate_encoded_batch`], to memory of the caller's: `out[i]` is what
        /// `items[i]` give.
        ///
        /// # Errors
        /// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then
        /// untouched.
        #[cfg_attr(not(feature = "lab"), inline)]
        pub fn decapsulate_encoded_batch_into(
            items: &[(&[u8; DECAPSULATION_KEY_LEN], &Ciphertext)],
            out: &mut [Result<SharedSecret, Error>],
        ) -> Result<(), Error> {
            same_length(items.len(), out.len())?;
            let (eights, rest) = items.as_chunks::<MANY>();
            let (places, last) = out.as_chunks_mut::<MANY>();
            for (items, out) in eights.iter().zip(places) {
                let mut again = [[0; CIPHERTEXT_LEN]; MANY];
                let secrets = encapsulate::decapsulate_encoded::<MANY>(
                    $k,
                    Backend::best(),
                    items.map(|(key, _)| &key[..]),
                    items.map(|(_, c)| &c[..]),
                    again.each_mut().map(|c| &mut c[..]),
                );
                *out = secrets.map(|secret| secret.map(SharedSecret));
            }
            for ((key, c), out) in rest.iter().zip(last) {
                *out = decapsulate_encoded(key, c);
            }
            Ok(())
        }
    };
}
pub(super) use encoded;
