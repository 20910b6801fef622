//! The `adamant` program: all of it is in the library beside this.

use std::process::ExitCode;

/// The pipelines allocate from many threads at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    adamant_cli::main()
}
