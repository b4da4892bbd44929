//! Upstream tables for this room.
