//! Ciphers, modes and AEADs.

use crate::following::{is_on, lengths};
use adamant_base::{Aead, Block, BlockCipher, Implementation};
use adamant_cipher::aes::Aes;
use adamant_cipher::ccm::Ccm;
use adamant_cipher::chacha20::{ChaCha20, Nonce};
use adamant_cipher::chacha20_poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use adamant_cipher::cmac::Cmac;
use adamant_cipher::des::Tdea;
use adamant_cipher::eax::Eax;
use adamant_cipher::gcm::AesGcm;
use adamant_cipher::gcm_siv::AesGcmSiv;
use adamant_cipher::gmac::Gmac;
use adamant_cipher::hazmat::aes::{self, lanes};
use adamant_cipher::hazmat::{
    AnyLengths, chacha20, chacha20_poly1305, des, gcm, gcm_siv, ghash, poly1305, sm4,
};
use adamant_cipher::key_wrap::KeyWrap;
use adamant_cipher::modes::{Message, cbc};
use adamant_cipher::poly1305::{OneTimeKey, Poly1305};
use adamant_cipher::sm4::{Sm4, Sm4Gcm};
use adamant_cipher::stream::{Opener, Sealer};
use adamant_testkit::taint::{Operation, public, secret};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "chacha20",
        run: || (chacha20(&[1; 12]), chacha20(&[1; 24]), chacha20(&[1; 8])).0,
    },
    Operation {
        name: "poly1305",
        run: poly1305,
    },
    Operation {
        name: "chacha20-poly1305",
        run: chacha20_poly1305,
    },
    Operation {
        name: "aes",
        run: || (aes::<16>(), aes::<24>(), aes::<32>()).0,
    },
    Operation {
        name: "sm4",
        run: || {
            for backend in rows!(sm4::Backend) {
                let cipher = Sm4::new_on(&secret([7; 16]), backend);
                modes_of_128(&cipher, backend.implementation());
            }
        },
    },
    Operation {
        name: "sm4-gcm",
        run: sm4_gcm,
    },
    Operation {
        name: "des",
        run: || (des::<8>(), des::<24>()).0,
    },
    Operation {
        name: "key-wrap",
        run: key_wrap,
    },
    Operation {
        name: "gmac",
        run: gmac,
    },
    Operation {
        name: "aes-gcm-siv",
        run: || (aes_gcm_siv::<16>(), aes_gcm_siv::<32>()).0,
    },
    Operation {
        name: "stream",
        run: stream,
    },
    Operation {
        name: "aes batches",
        run: || {
            (
                aes_batches::<16>(),
                aes_batches::<24>(),
                aes_batches::<32>(),
            )
                .0
        },
    },
    Operation {
        name: "aes-gcm",
        run: || (aes_gcm::<16>(), aes_gcm::<24>(), aes_gcm::<32>()).0,
    },
];

/// The modes, on many blocks and on few.
fn modes_of_128<C: BlockCipher<Block = [u8; 16]> + Clone>(cipher: &C, row: &Implementation) {
    for len in lengths(row, &[48, 640, 1120]) {
        let mut blocks = secret([[9u8; 16]; 1024]);
        let blocks = &mut blocks[..len / 16];
        cipher.encrypt_blocks(blocks);
        cipher.decrypt_blocks(blocks);
        for counter in [3, 0x7d, 0xff] {
            cipher.ctr(&mut [counter; 16], 4, blocks);
        }
        cipher.cbc_encrypt(&mut [3; 16], blocks);
        cipher.cbc_decrypt(&mut [3; 16], blocks);
        cipher.xts_encrypt(&mut secret([3; 16]), blocks);
        cipher.xts_decrypt(&mut secret([3; 16]), blocks);
    }
    let ccm = Ccm::with_cipher(cipher.clone());
    let mut data = secret([5; 70]);
    let tag = ccm.seal(&[1; 12], b"header", &mut data).unwrap();
    ccm.open(&[1; 12], b"header", &mut data, &public(tag))
        .unwrap();
    let eax = Eax::with_cipher(cipher);
    let tag = eax.seal(&[1; 12], b"header", &mut data).unwrap();
    eax.open(&[1; 12], b"header", &mut data, &public(tag))
        .unwrap();
    let mut mac = Cmac::with_cipher(cipher.clone());
    mac.update(&data);
    public(mac.finalize());
    let mut buffer = secret([5; 64]);
    let sealed = cbc::encrypt_padded(cipher, &[1; 16], &mut buffer, 50).unwrap();
    public(cbc::decrypt_padded(cipher, &[1; 16], sealed).unwrap().len());
}

