//! Diffie-Hellman in the groups that the library knows.

use adamant_engine::Item;
use adamant_engine::serve::Engine;

use crate::curves::Number;
use crate::ffi;
use crate::offers::GROUPS;
use crate::op::{Owned, item, of_length, ok, op};

/// What makes a group: null where the library lacks it.
pub(crate) type Group = fn() -> *mut ffi::DH;

fn made(group: Group) -> Result<Owned<ffi::DH>, String> {
    Owned::new(group(), ffi::DH_free, "making the group")
}

fn number(input: &Item, name: &str, len: usize) -> Result<Number, String> {
    Number::from_bytes(&of_length(input, name, len)?)
}

pub(crate) fn register(engine: &mut Engine) {
    for &(name, group, len) in GROUPS {
        if made(group).is_err() {
            continue;
        }
        engine.single(&format!("{name}/keygen"), move |_, _| {
            op(
                made(group)?,
                move |dh| {
                    *dh = made(group)?;
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
            let dh = made(group)?;
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
