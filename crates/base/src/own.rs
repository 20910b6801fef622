//! A caller's own implementation in the table of an operation.

use core::ptr::{from_ref, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

/// A function that puts a pointer into an empty place, on the `AtomicPtr` of the caller's module, which
/// may be Loom's.
macro_rules! put_first {
    () => {
        /// Puts this there, unless the place has another: which it then is.
        fn first<T>(place: &AtomicPtr<T>, own: *mut T) -> Option<*mut T> {
            #[cfg(target_has_atomic = "ptr")]
            return place
                .compare_exchange(null_mut(), own, Ordering::AcqRel, Ordering::Acquire)
                .err();
            // Without compare-and-swap, an interrupt between the two steps may put another there, which
            // then gives way.
            #[cfg(not(target_has_atomic = "ptr"))]
            {
                let first = place.load(Ordering::Acquire);
                if first.is_null() {
                    place.store(own, Ordering::Release);
                    return None;
                }
                Some(first)
            }
        }
    };
}
#[cfg(feature = "alloc")]
pub(crate) use put_first;

put_first!();

/// The place of a caller's implementation: empty, then for good the first one installed.
///
/// ```
/// use adamant_base::support::Slot;
/// static SLOT: Slot<&'static str> = Slot::new();
/// static OTHER: &str = "other";
/// assert_eq!(SLOT.get(), None);
/// assert!(SLOT.install(&"mine"));
/// assert!(!SLOT.install(&OTHER));
/// assert_eq!(SLOT.get(), Some(&"mine"));
/// ```
#[derive(Debug)]
pub struct Slot<T: 'static>(
    /// Null, or from a `&'static T`.
    AtomicPtr<T>,
);

impl<T: Sync> Slot<T> {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        Slot(AtomicPtr::new(null_mut()))
    }

    /// What was installed.
    #[inline]
    #[must_use]
    pub fn get(&self) -> Option<&'static T> {
        let installed = self.0.load(Ordering::Acquire);
        // SAFETY: `install` is the only one that writes it, and from a `&'static T`. Only shared
        // references are given out, to threads too: `T` is `Sync`.
        #[allow(unsafe_code)]
        unsafe {
            installed.as_ref()
        }
    }

    /// Puts this here, unless there is another one; whether it is here now. Of two that come at the
    /// same time, one stays.
    pub fn install(&self, own: &'static T) -> bool {
        let own = from_ref(own).cast_mut();
        first(&self.0, own).is_none_or(|first| first == own)
    }
}

