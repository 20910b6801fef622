//! The loops of the modes around any way to encrypt and decrypt many blocks: for kernels, which
//! are functions for some CPUs and so cannot be methods of [`BlockCipher`].

use adamant_base::{Block, BlockCipher};

/// A cipher of two closures, with blocks of `LEN` bytes, which likes to get `AT_ONCE` of them.
///
/// CBC encryption and CBC-MAC are those of the trait. The other loops are always part of a kernel,
/// and have its features.
pub(crate) struct Loops<const LEN: usize, const AT_ONCE: usize, E, D> {
    pub(crate) encrypt: E,
    pub(crate) decrypt: D,
}

/// Fills blocks with the counters from one on, which becomes the one after them.
#[inline]
fn count<const LEN: usize>(counter: &mut [u8; LEN], width: usize, blocks: &mut [[u8; LEN]]) {
    const { assert!(LEN >= 8) };
    // The last eight bytes as a number, of which these bits count.
    let mask = u64::MAX >> (64 - 8 * width.clamp(1, 8));
    let mut last = [0; 8];
    last.copy_from_slice(&counter[LEN - 8..]);
    let first = u64::from_be_bytes(last);
    let far = width > 0 && (first & mask) < mask.saturating_sub(blocks.len() as u64);
    for (i, block) in blocks.iter_mut().enumerate() {
        *block = *counter;
        if far {
            block[LEN - 8..].copy_from_slice(&(first + i as u64).to_be_bytes());
            continue;
        }
        for byte in counter.iter_mut().rev().take(width) {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }
    if far {
        let next = first + blocks.len() as u64;
        counter[LEN - 8..].copy_from_slice(&next.to_be_bytes());
    }
}

/// Runs `crypt` on the blocks with their tweaks added before and after.
#[inline(always)]
fn xts<const LEN: usize, const AT_ONCE: usize>(
    tweak: &mut [u8; LEN],
    blocks: &mut [[u8; LEN]],
    crypt: impl Fn(&mut [[u8; LEN]]),
) {
    for blocks in blocks.chunks_mut(AT_ONCE) {
        let mut tweaks = [[0; LEN]; AT_ONCE];
        for (kept, block) in tweaks.iter_mut().zip(&mut *blocks) {
            *kept = *tweak;
            *block = block.xor(*tweak);
            // The cipher has blocks of 16 bytes where a mode asks for tweaks.
            if let Ok(now) = <&mut [u8; 16]>::try_from(&mut tweak[..]) {
                let [_, next] = crate::aes::tweaks(now);
                *now = next;
            }
        }
        crypt(blocks);
        for (block, tweak) in blocks.iter_mut().zip(&tweaks) {
            *block = block.xor(*tweak);
        }
    }
}

impl<const LEN: usize, const AT_ONCE: usize, E, D> BlockCipher for Loops<LEN, AT_ONCE, E, D>
where
    E: Fn(&mut [[u8; LEN]]),
    D: Fn(&mut [[u8; LEN]]),
{
    type Block = [u8; LEN];

    #[inline(always)]
    fn encrypt_blocks(&self, blocks: &mut [[u8; LEN]]) {
        (self.encrypt)(blocks);
    }
    #[inline(always)]
    fn decrypt_blocks(&self, blocks: &mut [[u8; LEN]]) {
        (self.decrypt)(blocks);
    }
    #[inline(always)]
    fn ctr(&self, counter: &mut [u8; LEN], width: usize, blocks: &mut [[u8; LEN]]) {
        for blocks in blocks.chunks_mut(AT_ONCE) {
            let mut stream = [[0; LEN]; AT_ONCE];
            let stream = &mut stream[..blocks.len()];
            count(counter, width, stream);
            (self.encrypt)(stream);
            for (block, s) in blocks.iter_mut().zip(stream) {
                *block = block.xor(*s);
            }
        }
    }
    #[inline(always)]
    fn cbc_decrypt(&self, iv: &mut [u8; LEN], blocks: &mut [[u8; LEN]]) {
        for blocks in blocks.chunks_mut(AT_ONCE) {
            let mut previous = [[0; LEN]; AT_ONCE];
            let previous = &mut previous[..blocks.len()];
            previous.copy_from_slice(blocks);
            (self.decrypt)(blocks);
            for (block, cipher) in blocks.iter_mut().zip(previous) {
                *block = block.xor(*iv);
                *iv = *cipher;
            }
        }
    }
    #[inline(always)]
    fn xts_encrypt(&self, tweak: &mut [u8; LEN], blocks: &mut [[u8; LEN]]) {
        xts::<LEN, AT_ONCE>(tweak, blocks, &self.encrypt);
    }
    #[inline(always)]
    fn xts_decrypt(&self, tweak: &mut [u8; LEN], blocks: &mut [[u8; LEN]]) {
        xts::<LEN, AT_ONCE>(tweak, blocks, &self.decrypt);
    }
}

/// Makes the functions of a table's row that follow from its `encrypt_blocks` and
/// `decrypt_blocks`: for the keys, the bytes of a block and the blocks liked at once, with the
/// features in brackets.
macro_rules! from_blocks {
    ($keys:ty, $len:literal, $at_once:tt, $features:tt: $($name:ident $arguments:tt)+) => { $(
        $crate::loops::from_blocks!(@one $keys, $len, $at_once, $features, $name $arguments);
    )+ };
    (
        @one $keys:ty, $len:literal, $at_once:tt, [$($features:literal)?],
        $name:ident($chain:ident $(, $width:ident)?)
    ) => {
        $(#[target_feature(enable = $features)])?
        pub(super) fn $name(
            keys: &$keys,
            $chain: &mut [u8; $len],
            $($width: usize,)?
            blocks: &mut [[u8; $len]],
        ) {
            let cipher = $crate::loops::Loops::<$len, $at_once, _, _> {
                encrypt: |blocks: &mut [[u8; $len]]| encrypt_blocks(keys, blocks),
                decrypt: |blocks: &mut [[u8; $len]]| decrypt_blocks(keys, blocks),
            };
            adamant_base::BlockCipher::$name(&cipher, $chain, $($width,)? blocks);
        }
    };
}
pub(crate) use from_blocks;
