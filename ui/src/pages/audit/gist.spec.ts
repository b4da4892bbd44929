import { expect, test } from 'vitest';
import { gistOf } from './gist';

test('an answer is told with its reason and what followed', () => {
  const body = {
    input: { reviewed: { recommendation: 'R-10', verdict: 'reject', note: 'the sale begins' } },
    effects: [{ settle: { id: 'R-10' } }],
  };
  expect(gistOf('reviewed', body)).toBe('reject · “the sale begins” · settle');
});

test('an order is told with its reason', () => {
  const what = { order: 'set_mode', setting: { mode: { mode: 'observe' } } };
  expect(gistOf('ordered', { input: { ordered: { reason: 'never touch it', what } } })).toBe(
    'set mode observe · “never touch it”',
  );
});

test('equal effects are counted', () => {
  const body = { input: { snapshot: '79d028ff6dfa929b' }, effects: ['observe', { ask: {} }, { ask: {} }] };
  expect(gistOf('observed', body)).toBe('snapshot 79d028ff6dfa… · observe, ask ×2');
});

test('what nobody knows is shown as it is, and nothing breaks on what is missing', () => {
  expect(gistOf('webhook.sent', { to: 'x' })).toBe('{"to":"x"}');
  for (const kind of [
    'wake',
    'observed',
    'reviewed',
    'ordered',
    'predicted',
    'applied',
    'scored',
    'inherited',
    'progress',
  ]) {
    expect(() => gistOf(kind, null)).not.toThrow();
    expect(() => gistOf(kind, 'text')).not.toThrow();
  }
});

test.each([
  ['passed', { verdict: 'approve', plan: '8224868b', entry: 12 }, 'approve'],
  ['unpredicted', { recommendations: ['R-1', 'R-2'], asked: [] }, 'R-1, R-2'],
  ['session.refused', { how: 'token', attempts: 3 }, 'with token · 3 attempts'],
  ['clock', { order: 'advance', by: '1m' }, 'advance · 1m'],
  ['clock', { order: 'speed', speed: 60, whileWaiting: 10 }, 'speed · 60'],
  ['login.created', { expiresWall: 1794937170708, role: 'admin' }, 'once, as admin'],
  ['token.revoked', { sessionsEnded: 2 }, '2 sessions ended with it'],
  ['token.revoked', { sessionsEnded: 0 }, ''],
  ['backup.taken', { bytes: 3 * 2 ** 20 }, '3.0 MiB'],
  [
    'inherited',
    { input: { inherited: { from: 'run-1', freezes: [{}, {}], modes: [{}], left: ['R-7: move web'] } } },
    '2 freezes · 1 mode · left under way: R-7: move web',
  ],
  ['inherited', { input: { inherited: { from: 'run-1' } } }, ''],
  ['model.added', { name: 'greenwise', kind: 'ppo', size: 4 }, 'greenwise · ppo'],
])('%s is told in words', (kind, body, expected) => expect(gistOf(kind, body)).toBe(expected));

test('a comparison is told by what is compared', () =>
  expect(
    gistOf('comparison.started', { scenario: 'three-waves', strategies: ['hold', 'planner'], seeds: 6 }),
  ).toBe('three-waves · hold, planner · 6 seeds'));
