//! Values with several owners, without the standard library.

/// A value with several owners: a clone costs no copy. Without an allocator, and without atomics of its
/// own (`thumbv6m`), by which the CPU could count owners only with interrupts off, which is the
/// application's to decide, a clone is a copy, and so it is `Send` and `Sync` where the value is.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub use alloc::sync::Arc as Shared;
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
pub use copied::Shared;

#[cfg(any(test, not(all(feature = "alloc", target_has_atomic = "ptr"))))]
#[allow(unreachable_pub)] // Where only tests use it.
mod copied {
    #[cfg(feature = "alloc")]
    use alloc::boxed::Box;
    use core::ops::Deref;

    /// A value whose clones are copies, with the functions of `Arc`.
    #[derive(Clone, Debug)]
    pub struct Shared<T>(Place<T>);

    /// Where the value is: without an allocator, here.
    #[cfg(feature = "alloc")]
    type Place<T> = Box<T>;
    #[cfg(not(feature = "alloc"))]
    type Place<T> = T;

    impl<T> Shared<T> {
        /// A value with one owner.
        pub fn new(value: T) -> Self {
            #[cfg(feature = "alloc")]
            let place = Box::new(value);
            #[cfg(not(feature = "alloc"))]
            let place = value;
            Shared(place)
        }

        /// The value, which has no other owner.
        #[allow(clippy::unnecessary_wraps)] // As `Arc` has it.
        pub fn get_mut(this: &mut Self) -> Option<&mut T> {
            Some(&mut this.0)
        }

        /// The value, of which others that had it have copies.
        pub fn make_mut(this: &mut Self) -> &mut T {
            &mut this.0
        }

        /// Whether both are the same.
        #[must_use]
        pub fn ptr_eq(this: &Self, other: &Self) -> bool {
            core::ptr::eq::<T>(&**this, &**other)
        }
    }

    impl<T> Deref for Shared<T> {
        type Target = T;

        fn deref(&self) -> &T {
            &self.0
        }
    }
}

#[cfg(test)]
mod tests {
    /// What users of either type rely on.
    macro_rules! holds {
        ($name:ident, $shared:ident: $of:path) => {
            #[test]
            fn $name() {
                use $of as $shared;
                fn threads<T: Send + Sync>(_: &T) {}

                let mut one = $shared::new([7_u8; 32]);
                threads(&one);
                $shared::get_mut(&mut one).unwrap()[0] = 8;
                let two = $shared::clone(&one);
                assert_eq!((two[0], two[1]), (8, 7));
                assert!($shared::ptr_eq(&one, &one));
                $shared::make_mut(&mut one)[1] = 9;
                assert_eq!((one[0], one[1]), (8, 9));
                drop(one);
                assert_eq!((two[0], two[1]), (8, 7));
                assert!(!$shared::ptr_eq(&two, &$shared::new([7; 32])));
            }
        };
    }

    holds!(shared, Shared: super::Shared);
    holds!(copied, Shared: super::copied::Shared);
}
