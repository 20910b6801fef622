//! `adamant pki export`: the certificates that there are, or what is known of them.

use std::io::Write;

use adamant::der::pem;
use adamant_pki::store::{CaStore, Entry, State};

use super::place;
use super::show::entry_json;
use super::which::{PAGE, Which};
use crate::Failure;
use crate::keys::OutputFile;
use crate::output::Output;
use crate::text::Json;

/// How they are written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// The certificates, one after another
    Pem,
    /// A JSON object a line, also for serial numbers without a certificate
    Jsonl,
}

/// Write certificates from the store.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  adamant pki export --valid -o valid.pem
  adamant pki export --profile client --since 2026-01-01 --format jsonl -o clients.jsonl
  adamant pki export --batch monday --format jsonl

They come in the order of their serial numbers, those of a batch in the order of its lines.")]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// Of the batch of this name: --batch-name, or the SHA-256 of its file
    #[arg(long, value_name = "NAME", conflicts_with_all =
          ["state", "revoked", "valid", "subject", "profile", "expires_before", "since", "until"])]
    batch: Option<String>,

    /// The form of the file
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Pem)]
    format: Form,

    #[command(flatten)]
    output: OutputFile,
}

pub(super) fn run(store: &str, args: &Args) -> Result<(), Failure> {
    let mut output = args.output.target(false)?.open()?;
    let opened = place::open(store)?;
    if let Some(name) = &args.batch {
        let end = opened.batch_end(name)?;
        if end == 0 {
            return Err(Failure::Run(format!("there is no batch {name}")));
        }
        for first in (1..=end).step_by(PAGE) {
            let entries = opened.batch(name, first..=first + (PAGE as u64 - 1))?;
            // Of one line, the intent that counts: those before it were given up.
            let number = |entry: &Entry| entry.item.as_ref().map(|item| item.number);
            let counts = entries.iter().enumerate().filter(|(i, entry)| {
                let next = entries.get(i + 1);
                next.is_none_or(|next| number(next) != number(entry))
            });
            for (_, entry) in counts {
                write(&mut output, &*opened, entry, args.format)?;
            }
        }
        return output.finish();
    }
    let mut filter = args.which.filter();
    loop {
        let entries = opened.list(&filter)?;
        for entry in &entries {
            write(&mut output, &*opened, entry, args.format)?;
        }
        match entries.last() {
            Some(last) => filter.after = Some(last.serial),
            None => return output.finish(),
        }
    }
}

fn write(
    output: &mut Output,
    store: &dyn CaStore,
    entry: &Entry,
    form: Form,
) -> Result<(), Failure> {
    let der = match entry.state {
        State::Issued => store.certificate(entry.serial)?,
        _ => None,
    };
    let text = der.map(|der| pem::encode("CERTIFICATE", &der));
    match form {
        Form::Pem => output.write_all(text.unwrap_or_default().as_bytes())?,
        Form::Jsonl => {
            let mut value = entry_json(entry);
            value["certificate"] = text.into();
            writeln!(output, "{}", Json(&value))?;
        }
    }
    Ok(())
}
