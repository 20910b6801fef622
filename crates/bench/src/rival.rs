//! An engine to compare with: how it is started, and started again when it has died.

use std::process::Command;
use std::time::Duration;

use crate::client::{Client, Failure};
use crate::results::EngineInfo;

/// How long an engine may think about anything but a run.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often an engine is started anew.
const RESTARTS: u32 = 3;

type Start = Box<dyn Fn() -> Result<Client, Failure> + Send>;

/// An engine to compare with.
pub struct Rival {
    name: String,
    /// Whether the name is ours to give, whatever the engine calls itself.
    labelled: bool,
    start: Start,
    starts_left: u32,
    client: Option<Client>,
    /// The operations that it had when it last started.
    operations: Vec<String>,
}

impl Rival {
    /// The engine that `start` gives; `name` stands for it until it says hello.
    pub fn new(name: &str, start: impl Fn() -> Result<Client, Failure> + Send + 'static) -> Self {
        Rival {
            name: name.to_owned(),
            labelled: false,
            start: Box::new(start),
            starts_left: 1 + RESTARTS,
            client: None,
            operations: Vec::new(),
        }
    }

    /// The engine that is a program, started by the command that `command` makes.
    pub fn program(name: &str, command: impl Fn() -> Command + Send + 'static) -> Self {
        Self::new(name, move || Client::spawn(command(), PATIENCE))
    }

    /// The engine of this name that this very program serves: it has to have the subcommand
    /// `engine NAME`.
    #[must_use]
    pub fn own(name: &str) -> Self {
        let asked = name.to_owned();
        let rival = Self::new(name, move || {
            let program = std::env::current_exe()
                .map_err(|e| Failure::Broken(format!("this program cannot find itself: {e}")))?;
            let mut command = Command::new(program);
            command.args(["engine", &asked]);
            Client::spawn(command, PATIENCE)
        });
        rival.labelled()
    }

    /// One that cannot be had, for this reason: a comparison says so and goes on.
    #[must_use]
    pub fn absent(name: &str, why: &str) -> Self {
        let why = why.to_owned();
        Self::new(name, move || Err(Failure::Broken(why.clone())))
    }

    /// Keeps its name, whatever the engine calls itself: two builds of a library say the same.
    #[must_use]
    pub fn labelled(mut self) -> Self {
        self.labelled = true;
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The running engine, started if need be.
    pub(crate) fn client(&mut self) -> Result<&mut Client, Failure> {
        let client = match self.client.take() {
            Some(client) => client,
            None => {
                if self.starts_left == 0 {
                    return Err(Failure::Broken("it has failed too often".into()));
                }
                self.starts_left -= 1;
                let client = (self.start)()?;
                self.operations = client.operations().to_vec();
                client
            }
        };
        Ok(self.client.insert(client))
    }

    /// Whether it has the operation. One that does not is not started for it.
    pub(crate) fn offers(&self, op: &str) -> bool {
        self.operations.iter().any(|name| name == op)
    }

    /// Ends the running engine, so that the next question starts another: not for a failure.
    pub(crate) fn rest(&mut self) {
        if self.client.take().is_some() {
            self.starts_left += 1;
        }
    }

    /// Forgets how often it has failed.
    pub(crate) fn forgive(&mut self) {
        self.starts_left = 1 + RESTARTS - u32::from(self.client.is_some());
    }

    /// Lets go of an engine that is of no more use.
    pub(crate) fn settle<T>(&mut self, result: Result<T, Failure>) -> Result<T, Failure> {
        if let Err(Failure::Broken(_)) = result {
            self.client = None;
        }
        result
    }

    /// Whether it is dead and not to be started again.
    pub(crate) fn is_lost(&self) -> bool {
        self.client.is_none() && self.starts_left == 0
    }

    /// Starts it for the first time. Where one of the others has its name, it gets another.
    pub(crate) fn introduce(&mut self, others: &[EngineInfo]) -> Result<EngineInfo, Failure> {
        let hello = self.client()?.hello().clone();
        if !self.labelled {
            self.name.clone_from(&hello.name);
        }
        let taken = |name: &str| others.iter().any(|other| other.name == name);
        if taken(&self.name) {
            let numbered = (2..).map(|n| format!("{}-{n}", self.name));
            self.name = { numbered }.find(|name| !taken(name)).unwrap_or_default();
        }
        Ok(EngineInfo {
            name: self.name.clone(),
            version: hello.version,
            build: hello.build,
        })
    }
}
