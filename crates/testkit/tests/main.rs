//! The proofs that the checks catch what they must, in one program.

mod taint;
