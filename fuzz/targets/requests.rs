//! Whole requests to a desk: `METHOD address`, then headers line by line, an empty line, and a body.
#![no_main]
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use fuzz::Desk;
use server::storage::Location;
use server::testing::Folder;
use std::sync::LazyLock;

static DESK: LazyLock<Desk> = LazyLock::new(|| Desk::open(&Location::File(Folder::new("fuzz").keep().join("drover.db"))));

fn request(bytes: &[u8]) -> Option<Request<Body>> {
    let gap = bytes.windows(2).position(|pair| pair == b"\n\n");
    let (head, body) = gap.map_or((bytes, &[][..]), |gap| (&bytes[..gap], &bytes[gap + 2..]));
    let mut lines = std::str::from_utf8(head).ok()?.lines();
    let (method, address) = lines.next()?.split_once(' ')?;
    let mut request = Request::new(Body::from(body.to_vec()));
    *request.method_mut() = method.parse::<Method>().ok()?;
    *request.uri_mut() = address.parse::<Uri>().ok()?;
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        if let (Ok(name), Ok(value)) = (name.trim().parse::<HeaderName>(), HeaderValue::from_str(value.trim())) {
            request.headers_mut().append(name, value);
        }
    }
    Some(request)
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(request) = request(bytes) {
        DESK.send(request);
    }
});
