//! Every operation with every number: ours, and each rival's time, ratio and interval.

use std::fmt::Write;

use super::bars;
use super::family::streams;
use super::format::{plain_ratio, ratio, size, throughput, time};
use super::svg::{breakable, escape};
use super::view::{Entry, Sides, View};

/// Families are open where the page has so few operations.
const FEW: usize = 60;

pub(super) fn section(page: &mut String, view: &View<'_>) {
    *page += "<section id=\"operations\">\n<h2>Every operation</h2>\n<p class=\"soft\">Time for \
              one operation on one core; for batches, for one item. A ratio above 1 means that \
              ours is faster; in brackets its 95 % interval, ≈ where that reaches further than \
              5 % to a side.</p>\n";
    let open = if view.entries.len() <= FEW {
        " open"
    } else {
        ""
    };
    for family in view.families() {
        let entries: Vec<_> = view.of_family(family).collect();
        let _ = writeln!(
            page,
            "<details{open}><summary>{family} <span class=\"soft\">{}</span></summary>\n\
             <div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{family}\">\
             <table class=\"rows\">",
            entries.len()
        );
        *page += "<thead><tr><th class=\"text\" scope=\"col\">Operation</th><th scope=\"col\">\
                  Size</th><th scope=\"col\">adamant</th>";
        for rival in &view.rivals {
            let _ = write!(page, "<th scope=\"col\">{}</th>", escape(rival));
        }
        *page += "<th class=\"text\" scope=\"col\">Implementation</th></tr></thead>\n<tbody>\n";
        for entry in entries {
            line(page, entry, &view.rivals);
        }
        *page += "</tbody></table></div>\n</details>\n";
    }
    *page += "</section>\n";
}

fn line(page: &mut String, entry: &Entry<'_>, rivals: &[&str]) {
    let row = entry.row;
    let _ = write!(
        page,
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}<small>{}</small></td>",
        breakable(&row.op),
        size(row),
        time(row.ours_ns),
        detail(entry)
    );
    if entry.best().is_none()
        && let Some(note) = &entry.note
    {
        let columns = entry.sides.len().max(1);
        let _ = write!(
            page,
            "<td class=\"note\" colspan=\"{columns}\">{}</td>",
            escape(note)
        );
    } else {
        for (rival, sides) in rivals.iter().zip(&entry.sides) {
            match row.wrong.iter().any(|wrong| wrong.engine == *rival) {
                true => *page += "<td>wrong</td>",
                false => cell(page, *sides),
            }
        }
    }
    let asked = if row.forced { " (asked for)" } else { "" };
    let _ = writeln!(
        page,
        "<td class=\"text\">{}{asked}</td></tr>",
        escape(&row.backend)
    );
}

/// What is below our time: throughput for messages, else cycles.
fn detail(entry: &Entry<'_>) -> String {
    let row = entry.row;
    if row.bytes > 0 && streams(&row.op) {
        return throughput(row.bytes, row.ours_ns);
    }
    match row.ours_cycles {
        cycles if cycles.is_finite() && cycles > 0.0 => format!("{cycles:.0} cycles"),
        _ => String::new(),
    }
}

fn cell(page: &mut String, sides: Sides<'_>) {
    *page += "<td>";
    for side in sides.all() {
        let form = match side.theirs_batch {
            1 if sides.batch.is_some() => " single",
            1 => "",
            _ => " batch",
        };
        let unsure = if side.is_noisy() { " ≈" } else { "" };
        let _ = write!(
            page,
            "{}{form} <b class=\"{}\">{}</b>{unsure}<small>[{} – {}]</small>",
            time(side.theirs_ns),
            bars::class(side.verdict()),
            ratio(side.ratio),
            plain_ratio(side.ratio_low),
            plain_ratio(side.ratio_high)
        );
    }
    *page += "</td>";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::wide;
    use crate::results::Wrong;

    #[test]
    fn every_row_is_there() {
        let report = wide(2);
        let view = View::new(&report);
        let mut page = String::new();
        section(&mut page, &view);
        assert_eq!(
            page.matches("<tr><th scope=\"row\">").count(),
            view.entries.len()
        );
        let against = report.rows.iter().filter(|r| r.against.is_some()).count();
        assert_eq!(page.matches("<small>[").count(), against);
        assert!(page.contains("it ended (signal: 9)"));
        assert!(page.contains(" single <b") && page.contains(" batch <b"));
    }

    #[test]
    fn who_is_wrong_is_marked() {
        let mut report = wide(2);
        let place = report.rows.iter().position(|row| row.op == "ed25519/sign");
        let place = place.unwrap();
        let gone = report.rows.remove(place + 1);
        report.rows[place].wrong.push(Wrong {
            engine: gone.against.unwrap().engine,
            why: "item 0".into(),
        });
        let mut page = String::new();
        section(&mut page, &View::new(&report));
        let line = page.lines().find(|line| line.contains("ed25519/<wbr>sign"));
        let line = line.unwrap();
        assert!(
            line.contains("</b>") && line.contains("<td>wrong</td>"),
            "{line}"
        );
    }
}
