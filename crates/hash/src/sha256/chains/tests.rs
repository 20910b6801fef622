use super::{Backend, Chains};
use crate::reference::SHA256;
use adamant_testkit::{TestRng, boundaries, check_choices, table};

/// The chains that FIPS 205, algorithm 5, makes of F (11.2), the prefix as a state: the node kept and
/// the last one.
fn reference(
    (prefix, address): (&[u32; 8], &[u32; 6]),
    node: &[u32; 8],
    (keep, steps): (u32, u32),
    node_words: usize,
) -> [Vec<u8>; 2] {
    let bytes = |words: &[u32]| {
        words
            .iter()
            .flat_map(|w| w.to_be_bytes())
            .collect::<Vec<u8>>()
    };
    let mut node = bytes(&node[..node_words]);
    let (mut kept, mut address) = (vec![], *address);
    for step in 0..=steps {
        if step == keep {
            kept = node.clone();
        }
        if step < steps {
            let input = [&bytes(&address)[..22], &node].concat();
            node = SHA256.digest_from(*prefix, 64, &input)[..4 * node_words].to_vec();
            address[5] += 1 << 16;
        }
    }
    [kept, node]
}

#[test]
fn implementations_agree() {
    let mut rng = TestRng::new(1);
    let counts = boundaries::counts(Backend::implementations());
    for [count, node_words, steps] in
        boundaries::pairs(1, [&counts, &[4, 6, 8], &[0, 1, 2, 3, 15, 255]])
    {
        let mut words = || rng.next_u64() as u32;
        let rows = |words: &mut dyn FnMut() -> u32| -> Vec<[u32; 8]> {
            (0..count)
                .map(|_| core::array::from_fn(|_| words()))
                .collect()
        };
        let (prefixes, nodes) = (rows(&mut words), rows(&mut words));
        let address = |i| words() & if i == 5 { 0x0fff_0000 } else { !0 };
        let mut address = address;
        let addresses: Vec<[u32; 6]> = (0..count)
            .map(|_| core::array::from_fn(&mut address))
            .collect();
        let steps = steps as u32;
        let keep: Vec<u32> = (0..count)
            .map(|_| rng.next_u64() as u32 % (steps + 1))
            .collect();
        let expected: Vec<[Vec<u8>; 2]> = (0..count)
            .map(|i| {
                let start = (&prefixes[i], &addresses[i]);
                reference(start, &nodes[i], (keep[i], steps), node_words)
            })
            .collect();
        table!(Backend).for_each(|backend| {
            let (mut nodes, mut kept) = (nodes.clone(), vec![[0; 8]; count]);
            let chains = Chains {
                prefixes: &prefixes,
                addresses: &addresses,
                nodes: &mut nodes,
                keep: &keep,
                kept: &mut kept,
            };
            backend.run(chains, node_words, steps);
            for (i, expected) in expected.iter().enumerate() {
                let got = [&kept[i], &nodes[i]].map(|row| {
                    row[..node_words]
                        .iter()
                        .flat_map(|w| w.to_be_bytes())
                        .collect::<Vec<u8>>()
                });
                assert_eq!(
                    got, *expected,
                    "{i} of {count}, {node_words} words, {steps} steps"
                );
            }
        });
    }
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
            ("armv8", "arm_neon"),
            ("cortex-a72", "arm_sha2"),
            ("neoverse-n1", "arm_sha2"),
            ("apple-m1", "arm_sha2"),
            ("neoverse-v1", "arm_sha2"),
        ],
    );
}
