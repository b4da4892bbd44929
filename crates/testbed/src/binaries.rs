//! Where the programs come from: the path, the cache, or a build that fills the cache.

use crate::Listener;
use crate::command;
use crate::error::Error;
use crate::files;
use crate::go::Builder;
use crate::products::{self, Product, Tool};
use crate::wait::{self, Look, Stopwatch};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// As long as the longest build: another process may have just begun.
const LOCK_PATIENCE: Duration = Duration::from_hours(2);
/// A program that does not tell its version by then is none of ours.
const VERSION_PATIENCE: Duration = Duration::from_secs(20);

/// Where programs are looked for and kept.
#[derive(Clone, Debug)]
pub struct Workshop {
    pub cache: PathBuf,
    /// The folders of the user's path.
    pub path: Vec<PathBuf>,
}

/// Programs that are there.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    programs: BTreeMap<&'static str, PathBuf>,
    assets: BTreeMap<&'static str, PathBuf>,
}

impl Programs {
    /// The path of a program that was asked for.
    pub fn get(&self, name: &str) -> &Path {
        self.programs.get(name).expect("a plan names all programs that are started for it")
    }

    /// The folder with a product's files besides programs.
    pub(crate) fn assets(&self, product: &str) -> &Path {
        self.assets.get(product).expect("a product's files are there when its programs are")
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.programs.iter().map(|(name, path)| (*name, path.as_path()))
    }
}

impl Workshop {
    /// The usual places, by what the environment says: `variable` is asked for its variables.
    pub fn usual(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let home = variable("HOME").map_or_else(std::env::temp_dir, PathBuf::from);
        let absolute = |path: &PathBuf| path.is_absolute();
        let caches = variable("XDG_CACHE_HOME").map(PathBuf::from).filter(absolute);
        let cache = caches.unwrap_or_else(|| home.join(".cache")).join("drover/testbed");
        let path = variable("PATH").unwrap_or_default();
        Self { cache, path: std::env::split_paths(&path).filter(absolute).collect() }
    }

    /// A program on the path.
    pub fn on_path(&self, name: &str) -> Option<PathBuf> {
        self.path.iter().map(|folder| folder.join(name)).find(|file| is_program(file))
    }

    /// Finds or builds all of these, and says how far it is: from nothing this takes a quarter of an hour.
    pub fn prepare(&self, wanted: &[&str], say: Listener<'_>) -> Result<Programs, Error> {
        let mut found = Programs::default();
        let mut missing = Vec::new();
        for name in wanted {
            let (product, tool) = products::find(name)
                .ok_or_else(|| Error::Plan(format!("{name} is no program that is known here")))?;
            match self.find(product, tool) {
                Some(path) => drop(found.programs.insert(tool.name, path)),
                None => missing.push((product, tool)),
            }
            found.assets.insert(product.name, self.folder(product).join("assets"));
        }
        self.build(&missing, &mut found, say)?;
        self.fetch_assets(&found, say)?;
        Ok(found)
    }

    /// A program of the same line on the path, or the very one in the cache.
    fn find(&self, product: &Product, tool: &Tool) -> Option<PathBuf> {
        let cached = self.folder(product).join(tool.name);
        if is_program(&cached) {
            return Some(cached);
        }
        self.on_path(tool.name).filter(|program| self.has_version(program, product, tool))
    }

    fn has_version(&self, program: &Path, product: &Product, tool: &Tool) -> bool {
        if files::folder(&self.cache).is_err() {
            return false;
        }
        let log = self.cache.join(format!("version-{}-{}.log", tool.name, std::process::id()));
        // Some complain about a missing cluster after they have told their version.
        let _ = command::run(Command::new(program).arg(tool.version_argument), &log, VERSION_PATIENCE);
        let said = files::read(&log).unwrap_or_default();
        let _ = std::fs::remove_file(&log);
        tells(&said, product.line())
    }

