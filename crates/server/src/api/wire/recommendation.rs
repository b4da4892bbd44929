//! Recommendations, as lists and pages show them.

use super::prediction::{PredictionItem, ToldPrediction};
use crate::office::lists::{self, KeptReview};
use crate::storage::Error;
use crate::storage::tables::page::Page;
use crate::storage::tables::recommendations::{Item, Whole};
use control::guardrails::Finding;
use control::world::SettleReason;
use model::impact::{ClusterImpact, Impact, Pods, WorkloadImpact};
use model::names::ClusterName;
use model::recommendation::{Alternative, Evidence, Opinion, Recommendation, RecommendationId, Verdict};
use model::risk::{Assessment, RiskReason};
use model::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

/// A row of the list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecommendationItem {
    /// `R-42`.
    pub id: String,
    /// Grows with every change; the ETag.
    pub version: i64,
    /// pending, approved, rejected, expired, superseded, applying, applied, failed or rolled_back.
    pub stage: String,
    pub agent: String,
    /// migrate, move, scale, resize_pool or hold.
    pub kind: String,
    /// What would be done, in words.
    pub action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// low, medium or high; computed by code.
    pub risk: String,
    pub raised_at: i64,
    pub expires_at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deferred_until: Option<i64>,
    /// The hash of the plan: what an approval is bound to.
    pub plan_hash: String,
    /// Pods that do not have to wait for a node on average, if it was predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub benefit: Option<f64>,
    /// The interval in which the benefit of a single future should land.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub benefit_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub benefit_high: Option<f64>,
    /// Why, in the words of whoever proposed it. Nobody has checked them.
    pub reason: String,
    pub changed_by: String,
    /// Whether its effect has been predicted.
    pub is_predicted: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecommendationPage {
    pub items: Vec<RecommendationItem>,
    /// All that fit, on whatever page.
    pub total: i64,
    /// To be given back as `cursor` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// The federation's own time when this was read.
    pub as_of: u64,
}

/// What a page says apart from when it was read. Many ask for the same, so its rows are written once.
#[derive(Debug)]
pub(crate) struct RecommendationList {
    items: Box<RawValue>,
    total: i64,
    next_cursor: Option<String>,
}

impl RecommendationList {
    pub(crate) fn of(page: &Page<Item>) -> Result<Self, serde_json::Error> {
        let items: Vec<RecommendationItem> = page.rows.iter().map(RecommendationItem::of).collect();
        Ok(Self { items: to_raw_value(&items)?, total: page.total, next_cursor: page.next.clone() })
    }

    /// A [`RecommendationPage`].
    pub(crate) fn as_of(&self, now: Timestamp) -> impl Serialize {
        WrittenPage {
            items: &self.items,
            total: self.total,
            next_cursor: self.next_cursor.as_deref(),
            as_of: now.0,
        }
    }
}

/// A [`RecommendationPage`] whose rows are written already.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WrittenPage<'a> {
    items: &'a RawValue,
    total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<&'a str>,
    as_of: u64,
}

/// Everything a person needs to decide.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecommendationDetail")]
pub struct RecommendationDetail<P = PredictionItem> {
    #[serde(flatten)]
    pub item: RecommendationItem,
    /// All recommendations of one decision share a batch.
    pub batch: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undoes: Option<String>,
    pub evidence: Vec<EvidenceItem>,
    /// How old what it rests on was when it was proposed.
    pub evidence_age_ms: u64,
    pub observed_at: u64,
    pub alternatives: Vec<AlternativeItem>,
    /// What language models said about it; empty if none was asked.
    pub opinions: Vec<OpinionItem>,
    pub risk_because: Vec<String>,
    /// What arithmetic on the newest snapshot expects of this plan alone; once it is decided, what was expected when it was made.
    pub changes: Vec<ClusterChange>,
    pub pods_moved: u32,
    pub cost_per_hour_before: f64,
    pub cost_per_hour_after: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<P>,
    /// What every guardrail says now; empty once it is settled.
    pub checks: Vec<CheckItem>,
    /// What would undo it.
    pub way_back: String,
    pub reviews: Vec<ReviewItem>,
    /// How many people have to say yes, and how many have.
    pub approvers_needed: u32,
    pub approvers_given: u32,
    /// What became of it, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// What whoever asks may do with it now.
    pub allowed: Vec<AllowedItem>,
}

