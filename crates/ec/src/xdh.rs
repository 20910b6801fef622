//! What X25519 and X448 have in common (RFC 7748): keys, and agreement.

/// Makes them in a module, given its name and the bytes of a key. It builds on what the module has:
/// `Backend`; `clamp(bytes)`, the scalar of a private key; `multiple(backend, bytes)`, the
/// u-coordinate of its multiple of the base point; `generate_batch` and `agree_batch_into`.
macro_rules! xdh {
    ($module:literal $key:literal $(#[$of_public:meta])*) => {
        use adamant_base::family::KeyAgreement;
        use adamant_base::hazmat::FromSeedOn;
        use adamant_base::{Error, Rng, Secret, ct, same_length};
        #[cfg(feature = "alloc")]
        use alloc::vec::Vec;

        /// Items that a batch takes at once.
        const CHUNK: usize = 64;

        /// A private key, with its public key.
        #[derive(Clone)]
        pub struct PrivateKey {
            bytes: Secret<[u8; $key]>,
            public: PublicKey,
            backend: Backend,
        }

        $(#[$of_public])*
        ///
        /// ```
        #[doc = concat!("use adamant_ec::", $module, "::PublicKey;")]
        #[doc = concat!("let nine = PublicKey::from_bytes(&[9; ", $key, "]);")]
        #[doc = concat!("assert_eq!(nine.to_bytes(), [9; ", $key, "]);")]
        #[doc = concat!("assert_eq!(PublicKey::try_from(&[9; ", $key, "][..]), Ok(nine));")]
        #[doc = concat!("assert!(PublicKey::try_from(&[9; ", $key, " - 1][..]).is_err());")]
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct PublicKey([u8; $key]);

        /// The secret, unless it is zero.
        fn checked(shared: Secret<[u8; $key]>) -> Result<Secret<[u8; $key]>, Error> {
            // Public: clamped scalars all take the points of small order to zero, and, but for 4l on
            // curve448, which nobody has, no others: so it tells about the peer only.
            if ct::eq(&*shared, &[0; $key]).declassify() {
                return Err(Error::WeakSharedSecret);
            }
            Ok(shared)
        }

        impl PrivateKey {
            #[doc = concat!("A new key from ", $key, " random bytes.")]
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                Self::generate_on(rng, Backend::best())
            }

            #[doc = concat!("The key of these ", $key, " bytes; all are keys. Computes the public key:")]
            /// one multiplication of the base point.
            ///
            /// ```
            #[doc = concat!("# use adamant_ec::", $module, "::PrivateKey;")]
            #[doc = concat!("let key = PrivateKey::from_bytes(&[7; ", $key, "]);")]
            #[doc = concat!("assert_eq!(*key.to_bytes(), [7; ", $key, "]);")]
            /// ```
            #[must_use]
            pub fn from_bytes(bytes: &[u8; $key]) -> Self {
                Self::from_seed_on(bytes, Backend::best())
            }

            fn from_parts(bytes: &[u8; $key], mut public: [u8; $key], backend: Backend) -> Self {
                ct::mark_public_value(&mut public); // It is to be published.
                PrivateKey {
                    bytes: Secret::new(*bytes),
                    public: PublicKey(public),
                    backend,
                }
            }

            /// The same key on the given implementation.
            #[must_use]
            pub fn with_backend(mut self, backend: Backend) -> Self {
                self.backend = backend;
                self
            }

            #[doc = concat!("The ", $key, " bytes as they came in, not clamped.")]
            #[must_use]
            pub fn to_bytes(&self) -> Secret<[u8; $key]> {
                self.bytes.clone()
            }

            /// The public key.
            #[must_use]
            pub fn public_key(&self) -> PublicKey {
                self.public
            }

            /// The secret shared with `peer`.
            ///
            /// # Errors
            /// [`Error::WeakSharedSecret`] when it is zero: `peer` is a point of small order, and the
            /// result would be the same for every private key.
            pub fn agree(&self, peer: &PublicKey) -> Result<Secret<[u8; $key]>, Error> {
                let scalar = clamp(&self.bytes);
                checked(Secret::new(self.backend.ladder(&scalar, &peer.0)))
            }

            /// The pair-wise consistency test: computes the public key anew (SP 800-56A Rev. 3,
            /// 5.6.2.1.4).
            ///
            /// ```
            #[doc = concat!("# use adamant_ec::", $module, "::PrivateKey;")]
            #[doc = concat!("assert!(PrivateKey::from_bytes(&[7; ", $key, "]).check_pair().is_ok());")]
            /// ```
            ///
            /// # Errors
            /// [`Error::BadPrivateKey`] where it is another one.
            pub fn check_pair(&self) -> Result<(), Error> {
                let again = Self::from_seed_on(&self.bytes, self.backend);
                if again.public == self.public {
                    Ok(())
                } else {
                    Err(Error::BadPrivateKey)
                }
            }
        }

        impl FromSeedOn<Backend> for PrivateKey {
            type Seed = [u8; $key];

            fn from_seed_on(seed: &Self::Seed, backend: Backend) -> Self {
                Self::from_parts(seed, multiple(backend, seed), backend)
            }
        }

        impl PublicKey {
            #[doc = concat!("The key of these ", $key, " bytes; `try_from` reads them in a slice.")]
            #[must_use]
            pub const fn from_bytes(bytes: &[u8; $key]) -> Self {
                PublicKey(*bytes)
            }

            #[doc = concat!("The ", $key, " bytes.")]
            #[must_use]
            pub fn to_bytes(&self) -> [u8; $key] {
                self.0
            }
        }

        adamant_base::try_from_slice!(PrivateKey(all), PublicKey(all));

        #[test]
        fn halves_of_two_keys_do_not_fit() {
            let [mut key, other] = [7, 8].map(|byte| PrivateKey::from_bytes(&[byte; $key]));
            key.public = other.public;
            assert_eq!(key.check_pair(), Err(Error::BadPrivateKey));
            assert_eq!(KeyAgreement::check_pair(&key), Err(Error::BadPrivateKey));
        }

        impl AsRef<[u8]> for PublicKey {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }

        impl KeyAgreement for PrivateKey {
            type PublicKey = PublicKey;
            type SharedSecret = [u8; $key];

            fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                PrivateKey::generate(rng)
            }
            fn public_key(&self) -> PublicKey {
                self.public
            }
            fn agree(&self, peer: &PublicKey) -> Result<Secret<[u8; $key]>, Error> {
                PrivateKey::agree(self, peer)
            }
            fn check_pair(&self) -> Result<(), Error> {
                PrivateKey::check_pair(self)
            }
            #[cfg(feature = "alloc")]
            fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<Self>, Error> {
                generate_batch(count, rng)
            }
            #[cfg(feature = "alloc")]
            #[cfg_attr(not(feature = "lab"), inline)]
            fn agree_batch(
                items: &[(&Self, &PublicKey)],
            ) -> Vec<Result<Secret<[u8; $key]>, Error>> {
                agree_batch(items)
            }
        }

        /// [`PrivateKey::agree`] for many pairs. The implementation is that of the first key.
        #[cfg(feature = "alloc")]
        #[cfg_attr(not(feature = "lab"), inline)]
        #[must_use]
        pub fn agree_batch(
            items: &[(&PrivateKey, &PublicKey)],
        ) -> Vec<Result<Secret<[u8; $key]>, Error>> {
            let mut out: Vec<_> = items.iter().map(|_| Err(Error::BadPublicKey)).collect();
            agree_batch_into(items, &mut out).expect("as many places");
            out
        }
    };
}
pub(crate) use xdh;
