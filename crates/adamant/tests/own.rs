//! What is installed is what runs, from there up to signatures; what was made before stays.

use adamant::cipher::{aes::Aes128, gcm::Gcm, gmac::Gmac};
use adamant::ec::{p256, x25519};
use adamant::hash::{Hmac, Sha256, Sha384, Sha512, hkdf};
use adamant::hazmat::cipher::ghash;
use adamant::hazmat::ec::{p256 as on_p256, x25519 as on_x25519};
use adamant::hazmat::hash::{sha256, sha512};
use adamant::{Implementation, cpu::Features, family::Hash};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts what is asked of it.
struct Counting(AtomicUsize);

static COUNTING: [Counting; 5] = [const { Counting(AtomicUsize::new(0)) }; 5];

impl Counting {
    fn count(&self) {
        self.0.fetch_add(1, Relaxed);
    }
    /// How often since the last time.
    fn calls(&self) -> usize {
        self.0.swap(0, Relaxed)
    }
}

static ROW: Implementation = Implementation::new("counting", Features::NONE);

impl sha256::Functions for Counting {
    fn implementation(&self) -> &'static Implementation {
        &ROW
    }
    fn compress(&self, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        self.count();
        sha256::Backend::detected().compress(state, blocks);
    }
}

impl sha512::Functions for Counting {
    fn implementation(&self) -> &'static Implementation {
        &ROW
    }
    fn compress(&self, state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        self.count();
        sha512::Backend::detected().compress(state, blocks);
    }
}

impl ghash::Functions for Counting {
    fn implementation(&self) -> &'static Implementation {
        &ROW
    }
    fn init(&self, h: &[u8; 16], key: &mut ghash::Powers) {
        self.count();
        ghash::Backend::detected().init(h, key);
    }
    fn update(&self, key: &ghash::Powers, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
        self.count();
        ghash::Backend::detected().update(key, sum, blocks);
    }
}

impl on_x25519::Functions for Counting {
    fn implementation(&self) -> &'static Implementation {
        &ROW
    }
    fn ladder(&self, scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
        self.count();
        on_x25519::Backend::detected().ladder(scalar, u)
    }
}

impl on_p256::Functions for Counting {
    fn implementation(&self) -> &'static Implementation {
        &ROW
    }
    fn mul(&self, k: &[u64; 4], point: &[[u64; 4]; 2]) -> [[u64; 4]; 2] {
        self.count();
        on_p256::Backend::detected().mul(k, point)
    }
}

/// Everything that is tried, and how often each of [`COUNTING`] was asked meanwhile.
fn results() -> Vec<(Vec<u8>, [usize; 5])> {
    let mut results = vec![];
    let mut add = |bytes: &[u8]| {
        let calls = [0, 1, 2, 3, 4].map(|i: usize| COUNTING[i].calls());
        results.push((bytes.to_vec(), calls));
    };
    let message = [7; 300];
    add(&Sha256::digest(&message));
    add(&<Sha256 as Hash>::digest(&message));
    add(&Hmac::<Sha256>::mac(b"key", b"message"));
    let mut key = [0; 40];
    hkdf::derive::<Sha256>(b"salt", b"secret", b"info", &mut key).unwrap();
    add(&key);
    add(&Sha512::digest(&message));
    add(&Hmac::<Sha384>::mac(b"key", &message));
    let mut data = message;
    let tag = Gcm::with_cipher(Aes128::new(&[1; 16])).seal(&[2; 12], b"header", &mut data);
    add(&tag.unwrap());
    add(&Gmac::with_cipher(Aes128::new(&[1; 16])).tag(&[2; 12], &message));
    let [alice, bob] = [3, 4].map(|byte| x25519::PrivateKey::from_bytes(&[byte; 32]));
    add(&*alice.agree(&bob.public_key()).unwrap());
    let shared = x25519::agree_batch(&[(&alice, &bob.public_key()); 5]);
    add(&**shared[4].as_ref().unwrap());
    let [alice, bob] = [3, 4].map(|byte| p256::PrivateKey::from_bytes(&[byte; 32]).unwrap());
    add(&*alice.agree(&bob.public_key()).unwrap());
    let signature = alice.sign(&message);
    alice.public_key().verify(&message, &signature).unwrap();
    add(&signature.to_bytes());
    add(&p256::sign_batch(&[(&alice, &message[..]); 3])[2].to_bytes());
    results
}

#[test]
fn what_is_installed_runs() {
    let before = results();
    assert!(before.iter().all(|(_, calls)| *calls == [0; 5]));
    let mut begun = Sha256::new();
    begun.update(b"a");
    let old_key = x25519::PrivateKey::from_bytes(&[5; 32]);

    static SHA256: &dyn sha256::Functions = &COUNTING[0];
    static SHA512: &dyn sha512::Functions = &COUNTING[1];
    static GHASH: &dyn ghash::Functions = &COUNTING[2];
    static X25519: &dyn on_x25519::Functions = &COUNTING[3];
    static P256: &dyn on_p256::Functions = &COUNTING[4];
    sha256::check(SHA256).unwrap();
    sha512::check(SHA512).unwrap();
    ghash::check(GHASH).unwrap();
    on_x25519::check(X25519).unwrap();
    on_p256::check(P256).unwrap();
    COUNTING.iter().for_each(|own| assert!(own.calls() > 100));
    let installed = sha256::Backend::install(&SHA256).unwrap();
    assert_eq!(format!("{installed:?}"), "counting");
    assert!(sha512::Backend::install(&SHA512).is_some());
    assert!(ghash::Backend::install(&GHASH).is_some());
    assert!(on_x25519::Backend::install(&X25519).is_some());
    assert!(on_p256::Backend::install(&P256).is_some());

    begun.update(b"bc");
    assert_eq!(begun.finalize()[..4], [0xba, 0x78, 0x16, 0xbf]);
    old_key.agree(&old_key.public_key()).unwrap();
    assert!(COUNTING.iter().all(|own| own.calls() == 0));

    let after = results();
    let which = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4];
    assert_eq!(after.len(), which.len());
    for (i, (before, after)) in before.iter().zip(&after).enumerate() {
        assert_eq!(before.0, after.0, "result {i}");
        assert!(after.1[which[i]] > 0, "result {i}: {:?}", after.1);
    }
}
