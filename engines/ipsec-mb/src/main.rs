//! Intel's multi-buffer library for IPsec (`intel-ipsec-mb`), loaded at run time, as an engine of
//! the comparison.
//!
//! AES-GCM and the SHA family have calls of their own; the rest are jobs, submitted without the
//! checks of their parameters and flushed. A batch is a queue of jobs flushed once. Tags are given
//! and compared here, which the library leaves to its user.

mod mb;
mod operations;

use std::io;

use adamant_engine::serve::{Engine, refuse, serve};

use mb::Mb;

fn main() -> io::Result<()> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match engine() {
        Ok(engine) => serve(&engine, input, output),
        Err(e) => refuse(&e, input, output),
    }
}

fn engine() -> Result<Engine, String> {
    let (mb, version, build) = Mb::load()?;
    let mut engine = Engine::new("ipsec-mb", &format!("ipsec-mb {version}"), &build);
    operations::register(&mut engine, mb);
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
