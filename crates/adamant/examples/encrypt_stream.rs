//! Encrypts more than fits in memory: in segments, whose order, number and end are authenticated.

use adamant::cipher::chacha20_poly1305::XChaCha20Poly1305;
use adamant::cipher::stream::{Opener, Sealer};
use adamant::{Error, Rng, Secret, SystemRng};

fn main() -> Result<(), Error> {
    let mut key = Secret::new([0; 32]);
    SystemRng.fill(&mut *key)?;
    let mut prefix = [0; 19]; // random is fine at this length; it travels with the stream
    SystemRng.fill(&mut prefix)?;

    let mut segments = [vec![1; 4096], vec![2; 4096], vec![3; 100]];
    let mut sealer = Sealer::<XChaCha20Poly1305>::new(&*key, &prefix)?;
    let [first, second, last] = &mut segments;
    let tags = [
        sealer.seal_next(first)?,
        sealer.seal_next(second)?,
        sealer.seal_last(last)?,
    ];

    let mut opener = Opener::<XChaCha20Poly1305>::new(&*key, &prefix)?;
    let [first, second, last] = &mut segments;
    opener.open_next(first, &tags[0])?;
    opener.open_next(second, &tags[1])?;
    opener.open_last(last, &tags[2])?;
    assert_eq!((first[0], second[0], last[0]), (1, 2, 3));
    println!("three segments sealed and opened");
    Ok(())
}
