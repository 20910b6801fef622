use super::*;
use crate::{Sha256, Sha512, Sm3, sha256};
use hex_literal::hex;

/// The first cases of NIST's `ansx963_2001.rsp` for SHA-256, without and with SharedInfo.
#[test]
fn nist() {
    let cases: [(&[u8], &[u8], &[u8]); 2] = [
        (
            &hex!("96c05619d56c328ab95fe84b18264b08725b85e33fd34f08"),
            b"",
            &hex!("443024c3dae66b95e6f5670601558f71"),
        ),
        (
            &hex!("22518b10e70f2a3f243810ae3254139efbee04aa57c7af7d"),
            &hex!("75eef81aa3041e33b80971203d2c0c52"),
            &hex!(
                "c498af77161cc59f2962b9a713e2b215152d139766ce34a776df11866a69bf2e"
                "52a13d9c7c6fc878c50c5ea0bc7b00e0da2447cfd874f6cf92f30d0097111485"
                "500c90c3af8b487872d04685d14c8d1dc8d7fa08beb0ce0ababc11f0bd496269"
                "142d43525a78e5bc79a17f59676a5706dc54d54d4d1f0bd7e386128ec26afc21"
            ),
        ),
    ];
    for (z, shared_info, key) in cases {
        for backend in sha256::Backend::available() {
            let mut out = vec![0; key.len()];
            let hash = Sha256::new_on(backend);
            derive_with_hash(&hash, z, shared_info, &mut out).unwrap();
            assert_eq!(out, key);
        }
    }
}

/// What OpenSSL gives with other hashes.
#[test]
fn openssl() {
    let z = [0x0b; 40];
    let mut out = [0; 70];
    derive::<Sha512>(&z, b"info", &mut out).unwrap();
    assert_eq!(
        out,
        hex!(
            "d684dfec313f1fdbd97ef8da20dce37cb0b7a9a93e0286763cdd33e72c2c069330acb084eb7ef11debbb010d109a5e725baf664c27c9d6d8a27829283c522fa4d919734a7b69"
        )
    );
    derive::<Sm3>(&z, b"info", &mut out).unwrap();
    assert_eq!(
        out,
        hex!(
            "999fb79abf66cc1bbf4343c7e774847b093c6118c3bf8a0dd3c885140796f267375facfc49fa5b68d54422c585223e4fb1cdeaed94f448bda6b3f842b4e23dcdcdcba29dc1b0"
        )
    );
}

/// The definition, around the length from which on a secret is taken in once.
#[test]
fn secrets_of_every_length() {
    fn check<H: Hash>() {
        let shared_info = [5; 70];
        for z in 0..=2 * H::BLOCK_LEN + 1 {
            let z = vec![z as u8; z];
            for info in [0, 1, 59, 70] {
                let info = &shared_info[..info];
                let mut out = vec![0; 3 * H::OUTPUT_LEN - 1];
                derive::<H>(&z, info, &mut out).unwrap();
                let counters = (1u32..=3).map(u32::to_be_bytes);
                let digests = counters.map(|c| H::digest(&[&z, &c[..], info].concat()));
                let digests: Vec<u8> = digests.flat_map(|d| d.as_ref().to_vec()).collect();
                assert_eq!(out, digests[..out.len()], "{} {}", z.len(), info.len());
            }
        }
    }
    check::<Sha256>();
    check::<Sha512>();
    check::<Sm3>();
}
