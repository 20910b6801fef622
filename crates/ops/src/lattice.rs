//! ML-KEM and ML-DSA, whose private keys travel in the expanded form, with the seed beside it.

use adamant::hazmat::base::{FromBytesOn, FromSeedOn};
use adamant::hazmat::pq::{ml_dsa, ml_kem, ml_kem::DecapsulateOn};
use adamant::rand::FastRng;
use adamant::{Error, hazmat::base::exactly};

use crate::kem::{self, Encoded, Mechanism};
use crate::keys::{KeyPair, put};
use crate::signature;
use crate::table::tables;
use crate::task::Registry;

tables!(ml_kem::Backend, ml_dsa::Backend);

/// Checks that the bytes of a private key are those that its seed gives, where one is known.
pub(crate) fn of_seed<const N: usize, B: AsRef<[u8]>, S: std::ops::Deref<Target = B>>(
    seed: Option<&[u8]>,
    bytes: &[u8],
    expand: impl Fn(&[u8; N]) -> S,
) -> Result<(), Error> {
    let Some(seed) = seed else {
        return Ok(());
    };
    let seed = seed.try_into().map_err(|_| Error::BadPrivateKey)?;
    if expand(seed).as_ref() == bytes {
        Ok(())
    } else {
        Err(Error::BadPrivateKey)
    }
}

macro_rules! ml_kem {
    ($($name:ident $module:ident)*) => { $(
        use adamant::pq::$module;

        struct $name;

        impl KeyPair for $name {
            type Table = ml_kem::Backend;
            type Private = $module::DecapsulationKey;
            type Public = $module::EncapsulationKey;

            fn generate(rng: &mut FastRng, table: Self::Table) -> Result<Self::Private, Error> {
                Self::Private::generate_on(rng, table)
            }
            fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
                $module::generate_batch(count, rng)
            }
            fn private(bytes: &[u8], table: Self::Table) -> Result<Self::Private, Error> {
                Self::Private::from_bytes_on(exactly(bytes)?, table)
            }
            fn private_bytes(key: &Self::Private, to: &mut Vec<u8>) {
                put(to, &key.to_bytes()[..]);
            }
            fn seed(key: &Self::Private) -> Option<Vec<u8>> {
                key.seed().map(|seed| seed.to_vec())
            }
            fn of_seed(seed: &[u8]) -> Result<Self::Private, Error> {
                let seed = seed.try_into().map_err(|_| Error::BadPrivateKey)?;
                Ok(Self::Private::from_seed(seed))
            }
            fn public(bytes: &[u8], table: Self::Table) -> Result<Self::Public, Error> {
                Self::Public::from_bytes_on(exactly(bytes)?, table)
            }
            fn public_bytes(key: &Self::Public, to: &mut Vec<u8>) {
                put(to, &key.to_bytes()[..]);
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.encapsulation_key()
            }
            fn check(key: &Self::Private, seed: Option<&[u8]>) -> Result<(), Error> {
                of_seed(seed, &*key.to_bytes(), |seed| Self::Private::from_seed(seed).to_bytes())?;
                key.check_pair()
            }
        }

        impl Mechanism for $name {
            type Ciphertext = $module::Ciphertext;
            type Secret = adamant::pq::ml_kem::SharedSecret;

            fn place() -> (Self::Ciphertext, Self::Secret) {
                ([0; $module::CIPHERTEXT_LEN], Self::Secret::zero())
            }
            fn ciphertext(bytes: &[u8]) -> Result<Self::Ciphertext, Error> {
                exactly(bytes).copied()
            }
            fn encapsulate(
                key: &Self::Public,
                rng: &mut FastRng,
            ) -> Result<(Self::Ciphertext, Self::Secret), Error> {
                key.encapsulate(rng)
            }
            fn encapsulate_batch(
                keys: &[&Self::Public],
                rng: &mut FastRng,
                out: &mut [Result<(Self::Ciphertext, Self::Secret), Error>],
            ) -> Result<(), Error> {
                $module::encapsulate_batch_into(keys, out, rng)
            }
            fn decapsulate(key: &Self::Private, ciphertext: &Self::Ciphertext) -> Self::Secret {
                key.decapsulate(ciphertext)
            }
            fn decapsulate_batch(
                items: &[(&Self::Private, &Self::Ciphertext)],
                out: &mut [Self::Secret],
            ) -> Result<(), Error> {
                $module::decapsulate_batch_into(items, out)
            }
        }

        impl Encoded for $name {
            fn encapsulate_encoded_batch(
                keys: &[&[u8]],
                rng: &mut FastRng,
                out: &mut [Result<(Self::Ciphertext, Self::Secret), Error>],
            ) -> Result<(), Error> {
                let keys: Result<Vec<_>, _> = keys.iter().map(|key| exactly(key)).collect();
                $module::encapsulate_encoded_batch_into(&keys?, out, rng)
            }
            fn decapsulate_encoded(
                key: &[u8],
                ciphertext: &Self::Ciphertext,
                table: Self::Table,
            ) -> Result<Self::Secret, Error> {
                Self::Private::decapsulate_encoded_on(exactly(key)?, ciphertext, table)
            }
            fn decapsulate_encoded_batch(
                items: &[(&[u8], &Self::Ciphertext)],
                out: &mut [Result<Self::Secret, Error>],
            ) -> Result<(), Error> {
                let items = items.iter().map(|(key, c)| Ok((exactly(key)?, *c)));
                let items: Result<Vec<_>, Error> = items.collect();
                $module::decapsulate_encoded_batch_into(&items?, out)
            }
        }
    )* };
}

