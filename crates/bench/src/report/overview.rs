//! The summary: who won how often, and by how much, in each family against each rival.

use std::fmt::Write;

use super::format::ratio;
use super::heat;
use super::svg::escape;
use super::view::{Entry, Sides, Tally, View};

/// Big numbers, against the best rival of each operation.
pub(super) fn cards(page: &mut String, view: &View<'_>) {
    let tally = Tally::of(view.contests().filter_map(Entry::best));
    let Some(mean) = tally.mean else {
        return;
    };
    *page += "<section class=\"cards\" aria-label=\"Summary\">\n";
    let best = if view.rivals.len() > 1 {
        "against the best rival of each operation"
    } else {
        "geometric mean"
    };
    let compared = tally.compared();
    for (class, number, what) in [
        ("", ratio(mean), best.to_owned()),
        (
            "faster",
            tally.won.to_string(),
            format!("won, of {compared}"),
        ),
        ("even", tally.tied.to_string(), "tied".into()),
        ("slower", tally.lost.to_string(), "lost".into()),
    ] {
        let _ = writeln!(
            page,
            "<div><b class=\"{class}\">{number}</b><span>{what}</span></div>"
        );
    }
    *page += "</section>\n";
}

/// Families down, rivals across.
pub(super) fn section(page: &mut String, view: &View<'_>) {
    if !view.has_contests() {
        return;
    }
    *page += "<section id=\"summary\">\n<h2>Won, tied, lost</h2>\n<p class=\"soft\">Geometric \
              means of how many times as fast ours is. Below: won, tied, lost; a row is tied where \
              its 95 % interval includes 1.</p>\n<div class=\"wide\" tabindex=\"0\" \
              role=\"region\" aria-label=\"Summary by family and rival\"><table class=\"heat\">\n\
              <thead><tr><th class=\"text\" scope=\"col\">Family</th>";
    let several = view.rivals.len() > 1;
    if several {
        *page += "<th scope=\"col\">Best rival</th>";
    }
    for rival in &view.rivals {
        let _ = write!(page, "<th scope=\"col\">{}</th>", escape(rival));
    }
    *page += "</tr></thead>\n<tbody>\n";
    let families = view.families();
    for family in &families {
        line(page, view, family, |entry| entry.family == *family);
    }
    if families.len() > 1 {
        line(page, view, "Everything", |_| true);
    }
    *page += "</tbody></table></div>\n</section>\n";
}

fn line(page: &mut String, view: &View<'_>, title: &str, fits: impl Fn(&Entry<'_>) -> bool) {
    let entries: Vec<_> = view.contests().filter(|e| fits(e)).collect();
    let best = Tally::of(entries.iter().filter_map(|entry| entry.best()));
    if best.compared() == 0 {
        return;
    }
    let _ = write!(page, "<tr><th scope=\"row\">{title}</th>");
    if view.rivals.len() > 1 {
        cell(page, &best);
    }
    for place in 0..view.rivals.len() {
        let sides = entries.iter().filter_map(|e| e.sides.get(place).copied());
        cell(page, &Tally::of(sides.filter_map(Sides::best)));
    }
    *page += "</tr>\n";
}

fn cell(page: &mut String, tally: &Tally) {
    let _ = match tally.mean {
        Some(mean) => write!(
            page,
            "<td class=\"{}\"><b>{}</b><small>{}<span class=\"away\"> won</span> · {}<span \
             class=\"away\"> tied</span> · {}<span class=\"away\"> lost</span></small></td>",
            heat::class(mean),
            ratio(mean),
            tally.won,
            tally.tied,
            tally.lost
        ),
        None => write!(page, "<td></td>"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::wide;

    #[test]
    fn a_line_for_each_family_and_a_column_for_each_rival() {
        let report = wide(12);
        let view = View::new(&report);
        let mut page = String::new();
        section(&mut page, &view);
        // Hashes, MACs, signatures, key agreement, everything.
        assert_eq!(page.matches("<tr><th scope=\"row\">").count(), 5);
        assert_eq!(page.matches("<td").count(), 5 * 13);
        let mut one = String::new();
        section(&mut one, &View::new(&wide(1)));
        assert!(!one.contains("Best rival"));
    }
}
