//! One file per subcommand.

pub(crate) mod agent;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod bench;
pub(crate) mod broker;
pub(crate) mod check;
pub(crate) mod clock;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod exec;
pub(crate) mod experiment;
pub(crate) mod freeze;
pub(crate) mod import;
pub(crate) mod kubeconfig;
pub(crate) mod mode;
pub(crate) mod rec;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod status;
#[cfg(target_os = "linux")]
pub(crate) mod testbed;
pub(crate) mod token;
