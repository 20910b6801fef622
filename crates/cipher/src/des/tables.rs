//! The tables of FIPS 46-3 and what follows from them: wirings, and the S-boxes as polynomials.
//! Nothing here is looked up by a secret.
//!
//! The standard numbers bits from 1, the highest of the first byte.

/// The initial permutation.
const IP: [u8; 64] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, 62, 54, 46, 38, 30, 22, 14, 6,
    64, 56, 48, 40, 32, 24, 16, 8, 57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3, 61,
    53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
];

/// The permutation after the S-boxes.
const P: [u8; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19,
    13, 30, 6, 22, 11, 4, 25,
];

/// Permuted choice 1.
const PC1: [u8; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60,
    52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29,
    21, 13, 5, 28, 20, 12, 4,
];

/// Permuted choice 2.
const PC2: [u8; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52,
    31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];

/// How far C and D are rotated before each round.
const SHIFTS: [u8; 16] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];

/// The S-boxes, row by row.
const S: [[u8; 64]; 8] = [
    [
        14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7, 0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12,
        11, 9, 5, 3, 8, 4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0, 15, 12, 8, 2, 4, 9,
        1, 7, 5, 11, 3, 14, 10, 0, 6, 13,
    ],
    [
        15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10, 3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1,
        10, 6, 9, 11, 5, 0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15, 13, 8, 10, 1, 3, 15,
        4, 2, 11, 6, 7, 12, 0, 5, 14, 9,
    ],
    [
        10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8, 13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5,
        14, 12, 11, 15, 1, 13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7, 1, 10, 13, 0, 6,
        9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12,
    ],
    [
        7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15, 13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2,
        12, 1, 10, 14, 9, 10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4, 3, 15, 0, 6, 10, 1,
        13, 8, 9, 4, 5, 11, 12, 7, 2, 14,
    ],
    [
        2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9, 14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15,
        10, 3, 9, 8, 6, 4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14, 11, 8, 12, 7, 1, 14,
        2, 13, 6, 15, 0, 9, 10, 4, 5, 3,
    ],
    [
        12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11, 10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13,
        14, 0, 11, 3, 8, 9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6, 4, 3, 2, 12, 9, 5,
        15, 10, 11, 14, 1, 7, 6, 0, 8, 13,
    ],
    [
        4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1, 13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5,
        12, 2, 15, 8, 6, 1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2, 6, 11, 13, 8, 1, 4,
        10, 7, 9, 5, 0, 15, 14, 2, 3, 12,
    ],
    [
        13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7, 1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6,
        11, 0, 14, 9, 2, 7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8, 2, 1, 14, 7, 4, 10,
        8, 13, 15, 12, 9, 0, 3, 5, 6, 11,
    ],
];

/// The output of an S-box, its four bits, for an input of six: the outer two are the row.
pub(super) const fn substitute(s_box: usize, input: usize) -> u8 {
    let row = input >> 4 & 2 | input & 1;
    S[s_box][16 * row + (input >> 1 & 15)]
}

/// Where bit `number` of a block lies in its bytes read as a little-endian number.
const fn place(number: u8) -> u8 {
    (number - 1) / 8 * 8 + (7 - (number - 1) % 8)
}

/// For bit i of L and then of R, from 0: where it lies in the block, a little-endian number.
pub(super) const INITIAL: [u8; 64] = {
    let (mut from, mut i) = ([0; 64], 0);
    while i < 64 {
        from[i] = place(IP[i]);
        i += 1;
    }
    from
};

/// For bit i of C and then of D: where it lies in the key, a little-endian number.
pub(super) const CHOICE: [u8; 56] = {
    let (mut from, mut i) = ([0; 56], 0);
    while i < 56 {
        from[i] = place(PC1[i]);
        i += 1;
    }
    from
};

/// For each round and each bit of its key: the bit of C and D, not yet rotated, that it is.
pub(super) const SCHEDULE: [[u8; 48]; 16] = {
    let (mut schedule, mut round, mut turned) = ([[0; 48]; 16], 0, 0);
    while round < 16 {
        turned += SHIFTS[round];
        let mut j = 0;
        while j < 48 {
            let bit = PC2[j] - 1;
            schedule[round][j] = bit / 28 * 28 + (bit % 28 + turned) % 28;
            j += 1;
        }
        round += 1;
    }
    schedule
};

/// For input `i` of S-box `s`: the bit of R that it is (the selection E).
pub(super) const fn selected(s: usize, i: usize) -> usize {
    (4 * s + i + 31) % 32
}

/// For output `o` of S-box `s`: the bit of L that it is added to.
pub(super) const TARGET: [[u8; 4]; 8] = {
    let (mut target, mut i) = ([[0; 4]; 8], 0);
    while i < 32 {
        let output = P[i] as usize - 1;
        target[output / 4][output % 4] = i as u8;
        i += 1;
    }
    target
};

/// A rotation to the left and the bits of its result that belong to P, for the words that hold bit
/// 1 of the standard highest: P is the sum of all.
pub(super) const PERMUTATION: [u32; 32] = {
    let (mut masks, mut i) = ([0; 32], 0);
    while i < 32 {
        // From place 32 - P[i] to place 31 - i.
        let rotation = (31 - i + P[i] as usize) % 32;
        masks[rotation] |= 1 << (31 - i);
        i += 1;
    }
    masks
};

/// The truth table of output `o` of S-box `s`: bit v is the output for the inputs v, the first of
/// them highest.
pub(super) const fn truth(s: usize, o: usize) -> u64 {
    let (mut table, mut v) = (0, 0);
    while v < 64 {
        table |= (substitute(s, v) as u64 >> (3 - o) & 1) << v;
        v += 1;
    }
    table
}

/// The same as a polynomial over GF(2): bit m is the coefficient of the product of the inputs
/// whose bits are set in m (the algebraic normal form).
pub(super) const fn polynomial(s: usize, o: usize) -> u64 {
    let (mut a, mut step) = (truth(s, o), 1);
    // Each variable's half without it is added to the half with it.
    while step < 64 {
        let mut without = 0;
        let mut v = 0;
        while v < 64 {
            if v & step == 0 {
                without |= 1 << v;
            }
            v += 1;
        }
        a ^= (a & without) << step;
        step *= 2;
    }
    a
}
