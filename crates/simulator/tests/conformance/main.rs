//! Upstream's own test tables, run as data. Needs the shared data folder (see `make test-shared`).

mod controllers;
mod federation;
mod horizontal;
mod power;
mod queue_and_preemption;
mod scheduler;
mod table;
mod wasp;
