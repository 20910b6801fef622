use adamant_ec::{ed25519, x25519};
use std::hint::black_box;
use std::time::Instant;
fn t(name: &str, mut f: impl FnMut()) {
    let mut best = f64::MAX;
    for _ in 0..30 {
        let s = Instant::now();
        for _ in 0..200 { f() }
        best = best.min(s.elapsed().as_nanos() as f64 / 200.0);
    }
    println!("{name:30} {best:10.0} ns");
}
fn main() {
    for b in ed25519::Backend::available() {
        println!("{b:?}");
        let k = ed25519::PrivateKey::from_seed_on(&[3; 32], b);
        let p = k.public_key();
        let m = [5u8; 32];
        let s = k.sign(&m);
        p.verify(&m, &s).unwrap();
        t("ed keygen", || { black_box(ed25519::PrivateKey::from_seed_on(black_box(&[3; 32]), b)); });
        t("ed sign", || { black_box(k.sign(black_box(&m))); });
        t("ed verify", || { black_box(p.verify(black_box(&m), &s)).unwrap(); });
        t("ed decode key", || { black_box(ed25519::PublicKey::from_bytes_on(black_box(p.as_ref()), b).unwrap()); });
        t("mul_base", || { black_box(b.mul_base(black_box(&[3; 32]))); });
    }
    for b in x25519::Backend::available() {
        println!("{b:?}");
        let k = x25519::PrivateKey::from_bytes_on(&[3; 32], b);
        let p = k.public_key();
        t("x keygen", || { black_box(x25519::PrivateKey::from_bytes_on(black_box(&[3; 32]), b)); });
        t("x derive", || { black_box(k.agree(black_box(&p)).unwrap()); });
    }
}
