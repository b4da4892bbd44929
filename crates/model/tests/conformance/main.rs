//! Upstream's own test tables, run as data. Needs the shared data folder (see `make test-shared`).

mod quantity;
mod table;
