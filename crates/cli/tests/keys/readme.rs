//! The commands of the README, word for word.

use std::path::Path;
use std::process::Command;

use super::{Folder, common, text};

#[cfg(unix)]
#[test]
fn commands() {
    let readme = include_str!("../../../../README.md");
    let (_, section) = readme
        .split_once("### Keys, signatures, encryption\n")
        .unwrap();
    let (_, block) = section.split_once("```sh\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let folder = Folder::new();
    folder.write("README.md", readme.as_bytes());
    let program = Path::new(env!("CARGO_BIN_EXE_adamant"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut shell = Command::new("sh");
    // The passphrase, which a user would be asked for.
    shell
        .args(["-e", "-c", block])
        .env("PATH", path)
        .env("ADAMANT_PASSWORD", "correct horse");
    let output = common::run(&mut shell, &folder.0, b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "signature verifies\n");
    assert_eq!(folder.read("README.opened"), readme.as_bytes());
    assert_eq!(folder.read("the-same-secret"), folder.read("secret"));
}
