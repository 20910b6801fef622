//! The page: self-contained, readable without scripts, on paper, on a phone and in the dark.

use std::fmt::Write;

use super::format::{octets, per_second, time};
use super::svg::escape;
use super::view::View;
use super::{
    bars, changes, data, heat, marks, operations, overview, pipeline, pipelines, suite, throughput,
    title,
};
use crate::results::Report;

const STYLE: &str = include_str!("report.css");
const FILTER: &str = include_str!("filter.js");

/// What the page may load: nothing but what it brings along.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The whole page. The results as JSON are in it too, for programs.
#[must_use]
pub fn html(report: &Report) -> String {
    let title = escape(&title(report));
    let view = View::new(report);
    let machine = &report.machine;
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title} · adamant</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"brand\">adamant</p>\n<h1>{title}</h1>\n\
         <p class=\"lead\">{} · {} · {}</p>\n",
        escape(&machine.cpu),
        escape(&machine.os),
        escape(&machine.date)
    );
    contents(&mut page, report, &view);
    page += "</header>\n<main>\n";
    overview::cards(&mut page, &view);
    notes(&mut page, report);
    // A run of a document is read for its tables.
    suite::sections(&mut page, report);
    overview::section(&mut page, &view);
    if let Some(baseline) = &report.baseline {
        changes::section(&mut page, baseline);
    }
    heat::section(&mut page, &view);
    families(&mut page, &view);
    if !report.pipeline.is_empty() {
        stages(&mut page, report);
    }
    if !view.entries.is_empty() {
        operations::section(&mut page, &view);
    }
    machine_section(&mut page, report);
    method(&mut page, report);
    let _ = write!(
        page,
        "</main>\n<footer><p>Made by <code>{}</code>, adamant {}, on {}.</p></footer>\n\
         {}<script>\n{FILTER}</script>\n</body>\n</html>\n",
        escape(&report.command),
        escape(&machine.version),
        escape(&machine.date),
        data::block(report)
    );
    page
}

