//! Stores a password as its Argon2id hash, and checks two attempts to log in.

use adamant::hash::argon2::{Argon2, Variant};
use adamant::{Error, Rng, Secret, SystemRng, ct};

/// What is stored: the salt, and the hash.
struct Stored([u8; 16], Secret<[u8; 32]>);

fn hash(password: &[u8], salt: [u8; 16]) -> Result<Stored, Error> {
    // 19 MiB, two passes, one lane.
    let argon2 = Argon2::new(Variant::Id, 19 << 10, 2, 1)?;
    let mut out = Secret::new([0; 32]);
    argon2.derive(password, &salt, &mut *out)?;
    Ok(Stored(salt, out))
}

fn is_right(password: &[u8], stored: &Stored) -> Result<bool, Error> {
    let attempt = hash(password, stored.0)?;
    Ok(ct::eq(&*attempt.1, &*stored.1).declassify())
}

fn main() -> Result<(), Error> {
    let mut salt = [0; 16];
    SystemRng.fill(&mut salt)?;
    let stored = hash(b"correct horse battery staple", salt)?;

    assert!(is_right(b"correct horse battery staple", &stored)?);
    assert!(!is_right(b"Tr0ub4dor&3", &stored)?);
    println!("the right password is accepted, the wrong one is not");
    Ok(())
}
