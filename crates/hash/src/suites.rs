//! Test suites for every implementation of a hash.

use adamant_base::family::Hash;

fn digest<H: Hash>(fresh: &H, parts: &[&[u8]]) -> H::Output {
    let mut hash = fresh.clone();
    for part in parts {
        hash.update(part);
    }
    hash.finalize()
}

/// Two implementations agree on messages of every length around the block edges, misaligned, and
/// in split updates.
pub(crate) fn agree<H: Hash>(one: &H, other: &H) {
    let data: Vec<u8> = (0..3000u32).map(|i| (i * i / 7 + i) as u8).collect();
    for len in (0..=300).chain([1023, 1024, 2048, 2900]) {
        let expected = digest(other, &[&data[..len]]);
        for offset in 0..16 {
            let mut moved = vec![0; offset];
            moved.extend_from_slice(&data[..len]);
            assert_eq!(
                digest(one, &[&moved[offset..]]),
                expected,
                "{len} at {offset}"
            );
        }
    }
    let len = 3 * H::BLOCK_LEN + 5;
    let expected = digest(other, &[&data[..len]]);
    for i in 0..=len {
        for j in [i, i + 1, i + H::BLOCK_LEN - 1, i + H::BLOCK_LEN, len] {
            let j = j.min(len);
            let parts = [&data[..i], &data[i..j], &data[j..len]];
            assert_eq!(digest(one, &parts), expected, "{i} {j}");
        }
    }
    let single: Vec<&[u8]> = data[..len].chunks(1).collect();
    assert_eq!(digest(one, &single), expected);
}
