//! Thousands of certificates at once, from lines of JSON; and again, those that are missing.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use adamant::der::{Time, pem};
use adamant::hash::Sha256;
use adamant::x509::{Certificate, DistinguishedName, PublicKey, Untrusted};
use adamant_pki::ca::{self, Authority, Batch, Request, SubjectName};
use adamant_pki::store::{CaStore, Number};
use adamant_tool::strict::{Object, present};
use serde::Deserialize;
use serde_json::json;

use super::common_name;
use super::place::refused;
use crate::Failure;
use crate::failure::{about, sentence};
use crate::output::Output;
use crate::signal;
use crate::text::hex;

/// The file of a batch, and what is to become of it.
pub(super) struct Work {
    pub(super) path: PathBuf,
    /// Its name; the SHA-256 of its contents if not said.
    pub(super) name: Option<String>,
    /// Whether a part of it may have been issued.
    pub(super) resume: bool,
    /// Lines of one transaction.
    pub(super) size: usize,
    pub(super) json: bool,
}

/// What lines do not say.
#[derive(Clone)]
pub(super) struct Defaults {
    pub(super) profile: String,
    pub(super) days: Option<u32>,
    pub(super) not_before: Option<Time>,
}

/// Issues for every line of a file. Certificates are written when they are durable, batch by
/// batch; at the first line that is refused, or when the program is asked to end, issuance ends,
/// and what was issued before is written.
pub(super) fn issue(
    ca: &mut Authority,
    work: &Work,
    defaults: &Defaults,
    output: Output,
) -> Result<(), Failure> {
    let failed = |e: io::Error| Failure::Run(about(work.path.as_os_str(), &e));
    let mut file = File::open(&work.path).map_err(failed)?;
    let name = match &work.name {
        Some(name) => name.clone(),
        None => contents(&work.path, &mut file)?,
    };
    let batch = ca.batch(&name)?;
    let before = batch.len();
    if before > 0 && !work.resume {
        return Err(Failure::Run(format!(
            "{before} certificates of this batch ({name}) are issued; --resume issues those that \
             are missing, --batch-name makes another batch of the same lines"
        )));
    }
    let mut answers = Answers::new(output, Arc::clone(ca.store()), &batch);
    let asked = signal::noted();
    let lines = (1..).zip(BufReader::new(file).lines());
    let requests = lines.filter_map(|(number, line)| {
        if asked.load(Ordering::Relaxed) {
            return Some(Err(ca::Error::Refused("it was asked to end".to_owned())));
        }
        let line = line.map_err(|e| e.to_string());
        let request = line.and_then(|line| wanted(&line, number, defaults, &batch));
        let wrong = |why| ca::Error::Refused(format!("line {number}{why}"));
        request.map_err(|why| wrong(place(&why))).transpose()
    });
    let done = ca.issue_all(requests, work.size, |_, certificates| {
        answers.add(&certificates).map_err(ca::Error::Refused)
    });
    let issued = answers.issued;
    answers.finish()?;
    if done.is_err() && asked.load(Ordering::Relaxed) {
        return Err(Failure::Asked(format!(
            "asked to end: {issued} certificates of the batch {name} were issued; --resume issues \
             the others"
        )));
    }
    done.map_err(|error| match error {
        ca::Error::Lint { item, findings } => {
            let line = line_of(&batch, item);
            let what: Vec<_> = findings.iter().map(ToString::to_string).collect();
            Failure::Run(format!("line {line} was refused: {}", what.join("; ")))
        }
        other => refused(other, work.json),
    })?;
    if work.json {
        let told = json!({ "issued": issued, "issued_before": before, "batch": name });
        eprintln!("{told}");
    }
    Ok(())
}

/// The SHA-256 of a file, which is read again afterwards.
fn contents(path: &Path, file: &mut File) -> Result<String, Failure> {
    let failed = |e: io::Error| Failure::Run(about(path.as_os_str(), &e));
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(Failure::Usage(format!(
            "{}: not a regular file, so it can be read only once: give the batch a --batch-name",
            path.display()
        )));
    }
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => hash.update(&piece[..read]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(failed(e)),
        }
    }
    file.rewind().map_err(failed)?;
    Ok(hex(&hash.finalize()))
}

/// The line of a request: those that were issued before had none.
fn line_of(batch: &Batch, item: usize) -> u64 {
    let mut before = batch.issued().map(|(number, _)| number).peekable();
    let mut missing = (1..).filter(|line| before.next_if_eq(line).is_none());
    missing.nth(item).unwrap_or(0)
}

/// Where answers go, in the order of lines: with those that there were before.
struct Answers<I: Iterator<Item = (u64, Number)>> {
    output: Output,
    store: Arc<dyn CaStore>,
    before: Peekable<I>,
    /// The line of the next.
    line: u64,
    /// Those that are new.
    issued: usize,
    failure: Option<io::Error>,
}

