//! A function that leaks is caught, one that does not is left alone, and every operation on
//! secrets can be examined.

use std::hint::black_box;

use adamant::Implementation;
use adamant::cpu::Features;
use adamant_ops::leak::{Verdict, examine, secrets};
use adamant_ops::{Effort, Item, Length, Operation, Prepared, Size, registry, select};

static PORTABLE: Implementation = Implementation::new("portable", Features::NONE);

/// Goes through the bits of a key of 32 bytes, and works for each or only for the ones.
struct Bits {
    name: &'static str,
    only_ones: bool,
}

const LEAKY: Bits = Bits {
    name: "bits/derive-ones",
    only_ones: true,
};

const CLEAN: Bits = Bits {
    name: "bits/derive-all",
    only_ones: false,
};

impl Operation for Bits {
    fn name(&self) -> &str {
        self.name
    }
    fn length(&self) -> Length {
        Length::None
    }
    fn default_bytes(&self) -> &'static [usize] {
        &[0]
    }
    fn is_batch(&self) -> bool {
        false
    }
    fn implementations(&self) -> Vec<&'static Implementation> {
        vec![&PORTABLE]
    }
    fn inputs(&self, _: Size) -> Vec<Item> {
        vec![self.draw(0, "", None)]
    }
    fn draw(&self, _: usize, name: &str, ones: Option<f64>) -> Item {
        let mac = registry()
            .into_iter()
            .find(|op| op.name() == "hmac-sha256/mac");
        let mut item = mac.unwrap().draw(0, name, ones);
        if name.starts_with("fixed") {
            // A light key among ordinary ones.
            item.insert("key".into(), vec![1; 32]);
        }
        item.remove("message");
        item
    }
    fn prepare(
        &self,
        _: Size,
        inputs: &[Item],
        _: Option<&str>,
    ) -> Result<Box<dyn Prepared>, String> {
        Ok(Box::new(PreparedBits {
            key: inputs[0]["key"].clone(),
            only_ones: self.only_ones,
        }))
    }
    fn judge(&self, _: Size, _: &[Item], _: &[Item]) -> Result<(), String> {
        Ok(())
    }
}

struct PreparedBits {
    key: Vec<u8>,
    only_ones: bool,
}

impl Prepared for PreparedBits {
    fn run(&mut self, iterations: u64) {
        for _ in 0..iterations {
            let mut x = 1_u64;
            for bit in 0..256 {
                let one = self.key[bit / 8] >> (bit % 8) & 1;
                // One condition, or the compiler would branch on the bit first.
                if black_box((one == 1) | !self.only_ones) {
                    for _ in 0..8 {
                        x = black_box(x.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                    }
                }
            }
        }
    }
    fn outputs(&mut self) -> Vec<Item> {
        Vec::new()
    }
    fn backend(&self) -> &'static str {
        "portable"
    }
}

const ONE: Size = Size { bytes: 0, batch: 1 };

#[test]
fn a_leaky_function_is_caught() {
    let finding = examine(&LEAKY, ONE, None, Effort::Iterations(3000)).unwrap();
    assert_eq!(finding.verdict, Verdict::Leak, "{finding:?}");
    let again = finding.second_run.unwrap();
    for run in [&finding.run, &again] {
        // The light fixed key is faster, heavy keys are slower.
        assert!(run.t < -4.5 && run.correlation_t > 4.5, "{run:?}");
    }
}

#[test]
fn a_clean_function_is_not() {
    let finding = examine(&CLEAN, ONE, None, Effort::Iterations(3000)).unwrap();
    assert_ne!(finding.verdict, Verdict::Leak, "{finding:?}");
    assert!(finding.constant_time && finding.secrets == ["key"]);
}

#[test]
fn few_samples_give_no_verdict() {
    let finding = examine(&LEAKY, ONE, None, Effort::Iterations(20)).unwrap();
    assert_eq!(finding.verdict, Verdict::TooFewSamples);
    assert_eq!(finding.run.samples, 20);
    let finding = examine(&LEAKY, ONE, None, Effort::Seconds(0.05)).unwrap();
    assert!(finding.run.samples > 0);
}

#[test]
fn every_secret_operation_is_examined() {
    examine_each(|op, best| best && !select::is_slow(op));
}

#[test]
#[ignore = "five minutes: cargo test -p adamant-ops --test suites leak -- --ignored"]
fn every_secret_operation_is_examined_on_every_implementation() {
    examine_each(|_, _| true);
}

/// On those implementations of an operation that are `chosen` by its name and whether they are its
/// best.
fn examine_each(chosen: impl Fn(&str, bool) -> bool) {
    for op in registry() {
        if let Err(reason) = secrets(op.as_ref()) {
            let error = examine(
                op.as_ref(),
                op.sizes(None, &[2])[0],
                None,
                Effort::Iterations(1),
            );
            assert_eq!(error.unwrap_err(), reason);
            continue;
        }
        let available = op.implementations().into_iter();
        let available: Vec<_> = available.filter(|i| i.is_available()).collect();
        // Signatures of SLH-DSA take long but on the best implementation.
        let most = if adamant_tool::select::matches("slh-dsa-*", op.name()) {
            1
        } else {
            usize::MAX
        };
        for (at, i) in available.iter().enumerate().take(most) {
            if !chosen(op.name(), at == 0) {
                continue;
            }
            let size = op.sizes(Some(&[100]), &[2])[0];
            let effort = Effort::Seconds(0.002);
            let finding = examine(op.as_ref(), size, Some(i.name), effort).unwrap();
            assert_eq!(
                (finding.op.as_str(), finding.bytes),
                (op.name(), size.bytes)
            );
            assert_eq!(finding.backend, i.name);
            assert!(finding.run.samples >= 3);
        }
    }
}
