//! The constants of the SHA-2 family, computed from their definition (FIPS 180-4, 4.2 and 5.3).
//!
//! They are the first bits of the fractional parts of square and cube roots of the first primes.
//! The first 64 of these bits of a root `p^(1/n)` are the lowest 64 of `floor((p · 2^64n)^(1/n))`,
//! found here bit by bit when compiling.

/// The first `N` primes.
const fn primes<const N: usize>() -> [u64; N] {
    let mut primes = [0; N];
    let (mut candidate, mut found) = (2, 0);
    while found < N {
        let mut i = 0;
        while i < found && candidate % primes[i] != 0 {
            i += 1;
        }
        if i == found {
            primes[found] = candidate;
            found += 1;
        }
        candidate += 1;
    }
    primes
}

/// Little-endian limbs below 2^64.
type Wide = [u64; 4];

/// `a · b`, which must fit.
const fn multiply(a: Wide, b: u128) -> Wide {
    let b = [b as u64 as u128, b >> 64];
    let mut product = [0; 4];
    let mut j = 0;
    while j < 2 {
        let mut carry = 0;
        let mut i = 0;
        while i + j < 4 {
            let t = a[i] as u128 * b[j] + product[i + j] as u128 + carry;
            product[i + j] = t as u64;
            carry = t >> 64;
            i += 1;
        }
        assert!(carry == 0);
        j += 1;
    }
    product
}

/// The first 64 bits of the fractional part of the `degree`th root of `p`, `degree` 2 or 3.
const fn root_fraction(p: u64, degree: usize) -> u64 {
    let mut root: u128 = 0;
    let mut bit = 64 + 5; // sqrt(53) and cbrt(409) are below 2^3.
    while bit > 0 {
        bit -= 1;
        let candidate = root | 1 << bit;
        let mut power = [1, 0, 0, 0];
        let mut i = 0;
        while i < degree {
            power = multiply(power, candidate);
            i += 1;
        }
        // power <= p · 2^(64 degree): p is the limb of that number above `degree` zero limbs.
        let mut i = 3;
        while i > degree && power[i] == 0 {
            i -= 1;
        }
        let below = i == degree && power[degree] < p;
        let equal = i == degree
            && power[degree] == p
            && power[0] == 0
            && power[1] == 0
            && (degree == 2 || power[2] == 0);
        if below || equal {
            root = candidate;
        }
    }
    root as u64
}

/// 64 bits of the fractional parts of the square roots of the first 16 primes.
pub(crate) const SQUARE_ROOTS: [u64; 16] = {
    let primes = primes::<16>();
    let mut out = [0; 16];
    let mut i = 0;
    while i < 16 {
        out[i] = root_fraction(primes[i], 2);
        i += 1;
    }
    out
};

/// 64 bits of the fractional parts of the cube roots of the first 80 primes.
pub(crate) const CUBE_ROOTS: [u64; 80] = {
    let primes = primes::<80>();
    let mut out = [0; 80];
    let mut i = 0;
    while i < 80 {
        out[i] = root_fraction(primes[i], 3);
        i += 1;
    }
    out
};

// The first and last as FIPS 180-4 prints them.
const _: () = assert!(SQUARE_ROOTS[0] == 0x6a09_e667_f3bc_c908);
const _: () = assert!(SQUARE_ROOTS[15] == 0x47b5_481d_befa_4fa4);
const _: () = assert!(CUBE_ROOTS[0] == 0x428a_2f98_d728_ae22);
const _: () = assert!(CUBE_ROOTS[79] == 0x6c44_198c_4a47_5817);
