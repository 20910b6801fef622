//! The hybrid KEMs, whose private keys travel as their halves do, in the order of the public ones.

use adamant::ec::{p256, p384, x25519};
use adamant::hazmat::pq::ml_kem;
use adamant::hybrid::tls::{secp256r1mlkem768, secp384r1mlkem1024, x25519mlkem768};
use adamant::hybrid::x_wing;
use adamant::pq::{ml_kem_768, ml_kem_1024};
use adamant::rand::FastRng;
use adamant::{Error, hazmat::base::exactly};

use crate::kem::{self, Mechanism};
use crate::keys::{KeyPair, put};
use crate::lattice::of_seed;
use crate::table::Best;
use crate::task::Registry;

pub(crate) fn register(to: &mut Registry) {
    kem::register::<X25519MlKem768>(to, "x25519mlkem768");
    kem::register::<SecP256r1MlKem768>(to, "secp256r1mlkem768");
    kem::register::<SecP384r1MlKem1024>(to, "secp384r1mlkem1024");
    kem::register::<XWing>(to, "x-wing");
}

/// A secret, which is none where a curve's part was not a point.
#[derive(Clone)]
struct Agreed<S>(Result<S, Error>);

impl<S: AsRef<[u8]>> AsRef<[u8]> for Agreed<S> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref().map(AsRef::as_ref).unwrap_or_default()
    }
}

impl<S> Agreed<S> {
    fn place() -> Self {
        Agreed(Err(Error::BadPublicKey))
    }
}

macro_rules! tls {
    ($($name:ident $module:ident, $lattice:ident, lattice_first: $first:literal, $scalar:ident;)*) => { $(
        struct $name;

        impl KeyPair for $name {
            type Table = Best<ml_kem::Backend>;
            type Private = $module::DecapsulationKey;
            type Public = $module::EncapsulationKey;

            fn generate(rng: &mut FastRng, _: Self::Table) -> Result<Self::Private, Error> {
                Self::Private::generate(rng)
            }
            fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
                $module::generate_batch(count, rng)
            }
            fn private(bytes: &[u8], _: Self::Table) -> Result<Self::Private, Error> {
                let lattice_len = $lattice::DECAPSULATION_KEY_LEN;
                let len = if $first { Some(lattice_len) } else { bytes.len().checked_sub(lattice_len) };
                let parts = len.and_then(|len| bytes.split_at_checked(len));
                let parts = parts.ok_or(Error::BadPrivateKey)?;
                let (lattice, classic) = if $first { parts } else { (parts.1, parts.0) };
                Ok(Self::Private::from_halves(
                    $scalar(classic)?,
                    $lattice::DecapsulationKey::try_from(lattice)?,
                ))
            }
            fn private_bytes(key: &Self::Private, to: &mut Vec<u8>) {
                let (lattice, classic) = (key.lattice().to_bytes(), key.classic().to_bytes());
                let parts = if $first {
                    [&lattice[..], &classic[..]]
                } else {
                    [&classic[..], &lattice[..]]
                };
                parts.into_iter().for_each(|part| put(to, part));
            }
            fn public(bytes: &[u8], _: Self::Table) -> Result<Self::Public, Error> {
                Self::Public::try_from(bytes)
            }
            fn public_bytes(key: &Self::Public, to: &mut Vec<u8>) {
                put(to, &key.to_bytes()[..]);
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.encapsulation_key()
            }
            fn seed(key: &Self::Private) -> Option<Vec<u8>> {
                key.lattice().seed().map(|seed| seed.to_vec())
            }
            fn check(key: &Self::Private, seed: Option<&[u8]>) -> Result<(), Error> {
                let expand = |seed: &_| $lattice::DecapsulationKey::from_seed(seed).to_bytes();
                of_seed(seed, &*key.lattice().to_bytes(), expand)?;
                key.lattice().check_pair()
            }
        }

        impl Mechanism for $name {
            type Ciphertext = $module::Ciphertext;
            type Secret = Agreed<$module::SharedSecret>;

            fn place() -> (Self::Ciphertext, Self::Secret) {
                ([0; $module::CIPHERTEXT_LEN], Agreed::place())
            }
            fn ciphertext(bytes: &[u8]) -> Result<Self::Ciphertext, Error> {
                exactly(bytes).copied()
            }
            fn encapsulate(
                key: &Self::Public,
                rng: &mut FastRng,
            ) -> Result<(Self::Ciphertext, Self::Secret), Error> {
                let (ciphertext, secret) = key.encapsulate(rng)?;
                Ok((ciphertext, Agreed(Ok(secret))))
            }
            fn encapsulate_batch(
                keys: &[&Self::Public],
                rng: &mut FastRng,
                out: &mut [Result<(Self::Ciphertext, Self::Secret), Error>],
            ) -> Result<(), Error> {
                let sent = $module::encapsulate_batch(keys, rng);
                for (out, sent) in out.iter_mut().zip(sent) {
                    *out = sent.map(|(ciphertext, secret)| (ciphertext, Agreed(Ok(secret))));
                }
                Ok(())
            }
            fn decapsulate(key: &Self::Private, ciphertext: &Self::Ciphertext) -> Self::Secret {
                Agreed(key.decapsulate(ciphertext))
            }
            fn decapsulate_batch(
                items: &[(&Self::Private, &Self::Ciphertext)],
                out: &mut [Self::Secret],
            ) -> Result<(), Error> {
                let opened = $module::decapsulate_batch(items);
                out.iter_mut().zip(opened).for_each(|(out, opened)| *out = Agreed(opened));
                Ok(())
            }
        }
    )* };
}