fn aes<const KEY_LEN: usize>() {
    for backend in rows!(aes::Backend).filter(|b| b.implementation().constant_time) {
        let cipher = Aes::new_on(&secret([7; KEY_LEN]), backend);
        modes_of_128(&cipher, backend.implementation());
    }
}

fn des<const KEY_LEN: usize>() {
    for backend in rows!(des::Backend).filter(|b| b.implementation().constant_time) {
        let cipher = Tdea::new_on(&secret([7; KEY_LEN]), backend);
        for len in lengths(backend.implementation(), &[24, 320]) {
            let mut blocks = secret([[9u8; 8]; 1100]);
            let blocks = &mut blocks[..len / 8];
            cipher.encrypt_blocks(blocks);
            cipher.decrypt_blocks(blocks);
            cipher.ctr(&mut [3; 8], 4, blocks);
            cipher.cbc_encrypt(&mut [3; 8], blocks);
            cipher.cbc_decrypt(&mut [3; 8], blocks);
        }
        let mut mac = Cmac::with_cipher(cipher);
        mac.update(&secret([5; 30]));
        public(mac.finalize());
    }
}

fn sm4_gcm() {
    for backend in rows!(sm4::gcm::Backend) {
        let cipher = Sm4Gcm::new_on(&secret([7; 16]), backend);
        aead(
            &cipher,
            backend.implementation(),
            &[5, 700, 2100],
            any_nonce,
        );
    }
}

/// An AEAD, and something else on the same data.
fn aead<A: Aead>(cipher: &A, row: &Implementation, usual: &[usize], also: impl Fn(&A, &mut [u8])) {
    let mut nonce = A::Nonce::ZERO;
    nonce.as_mut().fill(1);
    for len in lengths(row, usual) {
        let mut data = secret([9u8; 40_000]);
        let data = &mut data[..len];
        let tag = public(cipher.seal(&nonce, b"header", data).unwrap());
        cipher.open(&nonce, b"header", data, &tag).unwrap();
        also(cipher, data);
    }
}

/// A nonce whose first counter is a secret.
fn any_nonce(cipher: &impl AnyLengths, data: &mut [u8]) {
    let (nonce, mut tag) = ([1; 30], [0; 16]);
    cipher.seal_any(&nonce, b"header", data, &mut tag).unwrap();
    cipher
        .open_any(&nonce, b"header", data, &public(tag))
        .unwrap();
}

/// Both forms, and a padded one that does not unwrap.
fn key_wrap() {
    for backend in rows!(aes::Backend).filter(|b| b.implementation().constant_time) {
        let kek = KeyWrap::with_cipher(Aes::new_on(&secret([7; 16]), backend));
        let (key, mut wrapped, mut out) = (secret([9u8; 32]), [0; 40], [0; 32]);
        kek.wrap(&key, &mut wrapped).unwrap();
        kek.unwrap(&wrapped, &mut out).unwrap();
        kek.wrap_padded(&key[..27], &mut wrapped).unwrap();
        public(kek.unwrap_padded(&wrapped, &mut out).unwrap().len());
        wrapped[20] ^= 1;
        kek.unwrap_padded(&wrapped, &mut out).unwrap_err();
    }
}

fn gmac() {
    for backend in rows!(ghash::Backend) {
        let gmac = Gmac::with_cipher_on(Aes::<16>::new(&secret([7; 16])), backend);
        for len in lengths(backend.implementation(), &[5, 700]) {
            let message = &secret([9u8; 8192])[..len];
            let tag = public(gmac.tag(&[1; 12], message));
            gmac.verify(&[1; 12], message, &tag).unwrap();
        }
    }
}

