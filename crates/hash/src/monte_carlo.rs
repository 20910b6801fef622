//! The Monte Carlo tests of NIST's validation program: a hundred times a thousand hashes from a
//! seed, on every implementation. The seeds and the last checkpoints are those of the files
//! `SHA*Monte.rsp` (byte-oriented).

use crate::{keccak, sha1, sha256, sha512};
use adamant_base::family::Hash;
use adamant_testkit::table;
use hex_literal::hex;

/// SHAVS, 6.4: a digest is the hash of the three before it.
fn of_three<H: Hash<Output = [u8; N]>, const N: usize>(fresh: &H, seed: [u8; N]) -> [u8; N] {
    let mut checkpoint = seed;
    for _ in 0..100 {
        let mut last = [checkpoint; 3];
        for _ in 0..1000 {
            let next = fresh.clone().finish_with(&[last.as_flattened()]);
            last = [last[1], last[2], next];
        }
        checkpoint = last[2];
    }
    checkpoint
}

/// SHA3VS, 6.2.3: a digest is the hash of the one before it.
fn of_one<H: Hash<Output = [u8; N]>, const N: usize>(fresh: &H, seed: [u8; N]) -> [u8; N] {
    (0..100 * 1000).fold(seed, |digest, _| fresh.clone().finish_with(&[&digest]))
}

macro_rules! tests {
    ($($name:ident: $table:ident $hash:ident, $rule:ident $seed:literal => $last:literal;)+) => { $(
        #[test]
        fn $name() {
            table!($table::Backend).for_each(|backend| {
                let fresh = crate::$hash::new_on(backend);
                assert_eq!($rule(&fresh, hex!($seed)), hex!($last), "{backend:?}");
            });
        }
    )+ };
}

tests! {
    sha1: sha1 Sha1, of_three
        "dd4df644eaf3d85bace2b21accaa22b28821f5cd" =>
        "01b7be5b70ef64843a03fdbb3b247a6278d2cbe1";
    sha224: sha256 Sha224, of_three
        "ed2b70d575d9d0b4196ae84a03eed940057ea89cdd729b95b7d4e6a5" =>
        "27033d2d89329ba9d2a39c0292552a5f1f945c115d5abf2064e93754";
    sha256: sha256 Sha256, of_three
        "6d1e72ad03ddeb5de891e572e2396f8da015d899ef0e79503152d6010a3fe691" =>
        "6a912ba4188391a78e6f13d88ed2d14e13afce9db6f7dcbf4a48c24f3db02778";
    sha384: sha512 Sha384, of_three
        "edff07255c71b54a9beae52cdfa083569a08be89949cbba73ddc8acf429359ca5e5be7a673633ca0d9709848f522a9df" =>
        "ccde4359f23e64579c5c0380df837ee950928aa82937a2d2ed33d216e707c46d847efa5ca52dcbda551145e164fbd594";
    sha512: sha512 Sha512, of_three
        "5c337de5caf35d18ed90b5cddfce001ca1b8ee8602f367e7c24ccca6f893802fb1aca7a3dae32dcd60800a59959bc540d63237876b799229ae71a2526fbc52cd" =>
        "4aa7dad74eb51d09a6ae7735c4b795b078f51c314f14f42a0d63071e13bdc5fd9f51612e77b36d44567502a3b5eb66c609ec017e51d8df93e58d1a44f3c1e375";
    sha512_256: sha512 Sha512_256, of_three
        "f41ece2613e4573915696b5adcd51ca328be3bf566a9ca99c9ceb0279c1cb0a7" =>
        "1822ede971ca1407fbcb1dff487ea9d93d71d756cdf32945703de673f4b3d816";
    sha3_224: keccak Sha3_224, of_one
        "3a9415d401aeb8567e6f0ecee311f4f716b39e86045c8a51383db2b6" =>
        "91defbe230b514d7db13d915a82368d32d48f55db31d16e3ae7fbbd0";
    sha3_256: keccak Sha3_256, of_one
        "aa64f7245e2177c654eb4de360da8761a516fdc7578c3498c5e582e096b8730c" =>
        "456f2ed7f5433bb4e56d7780a21a953e95d6a5eb53bb4c974c57a90e677f3197";
    sha3_384: keccak Sha3_384, of_one
        "7a00791f6f65c21f1c97c58fa3c0520cfc85cd7e3d398cf01950819fa717195065a363e77d07753647cb0c130e9972ad" =>
        "02c9babd4add11a5f23c1808f72e3dc8325cedc31d28213a04d999dac8f46b866f84ba3dbfbcf1a863cc54d808ffadca";
    sha3_512: keccak Sha3_512, of_one
        "764a5511f00dbb0eaef2eb27ad58d35f74f563b88f789ff53f6cf3a47060c75ceb455444cd17b6d438c042e0483919d249f2fd372774647d2545cbfad20b4d31" =>
        "760824a439b0681fcd5d22f8467d927a764febc457fd1eb62584ca82b00e1a07905a0117a955041892d2c9d849c096067ed2893aca5c841f8aa32dabe642bc82";
}
