use super::*;
use adamant_testkit::{TestRng, table};

/// Up to 32 chains, on every implementation.
#[test]
fn against_the_portable_one() {
    let mut rng = TestRng::new(1);
    for n in 0..=32 {
        let mut states = || -> Vec<[u32; 8]> {
            let mut state = || core::array::from_fn(|_| rng.next_u64() as u32);
            (0..n).map(|_| state()).collect()
        };
        let [inner, outer, value, sum] = [states(), states(), states(), states()];
        for count in [1, 2, 5] {
            table!(Backend).against_portable(|backend, portable| {
                let run = |backend: Backend| {
                    let (mut value, mut sum) = (value.clone(), sum.clone());
                    let chains = Chains {
                        inner: &inner,
                        outer: &outer,
                        value: &mut value,
                        sum: &mut sum,
                    };
                    backend.run(chains, count);
                    (value, sum)
                };
                assert_eq!(run(backend), run(portable), "{n} chains");
            });
        }
    }
}
