//! The page: self-contained, readable without scripts, on paper, on a phone and in the dark.

use std::fmt::Write;

use super::format::{
    octets, per_second, plain_ratio, ratio, short_version, size, throughput, time,
};
use super::svg::escape;
use super::{family, groups, pipeline, pipelines, ratios, summary};
use crate::results::{Report, Row};

const STYLE: &str = include_str!("report.css");

/// The whole page. The results as JSON are in it too, for programs.
#[must_use]
pub fn html(report: &Report) -> String {
    let title = title(report);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{} · adamant</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape(&title)
    );
    let machine = &report.machine;
    let _ = write!(
        page,
        "<header>\n<p class=\"brand\">adamant</p>\n<h1>{}</h1>\n\
         <p class=\"lead\">{} · {} · {}</p>\n</header>\n<main>\n",
        escape(&title),
        escape(&machine.cpu),
        escape(&machine.os),
        escape(&machine.date)
    );
    cards(&mut page, report);
    notes(&mut page, report);
    if !report.rows.is_empty() {
        comparison(&mut page, report);
    }
    if !report.pipeline.is_empty() {
        stages(&mut page, report);
    }
    machine_section(&mut page, report);
    method(&mut page, report);
    page += "</main>\n";
    let _ = write!(
        page,
        "<footer><p>Made by <code>{}</code>, adamant {}, on {}.</p></footer>\n{}</body>\n</html>\n",
        escape(&report.command),
        escape(&machine.version),
        escape(&machine.date),
        data(report)
    );
    page
}

fn title(report: &Report) -> String {
    match report.engines.as_slice() {
        [] => "Measured on this machine".into(),
        [one] => format!("Measured beside {}", short_version(&one.version)),
        many => format!("Measured beside {} libraries", many.len()),
    }
}

fn cards(page: &mut String, report: &Report) {
    let summary = summary(&report.rows);
    let Some(mean) = summary.mean else {
        return;
    };
    *page += "<section class=\"cards\" aria-label=\"Summary\">\n";
    let compared = summary.compared();
    let cards = [
        ("", ratio(mean), "geometric mean".to_owned()),
        (
            "faster",
            summary.faster.to_string(),
            format!("faster, of {compared}"),
        ),
        ("even", summary.even.to_string(), "even".into()),
        ("slower", summary.slower.to_string(), "slower".into()),
    ];
    for (class, number, what) in cards {
        let _ = writeln!(
            page,
            "<div><b class=\"{class}\">{number}</b><span>{what}</span></div>"
        );
    }
    *page += "</section>\n";
}

fn notes(page: &mut String, report: &Report) {
    if report.notes.is_empty() {
        return;
    }
    *page += "<section class=\"notes\"><h2>To know about this run</h2>\n<ul>\n";
    for note in &report.notes {
        let _ = writeln!(page, "<li>{}</li>", escape(note));
    }
    *page += "</ul>\n</section>\n";
}

