//! Upstream's tables for the horizontal pod autoscaler.

mod behavior;
mod calculator;
mod controller;
mod fixture;
