//! KECCAK-p\[1600, n\] on 64-bit words, as FIPS 202 writes it (3.2).

use super::{Rate, Rounds, State, one_by_one};

/// FIPS 202, 3.2.2: the rotation of each lane, in the lane's place.
pub(super) const ROTATIONS: [u32; 25] = {
    let mut offsets = [0; 25];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        offsets[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
};

/// θ: to each lane the parities of two columns beside it.
fn theta(a: &mut State) {
    let c: [u64; 5] = core::array::from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    for x in 0..5 {
        let d = c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1);
        for y in 0..5 {
            a[x + 5 * y] ^= d;
        }
    }
}

/// ρ, which rotates each lane by its own offset, and π, which moves lane (x, y) to (y, 2x + 3y).
fn rho_pi(a: &State) -> State {
    let mut b = [0; 25];
    for y in 0..5 {
        for x in 0..5 {
            b[y + 5 * ((2 * x + 3 * y) % 5)] = a[x + 5 * y].rotate_left(ROTATIONS[x + 5 * y]);
        }
    }
    b
}

/// χ: to each lane the product of the next two in its row, the first of them negated.
fn chi(b: &State) -> State {
    let mut a = [0; 25];
    for y in 0..5 {
        for x in 0..5 {
            a[x + 5 * y] = b[x + 5 * y] ^ (!b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
        }
    }
    a
}

#[inline(never)] // In `absorb` a call costs nothing.
pub(super) fn permute(state: &mut State, rounds: Rounds) {
    let mut a = *state;
    for constant in rounds.constants().as_flattened() {
        theta(&mut a);
        a = chi(&rho_pi(&a));
        a[0] ^= constant; // ι
    }
    *state = a;
}

pub(super) fn absorb(state: &mut State, mut blocks: &[u8], rate: Rate, rounds: Rounds) {
    while let Some(block) = rate.next(&mut blocks) {
        for (lane, bytes) in state.iter_mut().zip(block) {
            *lane ^= u64::from_le_bytes(*bytes);
        }
        permute(state, rounds);
    }
}

one_by_one!();

#[cfg(test)]
mod tests {
    use super::ROTATIONS;

    /// FIPS 202, table 2, lane by lane modulo 64.
    #[test]
    fn rotations() {
        let table = [
            [0, 1, 190, 28, 91],
            [36, 300, 6, 55, 276],
            [3, 10, 171, 153, 231],
            [105, 45, 15, 21, 136],
            [210, 66, 253, 120, 78],
        ];
        assert_eq!(table.as_flattened().len(), 25);
        for (offset, expected) in ROTATIONS.iter().zip(table.as_flattened()) {
            assert_eq!(*offset, expected % 64);
        }
    }
}
