//! MACs: the keyed state is copied for each message.

use std::hash::Hasher;

use adamant_engine::family;
use adamant_engine::op::{exactly, text};
use adamant_engine::serve::Engine;
use aes::{Aes128, Aes192, Aes256};
use cmac::Cmac;
use hmac::{Hmac, KeyInit, Mac, SimpleHmac};
use md5::Md5;
use poly1305::Poly1305;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_256};
use sha3::{Sha3_256, Sha3_512};
use siphasher::sip::{SipHasher13, SipHasher24};
use sm3::Sm3;
use sm4::Sm4;

pub(crate) fn register(engine: &mut Engine) {
    mac::<Hmac<Md5>>(engine, "hmac-md5");
    mac::<Hmac<Sha1>>(engine, "hmac-sha1");
    mac::<Hmac<Sha224>>(engine, "hmac-sha224");
    mac::<Hmac<Sha256>>(engine, "hmac-sha256");
    mac::<Hmac<Sha384>>(engine, "hmac-sha384");
    mac::<Hmac<Sha512>>(engine, "hmac-sha512");
    mac::<Hmac<Sha512_256>>(engine, "hmac-sha512-256");
    mac::<SimpleHmac<Sha3_256>>(engine, "hmac-sha3-256");
    mac::<SimpleHmac<Sha3_512>>(engine, "hmac-sha3-512");
    mac::<Hmac<Sm3>>(engine, "hmac-sm3");
    mac::<Cmac<Aes128>>(engine, "cmac-aes-128");
    mac::<Cmac<Aes192>>(engine, "cmac-aes-192");
    mac::<Cmac<Aes256>>(engine, "cmac-aes-256");
    mac::<Cmac<Sm4>>(engine, "cmac-sm4");
    family::mac(
        engine,
        "poly1305",
        |key| Poly1305::new_from_slice(key).map_err(text),
        |keyed, message| keyed.clone().compute_unpadded(message),
    );
    siphash(engine, "siphash-2-4", SipHasher24::new_with_key);
    siphash(engine, "siphash-1-3", SipHasher13::new_with_key);
}

fn mac<M: Mac + KeyInit + Clone + 'static>(engine: &mut Engine, name: &str) {
    family::mac(
        engine,
        name,
        |key| <M as KeyInit>::new_from_slice(key).map_err(text),
        |keyed, message| {
            let mut mac = keyed.clone();
            mac.update(message);
            mac.finalize().into_bytes()
        },
    );
}

fn siphash<S: Hasher + Copy + 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8; 16]) -> S + 'static,
) {
    family::mac(
        engine,
        name,
        move |key| Ok(new(&exactly(key)?)),
        |keyed, message| {
            let mut mac = *keyed;
            mac.write(message);
            mac.finish().to_le_bytes()
        },
    );
}
