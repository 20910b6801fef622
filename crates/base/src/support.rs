//! What the macros of this crate expand to. The searches in a table of rows give places, and are
//! compiled here, once for all tables.

use crate::Implementation;
use crate::cpu::{self, Features};

pub use crate::own::Slot;
#[cfg(feature = "std")]
pub use std::io;

/// The first constant-time row for these features, else the portable one.
#[inline(never)]
#[must_use]
pub fn best_for(rows: &[Implementation], features: Features) -> u8 {
    let mut place = 0;
    while let Some(row) = rows.get(place) {
        if row.constant_time && features.contains(row.features) {
            return place as u8;
        }
        place += 1;
    }
    portable(rows)
}

/// Whether the row needs features: its functions are not compiled into their callers.
#[must_use]
pub const fn has_features(row: &Implementation) -> bool {
    !Features::NONE.contains(row.features)
}

/// The code after a call of this seldom runs.
#[cold]
#[inline(always)]
pub const fn seldom() {}

/// The first constant-time row without features, else the last one.
#[must_use]
pub fn portable(rows: &[Implementation]) -> u8 {
    let portable = |row: &Implementation| row.constant_time && row.features == Features::NONE;
    rows.iter().position(portable).unwrap_or(rows.len() - 1) as u8
}

/// The first constant-time row for the features that the program is compiled for, else the last one:
/// [`best_for`] where nothing is detected.
#[must_use]
pub const fn first(rows: &[Implementation]) -> u8 {
    let mut place = 0;
    while place + 1 < rows.len() {
        let row = &rows[place];
        if row.constant_time && cpu::compiled_for(row.features) {
            break;
        }
        place += 1;
    }
    place as u8
}

/// The row of this name, if this CPU can run it.
#[must_use]
pub fn named(rows: &[Implementation], name: &str) -> Option<u8> {
    let place = rows
        .iter()
        .position(|row| row.name == name && row.is_available())?;
    Some(place as u8)
}
