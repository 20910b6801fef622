//! Many items at once.

/// The functions of a parameter set, given its module and k.
macro_rules! batch {
    ($module:ident, k: $k:literal) => {
        use crate::are_alike;
        use adamant_base::same_length;

        /// Makes `count` keys: those that [`DecapsulationKey::generate`] would make one after
        /// the other from the same generator. They do not keep their matrices, unless they
        /// are asked to ([`DecapsulationKey::expand`]).
        ///
        /// # Errors
        /// [`Error::NoEntropy`] from the generator.
        pub fn generate_batch(
            count: usize,
            rng: &mut impl Rng,
        ) -> Result<Vec<DecapsulationKey>, Error> {
            let mut keys = Vec::with_capacity(count);
            let mut seeds = Secret::new([[0; 64]; MANY]);
            let mut room = alloc::vec![poly::Poly::ZERO; MANY * matrix::polys($k)];
            while keys.len() < count {
                if count - keys.len() < MANY {
                    keys.push(DecapsulationKey::generate(rng)?);
                    continue;
                }
                for seed in &mut *seeds {
                    rng.fill(seed)?;
                }
                let eight =
                    keygen::keygen::<MANY>($k, Backend::best(), seeds.each_ref(), &mut room);
                keys.extend(eight.into_iter().map(DecapsulationKey));
            }
            Ok(keys)
        }

        /// What a batch writes over.
        fn place() -> (Ciphertext, SharedSecret) {
            ([0; CIPHERTEXT_LEN], SharedSecret::zero())
        }

        /// [`EncapsulationKey::encapsulate`] for many keys, which may be one key many times:
        /// what it would give one after the other from the same generator.
        ///
        /// ```
        #[doc = concat!("use adamant_pq::", stringify!($module), "::{encapsulate_batch, generate_batch};")]
        /// # let mut rng = adamant_testkit::TestRng::new(1); // SystemRng or FastRng in a program
        /// let keys = generate_batch(2, &mut rng)?;
        /// let public = [keys[0].encapsulation_key(), keys[1].encapsulation_key()];
        /// let sent = encapsulate_batch(&[&public[0], &public[1]], &mut rng);
        /// for (key, sent) in keys.iter().zip(sent) {
        ///     let (ciphertext, secret) = sent?;
        ///     assert_eq!(key.decapsulate(&ciphertext).as_ref(), secret.as_ref());
        /// }
        /// # Ok::<(), adamant_base::Error>(())
        /// ```
        #[must_use]
        pub fn encapsulate_batch(
            keys: &[&EncapsulationKey],
            rng: &mut impl Rng,
        ) -> Vec<Result<(Ciphertext, SharedSecret), Error>> {
            let mut out: Vec<_> = keys.iter().map(|_| Err(Error::NoEntropy)).collect();
            encapsulate_batch_into(keys, &mut out, rng).expect("as many places");
            out
        }

        /// As [`encapsulate_batch`], to memory of the caller's: `out[i]` is for `keys[i]`.
        ///
        /// # Errors
        /// [`Error::BadLength`] when `keys` and `out` differ in length; `out` is then
        /// untouched.
        pub fn encapsulate_batch_into(
            keys: &[&EncapsulationKey],
            out: &mut [Result<(Ciphertext, SharedSecret), Error>],
            rng: &mut impl Rng,
        ) -> Result<(), Error> {
            same_length(keys.len(), out.len())?;
            let mut m = Secret::new([[0; 32]; MANY]);
            for (keys, out) in keys.chunks(MANY).zip(out.chunks_mut(MANY)) {
                for (m, out) in m.iter_mut().zip(&mut *out) {
                    match rng.fill(m) {
                        Err(error) => *out = Err(error),
                        Ok(()) if out.is_err() => *out = Ok(place()),
                        Ok(()) => {}
                    }
                }
                let mut places: Vec<_> = out.iter_mut().flatten().collect();
                if let (Ok(keys), Ok(places)) = (
                    <[&EncapsulationKey; MANY]>::try_from(keys),
                    <&mut [&mut (Ciphertext, SharedSecret); MANY]>::try_from(&mut places[..]),
                ) && are_alike(keys.iter().map(|key| key.0.backend))
                {
                    let places = places.each_mut().map(|(c, s)| (&mut *s.0, &mut c[..]));
                    encapsulate::encapsulate::<MANY>(
                        keys.map(|key| &key.0),
                        m.each_ref(),
                        places,
                    );
                    continue;
                }
                for ((key, m), out) in keys.iter().zip(&*m).zip(out) {
                    if let Ok(place) = out {
                        *place = key.encapsulate_deterministic(m);
                    }
                }
            }
            Ok(())
        }

        /// [`DecapsulationKey::decapsulate`] for many ciphertexts: the secret of each item.
        #[cfg_attr(not(feature = "lab"), inline)]
        #[must_use]
        pub fn decapsulate_batch(
            items: &[(&DecapsulationKey, &Ciphertext)],
        ) -> Vec<SharedSecret> {
            let mut out: Vec<_> = items.iter().map(|_| SharedSecret::zero()).collect();
            decapsulate_batch_into(items, &mut out).expect("as many places");
            out
        }

        /// As [`decapsulate_batch`], to memory of the caller's: `out[i]` is the secret of
        /// `items[i]`.
        ///
        /// # Errors
        /// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then
        /// untouched.
        #[cfg_attr(not(feature = "lab"), inline)]
        pub fn decapsulate_batch_into(
            items: &[(&DecapsulationKey, &Ciphertext)],
            out: &mut [SharedSecret],
        ) -> Result<(), Error> {
            same_length(items.len(), out.len())?;
            let (eights, rest) = items.as_chunks::<MANY>();
            let (places, last) = out.as_chunks_mut::<MANY>();
            for (items, out) in eights.iter().zip(places) {
                if !are_alike(items.iter().map(|(key, _)| key.0.public.backend)) {
                    for ((key, c), secret) in items.iter().zip(out) {
                        *secret = key.decapsulate(c);
                    }
                    continue;
                }
                let mut again = [[0; CIPHERTEXT_LEN]; MANY];
                encapsulate::decapsulate::<MANY>(
                    items.map(|(key, _)| &key.0),
                    items.map(|(_, c)| &c[..]),
                    out.each_mut().map(|secret| &mut *secret.0),
                    again.each_mut().map(|c| &mut c[..]),
                    None,
                );
            }
            for ((key, c), secret) in rest.iter().zip(last) {
                *secret = key.decapsulate(c);
            }
            Ok(())
        }

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
pub(super) use batch;
