//! One state after the other.

use super::super::Backend;
use adamant_base::Wipe;

crate::lanes::portable::portable! {
    state: [u32; 8],
    block: 64,
}