/// Signatures are hedged elsewhere, so there are many of a message.
macro_rules! ml_dsa {
    ($($name:ident $module:ident)*) => { $(
        use adamant::pq::$module;

        struct $name;

        impl KeyPair for $name {
            type Table = ml_dsa::Backend;
            type Private = $module::PrivateKey;
            type Public = $module::PublicKey;

            fn generate(rng: &mut FastRng, table: Self::Table) -> Result<Self::Private, Error> {
                Self::Private::generate_on(rng, table)
            }
            fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
                $module::generate_batch(count, rng)
            }
            fn private(bytes: &[u8], table: Self::Table) -> Result<Self::Private, Error> {
                Self::Private::from_bytes_on(exactly(bytes)?, table)
            }
            fn private_bytes(key: &Self::Private, to: &mut Vec<u8>) {
                put(to, &key.to_bytes()[..]);
            }
            fn seed(key: &Self::Private) -> Option<Vec<u8>> {
                key.seed().map(|seed| seed.to_vec())
            }
            fn of_seed(seed: &[u8]) -> Result<Self::Private, Error> {
                let seed = seed.try_into().map_err(|_| Error::BadPrivateKey)?;
                Ok(Self::Private::from_seed(seed))
            }
            fn public(bytes: &[u8], table: Self::Table) -> Result<Self::Public, Error> {
                Self::Public::from_bytes_on(exactly(bytes)?, table)
            }
            fn public_bytes(key: &Self::Public, to: &mut Vec<u8>) {
                put(to, &key.to_bytes()[..]);
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.public_key()
            }
            fn check(key: &Self::Private, seed: Option<&[u8]>) -> Result<(), Error> {
                of_seed(seed, &*key.to_bytes(), |seed| Self::Private::from_seed(seed).to_bytes())
            }
        }

        signature::scheme!($name, $module, DETERMINED: false);
    )* };
}

/// The parameter sets, of the list of the schemes.
macro_rules! sets {
    (
        curves { $($_curves:tt)* }
        signatures {
            $({ "curve25519" $($_e:tt)* })*
            $({ "curve448" $($_g:tt)* })*
            $({ "ml-dsa" $dsa:ident $dc:ident $dsa_module:ident $dsa_name:literal $($_m:tt)* })*
            $({ "slh-dsa" $($_s:tt)* })*
        }
        agreements { $($_agreements:tt)* }
        kems {
            $({ "ml-kem" $kem:ident $kc:ident $kem_module:ident $kem_name:literal $($_k:tt)* })*
            $({ "hybrid" $($_h:tt)* })*
        }
    ) => {
        ml_kem! { $($kem $kem_module)* }
        ml_dsa! { $($dsa $dsa_module)* }

        pub(crate) fn register(to: &mut Registry) {
            $(
                kem::register::<$kem>(to, $kem_name);
                kem::register_encoded::<$kem>(to, $kem_name);
            )*
            $(signature::register::<$dsa>(to, $dsa_name);)*
        }
    };
}
adamant::hazmat::base::schemes!(sets);
