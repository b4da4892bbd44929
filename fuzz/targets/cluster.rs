//! What clusters, Karmada, Prometheus and metrics-server answer, what people order there by objects, and kubeconfigs; the first byte says
//! which.
#![no_main]
use kubernetes::hostile;
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, bytes)) = bytes.split_first() else { return };
    if which % 4 == 0 {
        return hostile::acted(bytes);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match which % 4 {
        1 => hostile::observed(text),
        2 => hostile::asked(text),
        _ => hostile::kubeconfig(text),
    }
});
