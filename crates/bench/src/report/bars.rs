//! A family as bars: from the line of 1 to the ratio against the best rival, with a whisker for
//! the interval and a mark for each rival. Of the lengths of an operation the largest up to
//! 16 KiB is drawn, of its batches the largest.

use std::fmt::Write;

use super::format::{bound, plain_ratio, ratio, size};
use super::marks;
use super::svg::{LogScale, Svg};
use super::view::{Entry, View};
use crate::results::{Against, Verdict};

const WIDTH: f64 = 880.0;
/// Where the bars lie; labels are to the left, ratios to the right.
const LEFT: f64 = 290.0;
const RIGHT: f64 = WIDTH - 116.0;
const TOP: f64 = 40.0;
const ROW: f64 = 24.0;
/// The longest message that is drawn.
const LONGEST: usize = 16_384;

/// The class of colours of a verdict.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Even => "even",
        Verdict::Slower => "slower",
    }
}

/// The entries that stand for their operations.
fn drawn<'v, 'a>(view: &'v View<'a>, family: &str) -> Vec<&'v Entry<'a>> {
    let mut drawn: Vec<&Entry<'a>> = Vec::new();
    let entries = view.contests().filter(|entry| entry.family == family);
    for entry in entries.filter(|entry| entry.best().is_some()) {
        let rank = |e: &Entry<'_>| {
            let bytes = e.row.bytes;
            (bytes <= LONGEST, bytes.min(LONGEST), e.row.batch)
        };
        let same = |e: &&mut &Entry<'a>| e.row.op == entry.row.op;
        match drawn.iter_mut().find(same) {
            Some(known) if rank(known) >= rank(entry) => {}
            Some(known) => *known = entry,
            None => drawn.push(entry),
        }
    }
    drawn
}

/// The chart of a family; `None` where nothing was compared.
pub(super) fn chart(view: &View<'_>, family: &str) -> Option<String> {
    let entries = drawn(view, family);
    let sides = || {
        entries
            .iter()
            .flat_map(|e| e.sides.iter().flat_map(|s| s.all()))
    };
    let best = || {
        entries
            .iter()
            .flat_map(|e| [e.best_single(), e.best_batch()])
            .flatten()
    };
    let low = best().map(|a| bound(a.ratio_low)).reduce(f64::min)?;
    let high = best().map(|a| bound(a.ratio_high)).reduce(f64::max)?;
    let highest = sides().map(|a| bound(a.ratio)).fold(high, f64::max);
    let domain = [(low * 0.9).min(0.5), (highest * 1.1).max(2.0)];
    let scale = LogScale::new(domain, [LEFT, RIGHT]);
    let height = TOP + ROW * entries.len() as f64 + 8.0;

    let mut svg = Svg::new();
    for tick in scale.ticks(2.0, 9) {
        let x = scale.at(tick);
        svg.line("grid", [x, TOP], [x, height]);
        svg.text("tick middle", [x, TOP - 8.0], &tick_label(tick));
    }
    let one = scale.at(1.0);
    svg.text("tick end", [one - 16.0, TOP - 24.0], "← slower");
    svg.text("tick", [one + 16.0, TOP - 24.0], "faster →");
    for (place, entry) in entries.iter().enumerate() {
        row(&mut svg, entry, scale, TOP + ROW * place as f64);
    }
    svg.line("one", [one, TOP - 4.0], [one, height]);
    for place in 0..view.rivals.len() {
        let path = points(&entries, place, scale);
        if !path.is_empty() {
            svg.path(&format!("mark {}", marks::class(place)), &path);
        }
    }
    for (place, entry) in entries.iter().enumerate() {
        let sides = best_forms(entry);
        let y = TOP + ROW * place as f64;
        for (side, [y, depth]) in sides.iter().zip(places(y, sides.len())) {
            whisker(&mut svg, side, scale, y + depth / 2.0);
        }
    }
    let label = format!(
        "{family}: how many times as fast ours is as the best rival; the tables have the numbers"
    );
    Some(svg.finish(&label, [WIDTH, height]))
}

