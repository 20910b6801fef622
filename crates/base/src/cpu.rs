//! The CPU's features, detected once, and recorded profiles of well-known CPUs.
//!
//! CPUID costs about 16,000 cycles under a hypervisor, so [`features`] asks once per process.
//! The environment variable `ADAMANT_CPU` can take features away, never add any: the name of a
//! [profile](PROFILES) (`ADAMANT_CPU=haswell`) keeps what that CPU has, and a list of features
//! with a minus each (`ADAMANT_CPU=-avx512f,-sha`) drops those and what needs them.

use core::fmt;

macro_rules! features {
    ($($name:literal $(needs $($implied:literal)+)?,)+) => {
        /// Every feature that an implementation may ask for, by the compiler's name if it has one.
        pub const NAMES: &[&str] = &[$($name),+];
        /// The features that each feature implies, in the order of [`NAMES`].
        const IMPLIED: &[&[&str]] = &[$(&[$($($implied),+)?]),+];
    };
}

// A feature comes after those that it needs, so one pass over the list closes a set.
features! {
    // x86
    "sse2", "ssse3" needs "sse2", "sse4.1" needs "ssse3", "sse4.2" needs "sse4.1", "popcnt",
    "bmi1", "bmi2", "adx", "movbe",
    "aes" , "pclmulqdq", "sha" , "gfni",
    "avx" needs "sse4.2", "avx2" needs "avx", "vaes" needs "avx2" "aes",
    "vpclmulqdq" needs "avx" "pclmulqdq",
    "avx512f" needs "avx2", "avx512bw" needs "avx512f", "avx512dq" needs "avx512f",
    "avx512vl" needs "avx512f", "avx512cd" needs "avx512f", "avx512ifma" needs "avx512f",
    "avx512vbmi" needs "avx512bw", "avx512vbmi2" needs "avx512bw",
    "avx512bitalg" needs "avx512bw", "avx512vpopcntdq" needs "avx512f",
    "avxvnni" needs "avx2",
    // No compiler's, but properties of the core: additions, exclusive ors and rotations of vectors
    // take one cycle; Golden Cove or a later design of Intel's.
    "avx512quick" needs "avx512vl", "golden-cove" needs "avx512vl" "avx512bw",
    // aarch64 (which shares the name "aes")
    "neon", "sha2" needs "neon", "sha3" needs "sha2", "sm4" needs "neon", "rdm" needs "neon",
    // No compiler's, but a property of the core: its vector units all have the instructions of
    // sha3, where others have them in one.
    "sha3quick" needs "sha3",
    // The same of a core whose multiplier is not busy for several cycles with a product of 64 bits.
    "mul64quick" needs "neon",
    // POWER, little-endian: the cryptographic instructions on vectors, which came with POWER8.
    "power8-crypto",
}

/// A set of CPU features.
///
/// ```
/// use adamant_base::cpu::Features;
/// const NEEDED: Features = Features::from_names(&["sha", "sse4.1"]);
/// assert!(NEEDED.has("ssse3")); // sse4.1 needs it
/// assert!(!NEEDED.has("avx2"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Features(u64);

const fn index(name: &str) -> Option<usize> {
    let mut i = 0;
    while i < NAMES.len() {
        if equal(NAMES[i].as_bytes(), name.as_bytes()) {
            return Some(i);
        }
        i += 1;
    }
    None
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

impl Features {
    /// No feature beyond the baseline of the architecture.
    pub const NONE: Features = Features(0);

    /// The set of the named features and of those that they need.
    ///
    /// # Panics
    /// On a name that is not in [`NAMES`]; in a constant, when compiling.
    #[must_use]
    pub const fn from_names(names: &[&str]) -> Self {
        let mut set = 0;
        let mut i = 0;
        while i < names.len() {
            match index(names[i]) {
                Some(bit) => set |= closure(bit),
                None => panic!("unknown CPU feature"),
            }
            i += 1;
        }
        Features(set)
    }

    /// Whether the feature of this name is in the set; false for unknown names.
    #[must_use]
    pub const fn has(self, name: &str) -> bool {
        match index(name) {
            Some(bit) => self.0 >> bit & 1 == 1,
            None => false,
        }
    }

    /// Whether every feature of `other` is in this set.
    #[inline]
    #[must_use]
    pub const fn contains(self, other: Features) -> bool {
        other.0 & !self.0 == 0
    }

    /// The names in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES
            .iter()
            .enumerate()
            .filter(move |(i, _)| self.0 >> i & 1 == 1)
            .map(|(_, name)| *name)
    }

    /// The set without the named feature and without what needs it.
    #[must_use]
    pub fn without(self, name: &str) -> Self {
        let Some(dropped) = index(name) else {
            return self;
        };
        let kept = (0..NAMES.len()).filter(|&i| closure(i) >> dropped & 1 == 0);
        Features(self.0 & kept.fold(0, |set, i| set | 1 << i))
    }

    /// The features in both sets.
    #[must_use]
    pub const fn intersection(self, other: Features) -> Self {
        Features(self.0 & other.0)
    }
}

