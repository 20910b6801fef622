//! openHiTLS, a `libhitls_crypto` that the user has built, loaded at run time, as an engine of the
//! comparison: through the public interface `CRYPT_EAL_*`.
//!
//! Contexts are kept and used again: `CRYPT_EAL_MdInit`, `CRYPT_EAL_MacReinit` and
//! `CRYPT_EAL_CipherReinit` begin a message, keys are set once. Tags of AEADs are compared here,
//! which the library leaves to its user.

mod ffi;
mod keys;
mod pkey;
mod symmetric;

use std::io;

use adamant_engine::serve::{Engine, refuse, serve};

use ffi::Functions;

fn main() -> io::Result<()> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match engine() {
        Ok(engine) => serve(&engine, input, output),
        Err(e) => refuse(&e, input, output),
    }
}

fn engine() -> Result<Engine, String> {
    let (lib, version, file) = Functions::load_ready()?;
    let build = format!("{file}, as its user built it");
    let mut engine = Engine::new("openhitls", &version, &build);
    symmetric::register(&mut engine, lib);
    keys::register(&mut engine, lib);
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
