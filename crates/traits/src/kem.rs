//! Key encapsulation: `kem::Kem`, `kem::Encapsulate`, `kem::Decapsulate`, a module for each
//! mechanism.
//!
//! ```
//! use adamant_traits::kem::ml_kem_768::MlKem768;
//! use kem::{Decapsulate, Encapsulate, Kem};
//!
//! fn exchange<K: Kem>(rng: &mut impl rand_core::CryptoRng)
//! where
//!     K::DecapsulationKey: Decapsulate,
//! {
//!     let (private, public) = K::generate_keypair_from_rng(rng);
//!     let (ciphertext, secret) = public.encapsulate_with_rng(rng);
//!     assert_eq!(private.decapsulate(&ciphertext), secret);
//! }
//! let mut rng = rand_core::UnwrapErr(adamant_traits::rng::ToRandCore(adamant::SystemRng));
//! exchange::<MlKem768>(&mut rng);
//! ```

use crate::rng::FromRandCore;
use adamant::Error;
use core::fmt;
use hybrid_array::sizes::{U32, U64, U768, U800, U1088, U1120, U1184, U1216, U1568};
use kem::common::{KeyExport, KeyInit, KeySizeUser, TryKeyInit};
use kem::{
    Ciphertext, Decapsulate, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, Key, SharedKey,
};
use rand_core::{CryptoRng, TryCryptoRng};

macro_rules! kems {
    ($($title:literal: $module:ident, $name:ident, $ours:path,
        seed: $seed:ty, key: $key:ty, ciphertext: $ciphertext:ty;)*) => { $(
        #[doc = concat!($title, ".")]
        pub mod $module {
            use super::*;
            use $ours as ours;

            #[doc = concat!($title, " as a mechanism.")]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
            pub struct $name;

            /// A key that decapsulates, with the one that encapsulates.
            #[derive(Clone)]
            pub struct DecapsulationKey(pub ours::DecapsulationKey, EncapsulationKey);

            /// A key that encapsulates.
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub struct EncapsulationKey(pub ours::EncapsulationKey);

            impl Kem for $name {
                type DecapsulationKey = DecapsulationKey;
                type EncapsulationKey = EncapsulationKey;
                type SharedKeySize = U32;
                type CiphertextSize = $ciphertext;
            }

            impl From<ours::DecapsulationKey> for DecapsulationKey {
                fn from(key: ours::DecapsulationKey) -> Self {
                    let public = EncapsulationKey(key.encapsulation_key());
                    DecapsulationKey(key, public)
                }
            }

            impl KeySizeUser for DecapsulationKey {
                type KeySize = $seed;
            }

            /// From the seed.
            impl KeyInit for DecapsulationKey {
                fn new(seed: &Key<Self>) -> Self {
                    ours::DecapsulationKey::from_seed(seed.as_ref()).into()
                }
            }

            impl Generate for DecapsulationKey {
                fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(
                    rng: &mut R,
                ) -> Result<Self, R::Error> {
                    with_rng(rng, |rng| ours::DecapsulationKey::generate(rng)).map(Self::from)
                }
            }

            impl Decapsulator for DecapsulationKey {
                type Kem = $name;

                fn encapsulation_key(&self) -> &EncapsulationKey {
                    &self.1
                }
            }

            impl Decapsulate for DecapsulationKey {
                fn decapsulate(&self, ciphertext: &Ciphertext<$name>) -> SharedKey<$name> {
                    shared(self.0.decapsulate(ciphertext.as_ref()).as_ref())
                }
            }

            impl fmt::Debug for DecapsulationKey {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("DecapsulationKey { .. }")
                }
            }

            impl KeySizeUser for EncapsulationKey {
                type KeySize = $key;
            }

            impl TryKeyInit for EncapsulationKey {
                fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
                    let key = ours::EncapsulationKey::from_bytes(key.as_ref());
                    key.map(EncapsulationKey).map_err(|_| InvalidKey)
                }
            }

            impl KeyExport for EncapsulationKey {
                fn to_bytes(&self) -> Key<Self> {
                    self.0.to_bytes().into()
                }
            }

            impl Encapsulate for EncapsulationKey {
                type Kem = $name;

                fn encapsulate_with_rng<R: CryptoRng + ?Sized>(
                    &self,
                    rng: &mut R,
                ) -> (Ciphertext<$name>, SharedKey<$name>) {
                    let Ok((ciphertext, secret)) = with_rng(rng, |rng| self.0.encapsulate(rng));
                    (ciphertext.into(), shared(secret.as_ref()))
                }
            }
        }
    )* };
}

kems! {
    "ML-KEM-512": ml_kem_512, MlKem512, adamant::pq::ml_kem_512,
        seed: U64, key: U800, ciphertext: U768;
    "ML-KEM-768": ml_kem_768, MlKem768, adamant::pq::ml_kem_768,
        seed: U64, key: U1184, ciphertext: U1088;
    "ML-KEM-1024": ml_kem_1024, MlKem1024, adamant::pq::ml_kem_1024,
        seed: U64, key: U1568, ciphertext: U1568;
    "X-Wing": x_wing, XWing, adamant::hybrid::x_wing,
        seed: U32, key: U1216, ciphertext: U1120;
}

/// A secret as the other side holds it.
fn shared(secret: &[u8]) -> hybrid_array::Array<u8, U32> {
    let mut shared = hybrid_array::Array::default();
    shared.copy_from_slice(secret);
    shared
}

/// Runs what can fail only for want of randomness, and gives the generator's own error.
fn with_rng<R: TryCryptoRng + ?Sized, T>(
    rng: &mut R,
    run: impl FnOnce(&mut FromRandCore<'_, R>) -> Result<T, Error>,
) -> Result<T, R::Error> {
    let mut rng = FromRandCore::new(rng);
    match run(&mut rng) {
        Ok(done) => Ok(done),
        Err(error) => Err(rng.into_error().unwrap_or_else(|| panic!("{error}"))),
    }
}
