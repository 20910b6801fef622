//! Diffie-Hellman in the groups of RFC 7919.

use adamant_engine::Item;
use adamant_engine::serve::Engine;

use crate::curves::Number;
use crate::ffi;
use crate::op::{Owned, field, item, ok, op};

/// The names, the library's numbers, the bytes of the primes.
const GROUPS: [(&str, i32, usize); 4] = [
    ("dh-ffdhe2048", ffi::NID_ffdhe2048, 256),
    ("dh-ffdhe3072", ffi::NID_ffdhe3072, 384),
    ("dh-ffdhe4096", ffi::NID_ffdhe4096, 512),
    ("dh-ffdhe8192", ffi::NID_ffdhe8192, 1024),
];

fn group(nid: i32) -> Result<Owned<ffi::DH>, String> {
    // SAFETY: it takes any number.
    let dh = unsafe { ffi::DH_new_by_nid(nid) };
    Owned::new(dh, ffi::DH_free, "DH_new_by_nid")
}

fn number(input: &Item, name: &str, len: usize) -> Result<Number, String> {
    let bytes = field(input, name)?;
    if bytes.len() != len {
        return Err(format!("{name} has to have {len} bytes"));
    }
    Number::from_bytes(&bytes)
}

pub(crate) fn register(engine: &mut Engine) {
    for (name, nid, len) in GROUPS {
        if group(nid).is_err() {
            continue;
        }
        engine.single(&format!("{name}/keygen"), move |_, _| {
            op(
                group(nid)?,
                move |dh| {
                    *dh = group(nid)?;
                    // SAFETY: the group is valid.
                    ok("DH_generate_key", unsafe { ffi::DH_generate_key(dh.get()) })
                },
                move |dh| {
                    // SAFETY: the key is valid and has both halves.
                    let (private, public) = unsafe {
                        let private = ffi::DH_get0_priv_key(dh.get());
                        let public = ffi::DH_get0_pub_key(dh.get());
                        (
                            Number::bytes_of(private, len)?,
                            Number::bytes_of(public, len)?,
                        )
                    };
                    item([("private_key", &private), ("public_key", &public)])
                },
            )
        });
        engine.single(&format!("{name}/derive"), move |_, input| {
            let dh = group(nid)?;
            let private = number(input, "private_key", len)?;
            // The public half, which nothing is computed with here.
            let public = Number::from_bytes(&[2])?;
            // SAFETY: all are valid; the key takes over copies.
            let result = unsafe {
                let (public, private) = (ffi::BN_dup(public.get()), ffi::BN_dup(private.get()));
                ffi::DH_set0_key(dh.get(), public, private)
            };
            ok("DH_set0_key", result)?;
            let peer = number(input, "peer_public_key", len)?;
            op(
                (dh, peer, vec![0; len]),
                |(dh, peer, secret)| {
                    let (to, len) = (secret.as_mut_ptr(), secret.len());
                    // SAFETY: both are valid; there is room for a number as long as the prime.
                    let written = unsafe { ffi::DH_compute_key_padded(to, peer.get(), dh.get()) };
                    let done = usize::try_from(written) == Ok(len);
                    ok("DH_compute_key_padded", i32::from(done))
                },
                |(_, _, secret)| item([("shared_secret", secret)]),
            )
        });
    }
}
