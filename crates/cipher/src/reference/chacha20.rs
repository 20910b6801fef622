//! ChaCha20 (RFC 8439, 2.1 to 2.4) and HChaCha20 (draft-irtf-cfrg-xchacha, 2.2).

/// The words of the constant, the key, and sixteen bytes of counter and nonce.
fn state(key: &[u8; 32], last: &[u8; 16]) -> [u32; 16] {
    let bytes = [&b"expand 32-byte k"[..], key, last].concat();
    core::array::from_fn(|i| u32::from_le_bytes(*bytes[4 * i..].first_chunk().unwrap()))
}

/// Twenty rounds.
fn rounds(mut x: [u32; 16]) -> [u32; 16] {
    for round in 0..20 {
        for column in 0..4 {
            let row = |r: usize| 4 * r + (column + if round % 2 == 1 { r } else { 0 }) % 4;
            let (a, b, c, d) = (row(0), row(1), row(2), row(3));
            for (to, from, turned, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)]
            {
                x[to] = x[to].wrapping_add(x[from]);
                x[turned] = (x[turned] ^ x[to]).rotate_left(by);
            }
        }
    }
    x
}

fn bytes(words: impl Iterator<Item = u32>) -> Vec<u8> {
    words.flat_map(u32::to_le_bytes).collect()
}

/// A block of key stream: `last` is the counter and the nonce.
pub(crate) fn block(key: &[u8; 32], last: &[u8; 16]) -> [u8; 64] {
    let start = state(key, last);
    let sums = rounds(start)
        .into_iter()
        .zip(start)
        .map(|(a, b)| a.wrapping_add(b));
    super::xor([0; 64], &bytes(sums))
}

/// HChaCha20 of a nonce of 16 bytes.
pub(crate) fn subkey(key: &[u8; 32], nonce: &[u8; 16]) -> [u8; 32] {
    let x = rounds(state(key, nonce));
    super::xor([0; 32], &bytes(x[..4].iter().chain(&x[12..]).copied()))
}

/// Encryption from block `counter` on, which is a number of 32 bits before a nonce of 12 bytes and
/// of 64 bits before one of 8; with 24 bytes, the first 16 make the key.
pub(crate) fn encrypt(key: &[u8; 32], nonce: &[u8], counter: u64, data: &mut [u8]) {
    if let Some((first, rest)) = nonce.split_first_chunk::<16>() {
        let nonce = [&[0; 4], rest].concat();
        return encrypt(&subkey(key, first), &nonce, counter, data);
    }
    for (data, counter) in data.chunks_mut(64).zip(counter..) {
        let last = [&counter.to_le_bytes()[..16 - nonce.len()], nonce].concat();
        super::add(data, &block(key, &super::xor([0; 16], &last)));
    }
}

/// RFC 8439, 2.3.2, and draft-irtf-cfrg-xchacha-03, 2.2.1.
#[test]
fn rfc_8439() {
    use hex_literal::hex;
    let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    let mut data = [0; 64];
    encrypt(&key, &hex!("000000090000004a00000000"), 1, &mut data);
    assert_eq!(data[..16], hex!("10f1e7e4d13b5915500fdd1fa32071c4"));
    assert_eq!(data[48..], hex!("b5129cd1de164eb9cbd083e8a2503c4e"));
    assert_eq!(
        subkey(&key, &hex!("000000090000004a0000000031415927")),
        hex!("82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc")
    );
}
