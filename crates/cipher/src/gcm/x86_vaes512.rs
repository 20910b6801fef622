//! AES-GCM with VAES and VPCLMULQDQ on 512-bit registers, both halves side by side.
//!
//! 1. Messages are worked on 512 bytes at a time: between two halves of a round of AES on eight
//!    registers goes a sixth of the multiplication of two registers for GHASH, of the same
//!    ciphertext when decrypting, of the ciphertext before when encrypting. What each needs of the
//!    CPU's units leaves room for the other.
//! 2. In a long message two rounds of AES are done for the first 256 blocks alone
//!    (`aes::x86_states512`).
//! 3. Spreading a key over a register costs some CPUs a shuffle: after the first step, the round
//!    keys stay in registers. The powers are read at each step, four to a register as they lie:
//!    kept over the steps they would be copied to the stack first, which costs a short message
//!    more than it saves. So the compiler is not to know that the key is the same.
//! 4. The rest goes through masked loads and stores; the block that masks the tag is encrypted
//!    along with it, and the block of lengths shares the last reduction.

use super::AesGcmKey;
use crate::aes::x86_states512::{LONG, Later, States};
use crate::aes::{x86_aesni, x86_vaes512};
use crate::ghash::lengths;
use crate::ghash::x86_vpclmul512::{
    Product, Step, absorb, absorb_step, consecutive_of_two, init as init_powers, reversal, reverse,
    sums_of_halves, update,
};
use adamant_base::Wipe;
use adamant_base::simd::{
    in_order8, load128, load512, load512_partial, store128, store512, store512_partial,
};
use core::arch::x86_64::{
    __m128i, __m512i, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi8, _mm_xor_si128,
    _mm512_add_epi32, _mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_and_si512,
    _mm512_broadcast_i32x4, _mm512_castsi512_si128, _mm512_mask_blend_epi64, _mm512_maskz_mov_epi8,
    _mm512_set_epi32, _mm512_setzero_si512, _mm512_xor_si512, _mm512_zextsi128_si512,
};
use core::hint::black_box;

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn init(aes_key: &[u8], key: &mut AesGcmKey) {
    x86_aesni::expand(aes_key, &mut key.aes);
    let mut h = [[0; 16]];
    x86_aesni::encrypt_blocks(&key.aes, &mut h);
    init_powers(&h[0], &mut key.powers);
    h.wipe();
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn ghash(key: &AesGcmKey, sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    update(&key.powers, sum, blocks);
}

#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn encrypt(key: &AesGcmKey, blocks: &mut [[u8; 16]]) {
    x86_vaes512::encrypt_blocks(&key.aes, blocks);
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn seal(key: &AesGcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<false>(key, start, aad, data)
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
pub(super) fn open(key: &AesGcmKey, start: u128, aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    crypt::<true>(key, start, aad, data)
}

#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn crypt<const DECRYPT: bool>(
    key: &AesGcmKey,
    start: u128,
    aad: &[u8],
    data: &mut [u8],
) -> [u8; 16] {
    let lengths = lengths(aad.len(), data.len());
    let mut sum = _mm_setzero_si128();
    if !aad.is_empty() {
        sum = absorb(&key.powers, sum, aad);
    }
    debug_assert_eq!(start as u32, 1, "the number of a nonce of 12 bytes");
    let mut sums = _mm512_zextsi128_si512(sum);
    // The sum after a step is only in the first lane, so nothing need be left but the lengths.
    let count = data.len() / size_of::<Step>();
    let (steps, rest) = data.split_at_mut(count * size_of::<Step>());
    if count > 0 {
        let steps = steps.as_chunks_mut::<64>().0.as_chunks_mut::<8>().0;
        sums = if count >= LONG {
            many::<DECRYPT>(key, start, sums, steps, Some(&mut States::new()))
        } else {
            many::<DECRYPT>(key, start, sums, steps, None)
        };
    }
    let next = plus(start, 32 * count);
    let tag = finish::<DECRYPT>(key, (start, next), sums, rest, lengths);
    let mut out = [0; 16];
    store128(&mut out, tag);
    out
}

/// [`bulk`] with the number of rounds.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn many<const DECRYPT: bool>(
    key: &AesGcmKey,
    start: u128,
    sums: __m512i,
    steps: &mut [Step],
    states: Option<&mut States>,
) -> __m512i {
    match key.aes.rounds() {
        10 => bulk::<10, DECRYPT>(key, start, sums, steps, states),
        12 => bulk::<12, DECRYPT>(key, start, sums, steps, states),
        _ => bulk::<14, DECRYPT>(key, start, sums, steps, states),
    }
}

