//! What a Kubernetes API reads: patches, selectors, addresses; the first byte says which.
#![no_main]
use server::testing::hostile::kube_api;
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, bytes)) = bytes.split_first() else { return };
    if which % 3 == 0 {
        return kube_api::patch(bytes);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut lines = text.splitn(3, '\n');
    let mut line = || lines.next().unwrap_or_default();
    if which % 3 == 1 { kube_api::select(line(), line()) } else { kube_api::ask(line(), line(), line()) }
});
