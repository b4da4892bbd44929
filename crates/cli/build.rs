//! Puts the operator's page into the program, if it was built: `ui/dist`, as `make build` leaves it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // Asked for when it runs: a folder that was copied with what is built in it has a page of its own.
    let crate_folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let folder = crate_folder.join("../../ui/dist");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    if folder.is_dir() {
        collect(&folder, &mut files)?;
    }
    // The table is searched by halves.
    files.sort_by_key(|file| address(&folder, file));
    let mut table = String::from("pub(crate) static FILES: &[server::page::PageFile] = &[\n");
    for file in &files {
        row(&mut table, &folder, file);
    }
    table.push_str("];\n");
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("page.rs"), table)
}

/// All files but the compressed ones, which belong to others.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_none_or(|ending| ending != "gz") {
            files.push(path);
        }
    }
    Ok(())
}

fn address(folder: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(folder).unwrap_or(file);
    inside
        .components()
        .fold(String::new(), |address, part| format!("{address}/{}", part.as_os_str().to_string_lossy()))
}

fn row(table: &mut String, folder: &Path, file: &Path) {
    let mut compressed = file.as_os_str().to_owned();
    compressed.push(".gz");
    let compressed = Path::new(&compressed);
    let compressed = if compressed.is_file() {
        format!("Some(include_bytes!({:?}))", compressed.display().to_string())
    } else {
        "None".to_owned()
    };
    let _ = writeln!(
        table,
        "    server::page::PageFile {{ path: {:?}, content_type: {:?}, bytes: include_bytes!({:?}), compressed: {compressed} }},",
        address(folder, file),
        content_type(file),
        file.display().to_string(),
    );
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("json" | "webmanifest" | "map") => "application/json",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
