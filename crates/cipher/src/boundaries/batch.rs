//! Many messages at once: CBC encryption and counter mode under keys of their own.

use adamant_testkit::TestRng;
use adamant_testkit::boundaries::{self, Cover, before_wrap};

use super::below;
use crate::aes::Aes;
use crate::aes::lanes::{Backend, Message, cbc_encrypt_on};
use crate::modes::ctr::on::ctr_encrypt_on;
use crate::reference::{self, modes};

boundaries::tests! { aes_128 aes_192 aes_256 }

fn aes_128(cover: Cover) {
    batches::<16>(cover);
}
fn aes_192(cover: Cover) {
    batches::<24>(cover);
}
fn aes_256(cover: Cover) {
    batches::<32>(cover);
}

/// One message under a key of its own.
struct Single<const N: usize> {
    key: [u8; N],
    iv: [u8; 16],
    data: Vec<u8>,
}

/// This many messages: all of one length, or of lengths below it, in both modes.
fn batches<const N: usize>(cover: Cover) {
    let mut rng = TestRng::new(35);
    let lengths = boundaries::lengths(16, Backend::implementations());
    let counts = below(36);
    for case in cover.cases([
        &lengths,
        &counts,
        &below(2),
        &[1, 2, 3, 4, 5, 20],
        &[2, 4, 8, 16],
    ]) {
        let [most, count, equal, distance, width] = case;
        let singles: Vec<Single<N>> = (0..count)
            .map(|_| {
                let len = if equal == 1 {
                    most
                } else {
                    rng.below(most + 1)
                };
                let number = u128::from_be_bytes(rng.array());
                Single {
                    key: rng.array(),
                    iv: before_wrap(number, 8 * width.min(8), distance).to_be_bytes(),
                    data: rng.bytes(len),
                }
            })
            .collect();
        let ciphers: Vec<Aes<N>> = singles.iter().map(|single| Aes::new(&single.key)).collect();
        let check = |name: &str,
                     len: fn(usize) -> usize,
                     plain: &dyn Fn(&reference::aes::Aes, [u8; 16], &mut [u8]),
                     batch: &dyn Fn(Backend, &mut [Message<'_, N>])| {
            let text = |single: &Single<N>| single.data[..len(single.data.len())].to_vec();
            let expected: Vec<Vec<u8>> = singles
                .iter()
                .map(|single| {
                    let mut data = text(single);
                    plain(&reference::aes::Aes::new(&single.key), single.iv, &mut data);
                    data
                })
                .collect();
            for row in Backend::available() {
                let mut texts: Vec<Vec<u8>> = singles.iter().map(text).collect();
                let both = singles.iter().zip(&ciphers).zip(&mut texts);
                let mut messages: Vec<Message<'_, N>> = both
                    .map(|((single, cipher), data)| Message {
                        cipher,
                        iv: single.iv,
                        data,
                    })
                    .collect();
                batch(row, &mut messages);
                assert!(texts == expected, "{name} {row:?} {case:?}");
            }
        };
        check(
            "CBC",
            |len| len / 16 * 16,
            &|aes, iv, data| {
                modes::cbc_encrypt(&|b| aes.encrypt(b), iv, data);
            },
            &|row, messages| cbc_encrypt_on(messages, row).unwrap(),
        );
        check(
            "CTR",
            |len| len,
            &|aes, iv, data| {
                modes::ctr(&|b| aes.encrypt(b), iv, width, data);
            },
            &|row, messages| ctr_encrypt_on(width, messages, row).unwrap(),
        );
    }
}
