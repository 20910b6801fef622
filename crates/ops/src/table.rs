//! The tables of implementations, seen alike by every operation.

use adamant::Implementation;
use adamant::cpu::{self, Features};

/// A `Backend` of a module of [`adamant::hazmat`].
pub(crate) trait Table: Copy + 'static {
    /// Every implementation compiled in, best first.
    fn implementations() -> Vec<&'static Implementation>;
    /// The one that this CPU gets.
    fn best() -> Self;
    /// The reference.
    fn portable() -> Self;
    /// The one of this name, if this CPU can run it.
    fn named(name: &str) -> Option<Self>;
    /// Its name.
    fn name(self) -> &'static str;

    /// The name of the one chosen, if this CPU can run it.
    fn backend(choice: Choice) -> Option<&'static str> {
        match choice {
            Choice::Named(name) => Self::named(name).map(Self::name),
            other => Some(Self::chosen(other).name()),
        }
    }

    /// The one chosen, which this CPU can run.
    #[inline(never)]
    fn chosen(choice: Choice) -> Self {
        match choice {
            Choice::Best => Self::best(),
            Choice::Portable => Self::portable(),
            Choice::Named(name) => Self::named(name).expect("a name that was found before"),
        }
    }
}

/// Which implementation to take.
#[derive(Clone, Copy)]
pub(crate) enum Choice<'a> {
    /// The one that this CPU gets.
    Best,
    /// The reference.
    Portable,
    /// The one of this name.
    Named(&'a str),
}

/// Why none of this name can be had.
pub(crate) fn unknown(name: &str, all: &[&Implementation]) -> String {
    match all.iter().find(|i| i.name == name) {
        Some(known) => format!(
            "this CPU cannot run {name}: it lacks {}",
            missing(known.features).join(", ")
        ),
        None => {
            let names: Vec<_> = all.iter().map(|i| i.name).collect();
            format!(
                "no implementation is called {name}; there is {}",
                names.join(", ")
            )
        }
    }
}

/// The features of a set that this CPU lacks.
pub(crate) fn missing(features: Features) -> Vec<&'static str> {
    let here = cpu::features();
    features.names().filter(|name| !here.has(name)).collect()
}

/// Makes backends of algorithm crates known as tables.
macro_rules! tables {
    ($($backend:ty),+ $(,)?) => { $(
        impl $crate::table::Table for $backend {
            fn implementations() -> Vec<&'static adamant::Implementation> {
                <$backend>::implementations().collect()
            }
            fn best() -> Self {
                <$backend>::best()
            }
            fn portable() -> Self {
                <$backend>::portable()
            }
            fn named(name: &str) -> Option<Self> {
                <$backend>::named(name)
            }
            fn name(self) -> &'static str {
                self.implementation().name
            }
        }
    )+ };
}
pub(crate) use tables;

/// The table of an operation that has no choice of implementations.
#[derive(Clone, Copy)]
pub(crate) struct OnlyPortable;

static PORTABLE: Implementation = Implementation::new("portable", Features::NONE);

impl Table for OnlyPortable {
    fn implementations() -> Vec<&'static Implementation> {
        vec![&PORTABLE]
    }
    fn best() -> Self {
        OnlyPortable
    }
    fn portable() -> Self {
        OnlyPortable
    }
    fn named(name: &str) -> Option<Self> {
        (name == PORTABLE.name).then_some(OnlyPortable)
    }
    fn name(self) -> &'static str {
        PORTABLE.name
    }
}

/// The one of this name.
#[inline(never)]
fn only(name: &str, mut all: Vec<&'static Implementation>) -> Vec<&'static Implementation> {
    all.retain(|i| i.name == name);
    all
}

/// The table of an operation that always runs on the best implementation of `T`.
#[derive(Clone, Copy)]
pub(crate) struct Best<T>(T);

impl<T: Table> Table for Best<T> {
    fn implementations() -> Vec<&'static Implementation> {
        only(T::best().name(), T::implementations())
    }
    fn best() -> Self {
        Best(T::best())
    }
    fn portable() -> Self {
        Self::best()
    }
    fn named(name: &str) -> Option<Self> {
        Some(Self::best()).filter(|best| best.name() == name)
    }
    fn name(self) -> &'static str {
        self.0.name()
    }
}
