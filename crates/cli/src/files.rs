//! Reading files that may be anything, and writing files that are whole.

use crate::failure::{CONFLICT, Failure};
use anyhow::Context;
use lab::run::Scenario;
use model::document::{MAX_BYTES, Problems};
use simulator::scenario;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use strategies::catalogue::StrategyConfig;
use strategies::language::ReadFile;

/// Reads and checks a scenario whose agents decide with our strategies.
pub(crate) fn scenario(name: &str, bytes: &[u8]) -> Result<Scenario, Problems> {
    scenario::read_with(name, bytes, StrategyConfig::check)
}

/// Reads and checks a scenario file together with the files it names, which lie where its own folder says.
pub(crate) fn scenario_at(path: &Path) -> Result<Scenario, Failure> {
    scenario_and_text_at(path).map(|(scenario, _)| scenario)
}

/// The same, with what stands in the file.
pub(crate) fn scenario_and_text_at(path: &Path) -> Result<(Scenario, Vec<u8>), Failure> {
    let bytes = read(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut beside = |name: &str| read_beside(&folder.join(name));
    let mut scenario = scenario::read_beside(&shown(path), &bytes, StrategyConfig::check, &mut beside)?;
    resolve(&mut scenario, &mut beside)?;
    Ok((scenario, bytes))
}

/// Puts the texts of files that agents name in the place of their names. All files that cannot be read are named at once.
pub(crate) fn resolve(scenario: &mut Scenario, beside: ReadFile<'_>) -> Result<(), Failure> {
    let wrong: Vec<String> =
        scenario.agents.iter_mut().filter_map(|agent| agent.decide.resolve(beside).err()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Input(wrong.join("\n"))) }
}

/// Where a file lies that another one names.
pub(crate) fn beside(path: &Path, name: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(name)
}

/// Reads a file that another one names; the error is a sentence about it.
pub(crate) fn read_beside(path: &Path) -> Result<Vec<u8>, String> {
    match read(path) {
        Ok(bytes) => Ok(bytes),
        Err(Failure::Input(text) | Failure::Refused { text, .. }) => Err(text),
        Err(Failure::Machine(error)) => Err(format!("{error:#}")),
    }
}

/// Reads a whole file, refusing what is too large before reading it.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    let about =
        fs::metadata(path).map_err(|error| Failure::Input(format!("{shown}: cannot be opened: {error}")))?;
    if about.is_dir() {
        return Err(Failure::Input(format!("{shown}: is a folder, not a file")));
    }
    if about.len() > MAX_BYTES as u64 {
        let (size, limit) = (about.len() / (1 << 20), MAX_BYTES / (1 << 20));
        return Err(Failure::Input(format!(
            "{shown}: {size} MiB is more than the {limit} MiB a description may have; is it the right file?"
        )));
    }
    Ok(fs::read(path).with_context(|| format!("{shown} could not be read"))?)
}

/// The name to show in problems.
pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Makes a file that appears under its name only when it is complete and on disk. One that exists is not overwritten.
pub(crate) fn write_new<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let shown = path.display();
    must_be_new(path)?;
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let file = File::create(&partial).with_context(|| format!("{shown} could not be created"))?;
    let mut file = BufWriter::new(file);
    let done = write(&mut file).and_then(|written| {
        // Somebody else may have made it meanwhile.
        must_be_new(path)?;
        let kept =
            file.into_inner().map_err(std::io::IntoInnerError::into_error).and_then(|file| file.sync_all());
        kept.and_then(|()| fs::rename(&partial, path))
            .with_context(|| format!("{shown} could not be written"))?;
        Ok(written)
    });
    if done.is_err() {
        let _ = fs::remove_file(&partial);
    }
    done
}

fn must_be_new(path: &Path) -> Result<(), Failure> {
    if path.exists() {
        let text = format!("drover: {} exists already; name another file", path.display());
        return Err(Failure::refused(CONFLICT, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_file_that_exists_is_never_overwritten_and_nothing_is_done_for_it() {
        let folder = std::env::temp_dir().join(format!("drover-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("copy");
        let write = |meanwhile: &str| {
            write_new(&path, |file| {
                file.write_all(b"ours").unwrap();
                if !meanwhile.is_empty() {
                    fs::write(&path, meanwhile).unwrap();
                }
                Ok(())
            })
        };
        let is_refused = |done| matches!(done, Err(Failure::Refused { code: CONFLICT, .. }));
        assert!(is_refused(write("of somebody else")), "it came while ours was written");
        assert!(is_refused(write_new(&path, |_| -> Result<(), Failure> { panic!("nothing is asked for") })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "of somebody else");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left behind");
        fs::remove_file(&path).unwrap();
        assert!(write("").is_ok());
        assert_eq!(fs::read_to_string(&path).unwrap(), "ours");
        fs::remove_dir_all(&folder).unwrap();
    }
}
