//! A PostgreSQL server that the tests start themselves: one per test binary, one database per test, nothing left behind.

use super::Folder;
use crate::storage::port::error::with_causes;
use crate::storage::{Database, Location};
use postgres::{Client, Config, NoTls};
use std::fs::{self, File};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The superuser of the server. Over the loopback interface it needs the password, through the socket it does not.
pub const USER: &str = "drover";
pub const PASSWORD: &str = "hush-hush";

/// The certificate of the server, for its address on the loopback interface and for nothing else.
const CERTIFICATE: &str = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=drover-tests \
                           -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE";

/// A server is up within a second; on a machine with much else to do it may take longer.
const PATIENCE: Duration = Duration::from_mins(1);
const BETWEEN_TRIES: Duration = Duration::from_millis(50);
/// Another process may take the port that was free a moment ago.
const TRIES_FOR_A_PORT: usize = 3;

const HOW_TO_INSTALL: &str = "the tests need PostgreSQL 15 or newer, and no initdb was found on the path or in \
                              /usr/lib/postgresql; on Debian and Ubuntu: apt-get install postgresql";

/// Waits until the tests are over, in whatever way: then the pipe that feeds it closes. Stops the server by its own number.
const WATCHER: &str = r#"
trap : INT
"$0/postgres" -D "$1/data" > "$1/log" 2>&1 &
server=$!
cat > /dev/null
kill -INT "$server"
wait "$server"
rm -rf "$1"
"#;

/// What makes it quick and quiet. No test needs its data after the server is gone, so nothing waits for the disk.
const SETTINGS: &str = "
fsync = off
full_page_writes = off
synchronous_commit = off
max_connections = 300
shared_buffers = 32MB
autovacuum = off
log_min_messages = fatal
listen_addresses = '127.0.0.1'
ssl = on
ssl_cert_file = '../server.crt'
ssl_key_file = '../server.key'
";

/// A running server.
pub struct Server {
    folder: PathBuf,
    port: u16,
    administrator: Mutex<Client>,
    _watcher: Child,
}

/// A database that is dropped when the test is over.
pub struct FreshDatabase {
    name: String,
    location: Location,
}

impl FreshDatabase {
    /// An empty one.
    pub fn new() -> Self {
        Self::like("template1")
    }

    /// One with our tables, and nothing in them. Copying takes half the time of making them again.
    pub fn with_tables() -> Self {
        static TEMPLATE: OnceLock<FreshDatabase> = OnceLock::new();
        let template = TEMPLATE.get_or_init(|| {
            let fresh = Self::new();
            drop(Database::open(&fresh.location).unwrap_or_else(|error| panic!("{}", with_causes(&error))));
            // Nobody may be connected to what is copied.
            fresh.disconnect_all();
            fresh
        });
        Self::like(&template.name)
    }

    fn like(template: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let server = Server::running();
        server.administer(&format!("CREATE DATABASE {name} TEMPLATE {template}"));
        let location = server.url(&name).parse().expect("the server's own address");
        Self { name, location }
    }

    pub const fn location(&self) -> &Location {
        &self.location
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// A connection that knows nothing about Drover.
    pub fn client(&self) -> Client {
        let url = Server::running().url(&self.name);
        Client::connect(&url, NoTls).expect("the server runs")
    }

    /// Ends all connections to it, as a restart of the server would, and waits until they are gone.
    pub fn disconnect_all(&self) {
        let sql = format!(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{}'",
            self.name
        );
        Server::running().administer(&sql);
    }
}

impl Default for FreshDatabase {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for FreshDatabase {
    fn drop(&mut self) {
        // A complaint now would hide why the test failed; the server takes all databases with it anyway.
        let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let _ = Server::running().administrator().batch_execute(&sql);
    }
}

impl Server {
    /// The server of this process; started by whoever needs it first.
    pub fn running() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| Self::start().unwrap_or_else(|problem| panic!("{problem}")))
    }

    /// The address of a database through the socket.
    pub fn url(&self, database: &str) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://{USER}@{folder}:{}/{database}", self.port)
    }

    /// The address of a database over the network, where a password is needed.
    pub fn network_url(&self, database: &str, password: &str) -> String {
        format!("postgres://{USER}:{password}@127.0.0.1:{}/{database}", self.port)
    }

    /// The certificate that vouches for the server on the network.
    pub fn certificate(&self) -> PathBuf {
        self.folder.join("server.crt")
    }

    /// Runs statements as the superuser.
    pub fn administer(&self, sql: &str) {
        self.administrator().batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }

    fn administrator(&self) -> MutexGuard<'_, Client> {
        self.administrator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start() -> Result<Self, String> {
        let programs = programs().ok_or(HOW_TO_INSTALL)?;
        let mut problem = String::new();
        for _ in 0..TRIES_FOR_A_PORT {
            match Self::start_once(&programs) {
                Ok(server) => return Ok(server),
                Err(found) => problem = found,
            }
        }
        Err(problem)
    }

    fn start_once(programs: &Path) -> Result<Self, String> {
        let folder = Folder::new("pg").keep();
        let port = free_port()?;
        let runner = Runner::new(&folder)?;
        fs::write(folder.join("password"), PASSWORD).map_err(in_words("write the password"))?;
        check(runner.command(&programs.join("initdb")).args(initdb_arguments(&folder)))?;
        certify(&runner, &folder)?;
        let settings = format!("{SETTINGS}port = {port}\nunix_socket_directories = '{}'\n", folder.display());
        let mut file = File::options().append(true).open(folder.join("data/postgresql.conf"));
        let file = file.as_mut().map_err(|error| format!("cannot open the settings: {error}"))?;
        file.write_all(settings.as_bytes()).map_err(in_words("write the settings"))?;
        let watcher = runner
            .command(Path::new("sh"))
            .args(["-c", WATCHER])
            .args([programs, &folder])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(in_words("start the server"))?;
        let administrator = Mutex::new(connect(&folder, port)?);
        Ok(Self { folder, port, administrator, _watcher: watcher })
    }
}

