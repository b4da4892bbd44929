//! The loop: agents, guardrails, review desk, journal and replay. Pure: no clock, no entropy, no I/O.
