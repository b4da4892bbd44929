// Everything that changes something.
import { answer, desk, rememberCsrfToken } from './client';
import type {
  Batch,
  BatchResult,
  ClockWish,
  Decision,
  Draft,
  Freeze,
  FreezeWish,
  ModeWish,
  Prediction,
  ProposalAnswer,
  RecommendationDetail,
} from './types';

export async function signIn(proof: { code: string } | { token: string }) {
  const session = await answer(desk.POST('/api/v1/session', { body: proof }));
  rememberCsrfToken(session.csrfToken);
  return session;
}

export function signOut() {
  return answer(desk.DELETE('/api/v1/session'));
}

/** What an answer is bound to: exactly what was read. */
export interface Read {
  id: string;
  version: number;
  planHash: string;
}

function headers(read: Read, key: string) {
  return { 'If-Match': `"${read.version}"`, 'Idempotency-Key': key };
}

export function decide(
  read: Read,
  decision: Omit<Decision, 'planHash'>,
  key: string,
): Promise<RecommendationDetail> {
  return answer(
    desk.POST('/api/v1/recommendations/{id}/decisions', {
      params: { path: { id: read.id }, header: headers(read, key) },
      body: { ...decision, planHash: read.planHash },
    }),
  );
}

export function decideTogether(batch: Batch, key: string): Promise<BatchResult[]> {
  return answer(
    desk.POST('/api/v1/decisions', { params: { header: { 'Idempotency-Key': key } }, body: batch }),
  );
}

export function changeTarget(
  read: Read,
  to: string,
  reason: string,
  key: string,
): Promise<RecommendationDetail> {
  return answer(
    desk.POST('/api/v1/recommendations/{id}/target', {
      params: { path: { id: read.id }, header: headers(read, key) },
      body: { planHash: read.planHash, to, reason: reason || null },
    }),
  );
}

export function abortExecution(id: string, reason: string, key: string) {
  return answer(
    desk.POST('/api/v1/executions/{id}/abort', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: { reason },
    }),
  );
}

export function rollBack(id: string, reason: string, key: string): Promise<RecommendationDetail> {
  return answer(
    desk.POST('/api/v1/executions/{id}/rollback', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: { reason },
    }),
  );
}

export function freeze(wish: FreezeWish, key: string): Promise<Freeze> {
  return answer(desk.POST('/api/v1/freezes', { params: { header: { 'Idempotency-Key': key } }, body: wish }));
}

export function liftFreeze(id: string, reason: string, key: string) {
  return answer(
    desk.POST('/api/v1/freezes/{id}/lift', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: { reason },
    }),
  );
}

export function setClock(wish: ClockWish) {
  return answer(desk.POST('/api/v1/clock', { body: wish }));
}

/** What plans would bring as things stand now. It changes nothing, but it takes the desk a while, so somebody has to want it. */
export function rehearse(ids: string[]): Promise<Prediction> {
  return answer(desk.POST('/api/v1/previews', { body: { ids } }));
}

/** A plan of a person's own; it waits for an answer like any other. */
export function propose(draft: Draft, key: string): Promise<ProposalAnswer> {
  return answer(
    desk.POST('/api/v1/recommendations', {
      params: { header: { 'Idempotency-Key': key } },
      body: { drafts: [draft] },
    }),
  );
}

export function setMode(wish: ModeWish) {
  return answer(desk.PUT('/api/v1/modes', { body: wish }));
}
