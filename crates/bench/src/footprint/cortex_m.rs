//! The small programs on microcontrollers, in QEMU's emulator of boards: they read their input and
//! write what they must.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

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
    ("ml_dsa", "facade/alloc,facade/ml-dsa"),
    ("rsa", "facade/rsa"),
    ("rsa_verify", "facade/rsa"),
    ("families", ALONE),
];

/// The families that need no allocator.
const ALONE: &str = "facade/hash,facade/cipher,facade/ecdsa,facade/curve25519,facade/curve448,\
    facade/ml-kem,facade/ml-dsa,facade/der";

/// Runs every program on this board, whose memory begins there.
fn run_on(target: &str, machine: &str, base: &str) {
    let workshop = Workshop::open(&Places::here()).unwrap();
    for small in ["small,", ""] {
        for (program, family) in PROGRAMS {
            let features = format!("{small}{family}");
            let file = workshop.for_board(&features, Level::Small, program, target, base);
            let said = right(&mut emulator(machine, &file.unwrap()), program);
            assert!(said.is_ok(), "{program} with {features}: {said:?}");
        }
    }
}

/// The machine that runs this file.
fn emulator(machine: &str, file: &Path) -> Command {
    let mut emulator = Command::new("qemu-system-arm");
    emulator
        .args(["-machine", machine, "-display", "none", "-serial", "none"])
        .args(["-monitor", "none"])
        .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
        .arg(file);
    emulator
}

/// The example that verifies an image, `examples/firmware`: the image that lies beside it, and this with a
/// bit of any part changed.
#[test]
#[ignore = "builds a program; needs a target and an emulator"]
fn firmware() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/firmware");
    let target = folder.join("target");
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "--locked", "--target-dir"])
        .arg(&target)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTFLAGS")
        .current_dir(&folder)
        .status();
    assert!(built.unwrap().success());
    let program = target.join("thumbv7em-none-eabihf/release/firmware");
    let place = target.join("place.bin");
    let signed = fs::read(folder.join("image/signed.bin")).unwrap();
    let says = |image: &[u8]| {
        fs::write(&place, image).unwrap();
        let loader = format!("loader,file={},addr=0x200000,force-raw=on", place.display());
        let output = emulator("mps2-an386", &program)
            .args(["-device", &loader])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), said)
    };
    let length = signed.len() - 8 - 64 - 2420;
    let holds = format!("{length} bytes, both signatures hold\n");
    assert_eq!(says(&signed), (true, holds));
    for (at, reason) in [
        (0, "NoImage"),            // no digit
        (7, "Signature"),          // another length
        (8 + 3, "Signature"),      // Ed25519
        (8 + 64 + 3, "Signature"), // ML-DSA
        (signed.len() - 1, "Signature"),
    ] {
        let mut changed = signed.clone();
        changed[at] ^= if at == 0 { 0x80 } else { 1 };
        let refused = format!("refused: {reason}\n");
        assert_eq!(says(&changed), (false, refused), "{at}");
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
