//! A batch over lanes: items go through the library eight or sixteen at a time.

use std::array;
use std::ptr::null_mut;

use adamant_engine::family::Outcome;
use adamant_engine::op;
use adamant_engine::serve::Engine;
use adamant_engine::{Item, Size};

/// `NAME_batch`: `new` prepares an item, `run` does at most `LANES` of them, `encode` tells one.
pub(crate) fn batch<const LANES: usize, T: 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&Item) -> Outcome<T> + 'static,
    run: impl Fn(&mut [T]) -> Outcome<()> + Clone + 'static,
    encode: impl Fn(&T) -> Item + Clone + 'static,
) {
    engine.batch(&format!("{name}_batch"), move |_: Size, inputs| {
        let items = inputs.iter().map(&new).collect::<Outcome<Vec<T>>>()?;
        let (run, encode) = (run.clone(), encode.clone());
        Ok(op::whole(
            items,
            move |items| items.chunks_mut(LANES).try_for_each(&run),
            move |items| items.iter().map(&encode).collect(),
        ))
    });
}

/// A pointer for each lane, as `get` gives them. Lanes left over do the last item once more.
pub(crate) fn pointers<const LANES: usize, T, P>(
    items: &mut [T],
    get: impl Fn(&mut T) -> *mut P,
) -> [*mut u8; LANES] {
    let last = items.len() - 1;
    array::from_fn(|lane| get(&mut items[lane.min(last)]).cast())
}

/// No pointers: the argument is left out, as the coordinate Z of points that are affine is.
pub(crate) const NONE: *const [*mut u8; 8] = null_mut::<[*mut u8; 8]>();

/// A number for each lane.
pub(crate) fn numbers<const LANES: usize, T, N>(items: &[T], get: impl Fn(&T) -> N) -> [N; LANES] {
    let last = items.len() - 1;
    array::from_fn(|lane| get(&items[lane.min(last)]))
}

/// A status of four bits for each lane, all of which have to be zero.
pub(crate) fn done(status: impl Into<u64>) -> Outcome<()> {
    match status.into() {
        0 => Ok(()),
        status => Err(format!("the library returns {status:#x}")),
    }
}

/// Whether the lane's status is zero.
pub(crate) fn is_good(status: u32, lane: usize) -> bool {
    status >> (4 * lane) & 0xf == 0
}

/// A big-endian number in words of 64 bits, the lowest first.
pub(crate) fn words(big_endian: &[u8], count: usize) -> Outcome<Vec<u64>> {
    let mut words = vec![0; count];
    for (i, byte) in big_endian.iter().rev().enumerate() {
        match words.get_mut(i / 8) {
            Some(word) => *word |= u64::from(*byte) << (8 * (i % 8)),
            None if *byte == 0 => {}
            None => return Err("the number is long".into()),
        }
    }
    Ok(words)
}

/// The number's last `len` bytes, big-endian.
pub(crate) fn bytes(words: &[u64], len: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(len, 0);
    bytes.reverse();
    bytes
}