/// A block given as a big-endian number, its bytes reversed.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn number(block: u128) -> __m128i {
    _mm_set_epi64x((block >> 64) as i64, block as i64)
}

/// A round key for every lane.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn round_key(key: &[u8; 16]) -> __m512i {
    _mm512_broadcast_i32x4(load128(key))
}

/// `n` for each lane's counter.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn to_each(n: u32) -> __m512i {
    _mm512_broadcast_i32x4(_mm_set_epi64x(0, i64::from(n)))
}

/// The blocks of counters of a step and the first round key.
///
/// The number goes up by 32 each step, and it began with two: its low five bits are those of the
/// step before, and none is added to the others but in the last two blocks.
struct Counters {
    /// The number without its low five bits.
    number: __m512i,
}

impl Counters {
    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1"
    )]
    fn new(start: u128) -> Self {
        debug_assert_eq!(
            start % 32,
            1,
            "the blocks of a step share all but five bits"
        );
        let number = _mm512_broadcast_i32x4(number(start & !31));
        Counters { number }
    }

    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1"
    )]
    fn next(&mut self, first: __m512i) -> [__m512i; 8] {
        let this = _mm512_xor_si512(reverse(self.number), first);
        self.number = _mm512_add_epi32(self.number, to_each(32));
        let next = _mm512_xor_si512(reverse(self.number), first);
        let mut blocks = [this; 8];
        blocks[7] = _mm512_mask_blend_epi64(0xf0, this, next);
        let mut low = _mm512_set_epi32(0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 2);
        for block in &mut blocks {
            *block = _mm512_xor_si512(*block, reverse(_mm512_and_si512(low, to_each(31))));
            low = _mm512_add_epi32(low, to_each(4));
        }
        blocks
    }
}

/// `n` more, in the 32 bits that count.
fn plus(number: u128, n: usize) -> u128 {
    number & !0xffff_ffff | u128::from((number as u32).wrapping_add(n as u32))
}

/// A round of AES on eight registers.
macro_rules! round {
    ($blocks:ident $key:expr) => {
        for block in &mut $blocks {
            *block = _mm512_aesenc_epi128(*block, $key);
        }
        in_order8(&mut $blocks);
    };
}

/// The last round, which adds the text along with its key.
macro_rules! last_round {
    ($blocks:ident $key:expr, $data:ident) => {
        for (block, data) in $blocks.iter_mut().zip(&mut *$data) {
            *block = _mm512_aesenclast_epi128(*block, _mm512_xor_si512(load512(data), $key));
            store512(data, *block);
        }
    };
}

