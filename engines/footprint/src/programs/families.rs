//! Every family that needs no allocator, on a microcontroller's board: what each makes of the input. No heap
//! is linked, and with something in the library that asks for one the program does not compile.
#![cfg_attr(not(feature = "std"), no_std)]
#![no_main]

mod bare;
#[path = "families/results.rs"]
mod results;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = [0; results::LENGTH];
    bare::input(&mut bytes);
    match results::results(&bytes, &mut bare::output) {
        Some(()) => 0,
        None => 1,
    }
}
