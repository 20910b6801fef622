//! The server's counters, as Prometheus reads them.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The subject of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    OcspGet,
    OcspPost,
    Crl,
    Issuer,
    Metrics,
    Health,
    Other,
}

/// The names of [`Kind`]s, in their order.
const KINDS: [&str; 7] = [
    "ocsp_get",
    "ocsp_post",
    "crl",
    "issuer",
    "metrics",
    "health",
    "other",
];

/// How requests end: the status of OCSP where there is a response, that of HTTP otherwise.
const STATUSES: [&str; 17] = [
    "successful",
    "malformedRequest",
    "internalError",
    "tryLater",
    "sigRequired",
    "unauthorized",
    "200",
    "304",
    "400",
    "404",
    "405",
    "408",
    "413",
    "415",
    "429",
    "503",
    "else",
];

/// Upper ends of the latency's buckets: microseconds.
const BUCKETS: [u64; 10] = [
    50, 100, 250, 500, 1_000, 5_000, 25_000, 100_000, 500_000, 2_500_000,
];

/// Counters, which only grow, and the number of open connections.
#[derive(Default)]
pub(super) struct Metrics {
    requests: [[AtomicU64; STATUSES.len()]; KINDS.len()],
    /// The last is for what took longer than all of them.
    latency: [AtomicU64; BUCKETS.len() + 1],
    nanoseconds: AtomicU64,
    pub(super) connections: AtomicU64,
    /// Connections beyond what their peer may have.
    pub(super) turned_away: AtomicU64,
    pub(super) failed_refreshes: AtomicU64,
    pub(super) signed: AtomicU64,
}

/// What is measured when it is asked for.
pub(super) struct Gauges {
    pub(super) hot: usize,
    /// Seconds since the oldest of the lists was made, and until the first of them ends.
    pub(super) crl_age: Option<i64>,
    pub(super) crl_left: Option<i64>,
    pub(super) healthy: bool,
}

impl Metrics {
    pub(super) fn count(&self, kind: Kind, status: &str, took: Duration) {
        let found = STATUSES.iter().position(|known| *known == status);
        let status = found.unwrap_or(STATUSES.len() - 1);
        self.requests[kind as usize][status].fetch_add(1, Relaxed);
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.partition_point(|end| end * 1000 < nanoseconds);
        self.latency[bucket].fetch_add(1, Relaxed);
        self.nanoseconds.fetch_add(nanoseconds, Relaxed);
    }

    pub(super) fn text(&self, gauges: &Gauges) -> String {
        let mut text = Text(String::with_capacity(4096));
        text.about("requests_total", "counter", "Requests by kind and status.");
        for (kind, counts) in KINDS.iter().zip(&self.requests) {
            for (status, count) in STATUSES.iter().zip(counts) {
                let labels = format!("{{kind=\"{kind}\",status=\"{status}\"}}");
                match count.load(Relaxed) {
                    0 => {}
                    count => text.line("requests_total", &labels, count),
                }
            }
        }
        let what = "From a request's header to its response.";
        text.about("request_seconds", "histogram", what);
        let mut sum = 0;
        for (i, count) in self.latency.iter().enumerate() {
            sum += count.load(Relaxed);
            let end = BUCKETS.get(i).map(|end| *end as f64 / 1e6);
            let end = end.map_or("+Inf".to_owned(), |end| end.to_string());
            let labels = format!("{{le=\"{end}\"}}");
            text.line("request_seconds_bucket", &labels, sum);
        }
        let seconds = self.nanoseconds.load(Relaxed) as f64 / 1e9;
        text.line("request_seconds_sum", "", seconds);
        text.line("request_seconds_count", "", sum);
        let mut one = |name: &str, kind: &str, what: &str, value: Option<i64>| {
            if let Some(value) = value {
                text.about(name, kind, what);
                text.line(name, "", value);
            }
        };
        let counted = |counter: &AtomicU64| i64::try_from(counter.load(Relaxed)).ok();
        let hot = i64::try_from(gauges.hot).ok();
        one("hot_responses", "gauge", "OCSP responses in memory.", hot);
        let open = counted(&self.connections);
        one("connections", "gauge", "Open connections.", open);
        let away = counted(&self.turned_away);
        let what = "Connections beyond those that their peer may have.";
        one("connections_refused_total", "counter", what, away);
        let age = "Seconds since the oldest CRL in use was made.";
        one("crl_age_seconds", "gauge", age, gauges.crl_age);
        let left = "Seconds until the first CRL in use ends.";
        one("crl_remaining_seconds", "gauge", left, gauges.crl_left);
        let signed = counted(&self.signed);
        let what = "OCSP responses signed beforehand.";
        one("presigned_total", "counter", what, signed);
        let failed = counted(&self.failed_refreshes);
        let what = "Refreshes from the store that failed.";
        one("refresh_failures_total", "counter", what, failed);
        let healthy = Some(i64::from(gauges.healthy));
        one("healthy", "gauge", "Whether /healthz says so.", healthy);
        text.0
    }
}

/// Prometheus's text format.
struct Text(String);

impl Text {
    fn about(&mut self, name: &str, kind: &str, what: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(
            self.0,
            "# HELP adamant_{name} {what}\n# TYPE adamant_{name} {kind}"
        );
    }

    fn line(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "adamant_{name}{labels} {value}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_and_told() {
        let metrics = Metrics::default();
        metrics.count(Kind::OcspPost, "successful", Duration::from_micros(60));
        metrics.count(Kind::OcspPost, "successful", Duration::from_secs(60));
        metrics.count(Kind::Crl, "no such", Duration::from_micros(50));
        let text = metrics.text(&Gauges {
            hot: 7,
            crl_age: None,
            crl_left: Some(-3),
            healthy: true,
        });
        for line in [
            "adamant_requests_total{kind=\"ocsp_post\",status=\"successful\"} 2",
            "adamant_requests_total{kind=\"crl\",status=\"else\"} 1",
            "adamant_request_seconds_bucket{le=\"0.00005\"} 1",
            "adamant_request_seconds_bucket{le=\"0.0001\"} 2",
            "adamant_request_seconds_bucket{le=\"2.5\"} 2",
            "adamant_request_seconds_bucket{le=\"+Inf\"} 3",
            "adamant_request_seconds_count 3",
            "adamant_hot_responses 7",
            "adamant_crl_remaining_seconds -3",
            "adamant_healthy 1",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
        }
        assert!(!text.contains("crl_age"));
    }
}
