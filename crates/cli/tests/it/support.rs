//! A scratch folder per test and one way to start the program in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder that is empty at the beginning of a test; it stays afterwards, for a person to look into.
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// A file that nobody else can read, as a secret should be.
    pub(crate) fn write_private(&self, name: &str, content: &str) {
        self.write(name, content);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o600)).unwrap();
        }
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Everything in the folder, by name.
    pub(crate) fn names(&self) -> Vec<String> {
        names(&self.folder)
    }

    /// Starts the program in this folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drover"));
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null());
        // Whoever runs the tests may have a desk of their own.
        for name in ["DROVER_SERVER", "DROVER_TOKEN", "DROVER_TOKEN_FILE", "DROVER_CA_FILE"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn drover(&self, arguments: &[&str]) -> Said {
        Said::from(self.command(arguments).output().unwrap())
    }

    /// The same, and it must work.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> Said {
        let said = self.drover(arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.errors);
        said
    }
}

/// What the program said, and how it ended.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) text: String,
    pub(crate) errors: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!errors.contains("panicked"), "{errors}");
        Self { code: output.status.code(), text: String::from_utf8(output.stdout).unwrap(), errors }
    }
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The repository's own folder.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The shipped scenarios: name without ending, and path.
pub(crate) fn shipped_scenarios() -> Vec<(String, String)> {
    let folder = repository().join("scenarios");
    let files: Vec<String> = names(&folder)
        .into_iter()
        .filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "yaml"))
        .collect();
    assert!(files.len() >= 3, "{files:?}");
    let both = |file: String| {
        let path = folder.join(&file).display().to_string();
        (file.trim_end_matches(".yaml").to_owned(), path)
    };
    files.into_iter().map(both).collect()
}
