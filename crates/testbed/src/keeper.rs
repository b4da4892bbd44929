//! Sees to it that nothing is left behind when whoever started a bed dies, in whatever way.

use crate::error::Error;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Waits for a word, or for the end of the pipe, which comes with the end of whoever holds its other side. Kills by
/// number and start time, as `process` does.
const SCRIPT: &str = r#"
word=
read -r word
[ "$word" = leave ] && exit 0
for file in "$1"/*/run/*.pid; do
  read -r pid start boot 2> /dev/null < "$file" || continue
  now=$(sed 's/.*) //' "/proc/$pid/stat" 2> /dev/null | cut -d ' ' -f 20)
  [ "$now" = "$start" ] && kill -9 "$pid"
done
exit 0
"#;

pub(crate) struct Keeper(Option<Child>);

impl Keeper {
    pub(crate) fn watch(bed: &Path) -> Result<Self, Error> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "keeper"]).arg(bed).process_group(0);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|source| Error::File { attempt: "start sh".to_owned(), source })?;
        Ok(Self(Some(child)))
    }

    /// From now on the bed outlives us.
    pub(crate) fn dismiss(mut self) {
        if let Some(mut child) = self.0.take() {
            // If it is gone already, it cannot do harm.
            let _ = child.stdin.take().map(|mut pipe| pipe.write_all(b"leave\n"));
            let _ = child.wait();
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{Layer, Process};
    use std::fs;
    use std::time::Duration;

    fn check(name: &str, end: impl FnOnce(Keeper), survives: bool) {
        let bed = std::env::temp_dir().join(format!("drover-keeper-{name}-{}", std::process::id()));
        let sleeper = Process {
            name: "sleeper".to_owned(),
            layer: Layer::Client,
            program: "sleep".into(),
            arguments: vec!["600".to_owned()],
            port: 0,
            health: String::new(),
            folder: bed.join("member1"),
        };
        sleeper.start().unwrap();
        end(Keeper::watch(&bed).unwrap());
        if survives {
            assert!(sleeper.is_running());
            sleeper.kill().unwrap();
        } else {
            sleeper.wait_for_end(Duration::from_mins(1)).unwrap();
        }
        fs::remove_dir_all(bed).unwrap();
    }

    #[test]
    fn nothing_outlives_whoever_started_it() {
        check("dropped", drop, false);
    }

    #[test]
    fn what_is_left_on_purpose_stays() {
        check("dismissed", Keeper::dismiss, true);
    }
}
