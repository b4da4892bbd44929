//! The page that people open in a browser: files that were put into the program when it was built.
//!
//! Addresses that are neither a file nor part of the API are places inside the page, which finds its own way: all of them get its first
//! document.

use crate::api::problem::{Kind, Problem};
use crate::desk::Desk;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// One file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Its address: `/assets/index-4f2a.js`.
    pub path: &'static str,
    pub content_type: &'static str,
    pub bytes: &'static [u8],
    /// The same, compressed with gzip; nothing where that is not smaller.
    pub compressed: Option<&'static [u8]>,
}

/// All files, sorted by their address. None if the program was built without the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Page(pub &'static [PageFile]);

const FIRST: &str = "/index.html";

/// Files whose names hold a hash of what is in them: a changed file has another name.
const HASHED: &str = "/assets/";
const FOR_EVER: &str = "public, max-age=31536000, immutable";
const ASK_AGAIN: &str = "no-cache";

/// Parts of the address space that are never places in the page.
const NOT_OURS: [&str; 5] = ["/api/", "/wasp/", "/login/", "/assets/", "/apply"];

const ABSENT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Drover</title>\
    <h1>This program was built without its page</h1>\
    <p>The desk is open: the API is under <code>/api/v1</code>, described in <a href=\"/openapi.json\">openapi.json</a>, \
    and <code>drover status</code> and <code>drover rec list</code> speak to it.</p>\
    <p>For the page, install Node 20 or newer and build again: <code>make build</code>.</p></html>";

impl Page {
    fn find(&self, path: &str) -> Option<&'static PageFile> {
        self.0.binary_search_by(|file| file.path.cmp(path)).ok().map(|index| &self.0[index])
    }

    /// What is found under an address: a file, or the first document where a place inside the page is meant.
    fn resolve(&self, path: &str) -> Option<&'static PageFile> {
        let is_place = || !NOT_OURS.iter().any(|start| path.starts_with(start)) && !has_ending(path);
        self.find(path).or_else(|| if is_place() { self.find(FIRST) } else { None })
    }
}

/// Whether the last part of an address looks like a file's name.
fn has_ending(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|last| last.contains('.'))
}

/// Whatever the table of endpoints does not know.
pub(crate) async fn serve(
    State(desk): State<Desk>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let reads = method == Method::GET || method == Method::HEAD;
    let page = desk.page();
    if reads && page.0.is_empty() && uri.path() == "/" {
        let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
        return (StatusCode::OK, [kind], ABSENT).into_response();
    }
    match page.resolve(uri.path()).filter(|_| reads) {
        Some(file) => answer(file, &headers),
        None => {
            Problem::new(Kind::NotFound, "There is nothing under this address; /openapi.json lists what is.")
                .into_response()
        }
    }
}

fn answer(file: &'static PageFile, headers: &HeaderMap) -> Response {
    let cached = if file.path.starts_with(HASHED) { FOR_EVER } else { ASK_AGAIN };
    let compressed = file.compressed.filter(|_| takes_gzip(headers));
    let mut response = compressed.unwrap_or(file.bytes).into_response();
    let own = response.headers_mut();
    own.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type));
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static(cached));
    own.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if compressed.is_some() {
        own.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let is_gzip = parts.next() == Some("gzip");
        is_gzip && !parts.any(|weight| weight == "q=0")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn file(path: &'static str) -> PageFile {
        PageFile { path, content_type: "text/plain", bytes: b"", compressed: None }
    }

    static FILES: [PageFile; 2] = [file("/assets/app-1.js"), file("/index.html")];

    #[test]
    fn places_get_the_first_document_and_missing_files_nothing() {
        let page = Page(&FILES);
        let found = |path| page.resolve(path).map(|file| file.path);
        assert_eq!(found("/assets/app-1.js"), Some("/assets/app-1.js"));
        for place in ["/", "/recommendations", "/recommendations/R-4", "/workloads/deployment/default/a"] {
            assert_eq!(found(place), Some(FIRST), "{place}");
        }
        for missing in ["/assets/app-2.js", "/api/v1/nothing", "/favicon.ico", "/login/oidc", "/apply"] {
            assert_eq!(found(missing), None, "{missing}");
        }
        assert!(Page::default().resolve("/").is_none());
    }

    #[test]
    fn compression_is_only_for_those_who_take_it() {
        let takes = |text: &'static str| {
            takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(text))]))
        };
        assert!(takes("gzip") && takes("br, gzip;q=0.5"));
        assert!(!takes("br") && !takes("gzip;q=0") && !takes_gzip(&HeaderMap::new()));
    }
}
