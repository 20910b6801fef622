//! SLH-DSA. A private key is read as it is, so that its root is checked where keys are judged.

use adamant::base::{Error, Implementation, exactly};
use adamant::hazmat::pq::slh_dsa;
use adamant::pq::slh_dsa::{
    slh_dsa_sha2_128f, slh_dsa_sha2_128s, slh_dsa_sha2_192f, slh_dsa_sha2_192s, slh_dsa_sha2_256f,
    slh_dsa_sha2_256s, slh_dsa_shake_128f, slh_dsa_shake_128s, slh_dsa_shake_192f,
    slh_dsa_shake_192s, slh_dsa_shake_256f, slh_dsa_shake_256s,
};
use adamant::rand::FastRng;

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
    ($($name:ident $module:ident $algorithm:literal)*) => {
        pub(crate) fn register(to: &mut Registry) {
            $(signature::register::<$name>(to, $algorithm);)*
        }
    $(
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
                Ok(Self::Private::from_bytes_on(exactly(bytes)?, table))
            }
            fn private_bytes(key: &Self::Private, to: &mut Vec<u8>) {
                put(to, &key.to_bytes()[..]);
            }
            fn public(bytes: &[u8], table: Self::Table) -> Result<Self::Public, Error> {
                Ok(Self::Public::from_bytes_on(exactly(bytes)?, table))
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
slh_dsa! {
    Sha2Small128 slh_dsa_sha2_128s "slh-dsa-sha2-128s"
    Sha2Fast128 slh_dsa_sha2_128f "slh-dsa-sha2-128f"
    Sha2Small192 slh_dsa_sha2_192s "slh-dsa-sha2-192s"
    Sha2Fast192 slh_dsa_sha2_192f "slh-dsa-sha2-192f"
    Sha2Small256 slh_dsa_sha2_256s "slh-dsa-sha2-256s"
    Sha2Fast256 slh_dsa_sha2_256f "slh-dsa-sha2-256f"
    ShakeSmall128 slh_dsa_shake_128s "slh-dsa-shake-128s"
    ShakeFast128 slh_dsa_shake_128f "slh-dsa-shake-128f"
    ShakeSmall192 slh_dsa_shake_192s "slh-dsa-shake-192s"
    ShakeFast192 slh_dsa_shake_192f "slh-dsa-shake-192f"
    ShakeSmall256 slh_dsa_shake_256s "slh-dsa-shake-256s"
    ShakeFast256 slh_dsa_shake_256f "slh-dsa-shake-256f"
}
