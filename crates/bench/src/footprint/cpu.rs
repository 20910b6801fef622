//! The CPU time of what was started, and of all that it started: that of the children for which
//! this process and they waited, as the system counts it.

use std::fs;

use super::error::Error;

/// Linux counts it in hundredths of a second for programs, whatever it does inside.
const TICKS: f64 = 100.0;

/// The seconds of CPU that the children took which `work` starts, in user code and in the system.
///
/// # Errors
/// Those of the work, and [`Error::NoCpu`].
pub(super) fn seconds<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<(T, f64), Error> {
    let before = children()?;
    let done = work()?;
    Ok((done, children()? - before))
}

/// The seconds of all children so far.
///
/// # Errors
/// [`Error::NoCpu`].
pub(super) fn children() -> Result<f64, Error> {
    let stat = fs::read_to_string("/proc/self/stat").map_err(|_| Error::NoCpu)?;
    let ticks = ticks(&stat).ok_or(Error::NoCpu)?;
    Ok(ticks as f64 / TICKS)
}

/// Those in a line of `/proc/PID/stat`: fields 16 and 17, of which the second, the program's name in
/// brackets, may hold whatever it likes.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(13);
    let mut next = || fields.next()?.parse::<u64>().ok();
    next()?.checked_add(next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_stand_behind_the_name() {
        let stat = "7 (a) b (c) R 1 7 7 0 -1 4194304 9 8 0 0 11 12 1300 37 20 0 1 0 5 6 7";
        assert_eq!(ticks(stat), Some(1337));
        assert_eq!(ticks("7 (a) R 1 7"), None);
        assert_eq!(ticks(""), None);
        assert_eq!(ticks(&stat.replace("1300", "-1")), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn children_count() {
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        let work = || {
            let mut child = std::process::Command::new("sh");
            let ended = child.args(["-c", busy]).status();
            assert!(ended.unwrap().success());
            Ok(())
        };
        let ((), took) = seconds(work).unwrap();
        assert!(took > 0.0, "{took}");
    }
}
