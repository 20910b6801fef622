//! Throughput over the length of the message, both logarithmic: a small panel for each operation
//! that goes through messages of several lengths.

use super::family::streams;
use super::format::{bytes, throughput};
use super::marks;
use super::svg::{LogScale, Svg, px};
use super::view::{Entry, View};

const WIDTH: f64 = 330.0;
const HEIGHT: f64 = 210.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = WIDTH - 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = HEIGHT - 26.0;
/// The lengths that make a line worth drawing.
const FEWEST: usize = 3;

/// A title and a drawing for each such operation of a family.
pub(super) fn panels(view: &View<'_>, family: &str) -> Vec<(String, String)> {
    let mut operations: Vec<Vec<&Entry<'_>>> = Vec::new();
    for entry in view
        .of_family(family)
        .filter(|e| e.row.bytes > 0 && streams(&e.row.op))
    {
        let key = |e: &Entry<'_>| {
            (
                e.row.op.clone(),
                e.row.batch,
                e.row.chosen().map(str::to_owned),
            )
        };
        match operations.iter_mut().find(|o| key(o[0]) == key(entry)) {
            Some(known) => known.push(entry),
            None => operations.push(vec![entry]),
        }
    }
    operations.retain(|entries| entries.len() >= FEWEST);
    let draw = |mut entries: Vec<&Entry<'_>>| {
        entries.sort_by_key(|entry| entry.row.bytes);
        let row = entries[0].row;
        let mut title = row.op.clone();
        if row.batch > 1 {
            title += &format!(" × {}", row.batch);
        }
        if let Some(implementation) = row.chosen() {
            title += &format!(" on {implementation}");
        }
        Some((title.clone(), panel(view, &title, &entries)?))
    };
    operations.into_iter().filter_map(draw).collect()
}

/// Bytes a second.
fn rate(bytes: usize, ns: f64) -> Option<f64> {
    let rate = bytes as f64 * 1e9 / ns;
    (rate.is_finite() && rate > 0.0).then_some(rate)
}

fn panel(view: &View<'_>, title: &str, entries: &[&Entry<'_>]) -> Option<String> {
    let ours = |e: &&Entry<'_>| Some((e.row.bytes, rate(e.row.bytes, e.row.ours_ns)?));
    let ours: Vec<(usize, f64)> = entries.iter().filter_map(ours).collect();
    let theirs: Vec<Vec<(usize, f64)>> = (0..view.rivals.len())
        .map(|place| {
            let points = entries.iter().filter_map(|e| {
                let side = e.sides.get(place)?.best()?;
                Some((e.row.bytes, rate(e.row.bytes, side.theirs_ns)?))
            });
            points.collect()
        })
        .collect();
    let rates = || {
        ours.iter()
            .chain(theirs.iter().flatten())
            .map(|(_, rate)| *rate)
    };
    let (low, high) = (rates().reduce(f64::min)?, rates().reduce(f64::max)?);
    let (first, last) = (ours.first()?.0 as f64, ours.last()?.0 as f64);
    let x = LogScale::new([first, last], [LEFT + 6.0, RIGHT - 6.0]);
    let y = LogScale::new([low * 0.8, high * 1.25], [BOTTOM, TOP]);

    let mut svg = Svg::new();
    for tick in y.decades(5) {
        let y = y.at(tick);
        svg.line("grid", [LEFT, y], [RIGHT, y]);
        let label = throughput(1, 1e9 / tick)
            .replace(".00", "")
            .replace(".0", "");
        svg.text("tick end", [LEFT - 5.0, y + 4.0], &label);
    }
    svg.line("axis", [LEFT, BOTTOM], [RIGHT, BOTTOM]);
    let mut free = f64::MIN;
    for (length, _) in &ours {
        let x = x.at(*length as f64);
        svg.line("axis", [x, BOTTOM], [x, BOTTOM + 4.0]);
        if x >= free {
            svg.text(
                "tick middle",
                [x.clamp(LEFT, RIGHT - 12.0), BOTTOM + 18.0],
                &bytes(*length),
            );
            free = x + 52.0;
        }
    }
    for (place, points) in theirs.iter().enumerate() {
        if points.is_empty() {
            continue;
        }
        let mut class = format!("theirs {}", marks::class(place));
        if marks::is_dashed(place) {
            class += " dashed";
        }
        svg.path(&class, &line(points, x, y));
        let shapes = points
            .iter()
            .map(|(b, r)| marks::shape(place, [x.at(*b as f64), y.at(*r)]));
        svg.path(
            &format!("mark {}", marks::class(place)),
            &shapes.collect::<String>(),
        );
    }
    svg.path("ours", &line(&ours, x, y));
    let (length, _) = ours.last()?;
    let end = entries.last()?;
    let mut label = format!(
        "{title}: ours {} at {}",
        throughput(*length, end.row.ours_ns),
        bytes(*length)
    );
    if let Some(best) = end.best() {
        label += &format!(", {} {}", best.engine, throughput(*length, best.theirs_ns));
    }
    Some(svg.finish(&label, [WIDTH, HEIGHT]))
}

fn line(points: &[(usize, f64)], x: LogScale, y: LogScale) -> String {
    let mut path = String::new();
    for (place, (bytes, rate)) in points.iter().enumerate() {
        path.push(if place == 0 { 'M' } else { 'L' });
        path += &format!("{} {}", px(x.at(*bytes as f64)), px(y.at(*rate)));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::wide;

    #[test]
    fn a_panel_for_each_operation_with_lengths() {
        let report = wide(8);
        let view = View::new(&report);
        let hashes = panels(&view, "Hashes");
        let titles: Vec<_> = hashes.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(titles, ["sha256/digest", "sha3-256/digest"]);
        assert_eq!(hashes[0].1.matches("class=\"theirs").count(), 8);
        assert_eq!(hashes[0].1.matches("dashed").count(), 2);
        assert_eq!(panels(&view, "Message authentication").len(), 1);
        assert!(panels(&view, "Signatures").is_empty());
    }
}
