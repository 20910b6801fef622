//! Private keys under passwords.

use adamant_rand::SystemRng;
use adamant_x509::pbes2::{Cipher, Limits, Pbes2, Prf};
use adamant_x509::{ErrorKind, KeyAlgorithm, PrivateKey};

use super::program::{OpenSsl, genpkey};

const PASSWORD: &[u8] = b"open sesame";

#[test]
fn ours_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    let key = PrivateKey::generate(KeyAlgorithm::P256, &mut SystemRng).unwrap();
    let pbkdf2 = |prf| Pbes2::pbkdf2(prf, 2048);
    for scheme in [
        Pbes2::default(),
        Pbes2::scrypt(1024, 4, 2).with_cipher(Cipher::Aes128Cbc),
        pbkdf2(Prf::HmacSha224),
        pbkdf2(Prf::HmacSha256).with_cipher(Cipher::Aes192Cbc),
        pbkdf2(Prf::HmacSha384),
        pbkdf2(Prf::HmacSha512).with_cipher(Cipher::Sm4Cbc),
    ] {
        let text = key.to_encrypted_pem(PASSWORD, &scheme, &mut SystemRng);
        ssl.write("key.pem", text.unwrap());
        ssl.write("password", PASSWORD);
        ssl.run("pkcs8 -in key.pem -passin file:password -out plain.pem");
        assert_eq!(ssl.read_text("plain.pem"), *key.to_pem(), "{scheme:?}");
    }
}

#[test]
fn theirs_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.run(&format!("{} -out key.pem", genpkey(KeyAlgorithm::P256)));
    let key = PrivateKey::from_pem(&ssl.read_text("key.pem")).unwrap();
    let limits = Limits::default();
    ssl.write("password", PASSWORD);
    for options in [
        "-v2 aes-256-cbc",
        "-v2 aes-128-cbc -v2prf hmacWithSHA1",
        "-v2 aes-192-cbc -v2prf hmacWithSHA512 -iter 100000",
        "-v2 aes-256-cbc -v2prf hmacWithSHA384",
        "-v2 sm4-cbc",
        "-scrypt",
        "-v2 aes-128-cbc -scrypt -scrypt_N 1024 -scrypt_r 4 -scrypt_p 3",
    ] {
        ssl.run(&format!(
            "pkcs8 -topk8 {options} -in key.pem -passout file:password -out encrypted.pem"
        ));
        let text = ssl.read_text("encrypted.pem");
        let read = |password: &[u8]| PrivateKey::from_encrypted_pem(&text, password, &limits);
        assert_eq!(
            read(PASSWORD).unwrap().public_key(),
            key.public_key(),
            "{options}"
        );
        for wrong in [&b"open"[..], b"open sesame\n", b""] {
            let error = read(wrong).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::WrongPassword);
        }
        let error = PrivateKey::from_pem(&text).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::PasswordRequired);
    }
}
