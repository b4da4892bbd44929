//! Queueing hints: may this change in the cluster help a pod that this plugin rejected?

mod changes;

pub use changes::{Changes, Plugin, PluginSet};