/// The same, with the prediction as it is stored.
pub(crate) type ToldDetail = RecommendationDetail<ToldPrediction>;

/// Something that can be done with a recommendation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AllowedItem {
    pub deed: Deed,
    pub allowed: bool,
    /// Why it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    Approve,
    Reject,
    Defer,
    ChangeTarget,
    Abort,
    RollBack,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceItem {
    pub subject: String,
    pub signal: String,
    pub value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlternativeItem {
    pub option: String,
    pub rejected_because: String,
}

/// What one language model, or one of several, said about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpinionItem {
    /// In which role it was asked: performance, consolidator …
    pub by: String,
    pub model: String,
    pub verdict: OpinionVerdict,
    /// How much it counts, in relation to the others.
    pub weight: u32,
    /// How sure it says it is, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<f64>,
    /// Its own words. Nobody has checked them.
    pub words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpinionVerdict {
    For,
    Against,
    Abstained,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterChange {
    pub cluster: String,
    pub load_before: f64,
    pub load_after: f64,
    pub pending_before: u32,
    pub pending_after: u32,
    /// What becomes of the workload that the action is about; absent if there is none, and in records from before this was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<WorkloadChange>,
}

/// The pods of the action's workload in one cluster, before and after.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkloadChange {
    pub before: PodCount,
    pub after: PodCount,
}

/// Pods with a node, and pods that wait for one.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PodCount {
    pub running: u32,
    pub waiting: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckItem {
    /// What should hold.
    pub rule: String,
    pub holds: bool,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewItem {
    pub by: String,
    /// approve, reject or defer.
    pub verdict: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub at: u64,
    pub at_wall: i64,
}

impl RecommendationItem {
    pub fn of(item: &Item) -> Self {
        Self {
            id: RecommendationId(item.id as u64).to_string(),
            version: item.version,
            stage: item.stage.as_str().to_owned(),
            agent: item.agent.clone(),
            kind: item.kind.clone(),
            action: item.action.clone(),
            workload: item.workload.clone(),
            from: item.from_cluster.clone(),
            to: item.to_cluster.clone(),
            risk: lists::risk_name(item.risk).to_owned(),
            raised_at: item.raised_at_ms,
            expires_at: item.expires_at_ms,
            settled_at: item.settled_at_ms,
            deferred_until: item.deferred_until_ms,
            plan_hash: item.plan_hash.to_string(),
            benefit: item.benefit,
            benefit_low: item.benefit_low,
            benefit_high: item.benefit_high,
            reason: item.reason.clone(),
            changed_by: item.changed_by.clone(),
            is_predicted: item.predicted != 0,
        }
    }
}

/// What the loop knows about an open recommendation beyond the list.
#[derive(Clone, Debug, Default)]
pub struct OnTheDesk {
    pub findings: Vec<Finding>,
    /// What it would change now; nothing once it is decided, then it counts what was expected when it was made.
    pub expected: Option<Impact>,
    pub approvers_needed: u32,
    pub approvers_given: u32,
    pub allowed: Vec<AllowedItem>,
}

impl RecommendationDetail<ToldPrediction> {
    /// `content` is what the documents have as the recommendation itself.
    pub fn of(
        Whole { item, documents }: &Whole,
        content: &Recommendation,
        desk: &OnTheDesk,
    ) -> Result<Self, Error> {
        let reviews: Vec<KeptReview> =
            documents.reviews.as_ref().map_or(Ok(Vec::new()), |text| text.read("a list of reviews"))?;
        let outcome: Option<SettleReason> =
            documents.outcome.as_ref().map(|text| text.read("an outcome")).transpose()?;
        let Assessment { because, .. } = &content.risk;
        let expected = desk.expected.as_ref().unwrap_or(&content.expected);
        Ok(Self {
            item: RecommendationItem::of(item),
            batch: content.batch,
            planned_by: content.planned_by.as_ref().map(ToString::to_string),
            undoes: content.undoes.map(|id| id.to_string()),
            evidence: content.because.evidence.iter().map(Into::into).collect(),
            evidence_age_ms: content.raised_at.since(content.observed_at).as_millis(),
            observed_at: content.observed_at.0,
            alternatives: content.because.alternatives.iter().map(Into::into).collect(),
            opinions: content.because.opinions.iter().map(Into::into).collect(),
            risk_because: because.iter().map(RiskReason::to_string).collect(),
            changes: expected.clusters.iter().map(Into::into).collect(),
            pods_moved: expected.pods_moved,
            cost_per_hour_before: expected.cost_per_hour_before.as_dollars_float(),
            cost_per_hour_after: expected.cost_per_hour_after.as_dollars_float(),
            prediction: documents.prediction.clone().map(Into::into),
            checks: desk.findings.iter().map(Into::into).collect(),
            way_back: content.action.inverse().to_string(),
            reviews: reviews.into_iter().map(Into::into).collect(),
            approvers_needed: desk.approvers_needed,
            approvers_given: desk.approvers_given,
            outcome: outcome.as_ref().map(lab::wording::settled),
            allowed: desk.allowed.clone(),
        })
    }
}

impl From<&Evidence> for EvidenceItem {
    fn from(evidence: &Evidence) -> Self {
        let Evidence { subject, signal, value, limit } = evidence.clone();
        Self { subject, signal, value, limit }
    }
}

impl From<&Alternative> for AlternativeItem {
    fn from(alternative: &Alternative) -> Self {
        let Alternative { option, rejected_because } = alternative.clone();
        Self { option, rejected_because }
    }
}

impl From<&Opinion> for OpinionItem {
    fn from(opinion: &Opinion) -> Self {
        let Opinion { by, model, verdict, weight, strength_thousandths, words } = opinion.clone();
        let verdict = match verdict {
            Verdict::For => OpinionVerdict::For,
            Verdict::Against => OpinionVerdict::Against,
            Verdict::Abstained => OpinionVerdict::Abstained,
        };
        let strength = strength_thousandths.map(|thousandths| f64::from(thousandths) / 1000.0);
        Self { by, model, verdict, weight, strength, words }
    }
}

impl From<(&ClusterName, &ClusterImpact)> for ClusterChange {
    fn from((cluster, impact): (&ClusterName, &ClusterImpact)) -> Self {
        Self {
            cluster: cluster.to_string(),
            load_before: impact.load_before.as_f64(),
            load_after: impact.load_after.as_f64(),
            pending_before: impact.pending_before,
            pending_after: impact.pending_after,
            workload: impact.workload.map(Into::into),
        }
    }
}

impl From<WorkloadImpact> for WorkloadChange {
    fn from(WorkloadImpact { before, after }: WorkloadImpact) -> Self {
        Self { before: before.into(), after: after.into() }
    }
}

impl From<Pods> for PodCount {
    fn from(Pods { running, waiting }: Pods) -> Self {
        Self { running, waiting }
    }
}

impl From<&Finding> for CheckItem {
    fn from(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.clone(),
            holds: finding.refusal.is_none(),
            because: finding.refusal.as_ref().map(lab::wording::refused),
        }
    }
}

impl From<KeptReview> for ReviewItem {
    fn from(kept: KeptReview) -> Self {
        let KeptReview { by, verdict, note, at, wall_ms } = kept;
        Self { by, verdict, note, at: at.0, at_wall: wall_ms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::tables::recommendations::tests::item;

    #[test]
    fn a_page_whose_rows_were_written_before_reads_like_any_other() {
        let page = Page { rows: vec![item(1), item(2)], total: 7, next: Some("more".to_owned()) };
        let list = RecommendationList::of(&page).unwrap();
        let text = serde_json::to_string(&list.as_of(Timestamp(5))).unwrap();
        let read: RecommendationPage = serde_json::from_str(&text).unwrap();
        assert_eq!((read.items.len(), read.total, read.as_of), (2, 7, 5));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }

    #[test]
    fn an_opinion_keeps_its_words_and_says_its_strength_as_a_share() {
        let said = Opinion {
            by: "performance".to_owned(),
            model: "small".to_owned(),
            verdict: Verdict::Against,
            weight: 2,
            strength_thousandths: Some(750),
            words: "<b>no</b>".to_owned(),
        };
        let item = OpinionItem::from(&said);
        assert_eq!((item.verdict, item.weight, item.strength), (OpinionVerdict::Against, 2, Some(0.75)));
        assert_eq!(item.words, "<b>no</b>", "whoever shows it sees to it that it stays text");
    }
}
