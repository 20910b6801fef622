//! Common to Ed25519 and Ed448 (RFC 8032): keys, signatures, contexts, and the steps of
//! signing.

/// Makes them in a module, given its name, the section of RFC 8032, the bytes of a key, of a
/// signature and of a block of the hash, and how many points are of small order. It builds on what
/// the module has:
///
/// | name | is |
/// |---|---|
/// | `Affine`, `Backend`, `Scalar` | points, implementations, and numbers modulo the order |
/// | `TAG`, `PURE` | what dom2 or dom4 begins with, and its two bytes for signatures without a context, if these have it |
/// | `hash(domain, parts)` | the hash of lists of strings, as long as a signature |
/// | `secret(half)` | the secret scalar that the first half of a seed's hash is made |
/// | `multiple(backend, scalar)` | the multiple of the base point |
/// | `FromBytesOn` of `PublicKey`, `PublicKey::verify_in` | decoding and verification |
/// | `generate_batch`, `sign_batch`, `verify_batch` | batches |
macro_rules! eddsa {
    ($module:literal $section:literal $key:literal $signature:literal $block:literal) => {
        use adamant_base::family::{Signer, Verifier};
        use adamant_base::hazmat::{FromBytesOn, FromSeedOn};
        use adamant_base::{Error, Rng, Secret, ct};
        #[cfg(feature = "alloc")]
        use alloc::vec::Vec;
        use core::fmt;

        /// A private key, with its public key.
        #[derive(Clone)]
        pub struct PrivateKey {
            seed: Secret<[u8; $key]>,
            /// The secret scalar, mod l.
            scalar: Secret<Scalar>,
            /// What the nonces are derived from.
            prefix: Secret<[u8; $key]>,
            public: PublicKey,
        }

        /// A public key: a point of the curve.
        #[derive(Clone, Copy)]
        pub struct PublicKey {
            bytes: [u8; $key],
            point: Affine,
            backend: Backend,
        }

        /// A signature: the encoding of a point R, not yet decoded, and a number S below l.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Signature([u8; $signature]);

        /// What a signature is bound to besides its message (RFC 8032, section 2): the bytes after the
        /// tag, and the context.
        #[derive(Clone, Copy)]
        struct Domain<'a> {
            flags: Option<[u8; 2]>,
            context: &'a [u8],
        }

        impl<'a> Domain<'a> {
            const PURE: Domain<'static> = Domain {
                flags: PURE,
                context: &[],
            };

            /// # Errors
            /// [`Error::BadParameter`] for a context of more than 255 bytes.
            fn new(prehashed: bool, context: &'a [u8]) -> Result<Self, Error> {
                let length = u8::try_from(context.len());
                let length = length.map_err(|_| Error::BadParameter("context"))?;
                let flags = Some([u8::from(prehashed), length]);
                Ok(Domain { flags, context })
            }

            /// What both hashes of a signature begin with.
            fn parts(&self) -> [&[u8]; 3] {
                match &self.flags {
                    Some(flags) => [TAG, flags, self.context],
                    None => [&[]; 3],
                }
            }

            #[inline(never)]
            fn hash(&self, parts: &[&[u8]]) -> [u8; $signature] {
                hash(&self.parts(), parts)
            }
        }

        impl PrivateKey {
            #[doc = concat!("A new key from ", $key, " random bytes.")]
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                Self::generate_on(rng, Backend::best())
            }

            #[doc = concat!("The key of a seed (RFC 8032, section ", $section, ".5, where the seed is")]
            /// called the private key); all seeds are good. Computes the public key: one multiplication
            /// of the base point.
            ///
            /// ```
            #[doc = concat!("# use adamant_ec::", $module, "::PrivateKey;")]
            #[doc = concat!("let key = PrivateKey::from_seed(&[7; ", $key, "]);")]
            #[doc = concat!("assert_eq!(*key.seed(), [7; ", $key, "]);")]
            /// ```
            #[must_use]
            pub fn from_seed(seed: &[u8; $key]) -> Self {
                Self::from_seed_on(seed, Backend::best())
            }

            /// The key of a seed, given its hash, what the first half of it is made, and the public
            /// key.
            fn from_parts(
                seed: &[u8; $key],
                expanded: &[u8; $signature],
                scalar: Secret<Scalar>,
                mut point: Affine,
                backend: Backend,
            ) -> Self {
                ct::mark_public_value(&mut point); // It is to be published.
                PrivateKey {
                    seed: Secret::new(*seed),
                    scalar,
                    prefix: Secret::new(expanded.as_chunks().0[1]),
                    public: PublicKey {
                        bytes: point.compress(),
                        point,
                        backend,
                    },
                }
            }

            /// The same key on the given implementation.
            #[must_use]
            pub fn with_backend(mut self, backend: Backend) -> Self {
                self.public.backend = backend;
                self
            }

            /// The seed that the key comes from.
            #[must_use]
            pub fn seed(&self) -> Secret<[u8; $key]> {
                self.seed.clone()
            }

            /// The public key.
            #[must_use]
            pub fn public_key(&self) -> PublicKey {
                self.public
            }

            #[doc = concat!("Signs `message` without a context (RFC 8032, section ", $section, ".6).")]
            /// The same message gives the same signature.
            #[must_use]
            pub fn sign(&self, message: &[u8]) -> Signature {
                self.sign_in(&Domain::PURE, &[], message)
            }

            #[doc = concat!("As [`PrivateKey::sign`], with ", $key, " fresh random bytes in the nonce")]
            /// besides the key and the message: a fault in one of two computations of the same
            /// signature, or a side channel over many, then tells less, and a weak generator does no
            /// harm. The signature verifies like any other. The nonce is the hash of what the hashes of
            /// the scheme begin with, the random bytes, the prefix, zeros up to a whole block of
            #[doc = concat!($block, " bytes, and the message (draft-irtf-cfrg-det-sigs-with-noise).")]
            ///
            /// # Errors
            /// [`Error::NoEntropy`] from the generator.
            pub fn sign_hedged(
                &self,
                message: &[u8],
                rng: &mut impl Rng,
            ) -> Result<Signature, Error> {
                self.sign_hedged_in(&Domain::PURE, message, rng)
            }

            /// As [`PrivateKey::sign_hedged`], in a context.
            ///
            /// # Errors
            /// [`Error::BadParameter`] for a context of more than 255 bytes; [`Error::NoEntropy`] from the
            /// generator.
            pub fn sign_hedged_with_context(
                &self,
                message: &[u8],
                context: &[u8],
                rng: &mut impl Rng,
            ) -> Result<Signature, Error> {
                self.sign_hedged_in(&Domain::new(false, context)?, message, rng)
            }

            /// As [`PrivateKey::sign_prehashed`], with fresh random bytes in the nonce as those of
            /// [`PrivateKey::sign_hedged`].
            ///
            /// ```
            #[doc = concat!("# use adamant_ec::", $module, "::PrivateKey;")]
            /// # let mut rng = adamant_testkit::TestRng::new(1); // SystemRng or FastRng in a program
            #[doc = concat!("let key = PrivateKey::from_seed(&[7; ", $key, "]);")]
            /// let digest = [9; 64]; // of a long message
            /// let signature = key.sign_hedged_prehashed(&digest, b"", &mut rng)?;
            /// key.public_key().verify_prehashed(&digest, b"", &signature)?;
            /// # Ok::<(), adamant_base::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::BadParameter`] for a context of more than 255 bytes; [`Error::NoEntropy`] from the
            /// generator.
            pub fn sign_hedged_prehashed(
                &self,
                digest: &[u8; 64],
                context: &[u8],
                rng: &mut impl Rng,
            ) -> Result<Signature, Error> {
                self.sign_hedged_in(&Domain::new(true, context)?, digest, rng)
            }

            fn sign_hedged_in(
                &self,
                domain: &Domain<'_>,
                message: &[u8],
                rng: &mut impl Rng,
            ) -> Result<Signature, Error> {
                let mut random = Secret::new([0; $key]);
                rng.fill(&mut *random)?;
                Ok(self.sign_in(domain, &*random, message))
            }

            /// The pair-wise consistency test: computes the public key anew, and signs a message,
            /// which it has to verify.
            ///
            /// ```
            #[doc = concat!("# use adamant_ec::", $module, "::PrivateKey;")]
            #[doc = concat!("assert!(PrivateKey::from_seed(&[7; ", $key, "]).check_pair().is_ok());")]
            /// ```
            ///
            /// # Errors
            /// [`Error::BadPrivateKey`] where the halves do not fit.
            pub fn check_pair(&self) -> Result<(), Error> {
                // To verify is not enough: the cofactor takes points of small order away.
                let again = Self::from_seed_on(&self.seed, self.public.backend);
                if again.public != self.public {
                    return Err(Error::BadPrivateKey);
                }
                let message = b"pair-wise consistency";
                let verified = self.public.verify(message, &self.sign(message));
                verified.map_err(|_| Error::BadPrivateKey)
            }

            /// The nonce. Not inlined: hashing and multiplication take the same stack, one after the
            /// other.
            #[inline(never)]
            fn nonce(&self, domain: &Domain<'_>, random: &[u8], message: &[u8]) -> Secret<Scalar> {
                let before: usize = domain.parts().iter().map(|part| part.len()).sum();
                let filled = before + random.len() + $key;
                let zeros = match random.len() {
                    0 => 0,
                    _ => filled.next_multiple_of($block) - filled,
                };
                let zeros = &[0; $block][..zeros];
                let hash = Secret::new(domain.hash(&[random, &*self.prefix, zeros, message]));
                Secret::new(Scalar::reduce_wide(&hash))
            }

            fn sign_in(&self, domain: &Domain<'_>, random: &[u8], message: &[u8]) -> Signature {
                let nonce = self.nonce(domain, random, message);
                let mut point = multiple(self.public.backend, &nonce);
                ct::mark_public_value(&mut point); // R is half of the signature.
                let r = point.compress();
                let k = domain.hash(&[&r, &self.public.bytes, message]);
                self.respond(&r, &nonce, &k)
            }

            /// The signature with its second half, S = k a + r, given the hash that k is made of.
            fn respond(&self, r: &[u8; $key], nonce: &Scalar, k: &[u8; $signature]) -> Signature {
                let k = Scalar::reduce_wide(k);
                let s = k.mul_add(&self.scalar, nonce).to_bytes();
                ct::mark_public(&s); // S is the other half.
                let mut signature = [0; $signature];
                signature[..$key].copy_from_slice(r);
                signature[$key..].copy_from_slice(&s);
                Signature(signature)
            }
        }

        impl FromSeedOn<Backend> for PrivateKey {
            type Seed = [u8; $key];

            fn from_seed_on(seed: &Self::Seed, backend: Backend) -> Self {
                let expanded = Secret::new(hash(&[], &[seed]));
                let scalar = secret(&expanded);
                let point = multiple(backend, &scalar);
                Self::from_parts(seed, &expanded, scalar, point, backend)
            }
        }

        impl PublicKey {
            #[doc = concat!("Reads the ", $key, " bytes of a key; `try_from` reads them in a slice.")]
            ///
            /// # Errors
            /// [`Error::BadPublicKey`] unless they are the canonical encoding of a point of the curve.
            pub fn from_bytes(bytes: &[u8; $key]) -> Result<Self, Error> {
                Self::from_bytes_on(bytes, Backend::best())
            }

            /// The same key on the given implementation.
            #[must_use]
            pub fn with_backend(mut self, backend: Backend) -> Self {
                self.backend = backend;
                self
            }

            #[doc = concat!("The ", $key, " bytes.")]
            #[must_use]
            pub fn to_bytes(&self) -> [u8; $key] {
                self.bytes
            }

            #[doc = concat!("Checks `signature` over `message` (RFC 8032, section ", $section, ".7,")]
            /// cofactored).
            ///
            /// # Errors
            /// [`Error::BadSignature`], whatever the reason.
            pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
                self.verify_in(&Domain::PURE, message, signature)
            }

            /// Checks a signature of [`PrivateKey::sign_with_context`], by the rule of
            /// [`PublicKey::verify`].
            ///
            /// # Errors
            /// [`Error::BadParameter`] for a context of more than 255 bytes, and
            /// [`Error::BadSignature`], whatever the reason.
            pub fn verify_with_context(
                &self,
                message: &[u8],
                context: &[u8],
                signature: &Signature,
            ) -> Result<(), Error> {
                self.verify_in(&Domain::new(false, context)?, message, signature)
            }

            /// Checks a signature of [`PrivateKey::sign_prehashed`], by the rule of
            /// [`PublicKey::verify`].
            ///
            /// # Errors
            /// [`Error::BadParameter`] for a context of more than 255 bytes, and
            /// [`Error::BadSignature`], whatever the reason.
            pub fn verify_prehashed(
                &self,
                digest: &[u8; 64],
                context: &[u8],
                signature: &Signature,
            ) -> Result<(), Error> {
                self.verify_in(&Domain::new(true, context)?, digest, signature)
            }
        }

        #[test]
        fn halves_of_two_keys_do_not_fit() {
            let [mut key, other] = [7, 8].map(|byte| PrivateKey::from_seed(&[byte; $key]));
            key.public = other.public;
            assert_eq!(key.check_pair(), Err(Error::BadPrivateKey));
            assert_eq!(Signer::check_pair(&key), Err(Error::BadPrivateKey));
        }

        #[test]
        fn a_point_of_small_order_in_the_public_key_does_not_fit() {
            let mut key = PrivateKey::from_seed(&[7; $key]);
            assert_eq!(key.check_pair(), Ok(()));
            // With the point of order 2 added, (0, -1).
            let Affine { x, y } = key.public.point;
            let other = Affine { x: x.neg(), y: y.neg() }.compress();
            key.public = PublicKey::from_bytes(&other).unwrap();
            assert_eq!(key.public.verify(b"", &key.sign(b"")), Ok(()));
            assert_eq!(key.check_pair(), Err(Error::BadPrivateKey));
        }

        fn verdict(valid: bool) -> Result<(), Error> {
            if valid {
                Ok(())
            } else {
                Err(Error::BadSignature)
            }
        }

        impl PartialEq for PublicKey {
            fn eq(&self, other: &Self) -> bool {
                self.bytes == other.bytes
            }
        }

        impl Eq for PublicKey {}

        impl fmt::Debug for PublicKey {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple("PublicKey").field(&self.bytes).finish()
            }
        }

        impl AsRef<[u8]> for PublicKey {
            fn as_ref(&self) -> &[u8] {
                &self.bytes
            }
        }

        impl Signature {
            #[doc = concat!("Reads the ", $signature, " bytes of a signature.")]
            ///
            /// # Errors
            /// [`Error::BadSignature`] unless S is below l.
            pub fn from_bytes(bytes: &[u8; $signature]) -> Result<Self, Error> {
                let signature = Signature(*bytes);
                let s = Scalar::from_canonical_vartime(signature.halves().1);
                s.map(|_| signature).ok_or(Error::BadSignature)
            }

            #[doc = concat!("The ", $signature, " bytes.")]
            #[must_use]
            pub fn to_bytes(&self) -> [u8; $signature] {
                self.0
            }

            /// R, not yet decoded, and S.
            fn halves(&self) -> (&[u8; $key], &[u8; $key]) {
                let (halves, _) = self.0.as_chunks();
                (&halves[0], &halves[1])
            }
        }

        adamant_base::try_from_slice!(PublicKey, Signature);

        impl AsRef<[u8]> for Signature {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }

        impl Signer for PrivateKey {
            type Verifier = PublicKey;

            fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
                PrivateKey::generate(rng)
            }
            fn verifier(&self) -> PublicKey {
                self.public
            }
            fn sign(&self, message: &[u8]) -> Signature {
                PrivateKey::sign(self, message)
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
            fn sign_batch(items: &[(&Self, &[u8])]) -> Vec<Signature> {
                sign_batch(items)
            }
        }

        impl Verifier for PublicKey {
            type Signature = Signature;

            fn signature(octets: &[u8]) -> Result<Signature, Error> {
                Signature::try_from(octets).map_err(|_| Error::BadSignature)
            }
            fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
                PublicKey::verify(self, message, signature)
            }
            #[cfg(feature = "alloc")]
            #[cfg_attr(not(feature = "lab"), inline)]
            fn verify_batch(items: &[(&Self, &[u8], &Signature)]) -> Vec<Result<(), Error>> {
                verify_batch(items)
            }
        }
    };
}
pub(crate) use eddsa;
