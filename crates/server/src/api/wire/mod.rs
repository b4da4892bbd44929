//! What goes over the wire: plain numbers and texts with names that do not change when the inside does.

mod access;
mod desk;
mod prediction;
mod recommendation;
mod world;

pub use access::{IssuedToken, ScopeItem, SessionItem, TokenItem};
pub use desk::{
    AuditEntry, AuditPage, ExecutionItem, ExecutionPage, FreezeItem, ModeItem, Modes, Status, StepItem,
    TrackRecordItem, scope,
};
pub use prediction::PredictionItem;
pub use recommendation::{
    AlternativeItem, CheckItem, ClusterChange, EvidenceItem, OnTheDesk, RecommendationDetail,
    RecommendationItem, RecommendationPage, ReviewItem,
};
pub use world::{ClusterDetail, ClusterItem, NodeItem, PlacementItem, PoolItem, WorkloadItem, WorkloadPage};