impl Answers<std::vec::IntoIter<(u64, Number)>> {
    fn new(output: Output, store: Arc<dyn CaStore>, batch: &Batch) -> Self {
        let before: Vec<_> = batch.issued().collect();
        Self {
            output,
            store,
            before: before.into_iter().peekable(),
            line: 1,
            issued: 0,
            failure: None,
        }
    }
}

impl<I: Iterator<Item = (u64, Number)>> Answers<I> {
    /// These were issued for the next lines of those without an answer.
    fn add(&mut self, certificates: &[Vec<u8>]) -> Result<(), String> {
        for der in certificates {
            while let Some((line, serial)) = self.before.next_if(|(line, _)| *line == self.line) {
                self.again(line, serial)?;
                self.line += 1;
            }
            self.write(self.line, der)?;
            self.line += 1;
            self.issued += 1;
        }
        Ok(())
    }

    /// One that was issued before.
    fn again(&mut self, line: u64, serial: Number) -> Result<(), String> {
        let der = self.store.certificate(serial).map_err(|e| e.to_string())?;
        let der = der.ok_or_else(|| format!("the certificate {serial} is missing"))?;
        self.write(line, &der)
    }

    fn write(&mut self, line: u64, der: &[u8]) -> Result<(), String> {
        let certificate = Certificate::from_der(der).map_err(|e| e.to_string())?;
        let serial = certificate.serial().to_string();
        let text = pem::encode("CERTIFICATE", der);
        let answer = json!({ "line": line, "serial": serial, "certificate": text });
        writeln!(self.output, "{answer}").map_err(|error| {
            let why = format!("output: {error}");
            self.failure = Some(error);
            why
        })
    }

    /// The rest of those that there were before; then the file gets its name, with all that could
    /// be written.
    fn finish(mut self) -> Result<(), Failure> {
        let mut rest = Ok(());
        while let (None, Ok(()), Some((line, serial))) = (&self.failure, &rest, self.before.next())
        {
            rest = self.again(line, serial);
        }
        let finished = self.output.finish();
        match self.failure {
            // Also of a reader that went away: not all was issued.
            Some(error) => Err(Failure::Run(format!("output: {}", sentence(&error)))),
            None => rest.map_err(Failure::Run).and(finished),
        }
    }
}

/// A line: no field is null, none is unknown, none occurs twice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default, deserialize_with = "present")]
    subject: Option<String>,
    #[serde(default, deserialize_with = "present")]
    names: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present")]
    profile: Option<String>,
    #[serde(default, deserialize_with = "present")]
    days: Option<u32>,
    #[serde(default, deserialize_with = "present")]
    public_key: Option<String>,
    #[serde(default, deserialize_with = "present")]
    csr: Option<String>,
}

/// What a line asks for; nothing if it was issued before.
fn wanted(
    text: &str,
    number: u64,
    defaults: &Defaults,
    batch: &Batch,
) -> Result<Option<Request>, String> {
    let Object(line): Object<Line> = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let profile = line.profile.as_deref().unwrap_or(&defaults.profile);
    let days = line.days.or(defaults.days);
    let not_before = defaults.not_before.map(|time| time.to_string());
    let (first, days_text) = (not_before.unwrap_or_default(), days.unwrap_or(0));
    let what = format!("{profile}\n{days_text}\n{first}\n{text}");
    let item = batch.item(number, what.as_bytes());
    let Some(item) = item.map_err(|e| e.to_string())? else {
        return Ok(None);
    };
    let names = line.names.map(|names| {
        let names = names.iter().map(|name| name.parse::<SubjectName>());
        names.collect::<Result<Vec<_>, _>>()
    });
    let names = names.transpose()?;
    let subject = line.subject.as_deref().map(str::parse::<DistinguishedName>);
    let subject = subject.transpose().map_err(|e| format!("subject: {e}"))?;
    let mut request = match (&line.public_key, &line.csr) {
        (Some(pem), None) => {
            let key = PublicKey::from_pem(pem).map_err(|e| format!("public_key: {e}"))?;
            Request::new(profile, common_name(names.as_deref().unwrap_or(&[])), key)
        }
        (None, Some(csr)) => {
            let block = pem::decode_first(csr, &["CERTIFICATE REQUEST"]);
            let block = block.map_err(|e| format!("csr: {e}"))?;
            Request::from_csr(profile, block.der()).map_err(|e| format!("csr: {e}"))?
        }
        _ => return Err("a line has public_key or csr, and not both".to_owned()),
    };
    request.subject = subject.unwrap_or(request.subject);
    request.names = names.unwrap_or(request.names);
    request.days = days;
    request.not_before = defaults.not_before;
    request.item = Some(item);
    Ok(Some(request))
}