fn comparison(page: &mut String, report: &Report) {
    if let Some(chart) = ratios::chart(&report.rows) {
        *page += "<section>\n<h2>How the times compare</h2>\n<p class=\"soft\">The rival's time \
                  divided by ours, on a logarithmic scale: right of the line ours is faster. \
                  Whiskers are 95 % intervals.</p>\n<ul class=\"means\">\n";
        for group in groups(&report.rows) {
            if let Some(mean) = summary(group.rows.iter().copied()).mean {
                let _ = writeln!(page, "<li>{} <b>{}</b></li>", group.title, ratio(mean));
            }
        }
        let _ = write!(
            page,
            "</ul>\n<div class=\"wide chart\"><figure>{chart}</figure></div>\n</section>\n"
        );
    }
    *page += "<section>\n<h2>Every operation</h2>\n<p class=\"soft\">Time for one operation on one \
              core; for batches, for one item.</p>\n<div class=\"wide\"><table>\n";
    let mut rivals: Vec<_> = report.engines.iter().map(|e| e.version.as_str()).collect();
    rivals.dedup();
    let several = rivals.len() > 1;
    let rival = match rivals.as_slice() {
        [one] => short_version(one),
        _ => "Rival".into(),
    };
    let compared = !report.engines.is_empty();
    *page += "<thead><tr><th class=\"text\" scope=\"col\">Operation</th><th scope=\"col\">Size</th>\
              <th scope=\"col\">adamant</th>";
    if compared {
        let _ = write!(
            page,
            "<th scope=\"col\">{}</th><th scope=\"col\">Ratio</th>\
             <th scope=\"col\">95 % interval</th>",
            escape(&rival)
        );
    }
    *page += "<th class=\"text\" scope=\"col\">Implementation</th></tr></thead>\n";
    for group in groups(&report.rows) {
        let columns = if compared { 7 } else { 4 };
        let _ = writeln!(
            page,
            "<tbody><tr><th scope=\"rowgroup\" colspan=\"{columns}\">{}</th></tr>",
            group.title
        );
        for row in group.rows {
            row_line(page, row, compared, several);
        }
        *page += "</tbody>\n";
    }
    *page += "</table></div>\n</section>\n";
}

fn row_line(page: &mut String, row: &Row, compared: bool, several: bool) {
    let _ = write!(
        page,
        "<tr><th scope=\"row\">{}</th><td>{}</td>{}",
        escape(&row.op),
        size(row),
        time_cell(row, row.ours_ns, "")
    );
    match &row.against {
        Some(a) => {
            let mut whose = String::new();
            if several {
                whose.clone_from(&a.engine);
            }
            if a.theirs_batch != row.batch {
                whose += " single call";
            }
            let unsure = if a.is_noisy() { " ≈" } else { "" };
            let _ = write!(
                page,
                "{}<td><b class=\"{}\">{}</b>{unsure}</td><td>{} – {}</td>",
                time_cell(row, a.theirs_ns, &whose),
                ratios::class(a.verdict()),
                ratio(a.ratio),
                plain_ratio(a.ratio_low),
                plain_ratio(a.ratio_high)
            );
        }
        None if compared => {
            let note = row.note.as_deref().unwrap_or("–");
            let _ = write!(
                page,
                "<td class=\"note\" colspan=\"3\">{}</td>",
                escape(note)
            );
        }
        None => {}
    }
    let _ = writeln!(
        page,
        "<td class=\"text\">{}</td></tr>",
        escape(&row.backend)
    );
}

/// A time, and below it what goes through where messages do, or whose it is.
fn time_cell(row: &Row, ns: f64, whose: &str) -> String {
    let mut below = Vec::new();
    if row.bytes > 0 && matches!(family(&row.op), "hash" | "mac") {
        below.push(throughput(row.bytes, ns));
    }
    if !whose.is_empty() {
        below.push(escape(whose.trim()));
    }
    let below = match below.as_slice() {
        [] => String::new(),
        lines => format!("<small>{}</small>", lines.join(" · ")),
    };
    format!("<td>{}{below}</td>", time(ns))
}