impl<T: Sync> Default for Slot<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// What an open table of [`backends!`](crate::backends) has for an implementation of the caller's own:
/// its functions, and its row, the last, which no description is in.
#[doc(hidden)] // Part of `backends!`.
#[macro_export]
macro_rules! own_table {
    ([] $($closed:tt)*) => {};
    ([$own:ident] $name:ident {
        $(
            $(#[$meta:meta])*
            fn $f:ident($($arg:ident: $t:ty),* $(,)?) $(-> $ret:ty)? $(= |$this:ident| $by:expr)?;
        )*
        $( batch { $(
            $(#[$batch_meta:meta])*
            fn $b:ident($($b_arg:ident: $b_t:ty),* $(,)?) $(-> $b_ret:ty)?
                $(= |$batch_this:ident| $batch_by:expr)?;
        )+ } )?
    }) => {
        $crate::own_table!(@module $own $name
            $(
                [$(#[$meta])*] $f [$($arg: $t),*] [$(-> $ret)?] [$($this $by)?];
            )*
            $( $(
                [$(#[$batch_meta])*] $b [$($b_arg: $b_t),*] [$(-> $b_ret)?]
                    [$($batch_this $batch_by)?];
            )+ )?
        );
    };
    (@module $own:ident $name:ident $(
        [$($meta:tt)*] $f:ident [$($arg:ident: $t:ty),*] [$(-> $ret:ty)?] $by:tt;
    )*) => {
        #[cfg(feature = "own")]
        #[allow(dead_code, unreachable_pub, unused_imports)]
        pub(crate) mod $own {
            use super::*;

            /// The functions of an implementation of the caller's own. Those of a `Backend` are
            /// such, too.
            ///
            /// A wrong one gives wrong results. One whose time depends on secrets gives them away.
            pub trait Functions: Sync {
                /// Its name, the CPU features that it needs, and the boundaries at which the check
                /// is to try it.
                fn implementation(&self) -> &'static $crate::Implementation;
                $( $crate::own_table!(
                    @declare [$($meta)*] $f [$($arg: $t),*] [$(-> $ret)?] $by
                ); )*
            }

            static SLOT: $crate::support::Slot<&'static dyn Functions> = $crate::support::Slot::new();
            // After the rows that have descriptions.
            pub(super) const PLACE: u8 = TABLE.len() as u8;

            pub(super) fn installed() -> Option<$name> {
                SLOT.get().map(|_| $name(PLACE))
            }
            pub(super) fn functions() -> &'static dyn Functions {
                *SLOT.get().expect("its place is given out once it is installed")
            }
            $(
                pub(super) fn $f($($arg: $t),*) $(-> $ret)? {
                    functions().$f($($arg),*)
                }
            )*

            impl $name {
                /// Makes this implementation the one that [`Self::best`] gives from now on, to the
                /// whole process. A `Backend` that was given out before stays what it is, and
                /// whatever was made on it.
                ///
                /// `None` where another one was installed before, where this CPU lacks a feature that
                /// this one needs, where its time depends on secrets by its own description, which
                /// `best` never gives, and where its name is that of a row of this table; nothing has
                /// then changed.
                pub fn install(own: &'static &'static dyn Functions) -> Option<Self> {
                    let row = own.implementation();
                    let is_new = ROWS.iter().all(|of_table| of_table.name != row.name);
                    let fits = is_new && row.constant_time && row.is_available();
                    (fits && SLOT.install(own)).then_some($name(PLACE))
                }

                /// The installed implementation.
                #[must_use]
                pub fn installed() -> Option<Self> {
                    installed()
                }

                /// What [`Self::best`] is where nothing is installed. An implementation of one's own
                /// that leaves work to others leaves it to this.
                #[must_use]
                pub fn detected() -> Self {
                    $name($crate::support::best_for(ROWS, $crate::cpu::features()))
                }
            }

            impl Functions for $name {
                fn implementation(&self) -> &'static $crate::Implementation {
                    $name::implementation(*self)
                }
                $(
                    fn $f(&self, $($arg: $t),*) $(-> $ret)? {
                        $name::$f(*self, $($arg),*)
                    }
                )*
            }
        }
    };
    (@declare [$($meta:tt)*] $f:ident [$($arg:ident: $t:ty),*] [$(-> $ret:ty)?] []) => {
        $($meta)*
        fn $f(&self, $($arg: $t),*) $(-> $ret)?;
    };
    (@declare [$($meta:tt)*] $f:ident [$($arg:ident: $t:ty),*] [$(-> $ret:ty)?]
        [$this:ident $by:expr]
    ) => {
        $($meta)*
        fn $f(&self, $($arg: $t),*) $(-> $ret)? {
            let $this = self;
            $by
        }
    };
}

#[cfg(all(test, feature = "own"))]
#[allow(unsafe_code)] // That of `backends!`.
mod tests {
    mod open {
        crate::backends! {
            /// Adds one or two.
            pub(super) struct Backend: own {
                /// `x + 1`.
                fn one(x: u32) -> u32;
                /// `x + 2`.
                fn two(x: u32) -> u32 = |own| own.one(own.one(x));
            }
            portable if [];
            _ => narrow;
        }
        pub(super) static FIRST_ROW: Backend = backend::Backend(0);

        mod portable {
            pub(super) fn one(x: u32) -> u32 {
                x + 1
            }
            pub(super) fn two(x: u32) -> u32 {
                x + 2
            }
        }
        use portable as narrow;
    }

    #[test]
    fn an_open_table_takes_one_of_the_callers() {
        use crate::Implementation;
        use crate::cpu::Features;
        use core::sync::atomic::{AtomicU32, Ordering};
        use open::{Backend, own::Functions};

        /// Counts its calls.
        struct Counting(&'static Implementation, AtomicU32);
        impl Functions for Counting {
            fn implementation(&self) -> &'static Implementation {
                self.0
            }
            fn one(&self, x: u32) -> u32 {
                self.1.fetch_add(1, Ordering::Relaxed);
                Backend::detected().one(x)
            }
        }
        static FIRST: Counting = Counting(
            &Implementation::new("first", Features::NONE),
            AtomicU32::new(0),
        );
        static NOWHERE: Counting = Counting(
            &Implementation::new("nowhere", Features::from_names(&["neon", "avx2"])),
            AtomicU32::new(0),
        );

        let (before, rows) = (Backend::best(), Backend::available().count());
        assert_eq!((Backend::installed(), before), (None, Backend::detected()));
        assert_eq!(Backend::named("first"), None);
        static LEAKING: Counting = Counting(
            &Implementation::new("leaking", Features::NONE).variable_time(),
            AtomicU32::new(0),
        );
        static ELSEWHERE: &dyn Functions = &NOWHERE;
        static VARIABLE: &dyn Functions = &LEAKING;
        static OF_A_ROW: &dyn Functions = &open::FIRST_ROW;
        for refused in [&ELSEWHERE, &VARIABLE, &OF_A_ROW] {
            assert_eq!(Backend::install(refused), None);
            assert_eq!(Backend::installed(), None);
        }

        static OWN: &dyn Functions = &FIRST;
        let own = Backend::install(&OWN).unwrap();
        assert_eq!(Backend::install(&OWN), Some(own), "the same again");
        static SECOND: Counting = Counting(
            &Implementation::new("second", Features::NONE),
            AtomicU32::new(0),
        );
        static ANOTHER: &dyn Functions = &SECOND;
        assert_eq!(Backend::install(&ANOTHER), None, "another");

        assert_eq!((Backend::best(), Backend::installed()), (own, Some(own)));
        assert_eq!(Backend::named("first"), Some(own));
        assert_eq!(own.implementation().name, "first");
        assert_eq!(Backend::available().next(), Some(own));
        assert_eq!(Backend::available().count(), rows + 1);
        assert!(Backend::implementations().all(|row| row.name != "first"));
        assert_eq!((own.one(5), own.two(5)), (6, 7));
        assert_eq!(FIRST.1.load(Ordering::Relaxed), 3);
        // What was given out before stays.
        assert_eq!((before.one(5), before.two(5)), (6, 7));
        assert_eq!((Backend::detected(), Backend::portable()), (before, before));
        assert_eq!(FIRST.1.load(Ordering::Relaxed), 3);
    }
}
