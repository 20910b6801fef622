//! X25519 and Ed25519.

use adamant_engine::family::pair;
use adamant_engine::op::{array, field, item, valid};
use adamant_engine::serve::Engine;
use rand::Rng;

use crate::ffi::{self, Lanes};
use crate::lanes::{batch, done, is_good, numbers, pointers};

pub(crate) fn register(engine: &mut Engine) {
    keygen(engine, "x25519", ffi::mbx_x25519_public_key_mb8);
    keygen(engine, "ed25519", ffi::mbx_ed25519_public_key_mb8);
    let new = |input: &_| {
        let (private, peer) = (
            array::<32>(input, "private_key")?,
            array::<32>(input, "peer_public_key")?,
        );
        Ok([private, peer, [0; 32]])
    };
    let run = |keys: &mut [[[u8; 32]; 3]]| {
        let secret = pointers(keys, |[_, _, secret]| secret.as_mut_ptr());
        let private = pointers(keys, |[private, _, _]| private.as_mut_ptr());
        let peer = pointers(keys, |[_, peer, _]| peer.as_mut_ptr());
        // SAFETY: all lanes point to 32 bytes.
        done(unsafe { ffi::mbx_x25519_mb8(&secret, &private, &peer) })
    };
    let encode = |[_, _, secret]: &[[u8; 32]; 3]| item([("shared_secret", secret)]);
    batch::<8, _>(engine, "x25519/derive", new, run, encode);
    signatures(engine);
}

fn keygen(engine: &mut Engine, name: &str, public: unsafe extern "C" fn(Lanes, Lanes) -> u32) {
    let run = move |keys: &mut [[[u8; 32]; 2]]| {
        let mut rng = rand::rng();
        keys.iter_mut()
            .for_each(|[private, _]| rng.fill_bytes(private));
        let private = pointers(keys, |[private, _]| private.as_mut_ptr());
        let other = pointers(keys, |[_, public]| public.as_mut_ptr());
        // SAFETY: all lanes point to 32 bytes.
        done(unsafe { public(&other, &private) })
    };
    let name = format!("{name}/keygen");
    batch::<8, _>(
        engine,
        &name,
        |_| Ok([[0; 32]; 2]),
        run,
        |[private, public]| pair(private, public),
    );
}

struct Message {
    private: [u8; 32],
    public: [u8; 32],
    message: Vec<u8>,
    signature: [u8; 64],
    valid: bool,
}

fn signatures(engine: &mut Engine) {
    let new = |input: &_| {
        Ok(Message {
            private: array(input, "private_key")?,
            public: array(input, "public_key")?,
            message: field(input, "message")?,
            signature: [0; 64],
            valid: false,
        })
    };
    let run = |keys: &mut [Message]| {
        let r = pointers(keys, |key| key.signature[..32].as_mut_ptr());
        let s = pointers(keys, |key| key.signature[32..].as_mut_ptr());
        let message = pointers(keys, |key| key.message.as_mut_ptr());
        let len = numbers(keys, |key| key.message.len() as u32);
        let private = pointers(keys, |key| key.private.as_mut_ptr());
        let public = pointers(keys, |key| key.public.as_mut_ptr());
        // SAFETY: messages as long as said, 32 bytes for all others.
        done(unsafe { ffi::mbx_ed25519_sign_mb8(&r, &s, &message, &len, &private, &public) })
    };
    let encode = |key: &Message| item([("signature", &key.signature)]);
    batch::<8, _>(engine, "ed25519/sign", new, run, encode);
    let new = |input: &_| {
        Ok(Message {
            private: [0; 32],
            public: array(input, "public_key")?,
            message: field(input, "message")?,
            signature: array(input, "signature")?,
            valid: false,
        })
    };
    let run = |keys: &mut [Message]| {
        let r = pointers(keys, |key| key.signature[..32].as_mut_ptr());
        let s = pointers(keys, |key| key.signature[32..].as_mut_ptr());
        let message = pointers(keys, |key| key.message.as_mut_ptr());
        let len = numbers(keys, |key| key.message.len() as u32);
        let public = pointers(keys, |key| key.public.as_mut_ptr());
        // SAFETY: as above.
        let status = unsafe { ffi::mbx_ed25519_verify_mb8(&r, &s, &message, &len, &public) };
        for (lane, key) in keys.iter_mut().enumerate() {
            key.valid = is_good(status, lane);
        }
        Ok(())
    };
    batch::<8, _>(engine, "ed25519/verify", new, run, |key| valid(key.valid));
}