fn stages(page: &mut String, report: &Report) {
    let first = &report.pipeline[0];
    let threads = match first.threads {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    };
    let _ = write!(
        page,
        "<section>\n<h2>The certificate pipeline</h2>\n<p class=\"soft\">From a CA key to \
         certificates, revocation lists and OCSP responses in embedded SQLite: items a second over \
         the batch size, both logarithmic. {} on {threads}.</p>\n",
        escape(&first.provider)
    );
    for pipeline in pipelines(&report.pipeline) {
        let _ = writeln!(
            page,
            "<h3>{}</h3>\n<div class=\"panels\">",
            escape(pipeline.algo)
        );
        for (title, svg) in pipeline::panels(&pipeline) {
            let _ = writeln!(
                page,
                "<figure><figcaption>{title}</figcaption>{svg}</figure>"
            );
        }
        *page += "</div>\n<div class=\"wide\"><table>\n<thead><tr><th class=\"text\" \
                  scope=\"col\">Stage</th>";
        let batches = pipeline.batches();
        for batch in &batches {
            let _ = write!(page, "<th scope=\"col\">batch of {batch}</th>");
        }
        *page += "<th scope=\"col\">DER of an item</th></tr></thead>\n<tbody>\n";
        for series in &pipeline.series {
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escape(&series.label));
            for &batch in &batches {
                let cell = series.rows.iter().find(|row| row.batch == batch);
                let cell = cell.map_or(String::new(), |row| {
                    let ms = time(row.ms * 1e6);
                    format!("{}<small>{ms}</small>", per_second(row.items_per_s))
                });
                let _ = write!(page, "<td>{cell}</td>");
            }
            let der = series.rows.last().and_then(|row| row.der_bytes);
            let der = der.map_or(String::new(), octets);
            let _ = writeln!(page, "<td>{der}</td></tr>");
        }
        *page += "</tbody></table></div>\n";
    }
    *page += "</section>\n";
}

fn machine_section(page: &mut String, report: &Report) {
    let machine = &report.machine;
    *page += "<section>\n<h2>The machine</h2>\n<dl>\n";
    let cores = match machine.cores {
        1 => "1 core".to_owned(),
        n => format!("{n} cores"),
    };
    let mut lines = vec![
        ("CPU", format!("{}, {cores}, {}", machine.cpu, machine.arch)),
        ("System", machine.os.clone()),
    ];
    if !machine.conditions.is_empty() {
        lines.push(("Conditions", machine.conditions.join("; ")));
    }
    lines.push(("Date", machine.date.clone()));
    lines.push((
        "Built with",
        format!("{}, {}", machine.rustc, machine.build),
    ));
    for (name, value) in lines {
        let _ = writeln!(page, "<dt>{name}</dt><dd>{}</dd>", escape(&value));
    }
    for engine in &report.engines {
        let _ = writeln!(
            page,
            "<dt>{}</dt><dd>{}</dd>\n<dt></dt><dd class=\"fine\">{}</dd>",
            escape(&engine.name),
            escape(&engine.version),
            escape(&engine.build)
        );
    }
    *page += "<dt>CPU features</dt><dd class=\"tags\">";
    for feature in &machine.features {
        let _ = write!(page, "<span>{}</span>", escape(feature));
    }
    *page += "</dd>\n</dl>\n</section>\n";
}

fn method(page: &mut String, report: &Report) {
    if report.rows.is_empty() {
        return;
    }
    *page += "<section>\n<h2>How it was measured</h2>\n<p>Both sides ran on the same core in turns, \
              A B A B, each for about as long. Each round gives a ratio; shown is their median with \
              a 95 % bootstrap interval, so that a clock which drifts falls on both sides alike. \
              A row counts as even where its interval includes 1; ≈ marks an interval of more than \
              5 % to a side.</p>\n<p>Before anything was timed, \
              the rival's outputs were checked against ours. Keys were parsed and scheduled \
              outside the timing; nonces and randomness are inside. A batch is compared with the \
              rival's single call, and with its batch where it has one.</p>\n";
    let _ = write!(
        page,
        "<p>Again: <code>{}</code></p>\n</section>\n",
        escape(&report.command)
    );
}

