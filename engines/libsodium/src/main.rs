//! The engine of libsodium, built from its source by the crate `libsodium-sys-stable`.
//!
//! Its elliptic-curve functions take encoded points, which other libraries decode outside the
//! timing; they are left out, but for the scalars.

mod asymmetric;
mod symmetric;

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
    // SAFETY: the function takes nothing and may be called at any time.
    if unsafe { libsodium_sys::sodium_init() } < 0 {
        return Err("libsodium does not start".into());
    }
    // SAFETY: the library gives a string that lives as long as the program.
    let version = unsafe { CStr::from_ptr(libsodium_sys::sodium_version_string()) };
    let version = format!("libsodium {}", version.to_string_lossy());
    let build = format!("{}; its own configure, -O3", env!("ENGINE_VERSIONS"));
    let mut engine = Engine::new("libsodium", &version, &build);
    symmetric::register(&mut engine);
    asymmetric::register(&mut engine);
    Ok(engine)
}

/// A length as the library takes it.
fn len(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}

/// What a return value says.
fn done(result: i32) -> Result<(), String> {
    match result {
        0 => Ok(()),
        _ => Err(format!("the library returns {result}")),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        adamant_engine::answers::check(&super::engine().unwrap()).unwrap();
    }
}
