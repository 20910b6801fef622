//! Nothing but input and output: what every program here has.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; 64];
    bare::input(&mut bytes);
    bare::output(&bytes);
    0
}
