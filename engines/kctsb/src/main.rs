//! kctsb, linked statically, as an engine of the comparison: what its interface in C has of hashes,
//! MACs and AEADs.
//!
//! Keys of AES are expanded once; the rest takes the bytes of the key with each message, as SM4
//! in GCM, whose context holds the nonce too. Its AES in CTR mode is not here: it takes only nonces
//! of 12 bytes and counts from 1. Nor are ECDSA, ECDH, SM2 and RSA: their sources do not compile
//! where `long` has 64 bits.

mod cipher;
mod ffi;
mod hash;

use std::ffi::CStr;
use std::io;

use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let mut engine = without_cmac();
    hash::cmac(&mut engine);
    engine
}

/// The test leaves out CMAC, which ends the program: the library stores a round key where its own
/// context is not aligned for it.
fn without_cmac() -> Engine {
    // SAFETY: it takes nothing and gives a string that lives as long as the library.
    let version = unsafe { CStr::from_ptr(ffi::kctsb_version()) };
    let version = version.to_string_lossy();
    let version = format!("kctsb {version}, {}", env!("KCTSB_COMMIT"));
    let build = "libkctsb.a, by its own CMake";
    let mut engine = Engine::new("kctsb", &version, build);
    hash::register(&mut engine);
    cipher::register(&mut engine);
    engine
}

/// What a `kctsb_error_t` says, where 0 is success.
fn done(result: i32) -> Result<(), String> {
    match result {
        0 => Ok(()),
        _ => Err(format!("the library returns {result}")),
    }
}

#[cfg(test)]
mod tests {
    use adamant_engine::answers;

    /// What is wrong with the library where the README says so; the engine has no other mistakes.
    const WRONG: &[&str] = &["aes-128-gcm/", "aes-192-gcm/", "aes-256-gcm/", "sm4-gcm/"];

    #[test]
    fn other_answers_are_known() {
        let wrong = answers::check(&super::without_cmac())
            .err()
            .unwrap_or_default();
        let known = |line: &&str| WRONG.iter().any(|name| line.starts_with(name));
        let other: Vec<&str> = wrong.lines().filter(|line| !known(line)).collect();
        assert_eq!(other, [""; 0]);
    }
}