tls! {
    X25519MlKem768 x25519mlkem768, ml_kem_768, lattice_first: true, x25519_key;
    SecP256r1MlKem768 secp256r1mlkem768, ml_kem_768, lattice_first: false, p256_key;
    SecP384r1MlKem1024 secp384r1mlkem1024, ml_kem_1024, lattice_first: false, p384_key;
}

fn x25519_key(bytes: &[u8]) -> Result<x25519::PrivateKey, Error> {
    x25519::PrivateKey::try_from(bytes)
}

fn p256_key(bytes: &[u8]) -> Result<p256::PrivateKey, Error> {
    p256::PrivateKey::try_from(bytes)
}

fn p384_key(bytes: &[u8]) -> Result<p384::PrivateKey, Error> {
    p384::PrivateKey::try_from(bytes)
}

struct XWing;

impl KeyPair for XWing {
    type Table = Best<ml_kem::Backend>;
    type Private = x_wing::DecapsulationKey;
    type Public = x_wing::EncapsulationKey;

    fn generate(rng: &mut FastRng, _: Self::Table) -> Result<Self::Private, Error> {
        Self::Private::generate(rng)
    }
    fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
        x_wing::generate_batch(count, rng)
    }
    fn private(bytes: &[u8], _: Self::Table) -> Result<Self::Private, Error> {
        let seed = bytes.try_into().map_err(|_| Error::BadPrivateKey)?;
        Ok(Self::Private::from_seed(seed))
    }
    fn private_bytes(key: &Self::Private, to: &mut Vec<u8>) {
        put(to, &key.seed()[..]);
    }
    fn public(bytes: &[u8], _: Self::Table) -> Result<Self::Public, Error> {
        Self::Public::try_from(bytes)
    }
    fn public_bytes(key: &Self::Public, to: &mut Vec<u8>) {
        put(to, &key.to_bytes()[..]);
    }
    fn public_of(key: &Self::Private) -> Self::Public {
        key.encapsulation_key()
    }
}

impl Mechanism for XWing {
    type Ciphertext = x_wing::Ciphertext;
    type Secret = x_wing::SharedSecret;

    fn place() -> (Self::Ciphertext, Self::Secret) {
        ([0; x_wing::CIPHERTEXT_LEN], Self::Secret::zero())
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
        x_wing::encapsulate_batch_into(keys, out, rng)
    }
    fn decapsulate(key: &Self::Private, ciphertext: &Self::Ciphertext) -> Self::Secret {
        key.decapsulate(ciphertext)
    }
    fn decapsulate_batch(
        items: &[(&Self::Private, &Self::Ciphertext)],
        out: &mut [Self::Secret],
    ) -> Result<(), Error> {
        x_wing::decapsulate_batch_into(items, out)
    }
}