/// The bit of a feature and the bits of all that it needs.
const fn closure(bit: usize) -> u64 {
    let mut set = 1 << bit;
    let mut i = 0;
    while i < IMPLIED[bit].len() {
        match index(IMPLIED[bit][i]) {
            Some(implied) => set |= closure(implied),
            None => panic!("unknown CPU feature"),
        }
        i += 1;
    }
    set
}

impl fmt::Debug for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// Whether [`features`] asks the CPU; else it tells what the program was compiled for.
pub const DETECTS: bool = cfg!(feature = "std");

/// The features of the CPU, without those that `ADAMANT_CPU` takes away.
#[cfg(feature = "std")]
#[inline]
#[must_use]
pub fn features() -> Features {
    use std::sync::OnceLock;
    static CACHE: OnceLock<Features> = OnceLock::new();
    *CACHE.get_or_init(|| match std::env::var("ADAMANT_CPU") {
        Ok(limit) => restrict(detect(), &limit),
        Err(_) => detect(),
    })
}

/// The features that the program was compiled for.
#[cfg(not(feature = "std"))]
#[inline]
#[must_use]
pub const fn features() -> Features {
    compiled()
}

/// Whether the program was compiled for CPUs with these features; true if [`features`] asks.
#[cfg(feature = "std")]
pub(crate) const fn compiled_for(_: Features) -> bool {
    true
}

/// Whether the program was compiled for CPUs with these features.
#[cfg(not(feature = "std"))]
pub(crate) const fn compiled_for(features: Features) -> bool {
    compiled().contains(features)
}

/// Applies the text of `ADAMANT_CPU` to a set. Unknown names change nothing.
#[cfg(any(test, feature = "std"))]
fn restrict(mut features: Features, limit: &str) -> Features {
    for word in limit.split(',').map(str::trim) {
        if let Some(name) = word.strip_prefix('-') {
            features = features.without(name);
        } else if let Some((_, profile)) = PROFILES.iter().find(|(name, _)| *name == word) {
            features = features.intersection(*profile);
        }
    }
    features
}

/// The design of a core: no feature tells how long instructions take.
#[allow(dead_code)] // Each architecture has its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Core {
    /// Intel's Golden Cove (Sapphire Rapids) and what followed it with AVX-512.
    GoldenCove,
    /// AMD's Zen 5 and later: additions of vectors take two cycles.
    Zen5,
    /// Apple's.
    Apple,
    /// Arm's before the wide ones: a multiplier that takes several cycles for 64 bits.
    Narrow,
    /// Any other.
    Other,
}

/// Adds what is known of the core.
const fn with_core(features: Features, core: Core) -> Features {
    let added: &[&str] = match core {
        Core::Apple if features.has("sha3") => &["sha3quick", "mul64quick"],
        Core::Apple | Core::Other if features.has("neon") => &["mul64quick"],
        Core::Other if features.has("avx512vl") => &["avx512quick"],
        Core::GoldenCove if features.has("avx512vl") => &["avx512quick", "golden-cove"],
        _ => &[],
    };
    Features(features.0 | Features::from_names(added).0)
}

macro_rules! probe {
    ($how:tt: $($name:tt)+) => {{
        let mut set = 0;
        $( if $how!($name) { set |= 1 << const { index($name).unwrap() }; } )+
        Features(set)
    }};
}

