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
use hybrid_array::AssocArraySize;
use hybrid_array::sizes::{U32, U64};
use kem::common::{KeyExport, KeyInit, KeySizeUser, TryKeyInit};
use kem::{
    Ciphertext, Decapsulate, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, Key, SharedKey,
};
use rand_core::{CryptoRng, TryCryptoRng};

/// The length of a seed: d and z of ML-KEM have 32 bytes each.
macro_rules! seed {
    ("ml-kem") => {
        U64
    };
    ("hybrid") => {
        U32
    };
}

macro_rules! kems {
    (
        curves { $($_curves:tt)* }
        signatures { $($_signatures:tt)* }
        agreements { $($_agreements:tt)* }
        kems { $({ $feature:tt $name:ident $krate:ident $module:ident $command:literal $title:literal
            $oid:literal $standard:literal
            [$private:literal $public:literal $ciphertext:literal $secret:literal] })* }
    ) => { $(
        #[doc = concat!($title, ".")]
        pub mod $module {
            use super::*;
            use adamant::$krate::$module as ours;

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
                type CiphertextSize = <[u8; $ciphertext] as AssocArraySize>::Size;
            }

            impl From<ours::DecapsulationKey> for DecapsulationKey {
                fn from(key: ours::DecapsulationKey) -> Self {
                    let public = EncapsulationKey(key.encapsulation_key());
                    DecapsulationKey(key, public)
                }
            }

            impl KeySizeUser for DecapsulationKey {
                type KeySize = seed!($feature);
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
                type KeySize = <[u8; $public] as AssocArraySize>::Size;
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

adamant::hazmat::base::schemes!(kems);

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
