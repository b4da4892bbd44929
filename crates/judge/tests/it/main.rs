//! The simulator against the real programs. Needs `make test-real`.

mod placement;
mod rollout;
mod scaling;
