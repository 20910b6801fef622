//! What a small program of `engines/footprint` reads and must write, each as hexadecimal digits in a line of its
//! own, for scripts that run it elsewhere: `cargo run -p adamant-bench --example small_programs -- PROGRAM`.

use std::process::ExitCode;

use adamant_bench::footprint::known;

fn main() -> ExitCode {
    let program = std::env::args().nth(1).unwrap_or_default();
    let Some((input, output)) = known(&program) else {
        eprintln!("no program is called {program:?}");
        return ExitCode::FAILURE;
    };
    println!("{}\n{}", hex::encode(input), hex::encode(output));
    ExitCode::SUCCESS
}
