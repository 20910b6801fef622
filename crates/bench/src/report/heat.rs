//! The heat map: our ratio to each rival, an operation a line, the worst first. A table, so that
//! readers of screens have the numbers and colours only repeat them.

use std::fmt::Write;

use super::format::{bound, plain_ratio, size};
use super::svg::{breakable, escape};
use super::view::{Entry, Sides, View};
use crate::results::Against;
use crate::stats::ascending;

/// The lines that are shown before one asks for more.
const FIRST: usize = 40;

/// The bounds between the classes `h0` to `h9` of colours; those of `h4` and `h5` meet at 1.
const BOUNDS: [f64; 9] = [0.25, 0.5, 0.8, 0.95, 1.0, 1.05, 1.25, 2.0, 4.0];

/// The class of a ratio's colour.
pub(super) fn class(ratio: f64) -> String {
    format!(
        "h{}",
        BOUNDS.iter().filter(|&&bound| ratio >= bound).count()
    )
}

/// The entries that were compared, the worst ratio to the best rival first.
pub(super) fn worst_first<'v, 'a>(view: &'v View<'a>) -> Vec<(&'v Entry<'a>, &'a Against)> {
    let entries = view.contests();
    let found: Vec<_> = entries.filter_map(|e| Some((e, e.best()?))).collect();
    ascending(&found, |(_, best)| best.ratio)
}

pub(super) fn section(page: &mut String, view: &View<'_>) {
    let entries = worst_first(view);
    if entries.is_empty() {
        return;
    }
    *page += "<section id=\"heat\">\n<h2>Heat map, worst first</h2>\n<p class=\"soft\">How many \
              times as fast as each rival; the bar is for the best rival, with its 95 % \
              interval. A batch has two numbers: against single calls, then against the \
              rival's batch.</p>\n";
    legend(page);
    let (first, rest) = entries.split_at(entries.len().min(FIRST));
    table(page, view, first);
    if !rest.is_empty() {
        let _ = writeln!(
            page,
            "<details><summary>The other {} operations</summary>",
            rest.len()
        );
        table(page, view, rest);
        *page += "</details>\n";
    }
    *page += "</section>\n";
}

/// The scale of colours, read out as a sentence.
fn legend(page: &mut String) {
    *page += "<ul class=\"scale\" aria-label=\"Colours: how many times as fast\">";
    for (i, text) in [
        "below ¼",
        "¼",
        "½",
        "0.8",
        "0.95",
        "1",
        "1.05",
        "1.25",
        "2",
        "4 and more",
    ]
    .iter()
    .enumerate()
    {
        let _ = write!(page, "<li class=\"h{i}\">{text}</li>");
    }
    *page += "</ul>\n";
}

fn table(page: &mut String, view: &View<'_>, entries: &[(&Entry<'_>, &Against)]) {
    *page += "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Heat map\"><table \
              class=\"heat\">\n<thead><tr><th class=\"text\" scope=\"col\">Operation</th>\
              <th scope=\"col\">Ratio</th>";
    let several = view.rivals.len() > 1;
    if several {
        *page += "<th class=\"text\" scope=\"col\">Best rival</th>";
    }
    for rival in &view.rivals {
        let _ = write!(page, "<th scope=\"col\">{}</th>", escape(rival));
    }
    *page += "</tr></thead>\n<tbody>\n";
    for (entry, best) in entries {
        let _ = write!(
            page,
            "<tr><th scope=\"row\">{} <i>{}</i></th><td class=\"bars\">{}</td>",
            breakable(&entry.row.op),
            size(entry.row),
            bar(best)
        );
        if several {
            let _ = write!(page, "<td class=\"text\">{}</td>", escape(&best.engine));
        }
        for sides in &entry.sides {
            *page += &cell(*sides);
        }
        *page += "</tr>\n";
    }
    *page += "</tbody></table></div>\n";
}

/// The bar from the line of 1 at its middle, three doublings to either side.
fn bar(against: &Against) -> String {
    let place = |ratio: f64| {
        let place = 50.0 + 50.0 * bound(ratio).log2() / 3.0;
        place.clamp(0.0, 100.0)
    };
    let [at, low, high] = [against.ratio, against.ratio_low, against.ratio_high].map(place);
    let side = if at < 50.0 { "slower" } else { "faster" };
    let (start, end) = (at.min(50.0), at.max(50.0));
    format!(
        "<b>{}</b><span class=\"bar\" aria-hidden=\"true\"><i class=\"{side}\" \
         style=\"left:{start:.1}%;width:{:.1}%\"></i><u style=\"left:{:.1}%;width:{:.1}%\"></u>\
         </span>",
        plain_ratio(against.ratio),
        end - start,
        low.min(high),
        (high - low).abs().max(0.8)
    )
}

fn cell(sides: Sides<'_>) -> String {
    let Some(best) = sides.best() else {
        return "<td></td>".into();
    };
    let ratios: Vec<_> = sides.all().map(|side| plain_ratio(side.ratio)).collect();
    format!(
        "<td class=\"{}\">{}</td>",
        class(best.ratio),
        ratios.join(" · ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::wide;

    #[test]
    fn classes_meet_at_one() {
        let classes = [0.1, 0.3, 0.6, 0.9, 0.99, 1.01, 1.1, 1.5, 3.0, 9.0].map(class);
        assert_eq!(classes[0], "h0");
        assert_eq!(classes[4], "h4");
        assert_eq!(classes[5], "h5");
        assert_eq!(classes[9], "h9");
        assert_eq!(class(f64::NAN), "h0");
    }

    #[test]
    fn every_comparison_has_a_cell() {
        for rivals in [1, 4, 12] {
            let report = wide(rivals);
            let view = View::new(&report);
            let mut page = String::new();
            section(&mut page, &view);
            let compared = worst_first(&view);
            assert_eq!(
                page.matches("<tr><th scope=\"row\">").count(),
                compared.len()
            );
            assert_eq!(
                page.matches("<td class=\"h").count(),
                compared.len() * rivals
            );
            assert!(page.contains("6.00 · 1.40"));
            let ratios: Vec<_> = compared.iter().map(|(_, best)| best.ratio).collect();
            assert!(ratios.is_sorted());
        }
    }
}
