//! Makes the page of a run that was kept: `cargo run -p adamant-bench --example report run.json`
//! prints it; with `markdown` after the file, the Markdown.

use std::process::ExitCode;
use std::{env, fs};

use adamant_bench::{file, report};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (path, markdown) = match arguments.as_slice() {
        [path] => (path, false),
        [path, form] if form == "markdown" => (path, true),
        _ => {
            eprintln!("usage: report FILE [markdown]");
            return ExitCode::from(2);
        }
    };
    let text = fs::read_to_string(path).map_err(|error| error.to_string());
    match text.and_then(|text| file::read(&text)) {
        Ok(run) if markdown => print!("{}", report::markdown(&run)),
        Ok(run) => print!("{}", report::html(&run)),
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
