//! The engine of the system's OpenSSL: its outputs pass our judgement wherever the operation is one
//! of ours.

use adamant_engine::openssl;
use adamant_ops::registry;

#[test]
fn outputs_are_right() {
    let engine = match openssl::engine(None) {
        Ok(engine) => engine,
        Err(why) => {
            println!("skipped: {why}");
            return;
        }
    };
    assert!(engine.hello().version.contains("SSL"));
    assert!(!engine.hello().build.is_empty());
    let registry = registry();
    for name in engine.names() {
        let Some(op) = registry.iter().find(|op| op.name() == name) else {
            continue;
        };
        for size in op.sizes(None, &[1]) {
            let inputs = op.inputs(size);
            let outputs = engine
                .prepare(name, size, &inputs)
                .and_then(|mut task| {
                    // What a run leaves behind must not change what follows.
                    task.run(3)?;
                    task.outputs()
                })
                .and_then(|outputs| op.judge(size, &inputs, &outputs));
            assert_eq!(outputs, Ok(()), "{name} {size:?}");
        }
    }
}

#[test]
fn bad_inputs_are_refused() {
    let Ok(engine) = openssl::engine(None) else {
        println!("skipped: no OpenSSL");
        return;
    };
    for op in registry() {
        if !engine.names().any(|name| name == op.name()) {
            continue;
        }
        for size in op.sizes(None, &[1]) {
            for missing in op.inputs(size)[0].keys() {
                let for_the_judge = match missing.as_str() {
                    "public_key" => !op.name().contains("/verify"),
                    "private_key" => op.name().contains("/encrypt"),
                    _ => false,
                };
                if for_the_judge {
                    continue;
                }
                let mut inputs = op.inputs(size);
                inputs[0].remove(missing);
                let refused = engine.prepare(op.name(), size, &inputs).err();
                assert_eq!(
                    refused,
                    Some(format!("{missing} is missing")),
                    "{}",
                    op.name()
                );
                if missing.ends_with("_key") {
                    inputs[0].insert(missing.clone(), vec![5; 7]);
                    let run = engine.prepare(op.name(), size, &inputs);
                    let run = run.and_then(|mut task| task.run(1));
                    assert!(run.is_err(), "{} with a short {missing}", op.name());
                }
            }
        }
    }
}

#[test]
fn wrong_signatures_are_found_out() {
    let Ok(engine) = openssl::engine(None) else {
        println!("skipped: no OpenSSL");
        return;
    };
    for op in registry() {
        if !op.name().contains("/verify") || !engine.names().any(|name| name == op.name()) {
            continue;
        }
        let size = op.sizes(None, &[1])[0];
        let mut inputs = op.inputs(size);
        let message = inputs[0].entry("message".into()).or_default();
        message.push(1);
        let mut task = engine.prepare(op.name(), size, &inputs).unwrap();
        for _ in 0..3 {
            assert_eq!(task.outputs().unwrap()[0]["valid"], [0], "{}", op.name());
        }
    }
}
