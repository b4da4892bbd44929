//! An experiment file, and the file of one decider.
#![no_main]
use strategies::StrategyConfig;
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lab::experiment::spec::read("fuzz.yaml", bytes);
    if let Ok((decide, _)) = model::document::read::<StrategyConfig>("decider.yaml", bytes) {
        let _ = decide.check();
    }
});
