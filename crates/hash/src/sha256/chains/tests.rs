use super::{Backend, Chains};
use adamant_testkit::{TestRng, check_choices, table};

#[test]
fn implementations_agree() {
    let mut rng = TestRng::new(1);
    table!(Backend).against_portable(|backend, portable| {
        for count in (0..=20).chain([31, 32, 33, 48, 49, 64, 65]) {
            for node_words in [4, 6, 8] {
                let mut words = || u32::from_le_bytes(rng.array());
                let rows = |words: &mut dyn FnMut() -> u32| -> Vec<[u32; 8]> {
                    (0..count)
                        .map(|_| core::array::from_fn(|_| words()))
                        .collect()
                };
                let (prefixes, nodes) = (rows(&mut words), rows(&mut words));
                let addresses: Vec<[u32; 6]> = (0..count)
                    .map(|_| {
                        core::array::from_fn(|i| words() & if i == 5 { 0x0fff_0000 } else { !0 })
                    })
                    .collect();
                let steps = words() % 16;
                let keep: Vec<u32> = (0..count).map(|_| words() % (steps + 1)).collect();
                let run = |backend: Backend| {
                    let (mut nodes, mut kept) = (nodes.clone(), vec![[0; 8]; count]);
                    let chains = Chains {
                        prefixes: &prefixes,
                        addresses: &addresses,
                        nodes: &mut nodes,
                        keep: &keep,
                        kept: &mut kept,
                    };
                    backend.run(chains, node_words, steps);
                    let first = |row: &[u32; 8]| row[..node_words].to_vec();
                    let nodes: Vec<_> = nodes.iter().map(first).collect();
                    (nodes, kept.iter().map(first).collect::<Vec<_>>())
                };
                assert_eq!(run(backend), run(portable), "{count} {node_words} {steps}");
            }
        }
    });
}

#[test]
fn choice_of_implementation() {
    check_choices(
        Backend::best_for,
        &[
            ("haswell", "x86_avx2"),
            ("zen2", "x86_sha"),
            ("skylake-x", "x86_avx512"),
            ("zen4", "x86_avx512"),
        ],
    );
}
