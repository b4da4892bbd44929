//! A copy of everything, taken while the desk is at work.

use crate::access::{Caller, Right, record};
use crate::api::carried::Carried;
use crate::api::endpoint::{Endpoint, get};
use crate::api::problem::Problem;
use crate::clock::wall_ms;
use crate::desk::Desk;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::PathBuf;

const KIND: &str = "application/vnd.sqlite3";

/// What is sent at a time.
const PIECE: usize = 256 << 10;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/backup", "takeBackup", take)
            .does("Everything the desk keeps, as it is at one moment: a SQLite file, checked and complete")
            .needs(Right::Administer)
            .sends(KIND)
            .carries(&[Carried::FileName])
            .slow(),
    ]
}

/// A folder that nobody else can look into, gone when nobody needs it any more.
struct Nook(PathBuf);

impl Nook {
    fn new() -> io::Result<Self> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let path = std::env::temp_dir().join(format!("drover-backup-{:016x}", u64::from_be_bytes(bytes)));
        make_private(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Nook {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(unix)]
fn make_private(path: &std::path::Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make_private(path: &std::path::Path) -> io::Result<()> {
    fs::create_dir(path)
}

async fn take(State(desk): State<Desk>, caller: Caller) -> Result<Response, Problem> {
    let nook = Nook::new().map_err(|error| Problem::internal(&error))?;
    let path = nook.0.join("drover.db");
    desk.back_up(path.clone()).await?;
    let file = File::open(&path).map_err(|error| Problem::internal(&error))?;
    let length = file.metadata().map_err(|error| Problem::internal(&error))?.len();
    let (actor, bytes) = (caller.actor(), serde_json::json!({ "bytes": length }));
    desk.record(move |transaction| {
        record::note(transaction, wall_ms(), "backup.taken", (&actor, ""), &bytes)
    })
    .await?;
    let headers = [
        (header::CONTENT_TYPE, KIND.to_owned()),
        (header::CONTENT_LENGTH, length.to_string()),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"drover-backup.db\"".to_owned()),
    ];
    Ok((headers, Body::from_stream(pieces(file, nook))).into_response())
}

/// The file piece by piece; its folder stays until the last one was taken, or nobody wants it any more.
fn pieces(file: File, nook: Nook) -> impl futures_util::Stream<Item = io::Result<Bytes>> {
    futures_util::stream::try_unfold((file, nook), |(mut file, nook)| async move {
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = Vec::with_capacity(PIECE);
            (&mut file).take(PIECE as u64).read_to_end(&mut piece).map(|_| (piece, file))
        });
        let (piece, file) = read.await.map_err(io::Error::other)??;
        Ok((!piece.is_empty()).then(|| (piece.into(), (file, nook))))
    })
}
