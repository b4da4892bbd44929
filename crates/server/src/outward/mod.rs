//! What the desk asks of others over HTTP: an identity provider, language models, and whoever wants to be told.
//!
//! Addresses come from files and from answers of others, so nothing here trusts them: a name is looked up first and only addresses
//! that may be reached are connected to, nobody is followed to another place, and every answer has a size and a time limit.

mod client;
mod reach;

pub(crate) use client::{Call, Client, Failure, Opened, Reply};
pub(crate) use reach::{Reach, is_in_vain, is_this_machine};
