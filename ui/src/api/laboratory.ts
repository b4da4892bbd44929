// The laboratory: what can be tried, what is being tried, and what came of it.
import { queryOptions } from '@tanstack/react-query';
import { readUncharted, writeUncharted } from './client';

export interface LabScenario {
  name: string;
  description: string;
  clusters: number;
  /** Those that come later included. */
  workloads: number;
  lastsMs: number;
  /** Whether it is the one that runs at this desk. */
  isOwn: boolean;
}

export interface LabStrategy {
  name: string;
  says: string;
}

export interface ComparisonWish {
  scenario: string;
  strategies: string[];
  seeds: number;
  baseline?: string | null;
}

export type ComparisonState = 'waiting' | 'running' | 'done' | 'cancelled' | 'failed';

export interface Comparison {
  id: string;
  state: ComparisonState;
  scenario: string;
  strategies: string[];
  seeds: number;
  baseline: string;
  /** Runs: one for each strategy and seed. */
  cells: { done: number; all: number; troubled: number };
  startedBy: string;
  startedWall: number;
  endedWall?: number | null;
  why?: string | null;
  command: string;
}

export interface Course {
  stepSeconds: number;
  pendingPods: number[];
  cpuLoad: number[];
  nodes: number[];
}

export interface Arm {
  name: string;
  completed: number;
  failed: number;
  timedOut: number;
  course: Course | null;
}

export interface Versus {
  difference: number;
  low: number | null;
  high: number | null;
  probability: number | null;
  verdict: 'differs' | 'not-shown' | 'too-few-seeds';
}

export interface Standing {
  mean: number;
  low: number | null;
  high: number | null;
  n: number;
  rank: number | null;
  best: boolean;
  versusBaseline: Versus | null;
  values: [number, number][];
}

export interface MetricRow {
  key: string;
  label: string;
  unit: string;
  better: 'lower' | 'higher' | 'neither';
  shownTimes: number;
  arms: (Standing | null)[];
}

export interface Figure {
  name: string;
  title: string;
  description: string;
  note: string;
}

export interface ComparisonResults {
  arms: Arm[];
  baseline: string;
  tooFewSeeds: boolean;
  conclusions: string[];
  caveats: string[];
  rows: MetricRow[];
  figures: Figure[];
}

export interface ComparisonDetail extends Comparison {
  results: ComparisonResults | null;
}

/** Null from a desk without a laboratory. */
export const scenariosQuery = queryOptions({
  queryKey: ['lab', 'scenarios'],
  queryFn: ({ signal }) => readUncharted<LabScenario[]>('/api/v1/lab/scenarios', signal),
  staleTime: Infinity,
});

export const strategiesQuery = queryOptions({
  queryKey: ['lab', 'strategies'],
  queryFn: ({ signal }) => readUncharted<LabStrategy[]>('/api/v1/lab/strategies', signal),
  staleTime: Infinity,
});

/** How often somebody looks how far it is, in case no event says so. */
const LOOK_AGAIN = 2_000;

export function isUnderWay(comparison: Pick<Comparison, 'state'>): boolean {
  return comparison.state === 'waiting' || comparison.state === 'running';
}

export const comparisonsQuery = queryOptions({
  queryKey: ['lab', 'comparisons'],
  queryFn: ({ signal }) => readUncharted<Comparison[]>('/api/v1/lab/comparisons', signal),
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_AGAIN : false),
});

export function comparisonQuery(id: string) {
  return queryOptions({
    queryKey: ['lab', 'comparison', id],
    queryFn: ({ signal }) =>
      readUncharted<ComparisonDetail>(`/api/v1/lab/comparisons/${encodeURIComponent(id)}`, signal),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_AGAIN : false),
  });
}

export function startComparison(wish: ComparisonWish): Promise<{ id: string }> {
  return writeUncharted('POST', '/api/v1/lab/comparisons', wish);
}

/** Cancels one that waits or runs, forgets one that is over. */
export function dismissComparison(id: string): Promise<unknown> {
  return writeUncharted('DELETE', `/api/v1/lab/comparisons/${encodeURIComponent(id)}`);
}

export function figureAddress(id: string, name: string): string {
  return `/api/v1/lab/comparisons/${encodeURIComponent(id)}/figures/${encodeURIComponent(name)}`;
}

/** All numbers, byte for byte what `drover compare --json` prints. */
export function resultsAddress(id: string): string {
  return `/api/v1/lab/comparisons/${encodeURIComponent(id)}/results`;
}
