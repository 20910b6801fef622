//! Jobs beside the hashes of the standard.

use super::*;
use adamant_hash::{Sha3_256, Shake128, Shake256, sha3::Sha3_512};
use adamant_testkit::{TestRng, table};

/// Jobs of every length around a block's edges, cut into parts, many at once.
#[test]
fn jobs_agree_with_the_hashes() {
    let mut rng = TestRng::new(1);
    table!(lanes::Backend).for_each(|eight| {
        for count in [1, 2, 7, 8, 9, 30] {
            let inputs: Vec<(usize, Vec<u8>, [u8; 2])> = (0..count)
                .map(|i| {
                    let edge = [72, 136, 168, 272][rng.below(4)] + 2 - rng.below(5);
                    (i % 4, rng.bytes(edge), rng.array())
                })
                .collect();
            let mut outs: Vec<Vec<u8>> = (0..count)
                .map(|i| vec![0; [32, 64, 400, 300][i % 4]])
                .collect();
            let keccak = Keccak {
                one: keccak::Backend::portable(),
                eight,
            };
            let jobs = inputs
                .iter()
                .zip(&mut outs)
                .map(|((which, input, tail), out)| {
                    let function = [SHA3_256, SHA3_512, SHAKE128, SHAKE256][*which];
                    let (a, b) = input.split_at(input.len() / 3);
                    Job::new(function, [a, b], out).tail(*tail)
                });
            run(keccak, jobs);
            for ((which, input, tail), out) in inputs.iter().zip(&outs) {
                let whole = [&input[..], tail].concat();
                let mut expected = vec![0; out.len()];
                match which {
                    0 => expected.copy_from_slice(&Sha3_256::digest(&whole)),
                    1 => expected.copy_from_slice(&Sha3_512::digest(&whole)),
                    2 => Shake128::digest(&whole, &mut expected),
                    _ => Shake256::digest(&whole, &mut expected),
                }
                assert_eq!(*out, expected);
            }
        }
    });
}
