//! The parts of keys, whose number depends on the parameter set: on the heap or, without an allocator, in the
//! key itself, which then has room for those of the largest set.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec, vec::Vec};

use adamant_base::Wipe;
use core::ops::{Deref, DerefMut};

/// What lists are made of.
pub(crate) trait Element: Copy {
    /// What a place has at first.
    const ZERO: Self;
}

impl Element for u8 {
    const ZERO: Self = 0;
}

impl<const N: usize> Element for [u8; N] {
    const ZERO: Self = [0; N];
}

/// A list of at most `MOST` elements.
#[derive(Clone)]
pub(crate) struct List<T, const MOST: usize> {
    #[cfg(feature = "alloc")]
    places: Vec<T>,
    #[cfg(not(feature = "alloc"))]
    places: [T; MOST],
    #[cfg(not(feature = "alloc"))]
    len: usize,
}

impl<T: Element, const MOST: usize> List<T, MOST> {
    /// Places for so many elements.
    pub(crate) fn zeros(len: usize) -> Self {
        debug_assert!(len <= MOST);
        List {
            #[cfg(feature = "alloc")]
            places: vec![T::ZERO; len],
            #[cfg(not(feature = "alloc"))]
            places: [T::ZERO; MOST],
            #[cfg(not(feature = "alloc"))]
            len,
        }
    }

    /// No element.
    pub(crate) const fn none() -> Self {
        List {
            #[cfg(feature = "alloc")]
            places: Vec::new(),
            #[cfg(not(feature = "alloc"))]
            places: [T::ZERO; MOST],
            #[cfg(not(feature = "alloc"))]
            len: 0,
        }
    }
}

impl<T, const MOST: usize> Deref for List<T, MOST> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        #[cfg(feature = "alloc")]
        return &self.places;
        #[cfg(not(feature = "alloc"))]
        &self.places[..self.len]
    }
}

impl<T, const MOST: usize> DerefMut for List<T, MOST> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        #[cfg(feature = "alloc")]
        return &mut self.places;
        #[cfg(not(feature = "alloc"))]
        &mut self.places[..self.len]
    }
}

impl<T: Wipe, const MOST: usize> Wipe for List<T, MOST> {
    fn wipe(&mut self) {
        (**self).wipe();
    }
}

/// Room for what saves time where a key is used again: none without an allocator, where it is computed anew
/// each time.
pub(crate) const fn kept(most: usize) -> usize {
    if cfg!(feature = "alloc") { most } else { 0 }
}

impl<T: Element, const MOST: usize> List<T, MOST> {
    /// The same list for a key to keep, if it keeps any.
    pub(crate) fn keep<const KEPT: usize>(self) -> List<T, KEPT> {
        assert!(KEPT == kept(MOST));
        #[cfg(feature = "alloc")]
        return List {
            places: self.places,
        };
        #[cfg(not(feature = "alloc"))]
        List::none()
    }
}

/// A value that stays where it was made, as far as there is an allocator.
#[cfg(feature = "alloc")]
pub(crate) type Place<T> = Box<T>;
#[cfg(not(feature = "alloc"))]
pub(crate) type Place<T> = T;

/// Makes a place of it.
pub(crate) fn place<T>(value: T) -> Place<T> {
    #[cfg(feature = "alloc")]
    return Box::new(value);
    #[cfg(not(feature = "alloc"))]
    value
}
