//! SLH-DSA. A private key is read as it is, so that its root is checked where keys are judged.

use adamant::hazmat::base::{FromBytesOn, FromSeedOn};
use adamant::hazmat::pq::slh_dsa;
use adamant::rand::FastRng;
use adamant::{Error, Implementation, hazmat::base::exactly};

use crate::keys::{KeyPair, put};
use crate::signature;
use crate::table::Table;
use crate::task::Registry;

impl Table for slh_dsa::Backend {
    fn implementations() -> Vec<&'static Implementation> {
        slh_dsa::Backend::implementations().collect()
    }
    fn best() -> Self {
        slh_dsa::Backend::best()
    }
    /// Inputs are made and outputs judged with the best one here: the portable one takes seconds
    /// for a small signature.
    fn portable() -> Self {
        slh_dsa::Backend::best()
    }
    fn named(name: &str) -> Option<Self> {
        slh_dsa::Backend::named(name)
    }
    fn name(self) -> &'static str {
        self.implementation().name
    }
}

/// Signatures are hedged elsewhere, so there are many of a message.
macro_rules! slh_dsa {
    (
        curves { $($_curves:tt)* }
        signatures {
            $({ "curve25519" $($_e:tt)* })*
            $({ "curve448" $($_g:tt)* })*
            $({ "ml-dsa" $($_m:tt)* })*
            $({ "slh-dsa" $name:ident $krate:ident $module:ident $algorithm:literal $($_s:tt)* })*
        }
        $($_groups:tt)*
    ) => {
        pub(crate) fn register(to: &mut Registry) {
            $(signature::register::<$name>(to, $algorithm);)*
        }
    $(
        use adamant::$krate::$module;

        struct $name;

        impl KeyPair for $name {
            type Table = slh_dsa::Backend;
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
            fn public(bytes: &[u8], table: Self::Table) -> Result<Self::Public, Error> {
                Self::Public::from_bytes_on(exactly(bytes)?, table)
            }
            fn public_bytes(key: &Self::Public, to: &mut Vec<u8>) {
                put(to, &key.to_bytes()[..]);
            }
            fn public_of(key: &Self::Private) -> Self::Public {
                key.public_key()
            }
            fn check(key: &Self::Private, _: Option<&[u8]>) -> Result<(), Error> {
                key.check_pair()
            }
        }

        signature::scheme!($name, $module, DETERMINED: false);
    )* };
}
adamant::hazmat::base::schemes!(slh_dsa);
