//! The implementations that Valgrind cannot run: their assembly jumps over public numbers alone.

use crate::scan;
use adamant_pq::hazmat::{ml_dsa, ml_kem};
use adamant_testkit::asm_scan::Function;

/// η and γ₂ are the parameter set's; how many words a sample took is public.
const SIZES: &str = "numbers of polynomials, rows and columns, lengths of encodings, parameters";

/// A function of ML-KEM's AVX-512 row.
fn ml_kem(function: &str, loops: usize, guards: usize) -> Function<'static> {
    let rows = ml_kem::Backend::implementations();
    Function::row("ml_kem::poly", function, rows, "x86_avx512").allow(loops, guards, SIZES)
}

/// A function of ML-DSA's AVX-512 row.
fn ml_dsa(function: &str, loops: usize, guards: usize) -> Function<'static> {
    let rows = ml_dsa::Backend::implementations();
    Function::row("ml_dsa::poly", function, rows, "x86_avx512").allow(loops, guards, SIZES)
}

/// All but `sample_ntt` and `rej_ntt_poly`, which see public bytes, `use_hint`, which verifies, and
/// the unpacking of numbers, which finds its code for a length in a table.
#[test]
fn no_jump_depends_on_a_secret() {
    scan(
        "adamant_pq",
        &[
            ml_kem("sample_poly_cbd", 0, 9),
            ml_kem("ntt", 1, 1),
            ml_kem("inverse_ntt", 1, 1),
            ml_kem("multiply", 8, 28),
            ml_kem("add", 1, 1),
            ml_kem("subtract", 0, 0),
            ml_kem("encode_ntt", 0, 0),
            ml_kem("decode_ntt", 0, 0),
            ml_kem("compress", 4, 7),
            ml_kem("decompress", 0, 63),
            ml_kem("to_message", 0, 0),
            ml_kem("add_message", 0, 0),
            ml_dsa("rej_bounded_poly", 3, 6),
            ml_dsa("ntt", 3, 1),
            ml_dsa("inverse_ntt", 3, 1),
            ml_dsa("multiply", 8, 8),
            ml_dsa("scale", 2, 1),
            ml_dsa("add", 1, 1),
            ml_dsa("subtract", 1, 1),
            ml_dsa("power2round", 1, 1),
            ml_dsa("decompose", 4, 2),
            ml_dsa("norm", 1, 1),
            ml_dsa("make_hint", 1, 1),
            ml_dsa("simple_bit_pack", 4, 20),
            ml_dsa("bit_pack", 12, 12),
        ],
    );
}
