// Short names for what the contract describes.
import type { components, paths } from './schema';

type Schemas = components['schemas'];

export type Status = Schemas['Status'];
export type Session = Schemas['SessionItem'];
export type Right = Schemas['Right'];
export type Recommendation = Schemas['RecommendationItem'];
export type RecommendationDetail = Schemas['RecommendationDetail'] & {
  /** What the caller may do; absent from desks that do not say it yet. */
  allowed?: Allowed[];
};
export type RecommendationFilter = NonNullable<
  paths['/api/v1/recommendations']['get']['parameters']['query']
>;
export type WorkloadFilter = NonNullable<paths['/api/v1/workloads']['get']['parameters']['query']>;
export type Prediction = Schemas['PredictionItem'];
export type Outlook = Schemas['OutlookItem'];
export type Measure = Schemas['MeasureItem'];
export type Estimate = Schemas['EstimateItem'];
export type Execution = Schemas['ExecutionItem'];
export type Cluster = Schemas['ClusterItem'];
export type Workload = Schemas['WorkloadItem'];
export type Freeze = Schemas['FreezeItem'];
export type FreezeWish = Schemas['FreezeWish'];
export type ClockWish = Schemas['ClockWish'];
export type Agent = Schemas['AgentItem'];
export type Verdict = Schemas['DecisionVerdict'];
export type Decision = Schemas['Decision'];
export type Batch = Schemas['Batch'];
export type BatchResult = Schemas['BatchResult'];

/** One thing that can be done with a recommendation, and why not if not. */
export interface Allowed {
  do: 'approve' | 'reject' | 'defer' | 'change_target' | 'abort' | 'roll_back';
  may: boolean;
  because: string | null;
}

/** One cluster over time; null where nothing is known. */
export interface ClusterHistory {
  name: string;
  capacityCpu: (number | null)[];
  allocatedCpu: (number | null)[];
  requestedCpu: (number | null)[];
  usedCpu: (number | null)[];
  capacityMemory: (number | null)[];
  allocatedMemory: (number | null)[];
  requestedMemory: (number | null)[];
  usedMemory: (number | null)[];
  podsPending: (number | null)[];
  nodes: (number | null)[];
  costPerHour: (number | null)[];
  watts: (number | null)[];
}

/** The current run over time. */
export interface History {
  from: number;
  to: number;
  at: number[];
  clusters: ClusterHistory[];
}
