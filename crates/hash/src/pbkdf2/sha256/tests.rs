use super::*;
use adamant_testkit::{TestRng, table};

/// Up to 32 chains, on every implementation.
#[test]
fn against_the_portable_one() {
    let mut rng = TestRng::new(1);
    for n in 0..=32 {
        let mut words = || core::array::from_fn(|_| rng.next_u64() as u32);
        let chains: Vec<Chain<u32, 8>> = (0..n)
            .map(|_| Chain {
                inner: words(),
                outer: words(),
                value: words(),
                sum: words(),
            })
            .collect();
        for count in [1, 2, 5] {
            table!(Backend).against_portable(|backend, portable| {
                let run = |backend: Backend| {
                    let mut chains = chains.clone();
                    backend.run(&mut chains, count);
                    let each = chains.iter().map(|c| (c.value, c.sum));
                    each.collect::<Vec<_>>()
                };
                assert_eq!(run(backend), run(portable), "{n} chains");
            });
        }
    }
}
