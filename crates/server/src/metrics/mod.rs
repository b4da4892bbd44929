//! Numbers for Prometheus: how the desk works, and the simulated clusters under the names that kube-state-metrics uses.

mod histogram;
mod kube;
mod own;
mod requests;
mod tally;
mod text;

pub(crate) use requests::Requests;
pub use tally::Tally;

use crate::desk::Desk;
use text::Page;

/// The content type of the text format.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Everything as of now.
pub(crate) fn page(desk: &Desk) -> String {
    let (mut page, now) = (Page::default(), desk.now());
    own::write(&mut page, desk, &now);
    if let Some(snapshot) = &now.snapshot {
        kube::write(&mut page, snapshot);
    }
    page.finish()
}
