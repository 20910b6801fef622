//! One lane after the other.

use super::super::portable;
use super::{Lane, Room};
use adamant_base::BlockCipher;

#[cfg(target_pointer_width = "64")]
type Cipher = portable::Sliced<u64>;
#[cfg(not(target_pointer_width = "64"))]
type Cipher = portable::Sliced<u32>;

pub(super) fn cbc_encrypt(_: &mut Room, lanes: &mut [Lane<'_, '_>]) {
    for lane in lanes {
        Cipher::new(lane.keys).cbc_encrypt(&mut lane.state, lane.blocks);
    }
}
