//! What became faster or slower since an earlier run.
//!
//! Two runs are compared by the cycles of each row, which a clock that ran at another speed does
//! not change. A speedup's interval is the widest that the two 95 % intervals allow, so it leaves
//! 1 out only where they do not touch. That is not enough: between two runs a machine differs by
//! more than within one. How much more is told by the rivals whose version and build are the same
//! in both runs (ours as its own rival does not count): nobody changed them, so nine tenths of *their* changes are the noise, and a
//! change of ours counts only where its interval lies beyond that.

use std::fmt::Write;

use crate::engines::SELF;
use crate::results::{Against, Baseline, Change, Report, Row, Verdict};
use crate::stats::{ascending, geometric_mean, quantile, significant, sorted};

/// The least noise, as a part: the same program differs by about that much from run to run, by
/// the places that its memory takes.
const LEAST_NOISE: f64 = 0.02;

/// The noise where too few rivals tell.
const SUPPOSED_NOISE: f64 = 0.05;

/// The fewest rows of rivals from which the noise is estimated.
const CONTROLS: usize = 5;

/// The run `now` beside the run `before`.
#[must_use]
pub fn compare(before: &Report, now: &Report) -> Baseline {
    let (noise, controls) = noise(before, now);
    let earlier = once(&before.rows);
    let current = once(&now.rows);
    let find = |row: &Row| earlier.iter().copied().find(|other| other.is_same(row));
    let changes: Vec<_> = current
        .iter()
        .filter_map(|row| Some(change(find(row)?, row, noise)))
        .collect();
    let cpu = &before.machine.cpu;
    Baseline {
        date: before.machine.date.clone(),
        command: before.command.clone(),
        other_cpu: (*cpu != now.machine.cpu).then(|| cpu.clone()),
        noise,
        controls,
        added: current.len() - changes.len(),
        gone: earlier.len() - changes.len(),
        changes,
    }
}

/// Each operation at each size once: with several rivals, ours appears in several rows.
fn once(rows: &[Row]) -> Vec<&Row> {
    let mut seen: Vec<&Row> = Vec::new();
    for row in rows {
        if !seen.iter().any(|other| other.is_same(row)) {
            seen.push(row);
        }
    }
    seen
}

fn change(before: &Row, now: &Row, noise: f64) -> Change {
    let low = before.ours_cycles_low / now.ours_cycles_high;
    let high = before.ours_cycles_high / now.ours_cycles_low;
    let verdict = if low > 1.0 + noise {
        Verdict::Faster
    } else if high * (1.0 + noise) < 1.0 {
        Verdict::Slower
    } else {
        Verdict::Even
    };
    Change {
        op: now.op.clone(),
        bytes: now.bytes,
        batch: now.batch,
        backend_before: before.backend.clone(),
        backend: now.backend.clone(),
        before_ns: before.ours_ns,
        now_ns: now.ours_ns,
        before_cycles: before.ours_cycles,
        now_cycles: now.ours_cycles,
        speedup: significant(before.ours_cycles / now.ours_cycles, 4),
        speedup_low: significant(low, 4),
        speedup_high: significant(high, 4),
        verdict,
    }
}

/// The noise between the runs, and how many rows of rivals tell it.
fn noise(before: &Report, now: &Report) -> (f64, usize) {
    let unchanged = |name: &str| {
        let find = |report: &Report| {
            let found = report.engines.iter().find(|engine| engine.name == name);
            found.map(|engine| (engine.version.clone(), engine.build.clone()))
        };
        name != SELF && find(now).is_some() && find(before) == find(now)
    };
    let controls = now.rows.iter().filter_map(|row| {
        let against = row.against.as_ref()?;
        let same = |other: &&Row| {
            let theirs = other.against.as_ref();
            let rival = |a: &Against| (a.engine.clone(), a.theirs_batch);
            other.is_same(row) && theirs.map(rival) == Some(rival(against))
        };
        let earlier = before.rows.iter().find(same)?.against.as_ref()?;
        let change = (against.theirs_cycles / earlier.theirs_cycles).ln().abs();
        unchanged(&against.engine).then_some(change)
    });
    let controls: Vec<f64> = controls.filter(|change| change.is_finite()).collect();
    if controls.len() < CONTROLS {
        return (SUPPOSED_NOISE, 0);
    }
    let usual = quantile(&sorted(&controls), 0.9).exp_m1();
    (significant(usual.max(LEAST_NOISE), 2), controls.len())
}

impl Baseline {
    /// The changes of this kind, the greatest first.
    pub fn of(&self, verdict: Verdict) -> Vec<&Change> {
        let mut found: Vec<_> = self.changes.iter().collect();
        found.retain(|change| change.verdict == verdict);
        ascending(&found, |change| -change.speedup.ln().abs())
    }