/// The report as JSON in a block that browsers do not run; `<` is escaped so that it cannot end
/// the block.
fn data(report: &Report) -> String {
    let json = serde_json::to_string(report).unwrap_or_else(|_| "null".into());
    format!(
        "<script type=\"application/json\" id=\"results\">{}</script>\n",
        json.replace('<', "\\u003c")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::samples;

    /// Checks that tags nest and close; gives the texts of all attributes and styles.
    fn well_formed(page: &str) {
        const VOID: &[&str] = &["meta"];
        let mut open: Vec<&str> = Vec::new();
        let mut rest = page.strip_prefix("<!DOCTYPE html>").unwrap();
        while let Some(start) = rest.find('<') {
            let end = start + rest[start..].find('>').expect("a tag that ends");
            let tag = &rest[start + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "…{}", &rest[..rest.len().min(80)]);
                continue;
            }
            let name = tag.split([' ', '/']).next().unwrap();
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "<{tag}>");
            assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
            if name == "style" || name == "script" {
                rest = &rest[rest.find(&format!("</{name}")).unwrap()..];
            }
            if !tag.ends_with('/') && !VOID.contains(&name) {
                open.push(name);
            }
        }
        assert_eq!(open, [""; 0]);
    }

    fn hostile() -> Report {
        let mut report = samples::report();
        let nasty = "</script></td><script>alert('x')</script>&\"";
        report.notes.push(nasty.into());
        report.machine.cpu = nasty.into();
        report.command = nasty.into();
        report.engines[0].build = nasty.into();
        report.engines[0].version = nasty.into();
        for row in &mut report.rows {
            row.op = nasty.into();
            row.backend = nasty.into();
            row.note = row.note.as_ref().map(|_| nasty.into());
            if let Some(against) = &mut row.against {
                against.engine = nasty.into();
                against.engine_version = nasty.into();
            }
        }
        for row in &mut report.pipeline {
            row.stage = nasty.into();
            row.algo = nasty.into();
            row.provider = nasty.into();
        }
        report
    }

    #[test]
    fn pages_are_well_formed() {
        let full = samples::report();
        let mut no_rival = full.clone();
        no_rival.engines.clear();
        no_rival.rows.iter_mut().for_each(|row| row.against = None);
        let mut two = full.clone();
        two.engines.push(two.engines[0].clone());
        two.engines[1].version = "Other 2".into();
        let mut empty = full.clone();
        empty.rows.clear();
        empty.pipeline.clear();
        empty.engines.clear();
        for report in [full, no_rival, two, empty, hostile()] {
            well_formed(&html(&report));
        }
    }

    #[test]
    fn names_cannot_break_out() {
        let page = html(&hostile());
        assert_eq!(page.matches("<script").count(), 1, "that of the data");
        let (markup, data) = page.split_once("id=\"results\">").unwrap();
        assert!(!markup.contains("alert('x')"));
        let data = data.split("</script>").next().unwrap();
        assert_eq!(serde_json::from_str::<Report>(data).unwrap(), hostile());
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let page = html(&samples::report());
        for outside in ["http:", "https:", "//", "url(", "@import", "src=", "href="] {
            assert!(!page.contains(outside), "{outside}");
        }
    }

    #[test]
    fn numbers_are_finite() {
        let mut report = samples::report();
        report.rows[0].ours_ns = f64::NAN;
        report.rows[1].against.as_mut().unwrap().ratio_high = f64::INFINITY;
        report.rows[2].against.as_mut().unwrap().ratio = 0.0;
        report.pipeline[0].items_per_s = 0.0;
        report.pipeline[1].items_per_s = f64::NAN;
        let page = html(&report);
        for drawing in page.split("<svg").skip(1) {
            let drawing = drawing.split("</svg>").next().unwrap();
            for attribute in drawing.split('"').skip(1).step_by(2) {
                assert!(
                    !attribute.contains("NaN") && !attribute.contains("inf"),
                    "{attribute}"
                );
            }
        }
    }

    #[test]
    fn the_page_has_what_it_should() {
        let page = html(&samples::report());
        for part in [
            "Measured beside OpenSSL 3.0.19",
            "Every operation",
            "The certificate pipeline",
            "it ended (signal: 9)",
            "adamant bench --quick",
            "compiler: gcc -O2",
            "prefers-color-scheme: dark",
        ] {
            assert!(page.contains(part), "{part}");
        }
    }
}
