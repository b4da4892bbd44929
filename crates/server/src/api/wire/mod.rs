//! What goes over the wire: plain numbers and texts with names that do not change when the inside does.

mod access;
mod agents;
mod desk;
mod guardrails;
mod history;
mod laboratory;
mod library;
mod prediction;
mod proposal;
mod questions;
mod recommendation;
mod wasp;
mod webhooks;
mod world;

pub use access::{IssuedToken, ScopeItem, SessionItem, TokenItem, TokenPage};
pub use agents::{
    AgentDetail, AgentItem, BudgetItem, BudgetWord, DecisionItem, DecisionPage, InsteadItem, RefusedItem,
};
pub use desk::{
    AuditEntry, AuditPage, ExecutionItem, ExecutionPage, FreezeAnswer, FreezeItem, ModeItem, Modes, Status,
    StepItem, TrackRecordItem, scope,
};
pub use guardrails::{ApproverItem, Guardrails, LimitItem, PassItem};
pub use history::{ClusterCourse, HistoryItem};
pub use laboratory::{
    ArmItem, BetterWay, ComparisonDetail, ComparisonItem, ComparisonResults, ComparisonState, ComparisonWish,
    CourseItem, FigureItem, MetricItem, RunCounts, ScenarioItem, StandingItem, StartedComparison,
    StrategyItem, VerdictWord, VersusItem,
};
pub use library::{ModelDetail, ModelItem, RunItem, RunPage, SnapshotItem};
pub use prediction::{EstimateItem, MeasureItem, OutlookItem, PlanItem, PredictionItem, ToldPrediction};
pub use proposal::{
    ActionWish, AlternativeWish, DraftOutcome, DraftResult, EvidenceWish, ProposalAnswer, SpotWish, WrongName,
};
pub use questions::{
    CallItem, Depth, FaultItem, FaultWord, MessageItem, QuestionItem, QuestionState, ReplyItem, SpeakerWord,
};
pub use recommendation::{
    AllowedItem, AlternativeItem, CheckItem, ClusterChange, Deed, EvidenceItem, OnTheDesk, OpinionItem,
    OpinionVerdict, PodCount, RecommendationDetail, RecommendationItem, RecommendationPage, ReviewItem,
    WorkloadChange,
};
pub(crate) use recommendation::{RecommendationList, ToldDetail};
pub use wasp::{WaspAnswer, WaspResult};
pub use webhooks::{DeliveryItem, DeliveryPage, TestMessage, WebhookItem};
pub use world::{ClusterDetail, ClusterItem, NodeItem, PlacementItem, PoolItem, WorkloadItem, WorkloadPage};
