//! The rows of a run as a report shows them: each operation once, its rivals beside it.

use super::family::family;
use crate::results::{Against, Report, Row, Verdict};
use crate::stats::geometric_mean;

/// A run, ordered for reading.
pub(super) struct View<'a> {
    /// The names of the rivals, in the order in which they occur.
    pub(super) rivals: Vec<&'a str>,
    /// Each operation at each size.
    pub(super) entries: Vec<Entry<'a>>,
}

/// One operation at one size on one implementation.
pub(super) struct Entry<'a> {
    /// A row with our side.
    pub(super) row: &'a Row,
    /// The family's title.
    pub(super) family: &'static str,
    /// The rivals' sides, in the order of the view's rivals.
    pub(super) sides: Vec<Sides<'a>>,
    /// Why rivals are missing.
    pub(super) note: Option<String>,
}

/// What a rival has against an entry.
#[derive(Clone, Copy, Default)]
pub(super) struct Sides<'a> {
    /// Its single calls.
    pub(super) single: Option<&'a Against>,
    /// Its batch.
    pub(super) batch: Option<&'a Against>,
}

impl<'a> Sides<'a> {
    pub(super) fn all(self) -> impl Iterator<Item = &'a Against> {
        self.single.into_iter().chain(self.batch)
    }

    /// The faster of the two.
    pub(super) fn best(self) -> Option<&'a Against> {
        hardest(self.all())
    }
}

/// The side that is hardest to beat.
fn hardest<'a>(sides: impl Iterator<Item = &'a Against>) -> Option<&'a Against> {
    sides.min_by(|a, b| a.ratio.total_cmp(&b.ratio))
}

impl<'a> Entry<'a> {
    /// The best rival's single calls.
    pub(super) fn best_single(&self) -> Option<&'a Against> {
        hardest(self.sides.iter().filter_map(|sides| sides.single))
    }

    /// The best rival's batch.
    pub(super) fn best_batch(&self) -> Option<&'a Against> {
        hardest(self.sides.iter().filter_map(|sides| sides.batch))
    }

    /// The best rival, in whichever form.
    pub(super) fn best(&self) -> Option<&'a Against> {
        hardest(self.sides.iter().flat_map(|sides| sides.all()))
    }
}

impl<'a> View<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        Self::of(&report.rows)
    }

    pub(super) fn of(rows: &'a [Row]) -> Self {
        let mut rivals: Vec<&'a str> = Vec::new();
        for against in rows.iter().filter_map(|row| row.against.as_ref()) {
            if !rivals.contains(&against.engine.as_str()) {
                rivals.push(&against.engine);
            }
        }
        let mut entries: Vec<Entry<'a>> = Vec::new();
        for row in rows {
            // Rows of one operation follow each other.
            let known = entries.iter_mut().rev().find(|e| e.row.is_same(row));
            let entry = match known {
                Some(entry) => entry,
                None => {
                    entries.push(Entry {
                        row,
                        family: family(&row.op),
                        sides: vec![Sides::default(); rivals.len()],
                        note: None,
                    });
                    entries.last_mut().expect("one was pushed")
                }
            };
            entry.note = entry.note.take().or_else(|| row.troubles());
            let Some(against) = &row.against else {
                continue;
            };
            let place = rivals.iter().position(|name| *name == against.engine);
            if let Some(sides) = place.and_then(|place| entry.sides.get_mut(place)) {
                let side = if against.theirs_batch == 1 {
                    &mut sides.single
                } else {
                    &mut sides.batch
                };
                *side = Some(against);
            }
        }
        View { rivals, entries }
    }

    /// The families that occur, in the order of the catalog.
    pub(super) fn families(&self) -> Vec<&'static str> {
        super::family::titles()
            .filter(|title| self.entries.iter().any(|entry| entry.family == *title))
            .collect()
    }

    /// The entries that stand for ours: a forced implementation is measured beside the rivals' for
    /// its own sake, and neither wins nor loses.
    pub(super) fn contests(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(|entry| !entry.row.forced)
    }

    /// Whether any of ours was measured beside a rival: without it there is nothing to sum up.
    pub(super) fn has_contests(&self) -> bool {
        self.contests().any(|entry| entry.best().is_some())
    }

    pub(super) fn of_family(&self, title: &str) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(move |e| e.family == title)
    }
}

/// How comparisons went.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) won: usize,
    pub(super) tied: usize,
    pub(super) lost: usize,
    /// The geometric mean of the ratios.
    pub(super) mean: Option<f64>,
}

impl Tally {
    pub(super) fn of<'a>(sides: impl IntoIterator<Item = &'a Against>) -> Self {
        let mut tally = Tally::default();
        let mut ratios = Vec::new();
        for against in sides {
            match against.verdict() {
                Verdict::Faster => tally.won += 1,
                Verdict::Even => tally.tied += 1,
                Verdict::Slower => tally.lost += 1,
            }
            if against.ratio.is_finite() && against.ratio > 0.0 {
                ratios.push(against.ratio);
            }
        }
        tally.mean = geometric_mean(ratios);
        tally
    }

    pub(super) fn compared(&self) -> usize {
        self.won + self.tied + self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;

    #[test]
    fn operations_stand_once() {
        let report = crate::report::samples::wide(3);
        let view = View::new(&report);
        assert_eq!(view.rivals, ["rival-0", "rival-1", "rival-2"]);
        let rows = report.rows.iter().filter(|r| r.op == "x25519/derive_batch");
        assert_eq!(rows.count(), 6);
        let mut batches = view.entries.iter().filter(|e| e.row.batch > 1);
        let entry = batches.next().unwrap();
        assert!(batches.next().is_none());
        assert!(
            entry
                .sides
                .iter()
                .all(|s| s.single.is_some() && s.batch.is_some())
        );
        let best = entry.best().unwrap().ratio;
        assert!(best <= entry.best_single().unwrap().ratio);
        assert!(best <= entry.best_batch().unwrap().ratio);
    }

    #[test]
    fn families_have_an_order() {
        let report = samples::report();
        let view = View::new(&report);
        assert_eq!(view.families(), ["Hashes", "Signatures"]);
        let tally = Tally::of(view.entries.iter().filter_map(Entry::best));
        assert_eq!((tally.won, tally.tied, tally.lost), (1, 1, 1));
        assert!((tally.mean.unwrap() - (1.4f64 * 0.7).cbrt()).abs() < 1e-9);
        assert_eq!(
            view.entries[3].note.as_deref(),
            Some("it ended (signal: 9)")
        );
    }

    #[test]
    fn forced_implementations_stand_apart() {
        let mut rows = samples::report().rows;
        let mut forced = rows[0].clone();
        forced.forced = true;
        rows.push(forced);
        let view = View::of(&rows);
        assert_eq!(view.entries.len(), rows.len());
        assert_eq!(view.contests().count(), rows.len() - 1);
        assert!(view.has_contests());
        assert!(!View::of(&rows[rows.len() - 1..]).has_contests());
    }
}
