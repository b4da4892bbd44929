//! Asks another program a question.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// What the command prints; its complaint when it fails.
pub(crate) fn run(root: &Path, program: &str, arguments: &[&str]) -> Result<String> {
    let command = format!("{program} {}", arguments.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root)
        .output()
        .with_context(|| format!("cannot run `{command}`"))?;
    ensure!(output.status.success(), "`{command}` failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{command}` printed something that is not UTF-8"))
}
