//! Tidy checks and code generation.

fn main() {}
