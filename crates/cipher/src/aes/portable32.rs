//! Bitsliced in planes of 32 bits, two blocks at once.

super::portable::row! { u32 }
