//! Every operation on secrets, by crate. `tests/constant_time` builds this program as a release
//! with marks, runs it under Valgrind, and reads the assembly that came of the same build.

mod cipher;
mod der;
mod dh;
mod ec;
mod hash;
mod hybrid;
mod pq;
mod rand;
mod rsa;

fn main() {
    adamant_testkit::taint::main(&[
        ("cipher", cipher::OPERATIONS),
        ("der", der::OPERATIONS),
        ("dh", dh::OPERATIONS),
        ("ec", ec::OPERATIONS),
        ("hash", hash::OPERATIONS),
        ("hybrid", hybrid::OPERATIONS),
        ("pq", pq::OPERATIONS),
        ("rand", rand::OPERATIONS),
        ("rsa", rsa::OPERATIONS),
    ]);
}
