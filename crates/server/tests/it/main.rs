//! The desk as a whole: a real database, a real office, and requests as they come over HTTP.

mod box_desk;
mod crash;
mod described;
mod endpoints;
mod entrance;
mod kube_api;
mod laboratory;
mod legacy;
mod library;
mod life;
mod oidc;
mod outside;
mod pace;
mod page;
mod prometheus;
mod proposals;
mod provider;
mod questions;
mod scope;
mod session;
mod steering;
mod tokens;
mod wasp;
mod watching;
mod webhooks;
mod wire;
