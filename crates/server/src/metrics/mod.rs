//! Numbers for Prometheus: how the desk works, and its clusters under the names that kube-state-metrics uses: those of a simulation as they
//! are, real ones as they were last observed.

mod histogram;
mod observed;
mod own;
mod requests;
mod tally;
pub(crate) mod text;

pub(crate) use requests::Requests;
pub use tally::Tally;

use crate::desk::Desk;
use crate::kube_api::state::{self, Look};
use std::time::Duration;
use text::Page;

/// The content type of the text format.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// How long a page waits for the office. Prometheus gives up after ten seconds if nothing else is said, and writing takes some.
const PATIENCE: Duration = Duration::from_secs(4);

/// Simulated clusters as they are now; nothing if they are real, or the office has no time.
pub(crate) async fn look(desk: &Desk) -> Option<Look> {
    if desk.now().is_real {
        return None;
    }
    let asked = desk.office().ask(|office| office.engine().simulated().map(Look::at));
    tokio::time::timeout(PATIENCE, asked).await.ok()?.ok()?
}

/// Everything as of now.
pub(crate) fn page(desk: &Desk, look: Option<Look>) -> String {
    let (mut page, now) = (Page::default(), desk.now());
    own::write(&mut page, desk, &now);
    if let Some(snapshot) = &now.snapshot {
        observed::nodes(&mut page, snapshot);
    }
    match (look, &now.snapshot) {
        (Some(look), _) => state::write(&mut page, look),
        // Simulated clusters that could not be counted are left out: numbers of another kind under the same names would be wrong.
        (None, Some(snapshot)) if now.is_real => observed::write(&mut page, snapshot),
        (None, _) => {}
    }
    page.finish()
}
