//! BearSSL, linked statically, as an engine of the comparison.
//!
//! Its contexts are kept and used again. Curves take and give encoded points and scalars, so
//! `derive` and `derive-encoded`, `verify` and `verify-encoded` are one call, as are RSA's keys
//! numbers in bytes. It works in place. [`choice`] says which of its implementations are taken; of
//! ChaCha20 the one in plain C, since that for SSE2 is slower on CPUs of today.

mod choice;
mod ffi;
mod keys;
mod symmetric;

use std::io;

use adamant_engine::serve::{Engine, refuse, serve};

use choice::Choice;

fn main() -> io::Result<()> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match Choice::from_environment() {
        Ok(choice) => serve(&engine(choice), input, output),
        Err(e) => refuse(&e, input, output),
    }
}

fn engine(choice: Choice) -> Engine {
    let version = concat!("BearSSL ", env!("BEARSSL_VERSION"));
    let build = format!("{}/libbearssl.a; {}", env!("BEARSSL_FOLDER"), choice.told);
    let mut engine = Engine::new("bearssl", version, &build);
    symmetric::register(&mut engine, choice);
    keys::register(&mut engine, choice);
    engine
}

/// What a return value says, where 1 is success.
fn done(result: u32) -> Result<(), String> {
    match result {
        1 => Ok(()),
        _ => Err(format!("the library returns {result}")),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        for choice in super::Choice::all() {
            let result = adamant_engine::answers::check(&super::engine(choice));
            assert_eq!(result, Ok(()), "{}", choice.told);
        }
    }
}
