//! SM2 and the `openssl` program, where version 3 or later is installed and has SM2: what is made
//! here is accepted there, and the reverse.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use adamant_der::{Oid, Writer};
use adamant_ec::sm2::{Ciphertext, PrivateKey, Signature};
use adamant_testkit::TestRng;

/// A folder that the program works in.
struct OpenSsl(PathBuf);

impl OpenSsl {
    /// Nothing where there is no such program, or it has no SM2.
    fn new(name: &str) -> Option<Self> {
        let known = Command::new("openssl")
            .args(["list", "-public-key-algorithms"])
            .output()
            .is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("SM2"));
        if !known {
            let why = "no openssl program with SM2";
            adamant_testkit::skipped("interoperation", why, "ADAMANT_REQUIRE_OPENSSL");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        Some(Self(folder))
    }

    /// Whether the command succeeds.
    fn run(&self, command: &str) -> bool {
        let output = Command::new("openssl")
            .args(command.split(' '))
            .current_dir(&self.0)
            .output()
            .unwrap();
        output.status.success()
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), contents).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }

    /// Writes `key.der` (PKCS#8 around SEC 1) and `public.der` (SPKI).
    fn write_key(&self, key: &PrivateKey) {
        let point = key.public_key().to_sec1();
        let mut w = Writer::new();
        w.sequence(|w| {
            algorithm(w);
            w.bit_string(&point, 0);
        });
        self.write("public.der", w.finish());
        let mut w = Writer::new();
        w.sequence(|w| {
            w.integer_u64(0);
            algorithm(w);
            w.octet_string_with(|w| {
                w.sequence(|w| {
                    w.integer_u64(1);
                    w.octet_string(&*key.to_bytes());
                    w.explicit(1, |w| w.bit_string(&point, 0));
                });
            });
        });
        self.write("key.der", w.finish());
    }
}

/// `id-ecPublicKey` on the curve `sm2`.
fn algorithm(w: &mut Writer) {
    let oid = |text: &str| text.parse::<Oid>().unwrap();
    w.sequence(|w| {
        w.oid(&oid("1.2.840.10045.2.1"));
        w.oid(&oid("1.2.156.10197.1.301"));
    });
}

#[test]
fn signatures() {
    let Some(openssl) = OpenSsl::new("sm2-signatures") else {
        return;
    };
    let mut rng = TestRng::new(1);
    for len in [0, 1, 100] {
        let key = PrivateKey::generate(&mut rng).unwrap();
        let message = rng.bytes(len);
        openssl.write_key(&key);
        openssl.write("message", &message);
        let signature = key.sign_with_identity(&message, b"alice").unwrap();
        openssl.write("signature", signature.to_der());
        let verify = "pkeyutl -verify -rawin -digest sm3 -keyform DER -pubin -inkey public.der \
                      -in message -sigfile signature -pkeyopt distid:";
        assert!(openssl.run(&format!("{verify}alice")));
        assert!(!openssl.run(&format!("{verify}bob")));
        assert!(openssl.run(
            "pkeyutl -sign -rawin -digest sm3 -keyform DER -inkey key.der -in message \
             -pkeyopt distid:1234567812345678 -out signed"
        ));
        let signature = Signature::from_der(&openssl.read("signed")).unwrap();
        assert_eq!(key.public_key().verify(&message, &signature), Ok(()));
    }
}

#[test]
fn encryption() {
    let Some(openssl) = OpenSsl::new("sm2-encryption") else {
        return;
    };
    let mut rng = TestRng::new(2);
    for len in [2, 32, 33, 1000] {
        let key = PrivateKey::generate(&mut rng).unwrap();
        let message = rng.bytes(len);
        openssl.write_key(&key);
        openssl.write("message", &message);
        let ciphertext = key.public_key().encrypt(&message, &mut rng).unwrap();
        openssl.write("ciphertext", ciphertext.to_der());
        assert!(
            openssl.run("pkeyutl -decrypt -keyform DER -inkey key.der -in ciphertext -out opened")
        );
        assert_eq!(openssl.read("opened"), message);
        assert!(
            openssl.run(
                "pkeyutl -encrypt -keyform DER -pubin -inkey public.der -in message -out sealed"
            )
        );
        let ciphertext = Ciphertext::from_der(&openssl.read("sealed")).unwrap();
        assert_eq!(key.decrypt(&ciphertext).unwrap()[..], message);
    }
}
