//! The front door: one binary, one file per subcommand; wires everything.

fn main() {}