/// Rounds of AES on eight registers from the third key on, while eight others, of ciphertext in
/// memory, are taken into the sums: between two halves of a round a third of the work on two of
/// them. A function would pass its registers through memory.
macro_rules! rounds {
    ($rounds:ident, $keys:ident, $powers:ident: $blocks:ident, $cipher:ident into $sums:ident) => {
        let mut product = Product::zero();
        let mut later = $keys[3..$rounds].iter();
        macro_rules! half_round {
            ($key:ident, $all:pat => $half:expr) => {
                if let Some(key) = $key {
                    let $all = &mut $blocks;
                    for block in $half {
                        *block = _mm512_aesenc_epi128(*block, *key);
                    }
                    in_order8(&mut $blocks);
                }
            };
        }
        // A round, with something between its halves and after it.
        macro_rules! round_if {
            ($condition:expr, $between:block $behind:block) => {
                let key = if $condition { later.next() } else { None };
                half_round!(key, [a, b, c, d, ..] => [a, b, c, d]);
                $between
                product.in_order();
                half_round!(key, [.., a, b, c, d] => [a, b, c, d]);
                $behind
            };
        }
        macro_rules! two {
            ($i:literal) => {
                let (powers, halves) = consecutive_of_two($powers, $i);
                let (mut a, b) = (reverse(load512(&$cipher[$i])), reverse(load512(&$cipher[$i + 1])));
                if $i == 0 {
                    a = _mm512_xor_si512(a, $sums);
                }
                round_if!(true, { product.add_low([a, b], powers) } {
                    product.add_high([a, b], powers)
                });
                product.in_order();
                round_if!($i > 0, { product.add_middle(sums_of_halves(a, b), halves) } {});
            };
        }
        // The sums are known last, so the register that takes them in comes last.
        two!(6);
        round_if!($rounds == 14, {} {});
        two!(4);
        round_if!($rounds >= 12, {} {});
        two!(2);
        round_if!($rounds == 14, {} {});
        two!(0);
        round_if!($rounds >= 12, {} {});
        $sums = product.reduce_to_first();
    };
}

/// Whole steps; the sums after them. With `states` there are eight or more, and the first eight
/// leave their states there.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn bulk<const ROUNDS: usize, const DECRYPT: bool>(
    key: &AesGcmKey,
    start: u128,
    mut sums: __m512i,
    steps: &mut [Step],
    mut states: Option<&mut States>,
) -> __m512i {
    let mut counters = Counters::new(start);
    debug_assert!(states.is_none() || start % 256 == 1 && steps.len() >= 8);
    let (mut first, later) = match states {
        None => (steps, &mut [][..]),
        Some(_) => steps.split_at_mut(8),
    };
    macro_rules! two_rounds {
        ($keys:ident) => {{
            let mut blocks = counters.next($keys(0));
            round!(blocks $keys(1));
            round!(blocks $keys(2));
            if let Some(states) = &mut states {
                states.push(&blocks);
            }
            blocks
        }};
    }
    // When encrypting, the step before, whose ciphertext is to be taken in.
    let mut before: Option<&Step> = None;
    if !DECRYPT && let Some(data) = first.split_off_first_mut() {
        let key = black_box(key);
        let keys = |i: usize| round_key(&key.aes.encrypt()[i]);
        let mut blocks = two_rounds!(keys);
        for i in 3..ROUNDS {
            round!(blocks keys(i));
        }
        last_round!(blocks keys(ROUNDS), data);
        if first.is_empty() {
            for block in &mut blocks {
                *block = reverse(*block);
            }
            return absorb_step(&key.powers, sums, blocks);
        }
        before = Some(data);
    }
    let mut keys = [_mm512_setzero_si512(); 15];
    for (to, key) in keys[..=ROUNDS].iter_mut().zip(key.aes.encrypt()) {
        *to = round_key(key);
    }
    let key_of = |i: usize| keys[i];
    macro_rules! step {
        ($blocks:ident, $data:ident) => {
            let cipher = before.unwrap_or($data);
            let powers = &black_box(key).powers;
            rounds!(ROUNDS, keys, powers: $blocks, cipher into sums);
            last_round!($blocks keys[ROUNDS], $data);
            if !DECRYPT {
                before = Some($data);
            }
        };
    }
    for data in first {
        let mut blocks = two_rounds!(key_of);
        step!(blocks, data);
    }
    if let Some(states) = states {
        let first = _mm512_broadcast_i32x4(number(start.wrapping_add(1)));
        let order = _mm512_broadcast_i32x4(reversal());
        let mut more = Later::new(first, order, key.aes.encrypt());
        for group in later.chunks_mut(8) {
            more.go_on();
            for (i, (data, states)) in group.iter_mut().zip(states.steps()).enumerate() {
                let mut blocks = more.step(i, states);
                step!(blocks, data);
            }
        }
    }
    if let Some(cipher) = before {
        let mut blocks = [sums; 8];
        for (block, cipher) in blocks.iter_mut().zip(cipher) {
            *block = reverse(load512(cipher));
        }
        sums = absorb_step(&key.powers, sums, blocks);
    }
    sums
}