/// Texts sort by a language here, as on many real servers, so that the tests notice where that would matter.
fn initdb_arguments(folder: &Path) -> Vec<String> {
    let fixed = "--no-sync --no-instructions --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 \
                 --locale=C --locale-provider=icu --icu-locale=en";
    let folder = folder.display();
    let own = [
        format!("--username={USER}"),
        format!("--pgdata={folder}/data"),
        format!("--pwfile={folder}/password"),
    ];
    fixed.split_whitespace().map(str::to_owned).chain(own).collect()
}

/// OpenSSL comes with PostgreSQL, and keeps a private key out of the repository.
fn certify(runner: &Runner, folder: &Path) -> Result<(), String> {
    let mut command = runner.command(Path::new("openssl"));
    command.args(CERTIFICATE.split_whitespace());
    check(command.arg("-out").arg(folder.join("server.crt")).arg("-keyout").arg(folder.join("server.key")))
}

#[expect(clippy::disallowed_methods, reason = "another process has to get somewhere first")]
fn connect(folder: &Path, port: u16) -> Result<Client, String> {
    let mut config = Config::new();
    config.host_path(folder).port(port).user(USER).dbname("postgres");
    let mut problem = String::new();
    for _ in 0..PATIENCE.as_millis() / BETWEEN_TRIES.as_millis() {
        match config.connect(NoTls) {
            Ok(client) => return Ok(client),
            Err(error) => problem = format!("{error:?}"),
        }
        std::thread::sleep(BETWEEN_TRIES);
    }
    let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    Err(format!("PostgreSQL did not start within {} s: {problem}\n{log}", PATIENCE.as_secs()))
}

fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(in_words("find a free port"))?;
    Ok(listener.local_addr().map_err(in_words("find a free port"))?.port())
}

/// The folder with the server's programs: on the path, or the newest that Debian installed.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).find(|folder| folder.join("initdb").is_file());
    let version = |folder: &PathBuf| {
        folder.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse::<u32>().ok())
    };
    let installed = fs::read_dir("/usr/lib/postgresql").ok();
    let installed = installed.into_iter().flatten().flatten().map(|entry| entry.path());
    let newest = installed.filter(|folder| folder.join("bin/initdb").is_file()).max_by_key(version);
    newest.map(|folder| folder.join("bin")).or(on_path)
}

/// Runs commands as somebody whom the server accepts: it refuses to run as root.
struct Runner {
    user: Option<&'static str>,
}

impl Runner {
    /// Hands the folder over to that somebody.
    fn new(folder: &Path) -> Result<Self, String> {
        let owner = fs::metadata(folder).map_err(in_words("look at the folder"))?.uid();
        if owner != 0 {
            return Ok(Self { user: None });
        }
        for user in ["postgres", "nobody"] {
            let ids = ["-u", "-g"]
                .map(|kind| output("id", &[kind, user]).and_then(|text| text.trim().parse().ok()));
            if let [Some(uid), Some(gid)] = ids {
                chown(folder, Some(uid), Some(gid)).map_err(in_words("give the folder away"))?;
                return Ok(Self { user: Some(user) });
            }
        }
        Err("PostgreSQL does not run as root, and there is no user postgres or nobody".to_owned())
    }

    fn command(&self, program: &Path) -> Command {
        let Some(user) = self.user else { return Command::new(program) };
        let mut command = Command::new("setpriv");
        command.args([format!("--reuid={user}"), format!("--regid={user}"), "--clear-groups".to_owned()]);
        // Somebody else may not be allowed to see the folder that the tests run in.
        command.arg(program).current_dir("/");
        command
    }
}

fn check(command: &mut Command) -> Result<(), String> {
    let run: Output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    let complaint = || format!("{command:?}: {}", String::from_utf8_lossy(&run.stderr));
    if run.status.success() { Ok(()) } else { Err(complaint()) }
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let run = Command::new(program).args(arguments).stderr(Stdio::null()).output().ok()?;
    run.status.success().then(|| String::from_utf8_lossy(&run.stdout).into_owned())
}

fn in_words(attempt: &str) -> impl Fn(std::io::Error) -> String {
    move |error| format!("cannot {attempt}: {error}")
}
