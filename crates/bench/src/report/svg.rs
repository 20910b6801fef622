//! Pieces of inline SVG. Colours come from the page's style sheet, by class.

use std::fmt::Write;

/// Text as it may appear in HTML and SVG, in attributes too.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The name of an operation in HTML, which may be broken after a slash.
pub(super) fn breakable(name: &str) -> String {
    escape(name).replace('/', "/<wbr>")
}

/// A logarithmic scale: the values of `domain` on the pixels of `range`.
#[derive(Clone, Copy)]
pub(super) struct LogScale {
    domain: [f64; 2],
    range: [f64; 2],
}

impl LogScale {
    /// Both ends of the domain are made positive and different.
    pub(super) fn new(domain: [f64; 2], range: [f64; 2]) -> Self {
        // What is not a number compares as neither.
        let above = |x: f64, least: f64| if x > least { x } else { least };
        let low = above(domain[0], 1e-12).min(1e15);
        let high = above(domain[1], low * 1.01).min(1e16);
        LogScale {
            domain: [low, high],
            range,
        }
    }

    /// The place of a value, within the range.
    pub(super) fn at(self, x: f64) -> f64 {
        let [low, high] = self.domain.map(f64::ln);
        let x = x.clamp(self.domain[0], self.domain[1]).ln();
        let [start, end] = self.range;
        start + (end - start) * (x - low) / (high - low)
    }

    /// The powers of ten in the domain, `most` at most; where there are fewer than three, also
    /// their doubles and halves of the next.
    pub(super) fn decades(self, most: usize) -> Vec<f64> {
        let powers = self.ticks(10.0, most);
        if powers.len() > 2 {
            return powers;
        }
        let lowest = 10f64.powf(self.domain[0].log10().floor());
        let fine = (0..4).flat_map(|i| [1.0, 2.0, 5.0].map(|x| x * lowest * 10f64.powi(i)));
        fine.filter(|x| (self.domain[0]..=self.domain[1]).contains(x))
            .collect()
    }

    /// The powers of `base` in the domain, thinned to `most` at most.
    pub(super) fn ticks(self, base: f64, most: usize) -> Vec<f64> {
        let [low, high] = self.domain.map(|x| x.ln() / base.ln());
        let (first, last) = ((low - 1e-9).ceil() as i32, (high + 1e-9).floor() as i32);
        let count = usize::try_from(last - first + 1).unwrap_or(0);
        let step = count.div_ceil(most.max(1)).max(1) as i32;
        let exponents = (first..=last).filter(|e| e.rem_euclid(step) == 0);
        exponents.map(|e| base.powi(e)).collect()
    }
}

/// A drawing while it grows.
pub(super) struct Svg {
    body: String,
}

impl Svg {
    pub(super) fn new() -> Self {
        Svg {
            body: String::new(),
        }
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let tag = format!(
            r#"<line class="{class}" x1="{}" y1="{}" x2="{}" y2="{}"/>"#,
            px(x1),
            px(y1),
            px(x2),
            px(y2)
        );
        self.body += &tag;
    }

    pub(super) fn rect(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        let tag = format!(
            r#"<rect class="{class}" x="{}" y="{}" width="{}" height="{}"/>"#,
            px(x),
            px(y),
            px(width.max(0.0)),
            px(height.max(0.0))
        );
        self.body += &tag;
    }

    pub(super) fn circle(&mut self, class: &str, [x, y]: [f64; 2], radius: f64) {
        let tag = format!(
            r#"<circle class="{class}" cx="{}" cy="{}" r="{}"/>"#,
            px(x),
            px(y),
            px(radius)
        );
        self.body += &tag;
    }

    pub(super) fn polyline(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<_> = points
            .iter()
            .map(|[x, y]| format!("{},{}", px(*x), px(*y)))
            .collect();
        let _ = write!(
            self.body,
            r#"<polyline class="{class}" points="{}"/>"#,
            points.join(" ")
        );
    }

    /// A path of ready-made pieces.
    pub(super) fn path(&mut self, class: &str, pieces: &str) {
        let _ = write!(self.body, r#"<path class="{class}" d="{pieces}"/>"#);
    }

    pub(super) fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        let _ = write!(
            self.body,
            r#"<text class="{class}" x="{}" y="{}">{}</text>"#,
            px(x),
            px(y),
            escape(text)
        );
    }

    /// A group with a title that shows when pointed at and that screen readers read.
    pub(super) fn group(&mut self, title: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g><title>{}</title>", escape(title));
        draw(self);
        self.body += "</g>";
    }

    /// The whole drawing.
    pub(super) fn finish(self, label: &str, [width, height]: [f64; 2]) -> String {
        format!(
            r#"<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>"#,
            px(width),
            px(height),
            escape(label),
            self.body
        )
    }
}

/// A coordinate: finite, with one digit at most.
pub(super) fn px(x: f64) -> String {
    let x = if x.is_finite() { x } else { 0.0 };
    let text = format!("{x:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales() {
        let scale = LogScale::new([0.25, 4.0], [0.0, 400.0]);
        assert_eq!(
            [0.25, 1.0, 4.0, 9.0].map(|x| scale.at(x)),
            [0.0, 200.0, 400.0, 400.0]
        );
        assert_eq!(scale.ticks(2.0, 9), [0.25, 0.5, 1.0, 2.0, 4.0]);
        assert_eq!(scale.ticks(2.0, 3), [0.25, 1.0, 4.0]);
        let decades = |low, high| LogScale::new([low, high], [0.0, 1.0]).decades(7);
        assert_eq!(decades(9.0, 2000.0), [10.0, 100.0, 1000.0]);
        assert_eq!(decades(30.0, 250.0), [50.0, 100.0, 200.0]);
        assert_eq!(decades(1e-12, 1e15).len(), 7);
        for domain in [
            [0.0, 0.0],
            [f64::NAN, 1.0],
            [1.0, f64::INFINITY],
            [5.0, 2.0],
        ] {
            let scale = LogScale::new(domain, [0.0, 100.0]);
            assert!(px(scale.at(3.0)).parse::<f64>().unwrap().is_finite());
            assert!(scale.ticks(10.0, 8).len() <= 9);
        }
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(
            escape(r#"<a href="x">&'"#),
            "&lt;a href=&quot;x&quot;&gt;&amp;&#39;"
        );
        assert_eq!(escape("a\x1bb\0"), "a b ");
        let mut svg = Svg::new();
        svg.text("t", [f64::NAN, 1.25], "<");
        assert!(
            svg.finish("\"", [1.0, 2.0])
                .contains(r#"x="0" y="1.2">&lt;"#)
        );
    }
}
