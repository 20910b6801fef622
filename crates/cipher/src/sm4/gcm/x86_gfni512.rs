//! SM4-GCM with GFNI and VPCLMULQDQ on 512-bit registers, both halves side by side.
//!
//! 64 blocks at a time: every four rounds of SM4 go with the multiplication of two registers for
//! GHASH, of the same ciphertext when decrypting, of the group before when encrypting. The last of
//! the whole groups brings the sums of the lanes together. The rest, under 64 blocks, is
//! encrypted in one call with the block that masks the tag.

use adamant_base::simd::{load512, store128, store512};
use core::arch::x86_64::{
    __m512i, _mm_setzero_si128, _mm_shuffle_epi8, _mm512_setzero_si512, _mm512_xor_si512,
    _mm512_zextsi128_si512,
};

use super::Sm4GcmKey;
use crate::ghash::x86_vpclmul512::{
    Product, absorb, absorb_last, absorb_with_lengths, powers_of_two, reversal, reverse,
    sums_of_halves,
};
use crate::ghash::{lengths, x86_vpclmul512};
use crate::sm4::x86_gfni512::{
    BLOCKS, Counters, Group, encrypt_blocks, enter, expand, four_rounds, leave, transpose,
};

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
pub(super) fn init(sm4_key: &[u8; 16], key: &mut Sm4GcmKey) {
    expand(sm4_key, &mut key.sm4);
    let mut h = [[0; 16]];
    encrypt_blocks(&key.sm4, &mut h);
    x86_vpclmul512::init(&h[0], &mut key.powers);
    adamant_base::Wipe::wipe(&mut h);
}

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
pub(super) fn ghash(key: &Sm4GcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    x86_vpclmul512::update(&key.powers, sum, blocks);
}

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
pub(super) fn encrypt(key: &Sm4GcmKey, blocks: &mut [[u8; 16]]) {
    encrypt_blocks(&key.sm4, blocks);
}

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
pub(super) fn seal(key: &Sm4GcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<false>(key, start, aad, data)
}

#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
pub(super) fn open(key: &Sm4GcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<true>(key, start, aad, data)
}

/// The counter block this many after the first: 32 bits of it count.
fn count(start: u128, blocks: usize) -> u128 {
    let number = (start as u32).wrapping_add(blocks as u32);
    start >> 32 << 32 | u128::from(number)
}

#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
fn crypt<const DECRYPT: bool>(
    key: &Sm4GcmKey,
    start: u128,
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let lengths = lengths(aad.len(), data.len());
    let mut sum = absorb(&key.powers, _mm_setzero_si128(), aad);
    let (registers, _) = data.as_chunks_mut::<64>();
    let (groups, _) = registers.as_chunks_mut::<16>();
    let done = size_of_val(groups);
    if let Some((last, groups)) = groups.split_last_mut() {
        let mut sums = _mm512_zextsi128_si512(sum);
        let mut before = Hashed::Nothing;
        let mut numbers = Numbers::new(count(start, 1));
        for group in groups {
            if DECRYPT {
                sums = step(key, &mut numbers, Hashed::Itself, sums, group);
            } else {
                sums = step(key, &mut numbers, before, sums, group);
                before = Hashed::Before(group);
            }
        }
        if DECRYPT {
            sum = absorb_last(&key.powers, sums, last.as_flattened());
        }
        sums = step(key, &mut numbers, before, sums, last);
        if !DECRYPT {
            sum = absorb_last(&key.powers, sums, last.as_flattened());
        }
    }
    // The rest, and the mask of the tag in front of it.
    let rest = &mut data[done..];
    if DECRYPT {
        sum = absorb_with_lengths(&key.powers, sum, rest, lengths);
    }
    let mut mask = [0; 16];
    let mut last = [[0; 16]; BLOCKS + 1];
    debug_assert!(rest.len() < 16 * BLOCKS);
    let last = &mut last[..=rest.len().div_ceil(16)];
    for (i, block) in last.iter_mut().enumerate() {
        // The first counter masks the tag, those after the groups encrypt.
        let ahead = if i == 0 { 0 } else { done / 16 + i };
        *block = count(start, ahead).to_be_bytes();
    }
    encrypt_blocks(&key.sm4, last);
    if let [first, stream @ ..] = last {
        mask = *first;
        for (byte, s) in rest.iter_mut().zip(stream.as_flattened()) {
            *byte ^= s;
        }
    }
    if !DECRYPT {
        sum = absorb_with_lengths(&key.powers, sum, rest, lengths);
    }
    let mut tag = [0; 16];
    store128(&mut tag, _mm_shuffle_epi8(sum, reversal()));
    core::array::from_fn(|i| tag[i] ^ mask[i])
}

/// What goes into the sums while a group is encrypted or decrypted.
#[derive(Clone, Copy)]
enum Hashed<'a> {
    /// Nothing.
    Nothing,
    /// The group before.
    Before(&'a Group),
    /// The group itself, before it is decrypted.
    Itself,
}

/// Counters of which 32 bits count, group by group.
struct Numbers {
    next: u128,
    counters: Counters,
}

impl Numbers {
    #[inline]
    #[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
    fn new(first: u128) -> Self {
        Numbers {
            next: first,
            counters: Counters::new((first >> 64) as u64, first as u64),
        }
    }

    /// Those of the next group, in the basis of the inversion.
    #[inline]
    #[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
    fn group(&mut self) -> [[__m512i; 4]; 4] {
        let first = self.next;
        self.next = count(first, BLOCKS);
        if self.next as u32 > first as u32 {
            return self.counters.group();
        }
        // Those that wrap around have no common form.
        self.counters = Counters::new((self.next >> 64) as u64, self.next as u64);
        let blocks: [[u8; 16]; BLOCKS] = core::array::from_fn(|i| count(first, i).to_be_bytes());
        let mut numbers = [_mm512_setzero_si512(); 16];
        let from = blocks.as_flattened().as_chunks::<64>().0;
        for (x, from) in numbers.iter_mut().zip(from) {
            *x = load512(from);
        }
        enter(&transpose(numbers))
    }
}

/// Encrypts or decrypts a group while one is taken into the sums of the lanes.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vl,vpclmulqdq,pclmulqdq,ssse3,sse4.1")]
fn step(
    key: &Sm4GcmKey,
    numbers: &mut Numbers,
    hashed: Hashed<'_>,
    mut sums: __m512i,
    data: &mut Group,
) -> __m512i {
    let mut words = numbers.group();
    let hashed = match hashed {
        Hashed::Nothing => None,
        Hashed::Before(group) => Some(group),
        Hashed::Itself => Some(&*data),
    };
    let mut product = Product::zero();
    for (i, keys) in key.sm4.bytes.as_chunks::<4>().0.iter().enumerate() {
        four_rounds(&mut words, [&keys[0], &keys[1], &keys[2], &keys[3]]);
        if let Some(hashed) = hashed {
            let i = 2 * i;
            let [mut x, y] = [i, i + 1].map(|i| reverse(load512(&hashed[i])));
            if i == 0 {
                x = _mm512_xor_si512(x, sums);
            }
            let (powers, halves) = powers_of_two(&key.powers, i);
            product.add_outer([x, y], powers);
            product.add_middle(sums_of_halves(x, y), halves);
        }
    }
    if hashed.is_some() {
        sums = product.reduce_lanes();
    }
    for (to, x) in data.iter_mut().zip(transpose(leave(words))) {
        store512(to, _mm512_xor_si512(x, load512(to)));
    }
    sums
}