/// The last bytes, and what is done with them.
struct Rest<'a> {
    key: &'a AesGcmKey,
    /// The numbers of the next four blocks.
    number: __m512i,
    data: &'a mut [u8],
    /// Blocks of data that are left, and that of the lengths.
    count: usize,
    sums: __m512i,
    product: Product,
}

impl Rest<'_> {
    /// The next bytes, `64 N` at most; with them a block by itself is encrypted, if `BLOCK`.
    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1"
    )]
    fn crypt<const N: usize, const BLOCK: bool, const DECRYPT: bool>(
        &mut self,
        mut block: __m512i,
    ) -> __m512i {
        let mut blocks = [block; N];
        for block in &mut blocks {
            *block = reverse(self.number);
            self.number = _mm512_add_epi32(self.number, to_each(4));
        }
        let keys = &self.key.aes.encrypt()[..=self.key.aes.rounds()];
        if let [first, middle @ .., last] = keys {
            let first = round_key(first);
            for block in &mut blocks {
                *block = _mm512_xor_si512(*block, first);
            }
            block = _mm512_xor_si512(block, first);
            for key in middle {
                let key = round_key(key);
                for block in &mut blocks {
                    *block = _mm512_aesenc_epi128(*block, key);
                }
                if BLOCK {
                    block = _mm512_aesenc_epi128(block, key);
                }
            }
            let last = round_key(last);
            for block in &mut blocks {
                *block = _mm512_aesenclast_epi128(*block, last);
            }
            block = _mm512_aesenclast_epi128(block, last);
        }
        let len = self.data.len().min(64 * N);
        let mut chunks = self
            .data
            .split_off_mut(..len)
            .unwrap_or_default()
            .chunks_mut(64);
        for stream in &blocks {
            let Some(data) = chunks.next() else {
                break;
            };
            let input = load512_partial(data);
            let output = _mm512_xor_si512(input, *stream);
            store512_partial(data, output);
            let cipher = if DECRYPT {
                input
            } else {
                _mm512_maskz_mov_epi8(u64::MAX >> (64 - data.len()), output)
            };
            let x = _mm512_xor_si512(reverse(cipher), self.sums);
            let product = Product::of_last(&self.key.powers, self.count, x);
            self.product.add(product);
            self.sums = _mm512_setzero_si512();
            self.count = self.count.saturating_sub(4);
        }
        block
    }
}

/// The last bytes and the tag. Four registers at a time: the multiplications of some go beside the
/// rounds of the next.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,aes,pclmulqdq,ssse3,sse4.1")]
fn finish<const DECRYPT: bool>(
    key: &AesGcmKey,
    (start, before): (u128, u128),
    sums: __m512i,
    data: &mut [u8],
    lengths: u128,
) -> __m128i {
    debug_assert!(data.len() < size_of::<Step>());
    let mut rest = Rest {
        key,
        number: _mm512_add_epi32(
            _mm512_broadcast_i32x4(number(before)),
            _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1),
        ),
        count: data.len().div_ceil(16) + 1,
        data,
        sums,
        product: Product::zero(),
    };
    let mask = _mm512_zextsi128_si512(_mm_shuffle_epi8(number(start), reversal()));
    while rest.data.len() > 256 {
        rest.crypt::<4, false, DECRYPT>(mask);
    }
    let mask = match rest.data.len() {
        0 => rest.crypt::<0, true, DECRYPT>(mask),
        1..=64 => rest.crypt::<1, true, DECRYPT>(mask),
        65..=128 => rest.crypt::<2, true, DECRYPT>(mask),
        _ => rest.crypt::<4, true, DECRYPT>(mask),
    };
    let lengths = _mm512_xor_si512(_mm512_zextsi128_si512(number(lengths)), rest.sums);
    let mut product = rest.product;
    product.add(Product::of_last(&key.powers, 1, lengths));
    let tag = _mm_shuffle_epi8(product.reduce(), reversal());
    _mm_xor_si128(tag, _mm512_castsi512_si128(mask))
}
