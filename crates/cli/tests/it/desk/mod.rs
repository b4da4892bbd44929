//! A desk as people meet it: the real binary serves, the real binary asks.

mod broken;
mod crash;
mod demo;
mod journey;
mod kubeconfig;
#[cfg(feature = "real")]
mod kubectl;
mod laboratory;
mod orders;
mod over_http;
mod own_world;
#[cfg(all(feature = "real", target_os = "linux"))]
mod real_clusters;
#[cfg(all(feature = "real", target_os = "linux"))]
mod real_clusters_kills;
#[cfg(all(feature = "real", target_os = "linux"))]
mod real_clusters_replicas;
#[cfg(all(feature = "real", target_os = "linux"))]
mod real_waves;
mod record;
mod refusals;
mod tokens;
mod watch;

use crate::support::{Said, Scratch, repository};
use serde_json::Value;
use std::fs::File;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Nothing here takes as long on a machine with nothing else to do; whatever does is stuck. Schedulers and controllers of real clusters
/// look for a server that was away only now and then.
const DEADLINE: Duration = Duration::from_mins(if cfg!(feature = "real") { 5 } else { 1 });

/// Where there is much else to do everything takes longer: as much longer as processes wait for a core, up to this.
const MOST_CROWDED: f64 = 10.0;

/// How long is waited for anything, by how crowded the machine is right now.
fn patience() -> Duration {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1.0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    DEADLINE.mul_f64((load / cores).clamp(1.0, MOST_CROWDED))
}

/// Asks again and again until there is an answer.
#[expect(clippy::disallowed_methods, reason = "the tests wait for real processes")]
pub(super) fn wait_for<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        assert!(begun.elapsed() < DEADLINE || begun.elapsed() < patience(), "{what} takes too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A process that does not outlive its test.
pub(super) struct Process(Child);

impl Process {
    pub(super) fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    /// Sends a signal by its name.
    pub(super) fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.0.id().to_string()]).status();
        assert!(status.unwrap().success(), "the process is gone already");
    }

    pub(super) fn is_over(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// Waits for its end.
    pub(super) fn end(&mut self, what: &str) -> ExitStatus {
        wait_for(what, || self.0.try_wait().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A desk in a folder of its own, and people with tokens.
pub(super) struct Desk {
    pub(super) scratch: Scratch,
    process: Option<Process>,
    pub(super) address: String,
}

/// Who is who in these tests, and with what right.
const PEOPLE: [(&str, &str); 4] =
    [("anna", "admin"), ("otto", "operator"), ("vera", "viewer"), ("udo", "auditor")];

/// The desk's file: the three waves, and a clock that stands still until somebody moves it.
fn desk_file() -> String {
    let scenario = repository().join("scenarios/three-waves.yaml");
    format!(
        "drover: desk/v1\nstorage: sqlite:desk.db\nworld: {{ simulate: {}, paused: true }}\n\
         review: {{ expires_after: 10m }}\nprediction: {{ enabled: false }}\n",
        scenario.display()
    )
}

impl Desk {
    /// A desk that does not run yet. Everybody has a token.
    pub(super) fn closed(name: &str) -> Self {
        let scratch = Scratch::new(name);
        scratch.write("desk.yaml", desk_file());
        for (person, role) in PEOPLE {
            let said = scratch.succeed(&[
                "token",
                "create",
                "--config",
                "desk.yaml",
                "--name",
                person,
                "--role",
                role,
            ]);
            scratch.write_private(&format!("{person}.token"), &said.text);
        }
        Self { scratch, process: None, address: String::new() }
    }

    pub(super) fn open(name: &str) -> Self {
        Self::open_with(name, ("", ""))
    }

    /// A desk with something else in its file.
    pub(super) fn open_with(name: &str, (from, to): (&str, &str)) -> Self {
        let mut desk = Self::closed(name);
        desk.scratch.write("desk.yaml", desk_file().replacen(from, to, 1));
        desk.start("127.0.0.1:0");
        desk
    }

    /// Starts it and waits until it answers.
    pub(super) fn start(&mut self, listen: &str) {
        self.start_with(listen, &[]);
    }

    /// The same with more arguments.
    pub(super) fn start_with(&mut self, listen: &str, more: &[&str]) {
        let _ = std::fs::remove_file(self.scratch.path("ready"));
        let log = File::options().create(true).append(true).open(self.scratch.path("log")).unwrap();
        let arguments = ["serve", "--config", "desk.yaml", "--listen", listen, "--ready-file", "ready"];
        let mut command = self.scratch.command(&[&arguments, more].concat());
        let mut process = Process::start(command.stdout(log.try_clone().unwrap()).stderr(log));
        let ready = self.scratch.path("ready");
        self.address = wait_for("the desk", || {
            assert!(!process.is_over(), "the desk stopped: {}", self.log());
            std::fs::read_to_string(&ready).ok().map(|text| text.trim().to_owned())
        });
        self.process = Some(process);
    }

    /// Host and port, to start it there again.
    pub(super) fn place(&self) -> String {
        self.address.trim_start_matches("http://").to_owned()
    }

    pub(super) fn process(&mut self) -> &mut Process {
        self.process.as_mut().unwrap()
    }

    /// Stops it as Ctrl-C does; it must end well.
    pub(super) fn stop(&mut self) {
        let mut process = self.process.take().unwrap();
        process.signal("INT");
        let status = process.end("the desk's end");
        assert!(status.success(), "{status}: {}", self.log());
    }

    /// Kills it without a warning.
    pub(super) fn kill(&mut self) {
        let mut process = self.process.take().unwrap();
        process.signal("KILL");
        process.end("the desk's death");
    }

    pub(super) fn log(&self) -> String {
        String::from_utf8_lossy(&self.scratch.read("log")).into_owned()
    }

    /// The program, asking this desk for somebody.
    pub(super) fn command(&self, person: &str, arguments: &[&str]) -> Command {
        let mut command = self.scratch.command(arguments);
        command.env("DROVER_SERVER", &self.address);
        command.env("DROVER_TOKEN_FILE", self.scratch.path(&format!("{person}.token")));
        command.stdin(Stdio::null());
        command
    }

    pub(super) fn ask(&self, person: &str, arguments: &[&str]) -> Said {
        Said::from(self.command(person, arguments).output().unwrap())
    }

    /// The same, and it must work.
    pub(super) fn done(&self, person: &str, arguments: &[&str]) -> String {
        let said = self.ask(person, arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}: {}{}", said.text, said.errors);
        said.text
    }

    /// The same, read as JSON.
    pub(super) fn json(&self, person: &str, arguments: &[&str]) -> Value {
        let text = self.done(person, &[arguments, &["--json"]].concat());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
    }

    /// Lets virtual time go on.
    pub(super) fn advance(&self, period: &str) {
        self.done("anna", &["clock", "advance", period]);
    }

    pub(super) fn plan_hash(&self, id: &str) -> String {
        self.json("otto", &["rec", "show", id])["planHash"].as_str().unwrap().to_owned()
    }

    /// Approves exactly what is there.
    pub(super) fn approve(&self, id: &str) -> String {
        self.done("otto", &["rec", "approve", id, "--plan-hash", &self.plan_hash(id)])
    }

    /// The numbers of all that wait, in their order.
    pub(super) fn waiting(&self) -> Vec<String> {
        let listed = self.json("vera", &["rec", "list", "--stage", "pending", "--sort", "raised_at"]);
        let items = listed["items"].as_array().unwrap().iter();
        items.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    }
}