fn aes_gcm_siv<const KEY_LEN: usize>() {
    for backend in rows!(gcm_siv::Backend) {
        let cipher = AesGcmSiv::new_on(&secret([7; KEY_LEN]), backend);
        let usual = &[5, 100, 700, 1500];
        aead(&cipher, backend.implementation(), usual, |_, _| ());
    }
}

fn stream() {
    let key = secret([7u8; 32]);
    let mut sealer = Sealer::<ChaCha20Poly1305>::new(&key, &[1; 7]).unwrap();
    let (mut first, mut last) = (secret([9u8; 100]), secret([9u8; 50]));
    let tag = public(sealer.seal_next(&mut first).unwrap());
    let end = public(sealer.seal_last(&mut last).unwrap());
    let mut opener = Opener::<ChaCha20Poly1305>::new(&key, &[1; 7]).unwrap();
    opener.open_next(&mut first, &tag).unwrap();
    opener.open_last(&mut last, &end).unwrap();
}

/// As many messages as fill some lanes.
fn aes_batches<const KEY_LEN: usize>() {
    let counts: &[usize] = if is_on() { &[3, 7, 45] } else { &[7] };
    let keys = secret([[7; KEY_LEN]; 45]);
    for (backend, &count) in
        rows!(lanes::Backend).flat_map(|row| counts.iter().map(move |n| (row, n)))
    {
        let ciphers: Vec<_> = keys[..count].iter().map(Aes::new).collect();
        let mut data = secret([[9u8; 480]; 45]);
        let mut messages: Vec<_> = ciphers
            .iter()
            .zip(&mut data)
            .enumerate()
            .map(|(i, (cipher, data))| Message {
                cipher,
                iv: [3; 16],
                data: &mut data[..16 * (6 + i % 25)],
            })
            .collect();
        lanes::cbc_encrypt_on(&mut messages, backend).unwrap();
        lanes::ctr_encrypt_on(4, &mut messages, backend).unwrap();
        for short in [50, 16, 9] {
            let mut data = secret([[9u8; 50]; 45]);
            let mut messages: Vec<_> = ciphers
                .iter()
                .zip(&mut data)
                .map(|(cipher, data)| Message {
                    cipher,
                    iv: [3; 16],
                    data: &mut data[..short],
                })
                .collect();
            lanes::ctr_encrypt_on(4, &mut messages, backend).unwrap();
        }
    }
}

fn aes_gcm<const KEY_LEN: usize>() {
    for backend in rows!(gcm::Backend) {
        let cipher = AesGcm::new_on(&secret([7; KEY_LEN]), backend);
        aead(&cipher, backend.implementation(), &[5, 700], any_nonce);
    }
}

fn chacha20<N: Nonce<Counter: From<u32>>>(nonce: &N) {
    for backend in rows!(chacha20::Backend) {
        let key = secret([7u8; 32]);
        for len in lengths(backend.implementation(), &[1500]) {
            let mut message = secret([9u8; 8192]);
            let (first, second) = message[..len].split_at_mut(100);
            let mut cipher = ChaCha20::new_on(&key, nonce, 0.into(), backend);
            cipher.apply_keystream(first).unwrap();
            cipher.apply_keystream(second).unwrap();
            public(message);
        }
    }
}

fn poly1305() {
    for backend in rows!(poly1305::Backend) {
        for len in lengths(backend.implementation(), &[5, 100, 1500]) {
            let key = || OneTimeKey::new(secret([7; 32])).with_backend(backend);
            let message = &secret([9u8; 4096])[..len];
            let tag = public(Poly1305::mac(key(), message));
            let mut mac = Poly1305::new(key());
            mac.update(message);
            assert_eq!(mac.verify(&tag), Ok(()));
        }
    }
}

fn chacha20_poly1305() {
    for backend in rows!(chacha20_poly1305::Backend) {
        let (key, row) = (secret([7; 32]), backend.implementation());
        let cipher = ChaCha20Poly1305::new_on(&key, backend);
        aead(&cipher, row, &[5, 700, 2500], |_, _| ());
        let cipher = XChaCha20Poly1305::new_on(&key, backend);
        aead(&cipher, row, &[5, 700, 2500], |_, _| ());
    }
}
