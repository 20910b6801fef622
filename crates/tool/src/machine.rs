//! The machine that the program runs on.

/// The CPU's name as the system reports it, `unknown CPU` where it does not.
///
/// ```
/// assert!(!adamant_tool::machine::cpu_model().is_empty());
/// ```
#[must_use]
pub fn cpu_model() -> String {
    let name = if cfg!(target_os = "macos") {
        from_sysctl()
    } else if cfg!(windows) {
        std::env::var("PROCESSOR_IDENTIFIER").ok()
    } else {
        std::fs::read_to_string("/proc/cpuinfo")
            .ok()
            .and_then(|text| from_cpuinfo(&text))
    };
    name.filter(|name| !name.is_empty())
        .unwrap_or_else(|| "unknown CPU".into())
}

fn from_sysctl() -> Option<String> {
    let output = std::process::Command::new("sysctl")
        .args(["-n", "machdep.cpu.brand_string"])
        .output()
        .ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// The first field of Linux's `/proc/cpuinfo` that names the CPU: x86 and many others have
/// `model name`; Arm boards have `Model` or `Hardware`, at the end.
fn from_cpuinfo(text: &str) -> Option<String> {
    ["model name", "Model", "Hardware", "cpu model"]
        .into_iter()
        .find_map(|wanted| {
            text.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key.trim() == wanted).then(|| value.trim().to_owned())
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpuinfo() {
        let x86 = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n";
        assert_eq!(from_cpuinfo(x86).unwrap(), "AMD EPYC");
        let board = "processor\t: 0\nCPU part\t: 0xd08\n\nModel\t\t: A Board Rev 1.1\n";
        assert_eq!(from_cpuinfo(board).unwrap(), "A Board Rev 1.1");
        assert_eq!(from_cpuinfo("processor\t: 0\n"), None);
    }
}
