//! Our own operations behind the protocol of engines.

use std::rc::Rc;

use adamant_engine::Item;
use adamant_engine::serve::{Engine, Task};

use crate::{Prepared, registry};

/// The engine of our own operations on the implementations of this name, or on the best; an
/// operation that has no such implementation gives an error. `build` says how the program was built.
///
/// A comparison with it is a comparison with nothing but the driver, so it shows 1.00; where it
/// does not, the machine is too busy, or a process of its own makes a difference that every rival
/// would have too.
///
/// ```
/// let engine = adamant_ops::engine("release", None);
/// assert!(engine.names().any(|name| name == "sha256/digest"));
/// ```
#[must_use]
pub fn engine(build: &str, implementation: Option<&str>) -> Engine {
    let version = concat!("adamant ", env!("CARGO_PKG_VERSION"));
    let mut engine = Engine::new("self", version, build);
    for op in registry() {
        let op = Rc::new(op);
        let name = op.name().to_owned();
        let implementation = implementation.map(str::to_owned);
        engine.batch(&name, move |size, inputs| {
            let task = op.prepare(size, inputs, implementation.as_deref())?;
            Ok(Box::new(Own(task)))
        });
    }
    engine
}

struct Own(Box<dyn Prepared>);

impl Task for Own {
    fn run(&mut self, iterations: u64) -> Result<(), String> {
        self.0.run(iterations);
        Ok(())
    }

    fn outputs(&mut self) -> Result<Vec<Item>, String> {
        Ok(self.0.outputs())
    }
}