/// The marks of a rival in all rows, as one path.
fn points(entries: &[&Entry<'_>], rival: usize, scale: LogScale) -> String {
    let mut path = String::new();
    for (place, entry) in entries.iter().enumerate() {
        let Some(sides) = entry.sides.get(rival) else {
            continue;
        };
        for side in sides.all() {
            let y = TOP + ROW * (place as f64 + 0.5);
            path += &marks::shape(rival, [scale.at(bound(side.ratio)), y]);
        }
    }
    path
}

/// The best rival's single calls, and the best rival's batch.
fn best_forms<'a>(entry: &Entry<'a>) -> Vec<&'a Against> {
    let sides = [entry.best_single(), entry.best_batch()];
    sides.into_iter().flatten().collect()
}

fn row(svg: &mut Svg, entry: &Entry<'_>, scale: LogScale, y: f64) {
    let sides = best_forms(entry);
    let name = &entry.row.op;
    let mut told = format!("{name} {}", size(entry.row)).trim_end().to_owned();
    for side in &sides {
        let form = if side.theirs_batch > 1 {
            "a batch of "
        } else {
            ""
        };
        let _ = write!(
            told,
            "; {} ({} – {}) against {form}{}",
            ratio(side.ratio),
            plain_ratio(side.ratio_low),
            plain_ratio(side.ratio_high),
            side.engine
        );
    }
    svg.group(&told, |svg| {
        svg.text("label", [0.0, y + ROW / 2.0 + 4.0], name);
        svg.text(
            "tick end",
            [LEFT - 10.0, y + ROW / 2.0 + 4.0],
            &size(entry.row),
        );
        for (side, [y, depth]) in sides.iter().zip(places(y, sides.len())) {
            bar(svg, side, scale, y, depth);
        }
        let values: Vec<_> = sides.iter().map(|side| ratio(side.ratio)).collect();
        let verdict = entry.best().map_or(Verdict::Even, Against::verdict);
        svg.text(
            &format!("value end {}", class(verdict)),
            [WIDTH, y + ROW / 2.0 + 4.0],
            &values.join(" · "),
        );
    });
}

fn bar(svg: &mut Svg, against: &Against, scale: LogScale, y: f64, depth: f64) {
    let (one, end) = (scale.at(1.0), scale.at(bound(against.ratio)));
    let width = (end - one).abs().max(1.0);
    let class = class(against.verdict());
    svg.rect(
        &format!("bar {class}"),
        [one.min(end), y],
        [width, depth - 1.0],
    );
}

/// The interval, drawn over the marks.
fn whisker(svg: &mut Svg, against: &Against, scale: LogScale, middle: f64) {
    let [low, high] = [against.ratio_low, against.ratio_high].map(|r| scale.at(bound(r)));
    svg.line("whisker", [low, middle], [high, middle]);
    for x in [low, high] {
        svg.line("whisker", [x, middle - 3.0], [x, middle + 3.0]);
    }
}

/// The top and the height of a row's bars, of which there are this many.
fn places(y: f64, bars: usize) -> impl Iterator<Item = [f64; 2]> {
    let depth = (ROW - 8.0) / bars.max(1) as f64;
    (0..bars).map(move |place| [y + 4.0 + depth * place as f64, depth])
}

fn tick_label(tick: f64) -> String {
    if tick >= 1.0 {
        format!("{tick:.0}×")
    } else {
        format!("1/{:.0}", 1.0 / tick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::wide;
    use crate::results::samples;

    #[test]
    fn a_bar_for_each_operation_and_a_mark_for_each_rival() {
        let report = wide(3);
        let view = View::new(&report);
        let svg = chart(&view, "Hashes").unwrap();
        assert_eq!(svg.matches("<rect").count(), 2);
        assert_eq!(svg.matches("class=\"mark").count(), 3);
        assert!(svg.contains("sha256/digest 16 KiB; "));
        // Both ratios of a batch.
        let svg = chart(&view, "Key agreement").unwrap();
        assert_eq!(svg.matches("<rect").count(), 2);
        assert!(svg.contains("6.00× · 1.40×") && svg.contains("against a batch of rival-0"));
        assert!(chart(&view, "Formats").is_none());
    }

    #[test]
    fn extremes_stay_in_the_picture() {
        let rows = [1e9, 1e-9, f64::NAN, f64::INFINITY, 0.0]
            .map(|ratio| samples::row(&format!("x{ratio}/digest"), 1, Some(ratio)));
        let svg = chart(&View::of(&rows), "Hashes").unwrap();
        for attribute in svg.split('"').skip(1).step_by(2) {
            assert!(
                !attribute.contains("NaN,") && !attribute.contains("inf "),
                "{attribute}"
            );
        }
    }
}
