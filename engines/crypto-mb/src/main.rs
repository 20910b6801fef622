//! Intel's multi-buffer cryptography library (`crypto_mb`), linked statically, as an engine of the
//! comparison. It has only batches, of eight lanes of AVX-512 IFMA, and of sixteen for SM3 and
//! SM4.
//!
//! It takes nonces from its user, so they are drawn within the timing, by the generator of the
//! crate `rand`; messages of ECDSA and RSA are hashed by `sha2`, and RSA is padded here. RSA is the
//! bare operation, without blinding and without a check of what came out. A key of X25519 and
//! Ed25519 has no parsed form.

mod curve25519;
mod ffi;
mod lanes;
#[allow(non_snake_case)]
mod openssl;
mod rsa;
mod sm;
mod weierstrass;

use std::ffi::CStr;
use std::io;

use adamant_engine::serve::{Engine, refuse, serve};

fn main() -> io::Result<()> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match engine() {
        Ok(engine) => serve(&engine, input, output),
        Err(e) => refuse(&e, input, output),
    }
}

fn engine() -> Result<Engine, String> {
    // SAFETY: the function asks the CPU; with 0 it finds out itself what that has.
    if unsafe { ffi::mbx_is_crypto_mb_applicable(0) } == 0 {
        return Err("crypto_mb does not run on this CPU: it wants AVX-512 IFMA".into());
    }
    // SAFETY: the library gives a constant, with strings in it.
    let (version, date) = unsafe {
        let version = &*ffi::mbx_getversion();
        (CStr::from_ptr(version.text), CStr::from_ptr(version.date))
    };
    let build = format!(
        "static, of {}; AVX-512 IFMA, eight lanes; hashes of ECDSA and RSA by sha2 0.11",
        date.to_string_lossy()
    );
    let mut engine = Engine::new("crypto-mb", &version.to_string_lossy(), &build);
    weierstrass::register(&mut engine);
    curve25519::register(&mut engine);
    rsa::register(&mut engine);
    sm::register(&mut engine);
    Ok(engine)
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        match super::engine() {
            Ok(engine) => adamant_engine::answers::check(&engine).unwrap(),
            Err(why) => println!("skipped: {why}"),
        }
    }
}