    fn build(
        &self,
        missing: &[(&'static Product, &'static Tool)],
        found: &mut Programs,
        say: Listener<'_>,
    ) -> Result<(), Error> {
        let Some((first, tool)) = missing.first() else { return Ok(()) };
        let go = self.go(first, tool)?;
        let _lock = self.lock(say)?;
        for (number, (product, tool)) in (1..).zip(missing) {
            let folder = self.folder(product);
            files::folder(&folder)?;
            let program = folder.join(tool.name);
            // Another process may have built it while we waited.
            if !is_program(&program) {
                let which = format!("{number} of {}", missing.len());
                say(&format!("building {} {} ({which})", tool.name, product.version));
                let stopwatch = Stopwatch::start();
                Builder { go: &go, product, folder: &folder }.build(tool)?;
                say(&format!("built {} in {} s", tool.name, stopwatch.elapsed().as_secs()));
            }
            found.programs.insert(tool.name, program);
        }
        Ok(())
    }

    /// The files that products bring besides programs, for those that are used.
    fn fetch_assets(&self, found: &Programs, say: Listener<'_>) -> Result<(), Error> {
        for product in products::PRODUCTS.iter().filter(|product| !product.assets.is_empty()) {
            let folder = self.folder(product);
            let used = product.tools().iter().any(|tool| found.programs.contains_key(tool.name));
            if !used || folder.join("assets").is_dir() {
                continue;
            }
            let go = self
                .on_path("go")
                .ok_or(Error::NoAssets { product: product.name, version: product.version })?;
            let _lock = self.lock(say)?;
            files::folder(&folder)?;
            if !folder.join("assets").is_dir() {
                Builder { go: &go, product, folder: &folder }.copy_assets()?;
            }
        }
        Ok(())
    }

    fn go(&self, product: &Product, tool: &Tool) -> Result<PathBuf, Error> {
        self.on_path("go").ok_or(Error::NoGo { program: tool.name, version: product.version })
    }

    fn lock(&self, say: Listener<'_>) -> Result<File, Error> {
        files::folder(&self.cache)?;
        let path = self.cache.join("lock");
        if let Some(lock) = files::try_lock(&path)? {
            return Ok(lock);
        }
        say("another process builds into the same cache; waiting for it");
        wait::until("the end of another build", LOCK_PATIENCE, || match files::try_lock(&path) {
            Ok(Some(lock)) => Look::Done(lock),
            Ok(None) => Look::NotYet("it is still under way".to_owned()),
            Err(error) => Look::Never(error),
        })
    }

    fn folder(&self, product: &Product) -> PathBuf {
        self.cache.join(product.key())
    }
}

/// Whether a version of this line occurs in what a program said: `1.35` is in `v1.35.8`, not in `v1.350.1` or `11.35.1`.
fn tells(said: &str, line: &str) -> bool {
    let start = format!("{line}.");
    said.match_indices(&start).any(|(at, _)| {
        let before = said[..at].chars().next_back();
        !before.is_some_and(|sign| sign.is_ascii_digit() || sign == '.')
    })
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_line_are_told() {
        for (said, expected) in [
            ("Kubernetes v1.35.8", true),
            ("Kubernetes v1.35.0-rc.1", true),
            ("Kubernetes v1.36.1", false),
            ("etcd Version: 1.350.1", false),
            ("11.35.1", false),
            ("", false),
        ] {
            assert_eq!(tells(said, "1.35"), expected, "{said}");
        }
    }

    #[test]
    fn the_cache_is_where_the_environment_says() {
        let with = |pairs: &'static [(&str, &str)]| {
            let variable = move |name: &str| {
                pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            };
            Workshop::usual(variable)
        };
        let own = with(&[("HOME", "/a"), ("PATH", "/bin:relative:/usr/bin")]);
        assert_eq!(own.cache, PathBuf::from("/a/.cache/drover/testbed"));
        assert_eq!(own.path, [PathBuf::from("/bin"), PathBuf::from("/usr/bin")]);
        let named = with(&[("HOME", "/a"), ("XDG_CACHE_HOME", "/b")]);
        assert_eq!(named.cache, PathBuf::from("/b/drover/testbed"));
    }

    #[test]
    fn without_go_the_error_says_what_to_do() {
        let workshop = Workshop { cache: std::env::temp_dir().join("drover-no-go"), path: Vec::new() };
        let error = workshop.prepare(&["etcd"], &|_| ()).unwrap_err();
        assert!(
            error.to_string().starts_with("etcd 3.6.16 is neither on the path nor in the cache"),
            "{error}"
        );
        let error = workshop.prepare(&["emacs"], &|_| ()).unwrap_err();
        assert!(error.to_string().contains("emacs is no program"), "{error}");
    }
}
