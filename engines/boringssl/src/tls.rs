//! The pseudorandom function of TLS 1.2 (RFC 5246).

use std::ptr;

use adamant_engine::serve::Engine;

use crate::ffi;
use crate::hashes::named;
use crate::op::{field, item, ok, op};

pub(crate) fn register(engine: &mut Engine) {
    for hash in ["sha256", "sha384", "sha512"] {
        engine.single(&format!("tls12-prf-{hash}/derive"), move |bytes, input| {
            let inputs = [
                field(input, "secret")?,
                field(input, "label")?,
                field(input, "seed")?,
            ];
            op(
                (named(hash)?, inputs, vec![0; bytes]),
                |(md, [secret, label, seed], out)| {
                    // SAFETY: it reads the slices and fills the first; the second seed is empty.
                    let result = unsafe {
                        ffi::internal::CRYPTO_tls1_prf(
                            *md,
                            out.as_mut_ptr(),
                            out.len(),
                            secret.as_ptr(),
                            secret.len(),
                            label.as_ptr(),
                            label.len(),
                            seed.as_ptr(),
                            seed.len(),
                            ptr::null(),
                            0,
                        )
                    };
                    ok("CRYPTO_tls1_prf", result)
                },
                |(.., out)| item([("okm", out)]),
            )
        });
    }
}
