// What an admin reads and sets: tokens, modes, guardrails.
import { queryOptions } from '@tanstack/react-query';
import { answer, desk } from './client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Token = Schemas['TokenItem'];
export type TokenWish = Schemas['TokenWish'];
export type IssuedToken = Schemas['IssuedToken'];
export type Role = Schemas['Role'];
export type Scope = Schemas['ScopeItem'];
export type Mode = Schemas['ModeItem'];
export type Modes = Schemas['Modes'];
export type ModeWish = Schemas['ModeWish'];
export type Guardrails = Schemas['Guardrails'];

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) =>
    (await answer(desk.GET('/api/v1/tokens', { params: { query: { limit: 500 } }, signal }))).items,
});

export const modesQuery = queryOptions({
  queryKey: ['modes'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/modes', { signal })),
});

export const guardrailsQuery = queryOptions({
  queryKey: ['guardrails'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/guardrails', { signal })),
});

export function makeToken(wish: TokenWish): Promise<IssuedToken> {
  return answer(desk.POST('/api/v1/tokens', { body: wish }));
}

export function revokeToken(id: string) {
  return answer(desk.DELETE('/api/v1/tokens/{id}', { params: { path: { id } } }));
}

export function setMode(wish: ModeWish): Promise<Modes> {
  return answer(desk.PUT('/api/v1/modes', { body: wish }));
}

/** Which of the modes is meant: where, and whose. */
export type ModePlace = Pick<ModeWish, 'scope' | 'name' | 'agent'>;

export function clearMode({ scope, name, agent }: ModePlace, reason: string): Promise<Modes> {
  const query = { scope, reason, ...(name ? { name } : {}), ...(agent ? { agent } : {}) };
  return answer(desk.DELETE('/api/v1/modes', { params: { query } }));
}
