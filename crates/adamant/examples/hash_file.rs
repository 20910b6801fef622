//! The SHA-256 of files, read in pieces: `cargo run -p adamant --example hash_file -- FILE…`

use adamant::hash::Sha256;
use std::fs::File;
use std::io::{Read, Result};

fn main() -> Result<()> {
    for path in std::env::args().skip(1) {
        let (mut file, mut hasher) = (File::open(&path)?, Sha256::new());
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            hasher.update(&buffer[..read]);
        }
        for byte in hasher.finalize() {
            print!("{byte:02x}");
        }
        println!("  {path}");
    }
    Ok(())
}
