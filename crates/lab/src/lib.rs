//! Experiments: run a scenario with a strategy and a seed, measure it, report it.
