//! `adamant hash --check`: reads lists of digests and says which files still have theirs.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};

use super::algorithm::Chosen;
use super::files::{Job, digest_all};
use super::line::{Claim, Reader, escaped};
use super::{Args, complain};
use crate::Failure;
use crate::failure::{about, sentence};

/// Whether everything holds that the lists claim.
pub(crate) fn run(
    args: &Args,
    chosen: &Chosen,
    lists: &[OsString],
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let mut good = true;
    for list in lists {
        good &= one(args, chosen, list, out)?;
    }
    Ok(good)
}

/// What came of the lines of a list.
#[derive(Default)]
struct Count {
    improper: usize,
    unreadable: usize,
    wrong: usize,
    right: usize,
}

/// One list.
fn one(
    args: &Args,
    chosen: &Chosen,
    list: &OsString,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let name = if list == "-" {
        "standard input".into()
    } else {
        list.to_string_lossy()
    };
    let text = match read(list) {
        Ok(text) => text,
        Err(e) => {
            complain(&format!("{name}: {}", sentence(&e)));
            return Ok(false);
        }
    };
    let (jobs, claims, improper) = claims(args, chosen, &name, &text);
    let mut count = Count {
        improper,
        ..Count::default()
    };
    if claims.is_empty() {
        complain(&format!(
            "{name}: no properly formatted checksum lines found"
        ));
        return Ok(false);
    }
    let mut expected = claims.iter();
    digest_all(chosen, &jobs, |job, digest| {
        let claim = expected.next().expect("as many claims as jobs");
        let verdict = match digest {
            Ok(digest) if digest == claim.digest => {
                count.right += 1;
                if args.quiet {
                    return Ok(());
                }
                "OK"
            }
            Ok(_) => {
                count.wrong += 1;
                "FAILED"
            }
            Err(e) if args.ignore_missing && e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(e) => {
                count.unreadable += 1;
                complain(&about(&job.name, &e));
                "FAILED open or read"
            }
        };
        if !args.status {
            told(out, &claim.name, verdict)?;
        }
        Ok(())
    })?;
    out.flush()?;
    let unverified = args.ignore_missing && count.right == 0;
    if !args.status {
        warn(&count);
        if unverified {
            complain(&format!("{name}: no file was verified"));
        }
    }
    let strict = args.strict && count.improper > 0;
    Ok(count.unreadable == 0 && count.wrong == 0 && !unverified && !strict)
}

/// The longest list: 1 GiB.
const LONGEST: u64 = 1 << 30;

fn read(list: &OsString) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let too_long = || io::Error::other(format!("more than {LONGEST} bytes"));
    if list == "-" {
        io::stdin()
            .lock()
            .take(LONGEST + 1)
            .read_to_end(&mut text)?;
    } else {
        let file = File::open(list)?;
        if file.metadata()?.len() > LONGEST {
            return Err(too_long());
        }
        file.take(LONGEST + 1).read_to_end(&mut text)?;
    }
    match text.len() as u64 > LONGEST {
        true => Err(too_long()),
        false => Ok(text),
    }
}

/// The claims of a list, the files that they are about, and how many lines are no claims.
fn claims(args: &Args, chosen: &Chosen, list: &str, text: &[u8]) -> (Vec<Job>, Vec<Claim>, usize) {
    let (mut jobs, mut claims, mut improper) = (Vec::new(), Vec::new(), 0);
    let mut reader = Reader::default();
    for (i, line) in text.split(|&b| b == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let claim = reader.claim(chosen, line);
        match claim.and_then(|claim| Some((os_name(&claim.name)?, claim))) {
            Some((name, claim)) => {
                let length = claim.digest.len();
                jobs.push(Job { name, length });
                claims.push(claim);
            }
            None => {
                improper += 1;
                if args.warn {
                    let (line, tag) = (i + 1, chosen.algorithm.tag);
                    let what = "improperly formatted";
                    eprintln!("warning: {list}: {line}: {what} {tag} checksum line");
                }
            }
        }
    }
    (jobs, claims, improper)
}

/// A name as this system has it: any bytes on Unix, text elsewhere.
fn os_name(name: &[u8]) -> Option<OsString> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Some(std::ffi::OsStr::from_bytes(name).to_owned())
    }
    #[cfg(not(unix))]
    {
        std::str::from_utf8(name).ok().map(OsString::from)
    }
}

/// One line of the answer. Only a name that would break the line is escaped.
fn told(out: &mut impl Write, name: &[u8], verdict: &str) -> io::Result<()> {
    let (mark, name) = if name.iter().any(|b| b"\n\r".contains(b)) {
        escaped(name)
    } else {
        ("", name.into())
    };
    out.write_all(&[mark.as_bytes(), &name, b": ", verdict.as_bytes(), b"\n"].concat())
}

fn warn(count: &Count) {
    let warning = |n: usize, one: &str, many: &str| {
        if n > 0 {
            eprintln!("warning: {n} {}", if n == 1 { one } else { many });
        }
    };
    warning(
        count.improper,
        "line is improperly formatted",
        "lines are improperly formatted",
    );
    warning(
        count.unreadable,
        "listed file could not be read",
        "listed files could not be read",
    );
    warning(
        count.wrong,
        "computed checksum did NOT match",
        "computed checksums did NOT match",
    );
}