/// Links to the parts that there are.
fn contents(page: &mut String, report: &Report, view: &View<'_>) {
    let compared = view.has_contests();
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut part = |there: bool, id: &str, title: &str| {
        if there {
            parts.push((id.to_owned(), title.to_owned()));
        }
    };
    for (known, _) in super::grid::suites(report) {
        let (id, title) = (
            format!("suite-{}", known.name),
            format!("Suite {}", known.name),
        );
        part(true, &id, &title);
    }
    part(compared, "summary", "Summary");
    part(report.baseline.is_some(), "changes", "Changes");
    part(compared, "heat", "Heat map");
    part(compared, "families", "Families");
    part(!report.pipeline.is_empty(), "pipeline", "Pipeline");
    part(!view.entries.is_empty(), "operations", "Every operation");
    part(true, "machine", "Machine");
    *page += "<nav aria-label=\"Contents\"><ul>";
    for (id, title) in parts {
        let _ = write!(page, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    *page += "</ul></nav>\n";
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

/// Each family's bars, and its throughput over the length of messages.
fn families(page: &mut String, view: &View<'_>) {
    if !view.has_contests() {
        return;
    }
    *page += "<section id=\"families\">\n<h2>Family by family</h2>\n<p class=\"soft\">How many \
              times as fast ours is, on a logarithmic scale: the bar against the best rival, with \
              its 95 % interval, and a mark for each rival. A batch has a bar against single calls \
              and one against the best rival's batch.</p>\n";
    marks::legend(page, view, true);
    for family in view.families() {
        let chart = bars::chart(view, family);
        let panels = throughput::panels(view, family);
        if chart.is_none() && panels.is_empty() {
            continue;
        }
        let _ = writeln!(page, "<h3>{family}</h3>");
        if let Some(chart) = chart {
            let _ = writeln!(
                page,
                "<div class=\"wide chart\"><figure>{chart}</figure></div>"
            );
        }
        if !panels.is_empty() {
            *page += "<p class=\"fine\">Throughput over the length of the message, both \
                      logarithmic:</p>\n<div class=\"panels small\">\n";
            for (title, svg) in panels {
                let _ = writeln!(
                    page,
                    "<figure><figcaption>{}</figcaption>{svg}</figure>",
                    escape(&title)
                );
            }
            *page += "</div>\n";
        }
    }
    *page += "</section>\n";
}

fn stages(page: &mut String, report: &Report) {
    let first = &report.pipeline[0];
    let threads = report.pipeline.iter().map(|row| row.threads).max();
    let threads = match threads.unwrap_or(first.threads) {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    };
    let _ = write!(
        page,
        "<section id=\"pipeline\">\n<h2>The certificate pipeline</h2>\n<p class=\"soft\">From a CA \
         key to certificates, revocation lists and OCSP responses in embedded SQLite: items a \
         second over the batch size, both logarithmic, and over the number of threads where \
         several were measured. {} on {threads}.</p>\n",
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
        *page += "</div>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" \
                  aria-label=\"Stages\"><table>\n<thead><tr><th class=\"text\" \
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
            let der = series.rows.last().map(|row| row.der_bytes as u64);
            let der = der.map_or(String::new(), octets);
            let _ = writeln!(page, "<td>{der}</td></tr>");
        }
        *page += "</tbody></table></div>\n";
        for size in pipeline::beside(&pipeline, &report.pipeline) {
            libraries(page, &size);
        }
    }
    *page += "</section>\n";
}

/// The libraries beside each other.
fn libraries(page: &mut String, size: &pipeline::Beside<'_>) {
    let _ = write!(
        page,
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Libraries\"><table>\n\
         <thead><tr><th class=\"text\" scope=\"col\">batch of {}</th>",
        size.batch
    );
    for name in &size.libraries {
        let _ = write!(page, "<th scope=\"col\">{}</th>", escape(name));
    }
    *page += "</tr></thead>\n<tbody>\n";
    for (stage, cells) in &size.lines {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escape(stage));
        for cell in cells {
            let cell = match cell {
                Some([time, other]) => format!("{time}<small>{other}</small>"),
                None => String::new(),
            };
            let _ = write!(page, "<td>{cell}</td>");
        }
        *page += "</tr>\n";
    }
    *page += "</tbody></table></div>\n";
}

fn machine_section(page: &mut String, report: &Report) {
    let machine = &report.machine;
    *page += "<section id=\"machine\">\n<h2>The machine and the rivals</h2>\n<dl>\n";
    let cores = match machine.cores {
        1 => "1 core".to_owned(),
        n => format!("{n} cores"),
    };
    let mut lines = vec![
        ("CPU", format!("{}, {cores}, {}", machine.cpu, machine.arch)),
        ("System", machine.os.clone()),
    ];
    if let Some(core) = report.core {
        lines.push(("Measured on", format!("core {core}, one thread")));
    }
    if let Some(clock) = &report.clock {
        lines.push((
            "Clock",
            format!(
                "{:.2} GHz; nine readings of ten between {:.2} and {:.2}",
                clock.cycles_per_ns, clock.low, clock.high
            ),
        ));
    }
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
    *page += "<dt>CPU features</dt><dd class=\"tags\">";
    for feature in &machine.features {
        let _ = write!(page, "<span>{}</span>", escape(feature));
    }
    *page += "</dd>\n";
    for engine in &report.engines {
        let _ = writeln!(
            page,
            "<dt>{}</dt><dd>{}<small class=\"fine\">{}</small></dd>",
            escape(&engine.name),
            escape(&engine.version),
            escape(&engine.build)
        );
    }
    *page += "</dl>\n</section>\n";
}

fn method(page: &mut String, report: &Report) {
    if report.rows.is_empty() {
        return;
    }
    *page += "<section id=\"method\">\n<h2>How it was measured</h2>\n<p>All sides ran on the same \
              core in turns, A B C A B C, each for about as long. Each round gives a ratio; shown \
              is their median with a 95 % bootstrap interval, so that a clock which drifts falls \
              on all sides alike. The rounds of a row come in spells, one in each pass of the run \
              over all rows, with every program started anew, so that the interval has in it \
              what changes from minute to minute. Where an operation searches, for primes, chance \
              decides how long each takes: those rows have the means of both sides. A row counts as tied where its interval includes 1; ≈ marks an \
              interval of more than 5 % to a side.</p>\n<p>Before anything was timed, \
              the rivals' outputs were checked against ours. Keys were parsed and scheduled \
              outside the timing; nonces and randomness are inside. A batch is compared with a \
              rival's single call, and with its batch where it has one.</p>\n";
    let _ = write!(
        page,
        "<p>Again: <code>{}</code></p>\n</section>\n",
        escape(&report.command)
    );
}
