use super::*;
use adamant_testkit::table;

/// The first lanes of what the permutation makes of zeros, once and twice (the vectors of the
/// Keccak team's reference implementation).
#[test]
fn known_answers() {
    table!(Backend).for_each(|backend| {
        let mut state = [0; 25];
        backend.permute(&mut state, Rounds::ALL);
        assert_eq!(state[0], 0xf125_8f79_40e1_dde7);
        assert_eq!(state[24], 0xeaf1_ff7b_5cec_a249);
        backend.permute(&mut state, Rounds::ALL);
        assert_eq!(state[0], 0x2d5c_954d_f96e_cb3c);
        assert_eq!(state[24], 0x20d0_6cd2_6a8f_bf5c);
        let (mut once, mut again) = ([0; 25], state);
        backend.permute(&mut state, Rounds::LAST_12);
        backend.permute_two(&mut once, &mut again, Rounds::LAST_12);
        assert_eq!(again, state);
        let mut of_zeros = [0; 25];
        backend.permute(&mut of_zeros, Rounds::LAST_12);
        assert_eq!(once, of_zeros);
    });
}

#[test]
fn choice_of_implementation() {
    adamant_testkit::check_choices(
        Backend::best_for,
        &[
            ("x86-64", "portable64"),
            ("haswell", "x86_bmi1"),
            ("skylake-x", "x86_avx512"),
            ("zen4", "x86_avx512"),
            ("armv8", "arm_shifted"),
            ("apple-m1", "arm_sha3"),
            ("neoverse-v1", "arm_shifted"),
        ],
    );
    adamant_testkit::check_choices(
        lanes::Backend::best_for,
        &[
            ("westmere", "portable"),
            ("haswell", "x86_avx2"),
            ("skylake-x", "x86_avx512"),
            ("apple-m1", "arm_sha3"),
            ("neoverse-v1", "arm_shifted"),
        ],
    );
}
