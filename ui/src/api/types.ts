// Short names for what the contract describes.
import type { components, paths } from './schema';

type Schemas = components['schemas'];

export type Status = Schemas['Status'];
export type Session = Schemas['SessionItem'];
export type Right = Schemas['Right'];
export type Recommendation = Schemas['RecommendationItem'];
export type RecommendationDetail = Schemas['RecommendationDetail'];
export type RecommendationFilter = NonNullable<
  paths['/api/v1/recommendations']['get']['parameters']['query']
>;
export type WorkloadFilter = NonNullable<paths['/api/v1/workloads']['get']['parameters']['query']>;
export type DecisionFilter = NonNullable<
  paths['/api/v1/agents/{name}/decisions']['get']['parameters']['query']
>;
export type Prediction = Schemas['PredictionItem'];
export type Outlook = Schemas['OutlookItem'];
export type Measure = Schemas['MeasureItem'];
export type Estimate = Schemas['EstimateItem'];
export type Execution = Schemas['ExecutionItem'];
export type Cluster = Schemas['ClusterItem'];
export type ClusterDetail = Schemas['ClusterDetail'];
export type Amounts = Schemas['Amounts'];
export type Workload = Schemas['WorkloadItem'];
export type Freeze = Schemas['FreezeItem'];
export type FreezeWish = Schemas['FreezeWish'];
export type ClockWish = Schemas['ClockWish'];
export type Agent = Schemas['AgentItem'];
export type AgentDetail = Schemas['AgentDetail'];
export type AgentDecision = Schemas['DecisionItem'];
export type Modes = Schemas['Modes'];
export type ModeSetting = Schemas['ModeItem'];
export type ModeWish = Schemas['ModeWish'];
export type Draft = Schemas['DraftWish'];
export type ProposalAnswer = Schemas['ProposalAnswer'];
export type Verdict = Schemas['DecisionVerdict'];
export type Decision = Schemas['Decision'];
export type Batch = Schemas['Batch'];
export type BatchResult = Schemas['BatchResult'];
export type Allowed = Schemas['AllowedItem'];
export type Deed = Schemas['Deed'];
export type History = Schemas['HistoryItem'];
export type ClusterHistory = Schemas['ClusterCourse'];
export type Opinion = Schemas['OpinionItem'];
export type Budget = Schemas['BudgetItem'];
export type LearnedModel = Schemas['ModelItem'];
export type ModelQuestion = Schemas['QuestionItem'];
export type ModelCall = Schemas['CallItem'];
export type ModelFault = Schemas['FaultItem'];
