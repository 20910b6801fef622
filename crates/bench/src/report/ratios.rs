//! The chart of ratios: a bar for each row from the line of 1 to its ratio, with a whisker for
//! the interval, on a logarithmic scale.

use super::format::{plain_ratio, ratio, short_version, size};
use super::svg::{LogScale, Svg};
use super::{Group, groups};
use crate::results::{Against, Row, Verdict};

const WIDTH: f64 = 880.0;
/// Where the bars lie; labels stand to the left, ratios to the right.
const LEFT: f64 = 250.0;
const RIGHT: f64 = WIDTH - 70.0;
const TOP: f64 = 34.0;
const ROW: f64 = 22.0;
const HEADING: f64 = 34.0;

/// The chart; `None` where there is nothing to compare.
pub(super) fn chart(rows: &[Row]) -> Option<String> {
    let compared: Vec<Row> = rows
        .iter()
        .filter(|r| r.against.is_some())
        .cloned()
        .collect();
    let against = || compared.iter().filter_map(|row| row.against.as_ref());
    let low = against().map(|a| a.ratio_low).reduce(f64::min)?;
    let high = against().map(|a| a.ratio_high).reduce(f64::max)?;
    let several = against().any(|a| Some(&a.engine) != against().next().map(|a| &a.engine));
    let domain = [(low * 0.9).min(0.5), (high * 1.1).max(2.0)];
    let scale = LogScale::new(domain, [LEFT, RIGHT]);

    let groups = groups(&compared);
    let height = TOP
        + groups
            .iter()
            .map(|group| HEADING + ROW * group.rows.len() as f64)
            .sum::<f64>()
        + 10.0;
    let mut svg = Svg::new();
    for tick in scale.ticks(2.0, 9) {
        let x = scale.at(tick);
        svg.line("grid", [x, TOP], [x, height]);
        svg.text("tick middle", [x, TOP - 8.0], &tick_label(tick));
    }
    let one = scale.at(1.0);
    svg.text("tick end", [one - 24.0, TOP - 22.0], "← slower");
    svg.text("tick", [one + 24.0, TOP - 22.0], "faster →");
    let mut y = TOP;
    for Group { title, rows } in &groups {
        svg.text("heading", [0.0, y + HEADING - 10.0], title);
        y += HEADING;
        for row in rows {
            let Some(a) = &row.against else { continue };
            let name = format!("{} {}", row.op, size(row));
            let told = format!(
                "{}: {}, 95 % interval {} to {}, against {}",
                name.trim_end(),
                ratio(a.ratio),
                plain_ratio(a.ratio_low),
                plain_ratio(a.ratio_high),
                short_version(&a.engine_version)
            );
            svg.group(&told, |svg| bar(svg, row, a, several, scale, y));
            y += ROW;
        }
    }
    svg.line("one", [one, TOP - 4.0], [one, height]);
    Some(svg.finish(
        "Ratios of the rival's time to ours, above 1 ours is faster; the table below has the \
         numbers",
        [WIDTH, height],
    ))
}

fn bar(svg: &mut Svg, row: &Row, a: &Against, several: bool, scale: LogScale, y: f64) {
    let middle = y + ROW / 2.0;
    let label = if several {
        format!("{} · {}", row.op, a.engine)
    } else {
        row.op.clone()
    };
    svg.text("label", [12.0, middle + 4.0], &label);
    svg.text("tick end", [LEFT - 12.0, middle + 4.0], &size(row));
    let (one, end) = (scale.at(1.0), scale.at(a.ratio));
    let class = class(a.verdict());
    let start = [one.min(end), y + 4.0];
    svg.rect(
        &format!("bar {class}"),
        start,
        [(end - one).abs().max(1.0), ROW - 8.0],
    );
    let (low, high) = (scale.at(a.ratio_low), scale.at(a.ratio_high));
    svg.line("whisker", [low, middle], [high, middle]);
    for x in [low, high] {
        svg.line("whisker", [x, middle - 4.0], [x, middle + 4.0]);
    }
    svg.text(
        &format!("value end {class}"),
        [WIDTH, middle + 4.0],
        &ratio(a.ratio),
    );
}

/// The class of colours of a verdict.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Even => "even",
        Verdict::Slower => "slower",
    }
}

fn tick_label(tick: f64) -> String {
    if tick >= 1.0 {
        format!("{tick:.0}×")
    } else {
        format!("1/{:.0}×", 1.0 / tick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;

    #[test]
    fn a_bar_for_each_compared_row() {
        let svg = chart(&samples::report().rows).unwrap();
        assert_eq!(svg.matches("<rect").count(), 3);
        assert_eq!(svg.matches("<title>").count(), 3);
        assert!(svg.contains("sha256/digest 64 B: 1.40×"));
        assert!(chart(&[samples::row("sha256/digest", 64, None)]).is_none());
    }

    #[test]
    fn extremes_stay_in_the_picture() {
        let mut rows = vec![
            samples::row("a/b", 1, Some(1e9)),
            samples::row("a/c", 1, Some(1e-9)),
        ];
        rows.push(samples::row("a/d", 1, Some(f64::NAN)));
        let svg = chart(&rows).unwrap();
        assert!(!svg.contains("NaN\"") && !svg.contains("inf\""));
    }
}
