//! The machine and the moment of a run: what a reader needs to weigh the numbers.

use std::fs;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use adamant::cpu;
use adamant_engine::stopwatch::waited;
use adamant_tool::machine::cpu_model;
use serde::{Deserialize, Serialize};

/// A machine at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The CPU's name, with family and model where the system tells them.
    pub cpu: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// The CPU's features that implementations ask for.
    pub features: Vec<String>,
    /// The processor architecture.
    pub arch: String,
    /// The operating system and its kernel.
    pub os: String,
    /// What bears on the steadiness of measurements: a hypervisor, the frequency governor.
    pub conditions: Vec<String>,
    /// The compiler of this program.
    pub rustc: String,
    /// The target and the profile that it was built for.
    pub build: String,
    /// The version of this program.
    pub version: String,
    /// The time in UTC, as in `2026-03-01 12:30 UTC`.
    pub date: String,
}

impl Machine {
    /// This machine, now.
    ///
    /// ```
    /// let here = adamant_bench::machine::Machine::here();
    /// assert!(here.cores > 0 && here.date.ends_with(" UTC"));
    /// ```
    #[must_use]
    pub fn here() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let seconds = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        Machine {
            cpu: with_family(cpu_model(), &cpuinfo),
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            features: cpu::features().names().map(str::to_owned).collect(),
            arch: std::env::consts::ARCH.into(),
            os: os(),
            conditions: conditions(&cpuinfo),
            rustc: env!("ADAMANT_RUSTC").into(),
            build: env!("ADAMANT_BUILD").into(),
            version: env!("CARGO_PKG_VERSION").into(),
            date: date(seconds),
        }
    }
}

/// The value of a field of `/proc/cpuinfo`.
fn cpuinfo_field<'a>(cpuinfo: &'a str, name: &str) -> Option<&'a str> {
    cpuinfo.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

/// Clouds name CPUs vaguely; family and model tell them apart.
fn with_family(name: String, cpuinfo: &str) -> String {
    let field = |name| cpuinfo_field(cpuinfo, name);
    match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        _ => name,
    }
}

fn os() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let pretty = release
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = pretty.map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    match fs::read_to_string("/proc/sys/kernel/osrelease") {
        Ok(kernel) => format!("{name}, Linux {}", kernel.trim()),
        Err(_) => name.to_owned(),
    }
}

fn conditions(cpuinfo: &str) -> Vec<String> {
    let mut conditions = Vec::new();
    if cfg!(debug_assertions) {
        conditions.push("built for tests, without optimisation: the numbers mean little".into());
    }
    let flags = cpuinfo_field(cpuinfo, "flags").unwrap_or_default();
    if flags.split(' ').any(|flag| flag == "hypervisor") {
        conditions.push("a virtual machine: neighbours may be felt".into());
    }
    let governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    if let Ok(governor) = fs::read_to_string(governor) {
        conditions.push(format!("frequency governor {}", governor.trim()));
    }
    if let Ok(limit) = std::env::var("ADAMANT_CPU")
        && !limit.is_empty()
    {
        conditions.push(format!("features limited by ADAMANT_CPU={limit}"));
    }
    conditions
}

/// The share of the machine's time that a hypervisor gave to others, since a moment.
pub(crate) struct Steal(Option<[u64; 2]>);

impl Steal {
    /// Counts from now on.
    pub(crate) fn start() -> Self {
        Steal(Self::read())
    }

    /// The share so far; `None` where the system does not tell.
    pub(crate) fn share(&self) -> Option<f64> {
        let ([stolen, total], [stolen_now, total_now]) = (self.0?, Self::read()?);
        let total = total_now.checked_sub(total).filter(|&total| total > 0)?;
        Some(stolen_now.saturating_sub(stolen) as f64 / total as f64)
    }

    fn read() -> Option<[u64; 2]> {
        stolen_and_total(&fs::read_to_string("/proc/stat").ok()?)
    }
}

/// Of the first line of `/proc/stat`: the eighth number, and the sum of the first eight. (The
/// others are counted in those.)
fn stolen_and_total(stat: &str) -> Option<[u64; 2]> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let times: Option<Vec<u64>> = line
        .split_whitespace()
        .take(8)
        .map(|t| t.parse().ok())
        .collect();
    let times = times.filter(|times| times.len() == 8)?;
    Some([times[7], times.iter().sum()])
}

/// The share of the time since a moment in which the calling thread waited for a core that others
/// had. Read it in the same thread.
pub(crate) struct Waiting {
    waited: Option<Duration>,
    start: Instant,
}

impl Waiting {
    /// Counts from now on.
    pub(crate) fn start() -> Self {
        Waiting {
            waited: waited(),
            start: Instant::now(),
        }
    }

    /// The share so far; `None` where the system does not tell.
    pub(crate) fn share(&self) -> Option<f64> {
        let waited = waited()?.checked_sub(self.waited?)?;
        Some(waited.div_duration_f64(self.start.elapsed().max(Duration::from_nanos(1))))
    }
}

/// Seconds since 1970 as a date of the Gregorian calendar.
fn date(seconds: u64) -> String {
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    // Years counted from March, so that the leap day is the last; eras of 400 years.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute) = (minutes / 60, minutes % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(951_868_800), "2000-03-01 00:00 UTC");
        assert_eq!(date(1_767_225_599), "2025-12-31 23:59 UTC");
        assert_eq!(date(4_102_444_800), "2100-01-01 00:00 UTC");
    }

    #[test]
    fn steal() {
        let stat = "cpu  100 1 50 800 9 0 10 30 0 0\ncpu0 1 2 3\n";
        assert_eq!(stolen_and_total(stat), Some([30, 1000]));
        assert_eq!(stolen_and_total("intr 5\n"), None);
        assert_eq!(stolen_and_total("cpu  1 2 3\n"), None);
    }

    #[test]
    fn waiting() {
        let share = Waiting::start().share();
        assert!(share.is_none_or(|share| (0.0..=1.0).contains(&share)));
    }

    #[test]
    fn families() {
        let cpuinfo = "vendor_id\t: X\ncpu family\t: 26\nmodel\t\t: 2\n";
        assert_eq!(with_family("X".into(), cpuinfo), "X (family 26, model 2)");
        assert_eq!(with_family("X".into(), ""), "X");
    }
}
