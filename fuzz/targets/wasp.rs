//! WASP's files; the first byte says which. A configuration and the events for it have a line of `===` between them, and become a scenario.
#![no_main]
use simulator::wasp;
use strategies::StrategyConfig;

/// As `drover import wasp` does it. The text that comes of it may be refused, but has to be a scenario's.
fn converted(text: &str) {
    let (config, input) = text.split_once("\n===\n").unwrap_or((text, text));
    let files = wasp::read_files(("config.yaml", config.as_bytes()), ("input.json", input.as_bytes()));
    let Ok((config, input)) = files else { return };
    let decide = StrategyConfig::Threshold(strategies::threshold::ThresholdConfig::default());
    let converted = wasp::convert("fuzz", &config.value, &input.value, decide);
    let value = serde_json::to_value(&converted.scenario).expect("a scenario can be written");
    let text = model::document::to_yaml(&value);
    let _: Result<lab::run::Scenario, _> = simulator::scenario::read("fuzz.yaml", text.as_bytes());
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, bytes)) = bytes.split_first() else { return };
    match which % 5 {
        0 => drop(wasp::read_config("config.yaml", bytes)),
        1 => drop(wasp::read_input("input.json", bytes)),
        2 => drop(wasp::read_metrics("metrics.json", bytes)),
        3 => drop(wasp::read_recommendations("recommendations.json", bytes)),
        _ => converted(&String::from_utf8_lossy(bytes)),
    }
});
