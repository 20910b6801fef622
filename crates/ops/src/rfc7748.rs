//! Ed25519 and Ed448 (RFC 8032), whose private keys travel as seeds and whose signatures are
//! determined, and X25519 and X448 (RFC 7748).

use adamant::ec::{ed448, ed25519, x448, x25519};
use adamant::hazmat::base::{FromBytesOn, FromSeedOn};
use adamant::hazmat::ec as hazmat;
use adamant::rand::FastRng;
use adamant::{Error, Secret, hazmat::base::exactly};

use crate::agreement::{self, Agreement};
use crate::keys::{KeyPair, put};
use crate::signature::{self, Hedged, SignHedged};
use crate::table::tables;
use crate::task::Registry;

tables!(
    hazmat::ed25519::Backend,
    hazmat::x25519::Backend,
    hazmat::ed448::Backend
);

pub(crate) fn register(to: &mut Registry) {
    signature::register::<Ed25519>(to, "ed25519");
    to.single::<SignHedged<Ed25519>>("ed25519/sign-hedged");
    agreement::register::<X25519>(to, "x25519");
    signature::register::<Ed448>(to, "ed448");
    to.single::<SignHedged<Ed448>>("ed448/sign-hedged");
    agreement::register::<X448>(to, "x448");
}

/// Makes a [`KeyPair`] of a module: how a private key gives its bytes back, and how a public key comes
/// from its bytes.
macro_rules! key_pair {
    ($name:ident, $module:ident, $bytes:ident, |$public:ident, $table:pat_param| $read:expr) => {
        struct $name;

        impl KeyPair for $name {
            type Table = hazmat::$module::Backend;
            type Private = $module::PrivateKey;
            type Public = $module::PublicKey;

            fn generate(rng: &mut FastRng, table: Self::Table) -> Result<Self::Private, Error> {
                Self::Private::generate_on(rng, table)
            }
            fn keygen_batch(count: usize, rng: &mut FastRng) -> Result<Vec<Self::Private>, Error> {
                $module::generate_batch(count, rng)
            }
            fn private(bytes: &[u8], table: Self::Table) -> Result<Self::Private, Error> {
                Ok(Self::Private::from_seed_on(exactly(bytes)?, table))
            }
            fn private_bytes(key: &Self::Private, to: &mut Vec<u8>) {
                put(to, &key.$bytes()[..]);
            }
            fn public($public: &[u8], $table: Self::Table) -> Result<Self::Public, Error> {
                $read
            }
            fn public_bytes(key: &Self::Public, to: &mut Vec<u8>) {
                put(to, &key.to_bytes()[..]);
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.public_key()
            }
        }
    };
}

/// A signature scheme of RFC 8032.
macro_rules! signatures {
    ($name:ident, $module:ident) => {
        key_pair!($name, $module, seed, |bytes, table| {
            Self::Public::from_bytes_on(exactly(bytes)?, table)
        });
        signature::scheme!($name, $module, DETERMINED: true);

        impl Hedged for $name {
            fn sign_hedged(
                key: &Self::Private,
                message: &[u8],
                rng: &mut FastRng,
            ) -> Result<Self::Signature, Error> {
                key.sign_hedged(message, rng)
            }
        }
    };
}

/// A Diffie-Hellman function of RFC 7748, whose secrets have this many bytes.
macro_rules! exchange {
    ($name:ident, $module:ident, $bytes:literal) => {
        key_pair!($name, $module, to_bytes, |bytes, _| {
            Self::Public::try_from(bytes)
        });

        impl Agreement for $name {
            type Shared = Secret<[u8; $bytes]>;
            fn agree(key: &Self::Private, peer: &Self::Public) -> Result<Self::Shared, Error> {
                key.agree(peer)
            }
            fn agree_batch(
                items: &[(&Self::Private, &Self::Public)],
                out: &mut [Result<Self::Shared, Error>],
            ) -> Result<(), Error> {
                $module::agree_batch_into(items, out)
            }
        }
    };
}

signatures!(Ed25519, ed25519);
signatures!(Ed448, ed448);
exchange!(X25519, x25519, 32);
exchange!(X448, x448, 56);
