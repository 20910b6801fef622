//! Private keys and batches, as users see them.

/// Items that a batch does side by side: as many as Keccak has lanes.
pub(super) const MANY: usize = 8;

/// Signatures of a batch that are attempted at once: as many as fit into a cache.
pub(super) const AT_ONCE: usize = 4;

/// The functions of a parameter set.
macro_rules! signing {
    (k: $k:literal, l: $l:literal, attempts: $attempts:literal, sk: $sk:literal) => {
        use crate::are_alike;
        use crate::ml_dsa::signing::{AT_ONCE, MANY};
        use adamant_base::family::Signer;
        use adamant_base::hazmat::FromSeedOn;
        use adamant_base::{Rng, Secret, same_length};
        use alloc::vec::Vec;

        /// Bytes of a private key in its expanded form.
        pub const PRIVATE_KEY_LEN: usize = $sk;

        const _: () = assert!(PARAMETERS.private_len() == PRIVATE_KEY_LEN);

        /// A private key, with its public key.
        #[derive(Clone)]
        pub struct PrivateKey(private::Private);

        crate::message::signing!();
        adamant_base::try_from_slice!(PrivateKey);

        impl PrivateKey {
            /// A new key from 32 random bytes.
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                Self::generate_on(rng, Backend::best())
            }

            /// The key of a seed ξ (algorithm 6); all seeds are good.
            #[inline]
            #[must_use]
            pub fn from_seed(seed: &[u8; 32]) -> Self {
                Self::from_seed_on(seed, Backend::best())
            }

            #[doc = concat!("Reads the ", stringify!($sk), " bytes of the expanded form.")]
            ///
            /// # Errors
            /// [`Error::BadPrivateKey`] for coefficients out of their range, and where the
            /// parts that follow from others do not.
            #[inline]
            pub fn from_bytes(bytes: &[u8; PRIVATE_KEY_LEN]) -> Result<Self, Error> {
                Self::from_bytes_on(bytes, Backend::best())
            }

            /// The expanded form.
            #[must_use]
            pub fn to_bytes(&self) -> Secret<[u8; PRIVATE_KEY_LEN]> {
                let mut bytes = Secret::new([0; PRIVATE_KEY_LEN]);
                self.0.write(&mut *bytes);
                bytes
            }

            /// The seed, where the key came from one.
            #[inline]
            #[must_use]
            pub fn seed(&self) -> Option<Secret<[u8; 32]>> {
                self.0.seed()
            }

            /// Keeps from now on what follows from the bytes of the key, the matrix and the
            /// transforms, so that signing again costs less. Keys that were read, or generated
            /// alone, do so from the beginning.
            pub fn expand(&mut self) {
                self.0 = self.0.expanded();
            }

            /// The public key. It shares the matrix; the rest of what verification needs is
            /// computed here.
            #[must_use]
            pub fn public_key(&self) -> PublicKey {
                PublicKey(keys::Verifier::new(Shared::clone(&self.0.public)))
            }

            /// The pair-wise consistency test: signs a message, which the public key has to
            /// verify, as others read it.
            ///
            /// # Errors
            /// [`Error::BadPrivateKey`] where the halves do not fit.
            pub fn check_pair(&self) -> Result<(), Error> {
                // The hash of the public key is computed anew: with the one that the private key
                // signs with, some public keys would pass that are a bit off.
                let bytes = self.public_key().to_bytes();
                let public = PublicKey::read(&bytes, self.0.public.backend);
                let message = b"pair-wise consistency";
                let verified = public.verify(message, &self.sign(message));
                verified.map_err(|_| Error::BadPrivateKey)
            }

            fn sign_message(&self, message: Message, rnd: &[u8; 32]) -> Signature {
                let mut signature = Signature([0; SIGNATURE_LEN]);
                let key = &self.0;
                let item = sign::Item { key, message, rnd };
                sign::sign::<$k, $l, $attempts>(&[item], &mut [&mut signature.0]);
                signature
            }

            fn sign_hedged_message(
                &self,
                message: Message,
                rng: &mut impl Rng,
            ) -> Result<Signature, Error> {
                let mut rnd = Secret::new([0; 32]);
                rng.fill(&mut *rnd)?;
                Ok(self.sign_message(message, &rnd))
            }

            /// Signs `message` deterministically, with an empty context.
            #[inline]
            #[must_use]
            pub fn sign(&self, message: &[u8]) -> Signature {
                self.sign_message(plain(message), &[0; 32])
            }

            /// Signs `message` deterministically (algorithm 2).
            ///
            /// # Errors
            /// [`Error::BadParameter`] for a context of more than 255 bytes.
            #[inline]
            pub fn sign_with_context(
                &self,
                message: &[u8],
                context: &[u8],
            ) -> Result<Signature, Error> {
                Ok(self.sign_message(super::message(0, context, message)?, &[0; 32]))
            }

            /// Signs `message` with fresh randomness, which keeps faults and side channels
            /// from seeing the same computation twice, with an empty context.
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn sign_hedged(
                &self,
                message: &[u8],
                rng: &mut impl Rng,
            ) -> Result<Signature, Error> {
                self.sign_hedged_with_context(message, b"", rng)
            }

            /// Signs `message` with fresh randomness (algorithm 2).
            ///
            /// # Errors
            /// [`Error::BadParameter`] for a context of more than 255 bytes;
            /// [`Error::NoEntropy`] from the generator.
            pub fn sign_hedged_with_context(
                &self,
                message: &[u8],
                context: &[u8],
                rng: &mut impl Rng,
            ) -> Result<Signature, Error> {
                self.sign_hedged_message(super::message(0, context, message)?, rng)
            }

            /// Signs the digest of a message deterministically (HashML-DSA, algorithm 4).
            ///
            /// # Errors
            /// [`Error::BadLength`] for a digest of another length than the function's;
            /// [`Error::BadParameter`] for a context of more than 255 bytes.
            #[inline]
            pub fn sign_prehashed(
                &self,
                digest: &[u8],
                hash: PreHash,
                context: &[u8],
            ) -> Result<Signature, Error> {
                let encoded = hash.encode(digest)?;
                Ok(self.sign_message(super::message(1, context, &encoded)?, &[0; 32]))
            }

            /// As [`Self::sign_prehashed`], with fresh randomness.
            ///
            /// # Errors
            /// As there; [`Error::NoEntropy`] from the generator.
            pub fn sign_hedged_prehashed(
                &self,
                digest: &[u8],
                hash: PreHash,
                context: &[u8],
                rng: &mut impl Rng,
            ) -> Result<Signature, Error> {
                let encoded = hash.encode(digest)?;
                self.sign_hedged_message(super::message(1, context, &encoded)?, rng)
            }

            /// Signs the representative μ of a message, which was computed elsewhere from the
            /// hash of the public key, deterministically (algorithm 7).
            #[inline]
            #[must_use]
            pub fn sign_mu(&self, mu: &[u8; 64]) -> Signature {
                self.sign_message(Message::Mu(mu), &[0; 32])
            }

            /// As [`Self::sign_mu`], with fresh randomness.
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn sign_hedged_mu(
                &self,
                mu: &[u8; 64],
                rng: &mut impl Rng,
            ) -> Result<Signature, Error> {
                self.sign_hedged_message(Message::Mu(mu), rng)
            }
        }

        impl FromSeedOn<Backend> for PrivateKey {
            type Seed = [u8; 32];

            fn from_seed_on(seed: &Self::Seed, backend: Backend) -> Self {
                Self(keygen::keygen_one(&PARAMETERS, backend, seed))
            }
        }

        impl FromBytesOn<Backend> for PrivateKey {
            type Bytes = [u8; PRIVATE_KEY_LEN];

            fn from_bytes_on(bytes: &Self::Bytes, backend: Backend) -> Result<Self, Error> {
                private::Private::from_bytes(&PARAMETERS, bytes, backend).map(Self)
            }
        }

        #[test]
        fn halves_of_two_keys_do_not_fit() {
            let [mut key, other] = [7, 8].map(|byte| PrivateKey::from_seed(&[byte; 32]));
            key.0.public = other.0.public;
            assert_eq!(key.check_pair(), Err(Error::BadPrivateKey));
            assert_eq!(Signer::check_pair(&key), Err(Error::BadPrivateKey));
        }

        /// The slightest change of a public key, which often leaves the high bits as they are.
        #[test]
        fn a_public_key_with_a_fault_does_not_fit() {
            for byte in 0..20 {
                let mut key = PrivateKey::from_seed(&[byte; 32]);
                Shared::make_mut(&mut key.0.public).t1_bytes[0][0] ^= 1;
                assert_eq!(key.check_pair(), Err(Error::BadPrivateKey), "{byte}");
            }
        }

        /// Makes `count` keys: those that [`PrivateKey::generate`] would make one after the
        /// other from the same generator. They do not keep what follows from their bytes,
        /// unless they are asked to ([`PrivateKey::expand`]).
        ///
        /// # Errors
        /// [`Error::NoEntropy`] from the generator.
        pub fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<PrivateKey>, Error> {
            let mut keys = Vec::with_capacity(count);
            let mut seeds = Secret::new([[0; 32]; MANY]);
            let many = MANY.min(count);
            let (mut matrices, mut vectors) = keygen::rooms(&PARAMETERS, many);
            while keys.len() < count {
                if count - keys.len() < MANY {
                    keys.push(PrivateKey::generate(rng)?);
                    continue;
                }
                for seed in &mut *seeds {
                    rng.fill(seed)?;
                }
                let eight = keygen::keygen::<MANY>(
                    &PARAMETERS,
                    Backend::best(),
                    seeds.each_ref(),
                    &mut matrices,
                    &mut vectors,
                );
                keys.extend(eight.into_iter().map(PrivateKey));
            }
            Ok(keys)
        }

        /// As [`sign_batch`], to memory of the caller's: `out[i]` is the signature of `items[i]`.
        ///
        /// # Errors
        /// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then
        /// untouched.
        #[cfg_attr(not(feature = "lab"), inline)]
        pub fn sign_batch_into(
            items: &[(&PrivateKey, &[u8])],
            out: &mut [Signature],
        ) -> Result<(), Error> {
            same_length(items.len(), out.len())?;
            if !are_alike(items.iter().map(|(key, _)| key.0.public.backend)) {
                for ((key, message), signature) in items.iter().zip(out) {
                    *signature = key.sign(message);
                }
                return Ok(());
            }
            let zeros = &[0; 32];
            let items: Vec<_> = items
                .iter()
                .map(|(key, message)| sign::Item {
                    key: &key.0,
                    message: plain(message),
                    rnd: zeros,
                })
                .collect();
            let mut places: Vec<_> = out.iter_mut().map(|s| &mut s.0[..]).collect();
            sign::sign::<$k, $l, AT_ONCE>(&items, &mut places);
            Ok(())
        }

        /// As [`verify_batch`], to memory of the caller's: `out[i]` is what `items[i]` gives.
        ///
        /// # Errors
        /// [`Error::BadLength`] when `items` and `out` differ in length; `out` is then
        /// untouched.
        #[cfg_attr(not(feature = "lab"), inline)]
        pub fn verify_batch_into(
            items: &[(&PublicKey, &[u8], &Signature)],
            out: &mut [Result<(), Error>],
        ) -> Result<(), Error> {
            same_length(items.len(), out.len())?;
            let (eights, rest) = items.as_chunks::<MANY>();
            let (places, last) = out.as_chunks_mut::<MANY>();
            for (items, out) in eights.iter().zip(places) {
                if !are_alike(items.iter().map(|(key, _, _)| key.0.public.backend)) {
                    for ((key, message, signature), result) in items.iter().zip(out) {
                        *result = key.verify(message, signature);
                    }
                    continue;
                }
                let valid = verify::verify::<$k, $l, MANY>(
                    items.map(|(key, _, _)| &key.0),
                    items.map(|(_, message, _)| plain(message)),
                    items.map(|(_, _, signature)| &signature.0[..]),
                );
                *out = valid.map(|valid| valid.then_some(()).ok_or(Error::BadSignature));
            }
            for ((key, message, signature), result) in rest.iter().zip(last) {
                *result = key.verify(message, signature);
            }
            Ok(())
        }
    };
}
pub(super) use signing;
