//! What is measured.

use super::OURS;

/// What one program, or one build, tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measurement {
    /// What precedes the slash in the names of its figures; empty where the program says it.
    pub(super) configuration: &'static str,
    /// The library.
    pub(super) library: &'static str,
    /// The features of the package `engines/footprint`.
    pub(super) features: &'static str,
    /// How it is compiled.
    pub(super) level: Level,
    /// What is done with it.
    pub(super) what: What,
}

/// How a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// As cargo does without being asked for anything.
    Debug,
    /// The release profile, at this optimisation level.
    Release(&'static str),
    /// As the last, with the parts of dalek's arithmetic that have no vectors.
    Serial,
    /// The release profile of a user who changes nothing in it.
    User,
    /// As small as can be: level `z`, and optimised as a whole.
    Small,
}

/// What a measurement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Runs a program that prints figures of these names.
    Lines(&'static str, &'static [&'static str]),
    /// Measures the file of a program, whose figure has this name.
    File(&'static str, &'static str),
    /// Measures what the file of a small program has in memory, and the file.
    Loaded(&'static str),
    /// The same of a program in C on BearSSL.
    C(&'static str),
    /// Builds the library from nothing.
    Compile(&'static str),
    /// Runs the module under Node.
    Wasm,
}

impl Measurement {
    /// The names of its figures.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let names: Vec<&str> = match self.what {
            What::Lines(_, names) => names.to_vec(),
            What::File(_, name) | What::Compile(name) => vec![name],
            What::Loaded(_) | What::C(_) => vec!["loaded", "file"],
            What::Wasm => TIMES.to_vec(),
        };
        names.into_iter().map(|name| self.name(name))
    }

    /// The whole name of a figure.
    pub(super) fn name(&self, figure: &str) -> String {
        match self.configuration {
            "" => figure.into(),
            configuration => format!("{configuration}/{figure}"),
        }
    }

    /// What a reader is told of it.
    pub(super) fn title(&self) -> &'static str {
        match self.configuration {
            "" => "heap and stack",
            configuration => configuration,
        }
    }
}

const DALEK: &str = "curve25519-dalek";
const SODIUM: &str = "libsodium";
const BEARSSL: &str = "BearSSL";

const TIMES: &[&str] = &["sign", "verify", "derive"];
const MEMORY: &[&str] = &[
    "heap/sign",
    "heap/verify",
    "heap/derive",
    "heap/verify-batch-32",
    "stack/sign",
    "stack/mul",
    "stack/msm-vartime-32",
];

/// Those of a library without batches and sums of products.
const ONE_BY_ONE: &[&str] = &[
    "heap/sign",
    "heap/verify",
    "heap/derive",
    "stack/sign",
    "stack/mul",
];

const TIME: What = What::Lines("time", TIMES);
const SIZE: What = What::File("curve25519", "size");
const BEST: Level = Level::Release("3");

const fn ours(
    configuration: &'static str,
    features: &'static str,
    level: Level,
    what: What,
) -> Measurement {
    Measurement {
        configuration,
        library: OURS,
        features,
        level,
        what,
    }
}

const fn dalek(
    configuration: &'static str,
    features: &'static str,
    level: Level,
    what: What,
) -> Measurement {
    Measurement {
        library: DALEK,
        ..ours(configuration, features, level, what)
    }
}

const fn sodium(
    configuration: &'static str,
    features: &'static str,
    level: Level,
    what: What,
) -> Measurement {
    Measurement {
        library: SODIUM,
        ..ours(configuration, features, level, what)
    }
}

const fn bearssl(program: &'static str) -> Measurement {
    Measurement {
        library: BEARSSL,
        ..ours(program, "", Level::Small, What::C(program))
    }
}

/// Our features for all of Curve25519, and those that dalek's users get.
const FULL: &str = "adamant,std,simd,tables";
const DALEKS: &str = "dalek,std,tables";

/// All of libsodium, which always has its tables and finds out what the CPU has, in programs with and
/// without the standard library; and its smallest.
const HOSTED_SODIUM: &str = "libsodium,std";
const WHOLE_SODIUM: &str = "libsodium";
const MINIMAL_SODIUM: &str = "libsodium,libsodium-sys-stable/minimal";

/// Our features for what any CPU runs, by detection.
const PLAIN: &str = "adamant,std";

/// Everything, in an order in which what was compiled serves the next.
pub(super) const MEASUREMENTS: &[Measurement] = &[
    ours(
        "",
        "adamant,std,simd,tables,batch",
        BEST,
        What::Lines("memory", MEMORY),
    ),
    dalek(
        "",
        "dalek,std,tables,batch",
        BEST,
        What::Lines("memory", MEMORY),
    ),
    sodium(
        "",
        "libsodium,std,batch",
        BEST,
        What::Lines("memory", ONE_BY_ONE),
    ),
    ours("simd-precomputed", FULL, BEST, TIME),
    ours("simd", "adamant,std,simd", BEST, TIME),
    ours("precomputed", "adamant,std,tables", BEST, TIME),
    ours("default", PLAIN, BEST, TIME),
    dalek("simd-precomputed", DALEKS, BEST, TIME),
    dalek("simd", "dalek,std", BEST, TIME),
    dalek("precomputed", DALEKS, Level::Serial, TIME),
    dalek("default", "dalek,std", Level::Serial, TIME),
    sodium("simd-precomputed", HOSTED_SODIUM, BEST, TIME),
    sodium("default", HOSTED_SODIUM, BEST, TIME),
    ours("minimal", "adamant,small", BEST, SIZE),
    ours("simd", "adamant,std,simd", BEST, SIZE),
    ours("all-features", "adamant,std,simd,tables,whole", BEST, SIZE),
    dalek("minimal", "dalek", Level::Serial, SIZE),
    dalek("simd", "dalek", BEST, SIZE),
    dalek("all-features", "dalek,tables,batch", BEST, SIZE),
    sodium("minimal", MINIMAL_SODIUM, BEST, SIZE),
    sodium("simd", WHOLE_SODIUM, BEST, SIZE),
    sodium("all-features", WHOLE_SODIUM, BEST, SIZE),
    ours("opt-0", PLAIN, Level::Release("0"), TIME),
    ours("opt-0", PLAIN, Level::Release("0"), SIZE),
    ours("opt-1", PLAIN, Level::Release("1"), TIME),
    ours("opt-1", PLAIN, Level::Release("1"), SIZE),
    ours("opt-2", PLAIN, Level::Release("2"), TIME),
    ours("opt-2", PLAIN, Level::Release("2"), SIZE),
    ours("opt-3", PLAIN, BEST, TIME),
    ours("opt-3", PLAIN, BEST, SIZE),
    ours("opt-z", PLAIN, Level::Release("z"), TIME),
    ours("opt-z", PLAIN, Level::Release("z"), SIZE),
    dalek("opt-0", "dalek,std", Level::Release("0"), TIME),
    dalek("opt-0", "dalek,std", Level::Release("0"), SIZE),
    dalek("opt-1", "dalek,std", Level::Release("1"), TIME),
    dalek("opt-1", "dalek,std", Level::Release("1"), SIZE),
    dalek("opt-2", "dalek,std", Level::Release("2"), TIME),
    dalek("opt-2", "dalek,std", Level::Release("2"), SIZE),
    dalek("opt-3", "dalek,std", BEST, TIME),
    dalek("opt-3", "dalek,std", BEST, SIZE),
    dalek("opt-z", "dalek,std", Level::Release("z"), TIME),
    dalek("opt-z", "dalek,std", Level::Release("z"), SIZE),
    sodium("opt-0", HOSTED_SODIUM, Level::Release("0"), TIME),
    sodium("opt-0", HOSTED_SODIUM, Level::Release("0"), SIZE),
    sodium("opt-1", HOSTED_SODIUM, Level::Release("1"), TIME),
    sodium("opt-1", HOSTED_SODIUM, Level::Release("1"), SIZE),
    sodium("opt-2", HOSTED_SODIUM, Level::Release("2"), TIME),
    sodium("opt-2", HOSTED_SODIUM, Level::Release("2"), SIZE),
    sodium("opt-3", HOSTED_SODIUM, BEST, TIME),
    sodium("opt-3", HOSTED_SODIUM, BEST, SIZE),
    sodium("opt-z", HOSTED_SODIUM, Level::Release("z"), TIME),
    sodium("opt-z", HOSTED_SODIUM, Level::Release("z"), SIZE),
    ours("wasm", "adamant,tables", BEST, What::Wasm),
    dalek("wasm", "dalek,tables", BEST, What::Wasm),
    ours("build", FULL, Level::Debug, What::Compile("debug")),
    ours("build", FULL, BEST, What::Compile("release")),
    ours(
        "build",
        "adamant,std,simd,tables,whole",
        BEST,
        What::Compile("all-features"),
    ),
    dalek("build", DALEKS, Level::Debug, What::Compile("debug")),
    dalek("build", DALEKS, BEST, What::Compile("release")),
    dalek(
        "build",
        "dalek,std,tables,batch",
        BEST,
        What::Compile("all-features"),
    ),
    sodium(
        "build",
        MINIMAL_SODIUM,
        Level::Debug,
        What::Compile("debug"),
    ),
    sodium("build", MINIMAL_SODIUM, BEST, What::Compile("release")),
    sodium("build", WHOLE_SODIUM, BEST, What::Compile("all-features")),
    ours(
        "sha256",
        "small,facade/sha2",
        Level::Small,
        What::Loaded("sha256"),
    ),
    ours(
        "x25519",
        "small,facade/x25519",
        Level::Small,
        What::Loaded("x25519"),
    ),
    ours(
        "aes_gcm",
        "small,facade/aes-gcm",
        Level::Small,
        What::Loaded("aes_gcm"),
    ),
    ours(
        "ecdsa_p256",
        "small,facade/ecdsa",
        Level::Small,
        What::Loaded("ecdsa_p256"),
    ),
    ours(
        "certificate",
        "small,facade/ecdsa,facade/x509",
        Level::Small,
        What::Loaded("certificate"),
    ),
    bearssl("sha256"),
    bearssl("x25519"),
    bearssl("aes_gcm"),
    bearssl("ecdsa_p256"),
    bearssl("certificate"),
];