#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "x86")))]
fn detect() -> Features {
    use std::is_x86_feature_detected as has;
    with_core(
        probe!(has: "sse2" "ssse3" "sse4.1" "sse4.2" "popcnt" "bmi1" "bmi2" "adx" "movbe"
        "aes" "pclmulqdq" "sha" "gfni" "avx" "avx2" "vaes" "vpclmulqdq" "avx512f" "avx512bw"
        "avx512dq" "avx512vl" "avx512cd" "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512bitalg"
        "avx512vpopcntdq" "avxvnni"),
        core(has!("avx512fp16")),
    )
}

/// The core by its maker and family; of Intel's, half-precision arithmetic came with Golden Cove.
#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "x86")))]
#[allow(unsafe_code, unused_unsafe)] // Unsafe in older compilers that we support.
fn core(fp16: bool) -> Core {
    use crate::simd::arch::__cpuid;
    // SAFETY: CPUs that run Rust's x86 targets have the instruction, and leaves 0 and 1.
    let (maker, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let mut name = [0; 12];
    for (to, word) in name
        .chunks_exact_mut(4)
        .zip([maker.ebx, maker.edx, maker.ecx])
    {
        to.copy_from_slice(&word.to_le_bytes());
    }
    let family = match version >> 8 & 0xf {
        0xf => 0xf + (version >> 20 & 0xff),
        family => family,
    };
    match (&name, family) {
        (b"GenuineIntel", _) if fp16 => Core::GoldenCove,
        (b"AuthenticAMD", 0x1a..) => Core::Zen5,
        _ => Core::Other,
    }
}

#[cfg(all(feature = "std", target_arch = "aarch64"))]
fn detect() -> Features {
    use std::arch::is_aarch64_feature_detected as has;
    // Vectors are loaded there in another order.
    if cfg!(target_endian = "big") {
        return Features::NONE;
    }
    let core = match main_id() {
        _ if cfg!(target_vendor = "apple") => Core::Apple,
        Some(id) if all_units_have_sha3(id) => Core::Apple,
        Some(id) if multiplies_slowly(id) => Core::Narrow,
        _ => Core::Other,
    };
    with_core(probe!(has: "neon" "aes" "sha2" "sha3" "sm4" "rdm"), core)
}

/// What the kernel told the program, Linux's, under this number.
#[cfg(all(
    feature = "std",
    any(
        target_arch = "aarch64",
        all(target_arch = "powerpc64", target_endian = "little")
    )
))]
fn auxiliary(number: u64) -> Option<u64> {
    let told = std::fs::read("/proc/self/auxv").ok()?;
    let (words, _) = told.as_chunks::<8>();
    let (pairs, _) = words.as_chunks::<2>();
    let [_, value] = pairs
        .iter()
        .map(|pair| pair.map(u64::from_ne_bytes))
        .find(|[told, _]| *told == number)?;
    Some(value)
}

/// The register that identifies the design of the core (MIDR), if Linux shows it to programs.
#[cfg(all(feature = "std", target_arch = "aarch64"))]
#[allow(unsafe_code)]
pub(crate) fn main_id() -> Option<u64> {
    if !cfg!(any(target_os = "linux", target_os = "android")) {
        return None;
    }
    // In `AT_HWCAP`, `HWCAP_CPUID` says that it has the instruction give the register's value.
    let capabilities = auxiliary(16)?;
    if capabilities >> 11 & 1 == 0 {
        return None;
    }
    let id;
    // SAFETY: the kernel has the instruction work, as it says; it only reads.
    unsafe {
        core::arch::asm!("mrs {}, midr_el1", out(reg) id, options(pure, nomem, nostack, preserves_flags));
    }
    Some(id)
}

/// Whether every vector unit of the core with this MIDR has the instructions of FEAT_SHA3: those
/// that Apple (0x61) made; and software (0), such as QEMU's, where each instruction is like any other.
#[cfg(any(all(feature = "std", target_arch = "aarch64"), test))]
const fn all_units_have_sha3(id: u64) -> bool {
    matches!(id >> 24 & 0xff, 0x61 | 0)
}