/// What serde_json says, after the number of the line: of the place in it, which is always line 1,
/// only the column. It may quote the line, whose ends begin no line here.
fn place(why: &str) -> String {
    let why = Untrusted::new(why).escaped_but("\\").to_string();
    match why.rsplit_once(" at line 1 column ") {
        Some((why, column)) => format!(", column {column}: {why}"),
        None => format!(": {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n";

    fn read(line: &str) -> Result<Line, String> {
        let read = serde_json::from_str(line).map(|Object(line)| line);
        read.map_err(|e: serde_json::Error| place(&e.to_string()))
    }

    /// Every field with every type of JSON: the right one is taken, all others are told with the
    /// name of the field; so are fields that nobody knows and those that occur twice.
    #[test]
    fn fields_have_one_type() {
        let fields = [
            ("subject", "text"),
            ("names", "texts"),
            ("profile", "text"),
            ("days", "number"),
            ("public_key", "text"),
            ("csr", "text"),
        ];
        let values = [
            ("text", r#""good.example""#),
            ("texts", r#"["good.example"]"#),
            ("number", "30"),
            ("negative", "-1"),
            ("too large", "4294967296"),
            ("fraction", "30.0"),
            ("boolean", "true"),
            ("null", "null"),
            ("object", r#"{"a": "b"}"#),
            ("numbers", "[1]"),
            ("texts and null", r#"["a", null]"#),
            ("nested", r#"[["a"]]"#),
        ];
        for (field, right) in fields {
            for (kind, value) in values {
                let line = format!(r#"{{"{field}": {value}}}"#);
                match read(&line) {
                    Ok(_) => assert_eq!(kind, right, "{line}"),
                    Err(why) => {
                        assert_ne!(kind, right, "{line}: {why}");
                        assert!(why.starts_with(", column "), "{why}");
                        assert!(why.contains(&format!(": {field}: ")), "{why}");
                    }
                }
                // The same under a name that is none.
                let unknown = format!(r#"{{"{field}s": {value}}}"#);
                assert!(read(&unknown).is_err(), "{unknown}");
                let unknown = format!(r#"{{"{}": {value}}}"#, field.to_uppercase());
                assert!(read(&unknown).is_err(), "{unknown}");
            }
            let (_, value) = values.iter().find(|(kind, _)| *kind == right).unwrap();
            let twice = format!(r#"{{"{field}": {value}, "{field}": {value}}}"#);
            let why = read(&twice).map(drop).unwrap_err();
            assert!(why.contains("duplicate field"), "{why}");
        }
        for (_, value) in values.iter().filter(|(kind, _)| *kind != "object") {
            assert!(read(value).is_err(), "{value}");
        }
        // In the order of the fields.
        assert!(read(r#"["CN=a", ["a"], "server", 3, "key", "csr"]"#).is_err());
        assert!(read("").is_err() && read("{} {}").is_err());
        // Nothing of a line begins one of ours.
        let why = read(r#"{"a\nvalid: CN=b": 1}"#).map(drop).unwrap_err();
        assert!(why.contains(r"a\nvalid: CN=b"), "{why}");
    }

    #[test]
    fn what_is_said_counts() {
        let ca = root();
        let batch = ca.batch("b").unwrap();
        let defaults = Defaults {
            profile: "server".into(),
            days: Some(9),
            not_before: None,
        };
        let key = json!(KEY);
        let read = |rest: &str| {
            let line = format!(r#"{{"public_key": {key}{rest}}}"#);
            let request = wanted(&line, 1, &defaults, &batch);
            request.map(|request| request.expect("it was not issued"))
        };
        let plain = read("").unwrap();
        assert!(plain.names.is_empty() && plain.subject.to_string().is_empty());
        assert_eq!((&*plain.profile, plain.days), ("server", Some(9)));
        let full = read(r#", "names": ["a.example"], "profile": "client", "days": 3"#).unwrap();
        assert_eq!(full.subject.to_string(), "CN=a.example");
        assert_eq!((&*full.profile, full.days), ("client", Some(3)));
        assert_eq!(read(r#", "names": []"#).unwrap().names.len(), 0);
        assert!(read(r#", "csr": "x""#).is_err());
        assert!(read(r#", "names": ["ip:1.2.3"]"#).is_err());
        assert!(wanted(r#"{"names": ["a.example"]}"#, 1, &defaults, &batch).is_err());
    }

    fn root() -> Authority {
        use adamant::x509::{KeyAlgorithm, PrivateKey};
        use adamant_pki::ca::{LocalKey, RootRequest, Settings, system_clock};
        use adamant_pki::store::SqliteCa;

        let key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut adamant::SystemRng).unwrap();
        let key = Box::new(LocalKey::new(key).unwrap());
        let store = Arc::new(SqliteCa::in_memory().unwrap());
        let root = RootRequest::new("CN=Root".parse().unwrap());
        let settings = Settings::default();
        Authority::init_root(store, key, settings, &root, system_clock).unwrap()
    }
}
