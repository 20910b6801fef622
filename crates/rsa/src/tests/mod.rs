//! Known answers, Wycheproof, and what must fail.

mod generated;
mod known_answers;
mod nist;
mod odd_bits;
mod refused;
mod rejection;
mod wycheproof;

use crate::{PrivateKey, hazmat::Backend};

const KEY: &[u8] = include_bytes!("../../testdata/rsa2048.der");

pub(crate) fn key(backend: Backend) -> PrivateKey {
    let key = PrivateKey::from_pkcs1_der(KEY).expect("a consistent key");
    key.with_backend(backend)
}
