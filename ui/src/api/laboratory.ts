// The laboratory: what can be tried, what is being tried, and what came of it.
import { queryOptions } from '@tanstack/react-query';
import { answer, desk } from './client';
import { ApiError } from './errors';
import type { components } from './schema';

type Schemas = components['schemas'];

export type LabScenario = Schemas['ScenarioItem'];
export type LabStrategy = Schemas['StrategyItem'];
export type ComparisonWish = Schemas['ComparisonWish'];
export type ComparisonState = Schemas['ComparisonState'];
export type Comparison = Schemas['ComparisonItem'];
export type ComparisonDetail = Schemas['ComparisonDetail'];
export type ComparisonResults = Schemas['ComparisonResults'];
export type Arm = Schemas['ArmItem'];
export type Course = Schemas['CourseItem'];
export type MetricRow = Schemas['MetricItem'];
export type Standing = Schemas['StandingItem'];
export type Versus = Schemas['VersusItem'];
export type Figure = Schemas['FigureItem'];

/** Null for what is not there, or not any more. */
async function orNull<T>(wanted: Promise<T>): Promise<T | null> {
  try {
    return await wanted;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Null from a desk without a laboratory. */
export const scenariosQuery = queryOptions({
  queryKey: ['lab', 'scenarios'],
  queryFn: ({ signal }) => orNull(answer(desk.GET('/api/v1/lab/scenarios', { signal }))),
  staleTime: Infinity,
});

export const strategiesQuery = queryOptions({
  queryKey: ['lab', 'strategies'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/lab/strategies', { signal })),
  staleTime: Infinity,
});

/** How often somebody looks how far it is, in case no event says so. */
const LOOK_AGAIN = 2_000;

export function isUnderWay(comparison: Pick<Comparison, 'state'>): boolean {
  return comparison.state === 'waiting' || comparison.state === 'running';
}

export const comparisonsQuery = queryOptions({
  queryKey: ['lab', 'comparisons'],
  queryFn: ({ signal }) => orNull(answer(desk.GET('/api/v1/lab/comparisons', { signal }))),
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_AGAIN : false),
});

export function comparisonQuery(id: string) {
  return queryOptions({
    queryKey: ['lab', 'comparison', id],
    queryFn: ({ signal }) =>
      orNull(answer(desk.GET('/api/v1/lab/comparisons/{id}', { params: { path: { id } }, signal }))),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_AGAIN : false),
  });
}

export function startComparison(wish: ComparisonWish) {
  return answer(desk.POST('/api/v1/lab/comparisons', { body: wish }));
}

/** Cancels one that waits or runs, forgets one that is over. */
export function dismissComparison(id: string) {
  return answer(desk.DELETE('/api/v1/lab/comparisons/{id}', { params: { path: { id } } }));
}

export function figureAddress(id: string, name: string): string {
  return `/api/v1/lab/comparisons/${encodeURIComponent(id)}/figures/${encodeURIComponent(name)}`;
}

/** All numbers, byte for byte what `drover compare --json` prints. */
export function resultsAddress(id: string): string {
  return `/api/v1/lab/comparisons/${encodeURIComponent(id)}/results`;
}
