//! Password hashes through the traits of `password-hash`. The string of Argon2 is that of its
//! reference implementation's README; the others were computed with Python's `hashlib`.

use adamant_traits::password::{Argon2, Pbkdf2, Scrypt, ScryptParams};
use password_hash::phc::PasswordHash;
use password_hash::{CustomizedPasswordHasher, Error, PasswordHasher, PasswordVerifier};

const ARGON2I: &str = "$argon2i$v=19$m=65536,t=2,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b+dWRWJTmaaJObG";
const SCRYPT: &str =
    "$scrypt$ln=10,r=8,p=2$YSBzYWx0IG9mIGJ5dGVz$GiqCHrlbVSJH85JgKng1N8wciKa5A/MASc8G5QaK3Q0";
const PBKDF2_SHA256: &str =
    "$pbkdf2-sha256$i=1000,l=32$YSBzYWx0IG9mIGJ5dGVz$mk/2VDXH1aNj7ZEvirmN57Igyl9+W18SQX0yDJ4qKW8";
const PBKDF2_SHA512: &str = "$pbkdf2-sha512$i=1000,l=64$YSBzYWx0IG9mIGJ5dGVz$oVZG57yn/GWc6nkqgJc+6WSSMofVdH9Qic3g41qz/mD8e6+e1q+GdkznfTZEPl/md4wh3da/3qwAN4fWSdqSPg";

fn check(hasher: &impl PasswordVerifier<PasswordHash>, string: &str) {
    let hash = PasswordHash::new(string).unwrap();
    assert_eq!(
        hasher.verify_password(b"password", &hash),
        Ok(()),
        "{string}"
    );
    let wrong = hasher.verify_password(b"passwort", &hash);
    assert_eq!(wrong, Err(Error::PasswordInvalid));
}

#[test]
fn known_answers() {
    check(&Argon2::default(), ARGON2I);
    check(&Scrypt::default(), SCRYPT);
    check(&Pbkdf2::default(), PBKDF2_SHA256);
    check(&Pbkdf2::default(), PBKDF2_SHA512);
}

#[test]
fn strings_come_back() {
    let params = ScryptParams {
        log_n: 10,
        p: 2,
        ..ScryptParams::default()
    };
    let hash = Scrypt(params).hash_password_with_salt(b"password", b"a salt of bytes");
    assert_eq!(hash.unwrap().to_string(), SCRYPT);
    let hash = Scrypt::default().hash_password_with_params(b"password", b"a salt of bytes", params);
    assert_eq!(hash.unwrap().to_string(), SCRYPT);
}

#[test]
fn refused() {
    let verify = |hasher: &dyn PasswordVerifier<PasswordHash>, string: &str| {
        hasher.verify_password(b"password", &PasswordHash::new(string).unwrap())
    };
    assert_eq!(verify(&Scrypt::default(), ARGON2I), Err(Error::Algorithm));
    assert_eq!(verify(&Argon2::default(), SCRYPT), Err(Error::Algorithm));
    assert_eq!(verify(&Pbkdf2::default(), SCRYPT), Err(Error::Algorithm));
    let old = ARGON2I.replace("v=19", "v=16");
    assert_eq!(verify(&Argon2::default(), &old), Err(Error::Version));
    for (from, to) in [
        ("m=65536", "m=1"),
        ("t=2", "t=0"),
        ("p=4", "p=0"),
        ("m=65536", "m=x"),
    ] {
        let string = ARGON2I.replace(from, to);
        let refused = verify(&Argon2::default(), &string);
        assert!(
            matches!(refused, Err(Error::ParamInvalid { .. })),
            "{string}: {refused:?}"
        );
    }
    for (from, to) in [
        ("ln=10", "ln=0"),
        ("ln=10", "ln=64"),
        ("ln=10", "ln=999"),
        ("r=8", "r=0"),
    ] {
        let string = SCRYPT.replace(from, to);
        let refused = verify(&Scrypt::default(), &string);
        assert!(
            matches!(refused, Err(Error::ParamInvalid { .. })),
            "{string}: {refused:?}"
        );
    }
    let none = PBKDF2_SHA256.replace("i=1000", "i=0");
    let refused = verify(&Pbkdf2::default(), &none);
    assert!(matches!(refused, Err(Error::ParamInvalid { .. })));
    let short = PBKDF2_SHA256.replace("l=32", "l=31");
    assert_eq!(verify(&Pbkdf2::default(), &short), Err(Error::OutputSize));
}
