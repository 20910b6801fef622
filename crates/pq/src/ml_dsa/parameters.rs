//! ML-DSA's parameters (FIPS 204, 4).

use super::poly::Q;

/// Numbers of a parameter set (FIPS 204, 4, table 1).
pub(super) struct Parameters {
    /// Rows and columns of the matrix.
    pub(super) k: usize,
    pub(super) l: usize,
    pub(super) eta: i32,
    pub(super) tau: usize,
    pub(super) gamma1: i32,
    pub(super) gamma2: i32,
    pub(super) omega: usize,
    /// Bytes of c̃: λ/4.
    pub(super) c_len: usize,
}

/// The most rows of a parameter set.
pub(super) const MAX_K: usize = 8;
/// The most columns.
pub(super) const MAX_L: usize = 7;

pub(super) const fn parameters(k: usize, l: usize) -> Parameters {
    let (eta, tau, gamma1, gamma2, omega, c_len) = match k {
        4 => (2, 39, 1 << 17, (Q - 1) / 88, 80, 32),
        6 => (4, 49, 1 << 19, (Q - 1) / 32, 55, 48),
        _ => (2, 60, 1 << 19, (Q - 1) / 32, 75, 64),
    };
    Parameters {
        k,
        l,
        eta,
        tau,
        gamma1,
        gamma2,
        omega,
        c_len,
    }
}

impl Parameters {
    /// τ·η.
    pub(super) const fn beta(&self) -> i32 {
        self.tau as i32 * self.eta
    }
    /// Bytes of a polynomial of s₁ or s₂.
    pub(super) const fn s_len(&self) -> usize {
        if self.eta == 2 { 32 * 3 } else { 32 * 4 }
    }
    /// Bytes of a polynomial of z.
    pub(super) const fn z_len(&self) -> usize {
        if self.gamma1 == 1 << 17 {
            32 * 18
        } else {
            32 * 20
        }
    }
    /// Bytes of a polynomial of w₁.
    pub(super) const fn w1_len(&self) -> usize {
        if self.gamma2 == (Q - 1) / 88 {
            32 * 6
        } else {
            32 * 4
        }
    }
}
