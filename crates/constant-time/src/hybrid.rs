//! Hybrid KEMs and HPKE.

use adamant_hybrid::hpke::{Aead, Kdf, Kem, Mode, PrivateKey, Psk, Suite};
use adamant_hybrid::{tls, x_wing};
use adamant_testkit::taint::{Operation, SecretRng, public, secret};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "x25519mlkem768",
        run: x25519mlkem768,
    },
    Operation {
        name: "secp256r1mlkem768",
        run: secp256r1mlkem768,
    },
    Operation {
        name: "secp384r1mlkem1024",
        run: secp384r1mlkem1024,
    },
    Operation {
        name: "x-wing",
        run: x_wing,
    },
    Operation {
        name: "hpke set-up, sealing, opening, exporting",
        run: hpke,
    },
    Operation {
        name: "hpke keys from key material",
        run: hpke_keys,
    },
];

macro_rules! tls {
    ($($module:ident)*) => { $(
        fn $module() {
            use tls::$module::*;
            let mut rng = SecretRng::new(1);
            let keys = generate_batch(2, &mut rng).unwrap();
            let key = DecapsulationKey::generate(&mut rng).unwrap();
            let public_key = key.encapsulation_key();
            let (c, sent) = public_key.encapsulate(&mut rng).unwrap();
            let opened = key.decapsulate(&c).unwrap();
            same(sent.as_ref(), opened.as_ref());
            assert_eq!(key.check_pair(), Ok(()));
            let again = DecapsulationKey::from_bytes(&key.to_bytes().unwrap()).unwrap();
            assert_eq!(again.encapsulation_key(), public_key);
            let public_keys = [&public_key, &keys[0].encapsulation_key()];
            let sent = encapsulate_batch(&public_keys, &mut rng);
            let sent: Vec<_> = sent.into_iter().map(Result::unwrap).collect();
            let items = [(&key, &sent[0].0), (&keys[0], &sent[1].0)];
            for (opened, (_, sent)) in decapsulate_batch(&items).into_iter().zip(&sent) {
                same(sent.as_ref(), opened.unwrap().as_ref());
            }
        }
    )* };
}
tls! { x25519mlkem768 secp256r1mlkem768 secp384r1mlkem1024 }

/// Both sides have one secret, which this publishes.
fn same(sent: &[u8], opened: &[u8]) {
    let [sent, opened] = [sent.to_vec(), opened.to_vec()];
    adamant_base::ct::mark_public(&sent);
    adamant_base::ct::mark_public(&opened);
    assert_eq!(sent, opened);
}

fn x_wing() {
    let mut rng = SecretRng::new(2);
    let key = x_wing::DecapsulationKey::from_seed(&secret([0x5a; 32]));
    let public_key = key.encapsulation_key();
    let (mut c, sent) = public_key.encapsulate(&mut rng).unwrap();
    same(sent.as_bytes(), key.decapsulate(&c).as_bytes());
    assert_eq!(key.check_pair(), Ok(()));
    c[0] ^= 1;
    let rejected = key.decapsulate(&c);
    assert_ne!(public(*rejected.as_bytes()), public(*sent.as_bytes()));
    let out = x_wing::encapsulate_batch(&[&public_key; 2], &mut rng).into_iter();
    let out: Vec<_> = out.map(Result::unwrap).collect();
    let items = [(&key, &out[0].0), (&key, &out[1].0)];
    for (opened, (_, sent)) in x_wing::decapsulate_batch(&items).iter().zip(&out) {
        same(sent.as_bytes(), opened.as_bytes());
    }
}

const KEMS: [Kem; 6] = [
    Kem::P256,
    Kem::P384,
    Kem::P521,
    Kem::X25519,
    Kem::X448,
    Kem::XWing,
];

fn hpke() {
    let mut rng = SecretRng::new(3);
    let aeads = [Aead::Aes128Gcm, Aead::Aes256Gcm, Aead::ChaCha20Poly1305];
    let kdfs = [Kdf::HkdfSha256, Kdf::HkdfSha384, Kdf::HkdfSha512];
    let psk = secret([9; 32]);
    let psk = Psk {
        key: &psk,
        id: b"nine",
    };
    for (i, kem) in KEMS.into_iter().enumerate() {
        let suite = Suite::new(kem, kdfs[i % 3], aeads[(i + i / 3) % 3]);
        let key = PrivateKey::generate(kem, &mut rng).unwrap();
        let from = PrivateKey::generate(kem, &mut rng).unwrap();
        let from_public = from.public_key();
        let (sending, receiving) = match kem {
            Kem::XWing => (Mode::Psk(psk), Mode::Psk(psk)),
            _ => (Mode::AuthPsk(&from, psk), Mode::AuthPsk(&from_public, psk)),
        };
        let to = key.public_key();
        let (enc, mut sender) = suite.sender(&to, b"info", sending, &mut rng).unwrap();
        let mut receiver = suite.receiver(&enc, &key, b"info", receiving).unwrap();
        let message = secret([7; 40]);
        let sealed = sender.seal(b"aad", &message).unwrap();
        adamant_base::ct::mark_public(&sealed); // It travels.
        let opened = receiver.open(b"aad", &sealed).unwrap();
        adamant_base::ct::mark_public(&opened);
        assert_eq!(opened, [7; 40]);
        let mut exported = [[0; 16]; 2];
        sender.export(b"context", &mut exported[0]).unwrap();
        receiver.export(b"context", &mut exported[1]).unwrap();
        same(&exported[0], &exported[1]);
    }
}

fn hpke_keys() {
    for kem in KEMS {
        let key = PrivateKey::derive(kem, &secret([0x5a; 66])).unwrap();
        let again = PrivateKey::from_bytes(kem, &key.to_bytes()).unwrap();
        let public_keys = [key.public_key(), again.public_key()];
        assert_eq!(public_keys[0].to_bytes(), public_keys[1].to_bytes());
    }
}
