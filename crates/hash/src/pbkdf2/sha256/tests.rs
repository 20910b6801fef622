use super::*;
use crate::reference::SHA256;
use adamant_testkit::{TestRng, table};

/// Up to 32 chains, on every implementation, against the standard's compression function.
#[test]
fn chains_agree() {
    let mut rng = TestRng::new(1);
    for n in 0..=32 {
        let mut states = || -> Vec<[u32; 8]> {
            let mut state = || core::array::from_fn(|_| rng.next_u64() as u32);
            (0..n).map(|_| state()).collect()
        };
        let [inner, outer, value, sum] = [states(), states(), states(), states()];
        for count in [1, 2, 5] {
            let (mut expected, mut total) = (value.clone(), sum.clone());
            for (i, (value, sum)) in expected.iter_mut().zip(&mut total).enumerate() {
                for _ in 0..count {
                    for start in [inner[i], outer[i]] {
                        let words = [*value, PADDING].as_flattened().to_vec();
                        let block: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).collect();
                        *value = start;
                        (SHA256.compress)(value, &block);
                    }
                    sum.iter_mut().zip(value.iter()).for_each(|(s, v)| *s ^= v);
                }
            }
            table!(Backend).for_each(|backend| {
                let (mut value, mut sum) = (value.clone(), sum.clone());
                let chains = Chains {
                    inner: &inner,
                    outer: &outer,
                    value: &mut value,
                    sum: &mut sum,
                };
                backend.run(chains, count);
                assert_eq!((&value, &sum), (&expected, &total), "{n} chains");
            });
        }
    }
}