    /// The geometric mean of all speedups; `None` where the runs have no row in common.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        geometric_mean(self.changes.iter().map(|change| change.speedup))
    }

    /// What changed, for a terminal: slower rows, then faster ones, then the rest in a sentence.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!("since {} ({})\n", self.date, self.command);
        if let Some(cpu) = &self.other_cpu {
            let _ = writeln!(
                text,
                "that was another CPU, {cpu}: the cycles are not comparable"
            );
        }
        for (verdict, title) in [(Verdict::Slower, "slower"), (Verdict::Faster, "faster")] {
            let changes = self.of(verdict);
            if changes.is_empty() {
                continue;
            }
            let _ = writeln!(
                text,
                "\n{:<34} {:>8} {:>12} {:>12} {:>8}  95 % interval",
                title, "bytes", "cycles then", "now", "speedup"
            );
            for change in changes {
                let _ = write!(
                    text,
                    "{:<34} {:>8} {:>12} {:>12} {:>8.3}  {:.3} – {:.3}",
                    change.name(),
                    change.bytes,
                    significant(change.before_cycles, 4),
                    significant(change.now_cycles, 4),
                    change.speedup,
                    change.speedup_low,
                    change.speedup_high
                );
                if change.backend != change.backend_before {
                    let _ = write!(text, "  {} → {}", change.backend_before, change.backend);
                }
                text.push('\n');
            }
        }
        let even = self.of(Verdict::Even).len();
        let _ = write!(
            text,
            "\n{} compared, {even} unchanged within {:.1} % of noise",
            self.changes.len(),
            100.0 * self.noise
        );
        let _ = match self.controls {
            0 => write!(text, " (supposed: too few rivals are in both runs)"),
            n => write!(text, " (by {n} rows of unchanged rivals)"),
        };
        if let Some(mean) = self.mean() {
            let _ = write!(text, "; geometric mean {mean:.3}");
        }
        if self.added + self.gone > 0 {
            let _ = write!(text, "; {} rows are new, {} gone", self.added, self.gone);
        }
        text.push('\n');
        text
    }
}

impl Change {
    /// The operation, with the items of a batch.
    #[must_use]
    pub fn name(&self) -> String {
        match self.batch {
            1 => self.op.clone(),
            n => format!("{} × {n}", self.op),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;

    /// A run of rows with these cycles of ours, against a rival that takes this many.
    fn run(ours: &[f64], theirs: f64) -> Report {
        let rows = ours.iter().enumerate().map(|(i, &cycles)| {
            let mut row = samples::row("sha256/digest", i, Some(1.0));
            row.ours_cycles = cycles;
            row.ours_cycles_low = 0.99 * cycles;
            row.ours_cycles_high = 1.01 * cycles;
            row.against.as_mut().unwrap().theirs_cycles = theirs;
            row
        });
        Report {
            rows: rows.collect(),
            ..samples::report()
        }
    }

    fn verdicts(baseline: &Baseline) -> Vec<Verdict> {
        baseline.changes.iter().map(|c| c.verdict).collect()
    }

    #[test]
    fn changes_have_to_exceed_the_noise() {
        use Verdict::{Even, Faster, Slower};
        let before = run(&[1000.0; 6], 500.0);
        let ours = [1000.0, 1030.0, 970.0, 1100.0, 900.0, 1000.0];
        let quiet = compare(&before, &run(&ours, 500.0));
        assert_eq!((quiet.noise, quiet.controls), (LEAST_NOISE, 6));
        assert_eq!(verdicts(&quiet), [Even, Even, Even, Slower, Faster, Even]);
        assert_eq!(quiet.changes[3].speedup, 0.9091);
        // The same changes are nothing where the rival, which nobody touched, changed as much.
        let noisy = compare(&before, &run(&ours, 560.0));
        assert_eq!(noisy.noise, 0.12);
        assert_eq!(verdicts(&noisy), [Even; 6]);
        // A rival of another version tells nothing.
        let mut other = run(&ours, 560.0);
        other.engines[0].version = "OpenSSL 4".into();
        let other = compare(&before, &other);
        assert_eq!((other.noise, other.controls), (SUPPOSED_NOISE, 0));
        assert_eq!(other.other_cpu, None);
    }

    #[test]
    fn rows_come_and_go() {
        let before = run(&[1000.0; 3], 500.0);
        let mut now = run(&[500.0; 5], 500.0);
        now.rows.remove(0);
        // A second rival makes no second change.
        now.rows.push(now.rows[0].clone());
        let baseline = compare(&before, &now);
        assert_eq!(baseline.changes.len(), 2);
        assert_eq!((baseline.added, baseline.gone), (2, 1));
        assert_eq!(baseline.mean(), Some(2.0));
        let table = baseline.table();
        assert!(table.contains("2 rows are new, 1 gone"), "{table}");
        assert!(
            table.contains("2.000  1.960 – 2.040") && !table.contains("slower"),
            "{table}"
        );
    }

    #[test]
    fn tables_tell_the_greatest_change_first() {
        let before = run(&[1000.0; 4], 500.0);
        let mut now = run(&[1100.0, 1300.0, 1000.0, 800.0], 500.0);
        now.rows[1].backend = "x86_sha".into();
        now.machine.cpu = "other".into();
        let baseline = compare(&before, &now);
        let slower = baseline.of(Verdict::Slower);
        assert_eq!(slower.iter().map(|c| c.bytes).collect::<Vec<_>>(), [1, 0]);
        let table = baseline.table();
        assert!(table.contains("that was another CPU"), "{table}");
        assert!(table.contains("portable → x86_sha"), "{table}");
        assert!(
            table.contains("4 compared, 1 unchanged within 5.0 % of noise (supposed"),
            "{table}"
        );
    }
}
