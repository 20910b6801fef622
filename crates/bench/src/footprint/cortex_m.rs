//! The small programs on microcontrollers, in QEMU's emulator of boards: they read their input and
//! write what they must.

use std::process::Command;

use super::build::{Workshop, right};
use super::list::Level;
use crate::engines::Places;

/// Programs of our library, with the features that they need.
const PROGRAMS: &[(&str, &str)] = &[
    ("sha256", "facade/sha2"),
    ("hmac_drbg", "facade/sha2"),
    ("aes_gcm", "facade/aes-gcm"),
    ("chacha20_poly1305", "facade/chacha20-poly1305"),
    ("x25519", "facade/x25519"),
    ("ed25519", "facade/ed25519"),
    ("ecdsa_p256", "facade/ecdsa"),
    ("ecdsa_sign", "facade/ecdsa"),
    ("certificate", "facade/ecdsa,facade/x509"),
    ("ml_kem", "facade/ml-kem"),
    ("ml_dsa", "facade/ml-dsa"),
    ("rsa", "facade/rsa"),
    ("rsa_verify", "facade/rsa"),
];

/// Runs every program on this board, whose memory begins there.
fn run_on(target: &str, machine: &str, base: &str) {
    let workshop = Workshop::open(&Places::here()).unwrap();
    for small in ["small,", ""] {
        for (program, family) in PROGRAMS {
            let features = format!("{small}{family}");
            let file = workshop.for_board(&features, Level::Small, program, target, base);
            let mut emulator = Command::new("qemu-system-arm");
            emulator
                .args(["-machine", machine, "-display", "none", "-serial", "none"])
                .args(["-monitor", "none"])
                .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
                .arg(file.unwrap());
            let said = right(&mut emulator, program);
            assert!(said.is_ok(), "{program} with {features}: {said:?}");
        }
    }
}

macro_rules! boards {
    ($($name:ident: $target:literal, $machine:literal, $base:literal;)*) => {$(
        #[test]
        #[ignore = "builds programs, which takes minutes; needs a target and an emulator"]
        fn $name() {
            run_on($target, $machine, $base);
        }
    )*};
}

boards! {
    cortex_m0: "thumbv6m-none-eabi", "mps2-an385", "0";
    cortex_m4: "thumbv7em-none-eabihf", "mps2-an386", "0";
    cortex_m33: "thumbv8m.main-none-eabihf", "mps2-an505", "0x10000000";
}
