//! Why a comparison could not be made.

use simulator::scheduler::{InvalidPod, SelectorError};
use std::io;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum Problem {
    #[error(transparent)]
    Bed(#[from] testbed::Error),
    #[error("the simulator cannot read an object that Kubernetes took")]
    Unread(#[from] serde_json::Error),
    #[error("the simulator refuses a pod that Kubernetes took")]
    Refused(#[from] InvalidPod),
    #[error("the simulator refuses the profile")]
    Profile(#[from] SelectorError),
    #[error("the scheduler did not see all nodes in time; it said: {0}")]
    Probe(String),
    #[error("the simulator knows no node {0}")]
    NoSuchNode(String),
    #[error("the simulator refuses an autoscaler that Kubernetes took: {0}")]
    Autoscaler(String),
    #[error("{0}")]
    Usage(String),
    #[error("cannot write the report")]
    Report(#[from] io::Error),
}
