//! What disturbed a comparison.

use crate::clock::Clock;
use crate::machine::{Steal, Waiting};
use crate::results::Row;

/// The spread from which on a row is called scattered.
const SCATTER: f64 = 0.1;

/// Sentences for a reader of the rows; `shared` of all rounds were measured although the core had
/// another thread to serve.
pub(crate) fn notes(
    rows: &[Row],
    clock: Option<&Clock>,
    [shared, rounds]: [usize; 2],
    steal: &Steal,
    waiting: &Waiting,
) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(share) = steal.share().filter(|&share| share > 0.01) {
        let percent = 100.0 * share;
        notes.push(format!(
            "noise: the hypervisor gave {percent:.1} % of this machine's time to others"
        ));
    }
    if let Some(share) = waiting.share().filter(|&share| share > 0.02) {
        let percent = 100.0 * share;
        notes.push(format!(
            "noise: other programs ran on this core, which was waited for {percent:.1} % of \
             the time; that is left out, what they do to the caches is not"
        ));
    }
    let share = shared as f64 / rounds.max(1) as f64;
    if share > 0.02 {
        let percent = 100.0 * share;
        notes.push(format!(
            "noise: in {percent:.1} % of the rounds, repetitions left out, this core had \
             another thread to serve, which slows down some code more than other"
        ));
    }
    if let Some(clock) = clock.filter(|clock| !clock.is_steady()) {
        notes.push(format!(
            "noise: the core's clock varied between {:.2} and {:.2} cycles in a nanosecond; \
             the cycles and the ratios allow for that, the nanoseconds do not",
            clock.low, clock.high
        ));
    }
    let against = rows.iter().filter_map(|r| r.against.as_ref());
    let (all, noisy) = against.fold((0, 0), |(all, noisy), against| {
        (all + 1, noisy + usize::from(against.is_noisy()))
    });
    if noisy > 0 {
        notes.push(format!(
            "noise: {noisy} of {all} ratios are uncertain by more than 5 %: something else \
             was running, or the clock was changing"
        ));
    }
    let scattered = |row: &&Row| {
        let theirs = row.against.as_ref().map(|against| against.theirs_spread);
        row.ours_spread.max(theirs.unwrap_or(0.0)) > SCATTER
    };
    let scattered = rows.iter().filter(scattered).count();
    if scattered > 0 {
        let (all, percent) = (rows.len(), 100.0 * SCATTER);
        notes.push(format!(
            "noise: the samples of {scattered} of {all} rows scatter by more than \
             {percent:.0} % of their median"
        ));
    }
    notes
}
