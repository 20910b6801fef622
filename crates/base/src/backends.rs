//! The table of implementations of one operation.

use crate::cpu::{self, Features};

/// One implementation: its name, needs and properties, whether or not this CPU can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Implementation {
    /// Its name: that of its module.
    pub name: &'static str,
    /// The CPU features it needs.
    pub features: Features,
    /// Whether its time is independent of secrets.
    pub constant_time: bool,
    /// Bytes of input at whose multiples, or from which on, it goes another way: a vector, a group
    /// of vectors, the shortest input of a longer path.
    pub steps: &'static [usize],
    /// Blocks in the groups that its counters form, where it matters which of a group comes first.
    pub counters: &'static [usize],
    /// Independent items (states, messages, chunks) that it takes side by side, or from which on it
    /// goes another way.
    pub lanes: &'static [usize],
}

impl Implementation {
    /// An implementation of this name that needs these features, and whose time is independent of
    /// secrets.
    #[must_use]
    pub const fn new(name: &'static str, features: Features) -> Self {
        Implementation {
            name,
            features,
            constant_time: true,
            steps: &[],
            counters: &[],
            lanes: &[],
        }
    }

    /// The same, but with a time that depends on secrets.
    #[must_use]
    pub const fn variable_time(self) -> Self {
        Implementation {
            constant_time: false,
            ..self
        }
    }

    /// The same, and where it goes another way: [`Self::steps`].
    #[must_use]
    pub const fn steps(self, steps: &'static [usize]) -> Self {
        Implementation { steps, ..self }
    }

    /// The same, and its groups of counters: [`Self::counters`].
    #[must_use]
    pub const fn counters(self, counters: &'static [usize]) -> Self {
        Implementation { counters, ..self }
    }

    /// The same, and how many items it takes side by side: [`Self::lanes`].
    #[must_use]
    pub const fn lanes(self, lanes: &'static [usize]) -> Self {
        Implementation { lanes, ..self }
    }

    /// Whether this CPU can run it.
    #[inline]
    #[must_use]
    pub fn is_available(&self) -> bool {
        cpu::features().contains(self.features)
    }
}

