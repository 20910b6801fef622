//! Our operations behind the protocol of engines, without anything of C: for machines that only this
//! is built for, such as those in an emulator.
//!
//! ```sh
//! cargo build --release -p adamant-ops --example engine --target aarch64-unknown-linux-musl
//! ```

use std::io;

fn main() -> io::Result<()> {
    let build = std::env::consts::ARCH;
    let engine = adamant_ops::engine(build, None);
    adamant_engine::serve::serve(&engine, io::stdin().lock(), io::stdout().lock())
}
