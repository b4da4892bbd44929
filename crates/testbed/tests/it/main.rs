//! The test bed with real processes: Kubernetes, KWOK, Karmada and Prometheus themselves. Needs `make test-real`.
#![expect(clippy::unwrap_used, reason = "all of this is tests; the helpers fail as a test does")]
#![expect(clippy::print_stdout, reason = "how long things took is worth reading")]

mod failure;
mod story;
mod support;
