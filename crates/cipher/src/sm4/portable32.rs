//! Bitsliced in planes of 32 bits, eight blocks at once.

super::portable::row! { u32 }
