//! `Agent` and `Guardrail` objects of a cluster, one a line, with the checks that the front door brings.
#![no_main]
#[path = "../../crates/cli/src/desk/definitions.rs"]
mod definitions;
use kubernetes::{Reader, hostile};
use lab::run::Scenario;
use std::sync::LazyLock;
use strategies::catalogue::StrategyConfig;

/// As the front door reads scenarios.
mod files {
    pub fn scenario(name: &str, bytes: &[u8]) -> Result<lab::run::Scenario, model::document::Problems> {
        simulator::scenario::read_with(name, bytes, super::StrategyConfig::check)
    }
}

static READER: LazyLock<Reader> = LazyLock::new(|| {
    let text = include_bytes!("../../scenarios/three-waves.yaml");
    let scenario: Scenario = files::scenario("three-waves.yaml", text).expect("a valid scenario");
    definitions::reader(&scenario)
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    for agent in hostile::defined(&READER, text).agents {
        let read = serde_json::from_value::<StrategyConfig>(agent.decide.clone()).ok().filter(|read| read.check().is_ok());
        let _ = read.unwrap_or_else(|| panic!("nobody can decide like that: {agent:?}")).build();
    }
});
