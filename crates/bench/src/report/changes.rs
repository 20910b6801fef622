//! What became faster or slower since an earlier run.

use std::fmt::Write;

use super::bars;
use super::format::{bytes, plain_ratio, ratio, time};
use super::svg::{breakable, escape};
use crate::results::{Baseline, Change, Verdict};

pub(super) fn section(page: &mut String, baseline: &Baseline) {
    let _ = write!(
        page,
        "<section id=\"changes\">\n<h2>Since {}</h2>\n<p class=\"soft\">Our own times then and \
         now, by cycles: <code>{}</code>. {} operations are in both runs. A change counts beyond \
         {:.1} % of noise",
        escape(&baseline.date),
        escape(&baseline.command),
        baseline.changes.len(),
        100.0 * baseline.noise
    );
    *page += &match baseline.controls {
        0 => ", which is supposed.".to_owned(),
        n => format!(", which {n} rows of unchanged rivals tell."),
    };
    if let Some(mean) = baseline.mean() {
        let _ = write!(page, " The geometric mean of all is {mean:.3}.");
    }
    if baseline.added + baseline.gone > 0 {
        let _ = write!(
            page,
            " {} rows are new, {} gone.",
            baseline.added, baseline.gone
        );
    }
    *page += "</p>\n";
    if let Some(cpu) = &baseline.other_cpu {
        let _ = writeln!(
            page,
            "<p><strong>That was another CPU, {}: the cycles are not comparable.</strong></p>",
            escape(cpu)
        );
    }
    let slower = baseline.of(Verdict::Slower);
    let faster = baseline.of(Verdict::Faster);
    if slower.is_empty() && faster.is_empty() {
        *page += "<p>Nothing changed beyond the noise.</p>\n";
    } else {
        table(page, &slower, &faster);
    }
    *page += "</section>\n";
}

fn table(page: &mut String, slower: &[&Change], faster: &[&Change]) {
    *page += "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Changes\"><table>\n\
              <thead><tr><th class=\"text\" scope=\"col\">Operation</th><th scope=\"col\">Size</th>\
              <th scope=\"col\">Then</th><th scope=\"col\">Now</th><th scope=\"col\">Speedup</th>\
              <th scope=\"col\">Interval</th><th class=\"text\" scope=\"col\">Implementation</th>\
              </tr></thead>\n";
    for (title, changes) in [("Slower", slower), ("Faster", faster)] {
        if changes.is_empty() {
            continue;
        }
        let _ = writeln!(
            page,
            "<tbody><tr><th scope=\"rowgroup\" colspan=\"7\">{title}</th></tr>"
        );
        for change in changes {
            line(page, change);
        }
        *page += "</tbody>\n";
    }
    *page += "</table></div>\n";
}

fn line(page: &mut String, change: &Change) {
    let size = match change.bytes {
        0 => String::new(),
        n => bytes(n),
    };
    let _ = write!(
        page,
        "<tr><th scope=\"row\">{}</th><td>{size}</td><td>{}</td><td>{}</td>\
         <td><b class=\"{}\">{}</b></td><td>{} – {}</td>",
        breakable(&change.name()),
        time(change.before_ns),
        time(change.now_ns),
        bars::class(change.verdict),
        ratio(change.speedup),
        plain_ratio(change.speedup_low),
        plain_ratio(change.speedup_high)
    );
    let implementation = if change.backend == change.backend_before {
        escape(&change.backend)
    } else {
        format!(
            "{} → {}",
            escape(&change.backend_before),
            escape(&change.backend)
        )
    };
    let _ = writeln!(page, "<td class=\"text\">{implementation}</td></tr>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::compare;
    use crate::results::samples;

    #[test]
    fn changes_are_told() {
        let before = samples::report();
        let mut now = before.clone();
        let row = &mut now.rows[0];
        (row.ours_cycles, row.ours_cycles_low, row.ours_cycles_high) = (6000.0, 5990.0, 6010.0);
        row.backend = "x86_sha".into();
        let mut page = String::new();
        section(&mut page, &compare(&before, &now));
        assert!(page.contains("Slower") && !page.contains("Faster</th>"));
        assert!(page.contains("0.50×") && page.contains("portable → x86_sha"));
        let mut same = String::new();
        section(&mut same, &compare(&before, &before));
        assert!(same.contains("Nothing changed"));
    }
}
