//! The page as a whole: well-formed, closed to hostile text, complete, light, readable.

use adamant_pipeline::Keys;
use adamant_pipeline::store::Synchronous;

use super::samples::{large, wide};
use super::*;
use crate::baseline;
use crate::results::samples;

/// Checks that tags nest and close; gives the texts of all attributes and styles.
fn well_formed(page: &str) {
    const VOID: &[&str] = &["meta", "wbr"];
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
    let beside = Stage {
        provider: format!("{nasty} 2"),
        ..report.pipeline[0].clone()
    };
    report.pipeline.push(beside);
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
    for report in [full, no_rival, two, empty, hostile(), everything(12)] {
        well_formed(&html(&report));
    }
}

/// A report with every part.
fn everything(rivals: usize) -> Report {
    let mut report = wide(rivals);
    report.suites = crate::suites::NAMES.map(str::to_owned).to_vec();
    let beside = Stage {
        provider: "openssl 4.0.3".into(),
        ..report.pipeline[0].clone()
    };
    report.pipeline.push(beside);
    let mut before = report.clone();
    before.rows[0].ours_cycles_low = 900.0;
    before.rows[0].ours_cycles = 900.0;
    before.rows[0].ours_cycles_high = 900.0;
    report.baseline = Some(baseline::compare(&before, &report));
    report
}

#[test]
fn names_cannot_break_out() {
    let page = html(&hostile());
    assert_eq!(
        page.matches("<script").count(),
        2,
        "the data and the filter"
    );
    let (markup, data) = page.split_once("id=\"results\">").unwrap();
    assert!(!markup.contains("alert('x')"));
    let (data, rest) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["command"], hostile().command);
    assert!(!rest.contains("alert('x')"));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let page = html(&everything(3));
    for outside in [
        "http:", "https:", "url(", "@import", "src=", "<link", "<img",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    let links = page.split("href=\"").skip(1);
    assert!(links.clone().count() > 5);
    for link in links {
        let target = link.split('"').next().unwrap();
        let id = target.strip_prefix('#').expect("within the page");
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn the_page_has_every_part() {
    let report = everything(2);
    let page = html(&report);
    for part in [
        "Measured beside 2 libraries",
        "Won, tied, lost",
        "Heat map, worst first",
        "Family by family",
        "Every operation",
        "The certificate pipeline",
        "aria-label=\"Libraries\"",
        "Suite openhitls",
        "it ended (signal: 9)",
        "adamant bench --quick",
        "rival-1 1.2.3",
        "prefers-color-scheme: dark",
        "Since ",
        "core 3, one thread",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let (_, rows) = page.split_once("id=\"operations\"").unwrap();
    let (rows, _) = rows.split_once("</section>").unwrap();
    let view = view::View::new(&report);
    assert_eq!(
        rows.matches("<tr><th scope=\"row\">").count(),
        view.entries.len()
    );
}

#[test]
fn forced_implementations_alone_have_no_summary() {
    let mut report = everything(2);
    report.rows.iter_mut().for_each(|row| row.forced = true);
    let (page, text) = (html(&report), markdown(&report));
    assert!(!text.contains("Won, tied, lost"));
    for part in ["summary", "heat", "families"] {
        assert!(!page.contains(&format!("id=\"{part}\"")), "{part}");
        assert!(!page.contains(&format!("href=\"#{part}\"")), "{part}");
    }
    assert!(page.contains("id=\"operations\""));
}

#[test]
fn tables_have_headings_and_drawings_have_texts() {
    let page = html(&everything(4));
    for table in page.split("<table").skip(1) {
        let table = table.split("</table>").next().unwrap();
        assert!(table.contains("scope=\"col\"") && table.contains("scope=\"row\""));
    }
    for drawing in page.split("<svg").skip(1) {
        let tag = drawing.split('>').next().unwrap();
        let named = tag.contains("role=\"img\"") && tag.contains("aria-label=\"");
        assert!(named || tag.contains("aria-hidden=\"true\""), "{tag}");
    }
}

#[test]
fn six_hundred_rows_beside_ten_rivals_stay_light() {
    let report = large();
    assert!(report.rows.len() > 6000, "{}", report.rows.len());
    let page = html(&report);
    assert!(page.len() < 4 << 20, "{} bytes", page.len());
    assert!(markdown(&report).len() < 1 << 20);
}

/// The value of a variable in the first or the second block of the style sheet, light or dark.
fn colour(block: usize, name: &str) -> [f64; 3] {
    let style = include_str!("report.css");
    let blocks: Vec<&str> = style.split(":root {").skip(1).collect();
    let rule = format!("--{name}:");
    let (_, value) = blocks[block]
        .split_once(&rule)
        .unwrap_or_else(|| panic!("{name}"));
    let value = value.trim_start().strip_prefix('#').unwrap();
    [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&value[at..at + 2], 16).unwrap()) / 255.0)
}

/// The contrast of two colours, WCAG 2.2.
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let luminance = |colour: [f64; 3]| {
        let [r, g, b] = colour.map(|c| {
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

#[test]
fn colours_have_contrast() {
    for (block, scheme) in ["light", "dark"].into_iter().enumerate() {
        let check = |ink: &str, ground: &str, least: f64| {
            let found = contrast(colour(block, ink), colour(block, ground));
            assert!(found >= least, "{scheme}: {ink} on {ground}: {found:.2}");
        };
        for ink in ["ink", "soft", "accent", "faster", "even", "slower"] {
            check(ink, "sheet", 4.5);
            check(ink, "page", 4.5);
        }
        for place in 0..10 {
            check(&format!("t{place}"), &format!("h{place}"), 4.5);
        }
        for name in ["s0", "s1", "s2", "s3", "s4", "s5", "s6"] {
            check(name, "sheet", 4.5);
        }
        for name in ["faster-fill", "slower-fill"] {
            check(name, "sheet", 2.0);
        }
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
fn series_tell_apart_what_differs() {
    let mut rows = samples::report().pipeline;
    rows.push(Stage {
        keys: Keys::Beforehand,
        ..samples::pipeline_row("cert_gen", 64)
    });
    rows.push(Stage {
        synchronous: Synchronous::Full,
        ..samples::pipeline_row("db_insert_certs", 64)
    });
    let pipelines = pipelines(&rows);
    assert_eq!(pipelines.len(), 1);
    let labels: Vec<_> = pipelines[0].series.iter().map(|s| &*s.label).collect();
    assert_eq!(
        labels,
        [
            "cert_gen (keys counted)",
            "db_insert_certs (normal)",
            "crl_sign",
            "ocsp_sign",
            "cert_gen (keys beforehand)",
            "db_insert_certs (full)",
        ]
    );
}