/// Makes the table of implementations of an operation, best first.
///
/// Each row names a module beside the invocation and the CPU features that it needs; the module
/// has every function of the struct's list, as a safe function with at most these features in its
/// `#[target_feature]`: one more, and the row does not compile. The last row, `_ => portable`,
/// needs none; it may be left out where rows without features, `portable if []`, come before it.
/// A row may carry `#[cfg(target_arch = "…")]`. After a semicolon, the features may be
/// followed by one that makes the row worth its while although no instruction needs it:
/// [`cpu::NAMES`] has some that no compiler knows.
///
/// After its features a row states its properties, which are kept in its [`Implementation`]:
///
/// * `variable_time` where the time depends on secrets; such a row is never chosen by itself;
/// * `steps [64, 512]`: bytes of input at whose multiples, or from which on, it goes another way,
///   constants of its module among them ([`Implementation::steps`]);
/// * `counters [32]`: blocks in the groups of its counters ([`Implementation::counters`]);
/// * `lanes [4, 16]`: items that it takes side by side, or from which on it goes another way
///   ([`Implementation::lanes`]).
///
/// The tests make their inputs from these, so a kernel states every length at which it changes.
///
/// The struct made is a small `Copy` value that only detection gives out, so holding one proves
/// that this CPU can run it. It has a method for each listed function and
///
/// * `best()`: the first row that this CPU can run; `best_for(features)`: what another CPU gets;
/// * `portable()`: the first row without features;
/// * `named(name)`: the row of that name, if this CPU can run it;
/// * `available()`: every row that this CPU can run; `implementations()`: what is known of all;
/// * `implementation()`: what is known of the one at hand.
///
/// The visibility written is that of the name beside the table. The type itself is public in a
/// module `backend` there: with `pub(crate) struct Backend` it is found where the crate exports that
/// one, in its `hazmat`.
///
/// A module holds one table at most.
///
/// A table with a name after a colon, `struct Backend: own { … }`, is open to an implementation of
/// the caller's own. With the feature `own` of the crate, the macro makes a module of that name with
/// the trait `Functions`, which has a method for each function; one that ends in `= |own| …`, an
/// expression of the others, need not be written. `Backend` then has these, too:
///
/// * `install(&OWN)` makes an implementation of `Functions` the one that `best()` gives from then on; it
///   has a name of its own, and runs in constant time;
/// * `installed()`: that one; `detected()`: what `best()` would be without it.
///
/// Without the feature an open table is like any other.
///
/// A program links only the functions that it calls, of every row. Those in a `batch { … }` after
/// the others are also compiled in the caller's crate, as generic functions are, unless the crate has
/// its feature `lab`: what only some programs need costs the others no build. Without the feature `std`
/// nothing is detected: a table has only the rows that the target's own features can run.
///
/// ```
/// mod popcount {
///     adamant_base::backends! {
///         /// Population count.
///         pub struct Backend {
///             /// Set bits of `x`.
///             fn count(x: u64) -> u32;
///         }
///         #[cfg(target_arch = "x86_64")]
///         x86_popcnt if ["popcnt"];
///         _ => portable;
///     }
///     #[cfg(target_arch = "x86_64")]
///     mod x86_popcnt {
///         #[target_feature(enable = "popcnt")]
///         pub fn count(x: u64) -> u32 { x.count_ones() }
///     }
///     mod portable {
///         pub fn count(x: u64) -> u32 { (0..64).map(|i| (x >> i & 1) as u32).sum() }
///     }
/// }
/// use popcount::Backend;
/// for backend in Backend::available() {
///     assert_eq!(backend.count(0xff00), 8, "{backend:?}");
/// }
/// let haswell = adamant_base::cpu::profile("haswell").unwrap();
/// # #[cfg(target_arch = "x86_64")]
/// assert_eq!(Backend::best_for(haswell).name, "x86_popcnt");
/// ```
#[macro_export]
macro_rules! backends {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(: $own:ident)? { $($functions:tt)* }
        $(
            $(#[$row_meta:meta])*
            $module:ident if [$($feature:literal),* $(,)? $(; $worth:literal)?]
                $($property:ident $([$($value:expr),* $(,)?])?)* ;
        )*
        $( _ => $portable:ident $($last:ident $([$($of_last:expr),* $(,)?])?)* ; )?
    ) => {
        #[allow(unreachable_pub)]
        pub(crate) mod backend {
            $(#[$meta])*
            #[derive(Clone, Copy, PartialEq, Eq)]
            pub struct $name(pub(super) u8); // The place of its row.
        }
        $vis use backend::$name;

        $crate::backends!(@functions $name { $($functions)* } [
            $( [$(#[$row_meta])*] [$($feature)*] $module; )*
            $( [] [] $portable; )?
            $( [#[cfg(feature = "own")]] [] $own; )?
        ]);
        $crate::own_table!([$($own)?] $name { $($functions)* });

        const TABLE: &[$crate::Implementation] = $crate::backend_rows! {
            $(
                [$(#[$row_meta])*] [$($feature)*]
                ($crate::backends!(
                    @row $module [$($feature)*] [$($worth)?]
                    [$(($property $([$($value),*])?))*]
                ));
            )*
            $([] [] ($crate::backends!(
                @row $portable [] [] [$(($last $([$($of_last),*])?))*]
            ));)?
        };
        static ROWS: &[$crate::Implementation] = TABLE;
        // The row where no other is asked for, where nothing is detected.
        const FIRST: u8 = $crate::support::first(TABLE);

        #[allow(dead_code, unreachable_pub)]
        impl $name {
            /// The best constant-time implementation that this CPU can run.
            #[inline]
            #[must_use]
            pub fn best() -> Self {
                $(
                    #[cfg(feature = "own")]
                    if let Some(installed) = $own::installed() {
                        return installed;
                    }
                )?
                if !$crate::cpu::DETECTS {
                    return $name(FIRST);
                }
                let features = $crate::cpu::features();
                // Short inputs notice a call, and cold caches one more place: the first row is
                // tried without either.
                if TABLE[0].constant_time && features.contains(const { TABLE[0].features }) {
                    return $name(0);
                }
                $name($crate::support::best_for(ROWS, features))
            }

            /// The result of [`Self::best`] on a CPU with these features.
            #[inline]
            #[must_use]
            pub fn best_for(
                features: $crate::cpu::Features,
            ) -> &'static $crate::Implementation {
                &ROWS[usize::from($crate::support::best_for(ROWS, features))]
            }

            /// The portable implementation, the best of them if there are several: the reference
            /// that the others are tested against.
            #[inline]
            #[must_use]
            pub fn portable() -> Self {
                $name($crate::support::portable(ROWS))
            }

            /// The implementation of this name, if this CPU can run it.
            #[inline]
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                $(
                    #[cfg(feature = "own")]
                    if let Some(installed) = $own::installed()
                        && installed.implementation().name == name
                    {
                        return Some(installed);
                    }
                )?
                $crate::support::named(ROWS, name).map($name)
            }

            /// Every implementation that this CPU can run, best first.
            #[inline]
            pub fn available() -> impl Iterator<Item = Self> {
                let places = (0..).zip(ROWS);
                let rows =
                    places.filter(|(_, row)| row.is_available()).map(|(place, _)| $name(place));
                $(
                    #[cfg(feature = "own")]
                    let rows = $own::installed().into_iter().chain(rows);
                )?
                rows
            }

            /// Every implementation compiled in, best first, runnable here or not.
            #[inline]
            pub fn implementations() -> impl Iterator<Item = &'static $crate::Implementation> {
                ROWS.iter()
            }

            /// The description of this implementation.
            #[inline]
            #[must_use]
            pub fn implementation(self) -> &'static $crate::Implementation {
                $(
                    #[cfg(feature = "own")]
                    if self.0 == $own::PLACE {
                        return $own::functions().implementation();
                    }
                )?
                &ROWS[usize::from(self.0)]
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.implementation().name)
            }
        }
    };

    // A method for each function, over a table of its own: a program links what it calls.
    (@functions $name:ident {
        $(
            $(#[$meta:meta])*
            fn $f:ident($($arg:ident: $t:ty),* $(,)?) $(-> $ret:ty)? $(= |$_own:ident| $_by:expr)?;
        )*
        $( batch { $(
            $(#[$batch_meta:meta])*
            fn $b:ident($($b_arg:ident: $b_t:ty),* $(,)?) $(-> $b_ret:ty)?
                $(= |$_batch_own:ident| $_batch_by:expr)?;
        )+ } )?
    } $rows:tt) => {
        #[allow(unreachable_pub)]
        impl $name {
            $( $crate::backends!(
                @method [$(#[$meta])*] $f [$($arg: $t),*] [$(-> $ret)?] eager $rows
            ); )*
            $( $( $crate::backends!(
                @method [$(#[$batch_meta])*] $b [$($b_arg: $b_t),*] [$(-> $b_ret)?] lazy $rows
            ); )+ )?
        }
    };

    (@method [$(#[$meta:meta])*] $f:ident
        [$($arg:ident: $t:ty),*] [$(-> $ret:ty)?] $when:ident $rows:tt
    ) => {
        $(#[$meta])*
        #[inline]
        pub fn $f(self, $($arg: $t),*) $(-> $ret)? {
            const ROWS: &[unsafe fn($($t),*) $(-> $ret)?] = $crate::backends!(
                @column $f [$($arg: $t),*] [$(-> $ret)?] $when $rows
            );
            $crate::ct::keep_time();
            // SAFETY: values of this type are made only for places of rows, and only for
            // rows whose features were detected: on such a CPU the function is safe.
            unsafe {
                if const { $crate::support::has_features(&TABLE[0]) } {
                    // A call that names its function: a CPU fetches that while it still waits for
                    // the features, where these and the table are not in its caches.
                    if self.0 == 0 {
                        return ROWS[0]($($arg),*);
                    }
                    $crate::support::seldom();
                }
                ROWS.get_unchecked(usize::from(self.0))($($arg),*)
            }
        }
    };

    // The function of each row, wrapped into one that enables exactly the detected features.
    (@column $f:ident $args:tt $ret:tt $when:ident [
        $( [$($row_meta:tt)*] [$($feature:literal)*] $module:ident; )*
    ]) => {
        $crate::backend_rows! {
            $( [$($row_meta)*] [$($feature)*] ($crate::backends!(
                @wrap $when $module [$($feature)*] $f $args $ret
            )); )*
        }
    };

    (@wrap eager $module:ident [$($feature:literal)*] $f:ident
        [$($arg:ident: $t:ty),*] [$(-> $ret:ty)?]
    ) => {{
        $( #[target_feature(enable = $feature)] )*
        fn $f($($arg: $t),*) $(-> $ret)? {
            $module::$f($($arg),*)
        }
        $f
    }};
    // Generic, so that it is compiled once in a crate that calls it: of an `#[inline]` function, every
    // unit of that crate would have a copy.
    (@wrap lazy $module:ident [$($feature:literal)*] $f:ident
        [$($arg:ident: $t:ty),*] [$(-> $ret:ty)?]
    ) => {{
        #[cfg(not(feature = "lab"))]
        $( #[target_feature(enable = $feature)] )*
        fn $f<const LAZY: bool>($($arg: $t),*) $(-> $ret)? {
            $module::$f($($arg),*)
        }
        #[cfg(feature = "lab")]
        $( #[target_feature(enable = $feature)] )*
        fn $f($($arg: $t),*) $(-> $ret)? {
            $module::$f($($arg),*)
        }
        #[cfg(not(feature = "lab"))]
        let wrapped = $f::<true>;
        #[cfg(feature = "lab")]
        let wrapped = $f;
        wrapped
    }};

    // The description of a row; a property is a method of it.
    (@row $module:ident $features:tt $worth:tt
        [$(($property:ident $([$($value:expr),*])?))*]
    ) => {
        $crate::Implementation::new(
            stringify!($module),
            $crate::backends!(@features $features $worth),
        )
        $(.$property($(const { &[$($value),*] })?))*
    };

    (@features [$($feature:literal)*] [$($worth:literal)?]) => {
        $crate::cpu::Features::from_names(&[$($feature,)* $($worth)?])
    };
}

/// The rows of a table of [`backends!`]: all of them, where the CPU's features are detected.
#[cfg(feature = "std")]
#[doc(hidden)] // Part of `backends!`.
#[macro_export]
macro_rules! backend_rows {
    ($([$($meta:tt)*] [$($feature:literal)*] ($row:expr);)*) => {
        &[$( $($meta)* $row ),*]
    };
}

/// The rows of a table of [`backends!`]: those that the target can run.
#[cfg(not(feature = "std"))]
#[doc(hidden)] // Part of `backends!`.
#[macro_export]
macro_rules! backend_rows {
    ($([$($meta:tt)*] [$($feature:literal)*] ($row:expr);)*) => {
        &[$( $($meta)* #[cfg(all($(target_feature = $feature),*))] $row ),*]
    };
}

#[cfg(test)]
#[allow(unsafe_code)] // Only in this crate does the macro's own `unsafe` count as ours.
mod tests {
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::{Features, profile};

    crate::backends! {
        /// Adds one.
        struct Backend {
            /// `x + 1`.
            fn increment(x: u32) -> u32;
            /// Sets to zero.
            fn clear(x: &mut u32);
        }
        #[cfg(target_arch = "x86_64")]
        quick_and_leaky if ["sse2"] variable_time;
        #[cfg(target_arch = "x86_64")]
        x86_avx512 if ["avx512f", "avx512vl"] steps [x86_avx512::STEP, 8 * x86_avx512::STEP]
            counters [4] lanes [2];
        #[cfg(target_arch = "x86_64")]
        x86_sse if ["sse2"];
        #[cfg(target_arch = "wasm32")]
        elsewhere if ["sse2"];
        portable if [] steps [16];
        _ => narrow;
    }

    mod portable {
        pub(super) fn increment(x: u32) -> u32 {
            x + 1
        }
        pub(super) fn clear(x: &mut u32) {
            *x = 0;
        }
    }
    use portable as narrow;
    #[cfg(target_arch = "x86_64")]
    use portable as quick_and_leaky;
    #[cfg(target_arch = "x86_64")]
    use portable as x86_sse;
    #[cfg(target_arch = "x86_64")]
    mod x86_avx512 {
        pub(super) const STEP: usize = 64;
        #[target_feature(enable = "avx512f")]
        pub(super) fn increment(x: u32) -> u32 {
            x + 1
        }
        #[target_feature(enable = "avx512vl")]
        pub(super) fn clear(x: &mut u32) {
            *x = 0;
        }
    }

    #[test]
    fn every_available_row_runs() {
        assert_eq!(Backend::named("portable"), Some(Backend::portable()));
        assert_eq!(Backend::named("narrow"), Backend::available().last());
        for backend in Backend::available() {
            let mut x = backend.increment(6);
            assert_eq!(x, 7);
            backend.clear(&mut x);
            assert_eq!(x, 0);
            assert_eq!(Backend::named(backend.implementation().name), Some(backend));
        }
        assert_eq!(Backend::named("x86_avx1024"), None);
        assert!(Backend::best().implementation().constant_time);
    }

    #[test]
    fn rows_state_their_properties() {
        let row = |name| Backend::implementations().find(|row| row.name == name);
        assert_eq!(row("portable").unwrap().steps, [16]);
        let narrow = row("narrow").unwrap();
        assert!(narrow.steps.is_empty() && narrow.counters.is_empty() && narrow.lanes.is_empty());
        #[cfg(target_arch = "x86_64")]
        {
            let wide = row("x86_avx512").unwrap();
            assert_eq!((wide.steps, wide.counters), (&[64, 512][..], &[4][..]));
            assert_eq!(wide.lanes, [2]);
            assert!(wide.constant_time && !row("quick_and_leaky").unwrap().constant_time);
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_choice_follows_the_features() {
        for (cpu, name) in [
            ("portable", "portable"),
            ("x86-64", "x86_sse"),
            ("alder-lake", "x86_sse"),
            ("skylake-x", "x86_avx512"),
            ("zen4", "x86_avx512"),
        ] {
            assert_eq!(Backend::best_for(profile(cpu).unwrap()).name, name, "{cpu}");
        }
        assert_eq!(Backend::implementations().count(), 5);
        assert!(Backend::portable().implementation().features == Features::NONE);
    }
}