/// Whether the core with this MIDR, of Arm (0x41), executes instructions out of order and is busy for
/// three or four cycles with each half of a product of 64-bit words, as its optimization guide says:
/// Cortex-A57, A72, A76 and A76AE, and Neoverse N1.
#[cfg(any(all(feature = "std", target_arch = "aarch64"), test))]
const fn multiplies_slowly(id: u64) -> bool {
    let parts = matches!(id >> 4 & 0xfff, 0xd07 | 0xd08 | 0xd0b | 0xd0c | 0xd0e);
    id >> 24 & 0xff == 0x41 && parts
}

/// With `PPC_FEATURE2_VEC_CRYPTO`, which is in `AT_HWCAP2`.
#[cfg(all(feature = "std", target_arch = "powerpc64", target_endian = "little"))]
fn detect() -> Features {
    match auxiliary(26) {
        Some(capabilities) if cfg!(target_os = "linux") && capabilities >> 25 & 1 == 1 => {
            Features(compiled().0 | Features::from_names(&["power8-crypto"]).0)
        }
        _ => compiled(),
    }
}

#[cfg(all(
    feature = "std",
    not(any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        all(target_arch = "powerpc64", target_endian = "little")
    ))
))]
fn detect() -> Features {
    compiled()
}

#[cfg(any(
    not(feature = "std"),
    not(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64"))
))]
const fn compiled() -> Features {
    macro_rules! has {
        ($name:tt) => {
            cfg!(all(target_endian = "little", target_feature = $name))
        };
    }
    // What compilers mean by these: AMD had VNNI for AVX before half-precision arithmetic.
    let core = match (has!("avx512fp16"), has!("avxvnni")) {
        (true, _) => Core::GoldenCove,
        (false, true) => Core::Zen5,
        _ if cfg!(target_vendor = "apple") => Core::Apple,
        _ => Core::Other,
    };
    with_core(
        probe!(has: "sse2" "ssse3" "sse4.1" "sse4.2" "popcnt" "bmi1" "bmi2" "adx" "movbe"
        "aes" "pclmulqdq" "sha" "gfni" "avx" "avx2" "vaes" "vpclmulqdq" "avx512f" "avx512bw"
        "avx512dq" "avx512vl" "avx512cd" "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512bitalg"
        "avx512vpopcntdq" "avxvnni" "neon" "sha2" "sha3" "sm4" "rdm"),
        core,
    )
}

