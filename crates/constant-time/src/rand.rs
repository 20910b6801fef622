//! The fast generator: its key and what it gives out are secret.

use adamant_base::Rng;
use adamant_rand::FastRng;
use adamant_testkit::taint::{Operation, public, secret};

pub(crate) const OPERATIONS: &[Operation] = &[Operation {
    name: "fast generator",
    run: fast_rng,
}];

fn fast_rng() {
    let mut rng = FastRng::from_seed(secret([7; 32]));
    // Within the buffer, to its end, and past several refills.
    let mut out = [0; 5000];
    for len in [1, 32, 991, 1024, 5000] {
        rng.fill(&mut out[..len])
            .expect("no system entropy is needed");
    }
    public(out);
}
