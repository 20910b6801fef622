//! Thousands of certificates at once, from lines of JSON.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use adamant::der::{Time, pem};
use adamant::x509::{Certificate, DistinguishedName, PublicKey};
use adamant_pki::ca::{self, Authority, Request, SubjectName};
use serde_json::{Value, json};

use super::issue::common_name;
use super::place::refused;
use crate::Failure;
use crate::failure::about;
use crate::output::Target;

/// What lines do not say.
pub(super) struct Defaults<'a> {
    pub(super) profile: &'a str,
    pub(super) days: Option<u32>,
    pub(super) not_before: Option<Time>,
}

/// Issues for every line of a file. Certificates are written when they are durable, batch by
/// batch; at the first line that is refused issuance ends, and what was issued before is written.
pub(super) fn issue(
    ca: &mut Authority,
    path: &Path,
    defaults: &Defaults<'_>,
    size: usize,
    target: Target,
    as_json: bool,
) -> Result<(), Failure> {
    let file = File::open(path).map_err(|e| Failure::Run(about(path.as_os_str(), &e)))?;
    let mut output = target.open()?;
    let lines = BufReader::new(file).lines();
    let requests = lines.enumerate().map(|(number, line)| {
        let line = line.map_err(|e| e.to_string());
        let request = line.and_then(|line| request(&line, defaults));
        request.map_err(|why| ca::Error::Refused(format!("line {}: {why}", number + 1)))
    });
    let mut written = Ok(());
    let done = ca.issue_all(requests, size, |_, certificates| {
        for der in certificates {
            let serial = Certificate::parse(&der)?.serial().to_string();
            let text = pem::encode("CERTIFICATE", &der);
            let line = json!({ "serial": serial, "certificate": text });
            if let Err(error) = writeln!(output, "{line}") {
                let why = error.to_string();
                written = Err(error);
                return Err(ca::Error::Refused(format!("output: {why}")));
            }
        }
        Ok(())
    });
    let finished = output.finish();
    written?;
    let number = done.map_err(|error| match error {
        ca::Error::Lint { item, findings } => {
            let what: Vec<_> = findings.iter().map(ToString::to_string).collect();
            Failure::Run(format!(
                "line {} was refused: {}",
                item + 1,
                what.join("; ")
            ))
        }
        other => refused(other, as_json),
    })?;
    finished?;
    if as_json {
        eprintln!("{}", json!({ "issued": number }));
    }
    Ok(())
}

/// What a line asks for.
fn request(line: &str, defaults: &Defaults<'_>) -> Result<Request, String> {
    let value: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let fields = value.as_object().ok_or("no JSON object")?;
    let known = ["subject", "names", "profile", "days", "public_key", "csr"];
    if let Some(name) = fields.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(format!(
            "no field is called {name:?}; there is {}",
            known.join(", ")
        ));
    }
    let text = |name: &str| match fields.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(format!("{name} is no text")),
    };
    let profile = text("profile")?.unwrap_or(defaults.profile);
    let mut names = Vec::new();
    for name in fields
        .get("names")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let name = name.as_str().ok_or("names are texts")?;
        names.push(name.parse::<SubjectName>()?);
    }
    let subject = text("subject")?.map(str::parse::<DistinguishedName>);
    let subject = subject.transpose().map_err(|e| e.to_string())?;
    let mut request = match (text("public_key")?, text("csr")?) {
        (Some(pem), None) => {
            let key = PublicKey::from_pem(pem).map_err(|e| e.to_string())?;
            Request::new(profile, common_name(&names), key)
        }
        (None, Some(csr)) => {
            let block = pem::decode_first(csr, &["CERTIFICATE REQUEST"]);
            let block = block.map_err(|e| e.to_string())?;
            Request::from_csr(profile, block.der()).map_err(|e| e.to_string())?
        }
        _ => return Err("a line has public_key or csr".to_owned()),
    };
    if let Some(subject) = subject {
        request.subject = subject;
    }
    if !names.is_empty() {
        request.names = names;
    }
    let days = fields
        .get("days")
        .map(|days| days.as_u64().ok_or("days is a number"));
    let days = days.transpose()?.map(u32::try_from).transpose();
    request.days = days.map_err(|_| "days is too large")?.or(defaults.days);
    request.not_before = defaults.not_before;
    Ok(request)
}