macro_rules! profiles {
    ($($(#[$doc:meta])* $name:ident $text:literal = $base:expr, [$($feature:literal)*];)+) => {
        $( $(#[$doc])* const $name: Features =
            Features($base.0 | Features::from_names(&[$($feature),*]).0); )+
        /// CPUs with the features that their makers document, from plain to rich: what an
        /// implementation table chooses for each is tested without owning one.
        pub const PROFILES: &[(&str, Features)] = &[$(($text, $name)),+];
    };
}

profiles! {
    /// Any CPU: only portable code.
    PORTABLE "portable" = Features::NONE, [];
    /// The x86-64 baseline (2003).
    X86_64 "x86-64" = Features::NONE, ["sse2"];
    /// Intel Westmere (2010): the first AES-NI.
    WESTMERE "westmere" = X86_64, ["sse4.2" "popcnt" "aes" "pclmulqdq"];
    /// Intel Haswell (2013): AVX2 and BMI2.
    HASWELL "haswell" = WESTMERE, ["avx2" "bmi1" "bmi2" "movbe"];
    /// Intel Skylake, client (2015).
    SKYLAKE "skylake" = HASWELL, ["adx"];
    /// AMD Zen 2 (2019): SHA extensions, no AVX-512.
    ZEN2 "zen2" = SKYLAKE, ["sha"];
    /// Intel Skylake-X (2017): the first AVX-512, no SHA, no IFMA.
    SKYLAKE_X "skylake-x" = SKYLAKE, ["avx512bw" "avx512dq" "avx512vl" "avx512cd" "avx512quick"];
    /// Intel Alder Lake as shipped (2021): VAES and GFNI at 256 bits, no AVX-512.
    ALDER_LAKE "alder-lake" = ZEN2, ["vaes" "vpclmulqdq" "gfni" "avxvnni"];
    /// Intel Ice Lake (2019).
    ICE_LAKE "ice-lake" = SKYLAKE_X, ["sha" "vaes" "vpclmulqdq" "gfni" "avx512ifma" "avx512vbmi"
        "avx512vbmi2" "avx512bitalg" "avx512vpopcntdq"];
    /// Intel Sapphire Rapids (2023) and Granite Rapids (2024).
    SAPPHIRE_RAPIDS "sapphire-rapids" = ICE_LAKE, ["avxvnni" "golden-cove"];
    /// AMD Zen 4 (2022).
    ZEN4 "zen4" = ICE_LAKE, [];
    /// AMD Zen 5 (2024).
    ZEN5 "zen5" = ALDER_LAKE, ["avx512bw" "avx512dq" "avx512vl" "avx512cd" "avx512ifma"
        "avx512vbmi" "avx512vbmi2" "avx512bitalg" "avx512vpopcntdq"];
    /// Armv8-A without the cryptography extension, such as Cortex-A53 and A72 in small computers.
    ARMV8 "armv8" = Features::NONE, ["neon"];
    /// Arm Cortex-A72 in servers (2015).
    CORTEX_A72 "cortex-a72" = ARMV8, ["aes" "sha2"];
    /// Arm Neoverse N1 (2019), in Graviton 2 and Ampere Altra.
    NEOVERSE_N1 "neoverse-n1" = CORTEX_A72, ["rdm"];
    /// Apple M1 (2020).
    APPLE_M1 "apple-m1" = NEOVERSE_N1, ["sha3" "sha3quick" "mul64quick"];
    /// Arm Neoverse V1 (2020) and V2, in Graviton 3 and 4, Axion, Cobalt and Grace.
    NEOVERSE_V1 "neoverse-v1" = NEOVERSE_N1, ["sha3" "sm4" "mul64quick"];
    /// IBM POWER8 (2013) and later, little-endian.
    POWER8 "power8" = Features::NONE, ["power8-crypto"];
}

/// The recorded profile of this name.
#[must_use]
pub fn profile(name: &str) -> Option<Features> {
    PROFILES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, features)| *features)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_closed() {
        assert_eq!(
            Features::from_names(&["avx512vl"]).without("avx"),
            Features(closure(index("sse4.2").unwrap()))
        );
        let zen4 = profile("zen4").unwrap();
        assert!(zen4.contains(profile("haswell").unwrap()));
        assert!(!zen4.without("avx2").has("vaes"));
        assert!(zen4.without("avx2").has("aes"));
        for (name, features) in PROFILES {
            let names: std::vec::Vec<_> = features.names().collect();
            assert_eq!(*features, Features::from_names(&names), "{name}");
        }
    }

    #[test]
    fn profiles_have_what_their_cores_have() {
        for (name, features) in PROFILES {
            let core = match *name {
                "sapphire-rapids" => Core::GoldenCove,
                "zen5" => Core::Zen5,
                "apple-m1" => Core::Apple,
                "armv8" | "cortex-a72" | "neoverse-n1" => Core::Narrow,
                _ => Core::Other,
            };
            let without = ["avx512quick", "golden-cove", "sha3quick", "mul64quick"]
                .iter()
                .fold(*features, |without, name| without.without(name));
            assert_eq!(with_core(without, core), *features, "{name}");
        }
    }

    #[test]
    fn makers_of_cores() {
        assert!(all_units_have_sha3(0x610f_0221) && all_units_have_sha3(0x000f_0510));
        assert!(!all_units_have_sha3(0x410f_d0c0));
        assert!(multiplies_slowly(0x410f_d0c0) && multiplies_slowly(0x410f_d083));
        assert!(!multiplies_slowly(0x410f_d034) && !multiplies_slowly(0x610f_d0c0));
    }

    #[test]
    fn limits_only_take_away() {
        let skylake = profile("skylake").unwrap();
        assert_eq!(restrict(skylake, "zen4"), skylake);
        assert_eq!(restrict(skylake, "haswell"), profile("haswell").unwrap());
        assert_eq!(
            restrict(skylake, "-adx, -nonsense"),
            profile("haswell").unwrap()
        );
        assert_eq!(restrict(skylake, "portable"), Features::NONE);
    }
}
