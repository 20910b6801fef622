//! The engine of curve25519-dalek, ed25519-dalek and x25519-dalek.
//!
//! Randomness comes from `rand`'s generator of the thread, as their documentation has it. Points
//! travel compressed, scalars as 32 bytes with the lowest first; a multi-scalar multiplication
//! gives the sum as the output of every item.

mod curve;
mod keys;

use std::io;

use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("dalek", env!("ENGINE_SUFFIX"));
    let build = format!("{}; {}", env!("ENGINE_BUILD"), path());
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), &build);
    keys::register(&mut engine);
    curve::register(&mut engine);
    engine
}

/// The backend that it takes: the one with IFMA only where the build allows AVX-512 throughout,
/// the one with AVX2 by what the CPU offers.
fn path() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        let built_for_ifma = cfg!(all(
            target_feature = "avx512ifma",
            target_feature = "avx512vl"
        ));
        if built_for_ifma {
            return "IFMA backend";
        }
        if is_x86_feature_detected!("avx2") {
            return "AVX2 backend";
        }
    }
    "serial backend"
}

#[cfg(test)]
mod tests {
    use adamant_engine::op::item;
    use adamant_engine::{Item, Size, answers};

    #[test]
    fn known_answers() {
        answers::check(&super::engine()).unwrap();
    }

    fn run(op: &str, inputs: &[Item]) -> Vec<Item> {
        let size = Size {
            bytes: 0,
            batch: inputs.len(),
        };
        let mut task = super::engine().prepare(op, size, inputs).unwrap();
        task.run(2).unwrap();
        task.outputs().unwrap()
    }

    /// Twice the base point, made in every way there is.
    #[test]
    fn ways_to_a_point_agree() {
        let scalar = |n: u8| {
            let mut bytes = [0; 32];
            bytes[0] = n;
            bytes
        };
        for group in ["edwards25519", "ristretto255"] {
            let op = |operation: &str| format!("{group}/{operation}");
            let multiple = |n: u8| {
                let outputs = run(&op("mul-base"), &[item([("scalar", &scalar(n))])]);
                outputs[0]["point"].clone()
            };
            let (base, two) = (multiple(1), multiple(2));
            let six = [item([("point", &multiple(6))])];
            let product = |n: u8, point: &[u8]| item([("scalar", &scalar(n)), ("point", point)]);
            assert_eq!(run(&op("mul"), &[product(3, &two)]), six);
            assert_eq!(run(&op("mul"), &[product(6, &base)]), six);
            let mut double = product(2, &two);
            double.insert("base_scalar".into(), scalar(2).into());
            assert_eq!(run(&op("double-base-vartime"), &[double]), six);
            let items = [product(2, &two), product(1, &two), product(0, &base)];
            for operation in ["msm", "msm-vartime"] {
                let sums = run(&op(operation), &items);
                assert_eq!(sums, [six.clone(), six.clone(), six.clone()].concat());
            }
            for operation in ["compress", "decompress"] {
                assert_eq!(run(&op(operation), &six), six);
            }
            let three = [item([("point", &multiple(3))])];
            assert_eq!(run(&op("double"), &three), six);
            let four = item([("point", &multiple(4)), ("other", &two)]);
            assert_eq!(run(&op("add"), &[four]), six);
        }
        let three = item([("scalar", &scalar(3)), ("other", &scalar(2))]);
        let product = run("scalar25519/mul", &[three]);
        assert_eq!(product, [item([("scalar", &scalar(6))])]);
        let inverse = run("scalar25519/invert", &[item([("scalar", &scalar(3))])]);
        let mut back = inverse[0].clone();
        back.insert("other".into(), scalar(3).into());
        assert_eq!(
            run("scalar25519/mul", &[back]),
            [item([("scalar", &scalar(1))])]
        );
    }

    #[test]
    fn a_batch_verifies() {
        let key = |_| run("ed25519/keygen", &[Item::new()])[0].clone();
        let mut items: Vec<Item> = (0..3).map(key).collect();
        for (i, item) in items.iter_mut().enumerate() {
            item.insert("message".into(), vec![i as u8; i]);
            let signed = run("ed25519/sign", std::slice::from_ref(item));
            item.extend(signed[0].clone());
        }
        let verdict = |n: u8| vec![item([("valid", &[n])]); 3];
        assert_eq!(run("ed25519/verify_batch", &items), verdict(1));
        items[1].insert("message".into(), vec![7]);
        assert_eq!(run("ed25519/verify_batch", &items), verdict(0));
    }
}
