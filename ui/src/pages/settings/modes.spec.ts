import { expect, test } from 'vitest';
import { clearCommand, isFreer, isUnbounded, limitsOf, modeCommand, placeKey, whereOf } from './modes';

test('limits are told as far as there are any', () => {
  expect(limitsOf({ scope: 'everything', mode: 'human' })).toBe('');
  expect(limitsOf({ scope: 'everything', mode: 'auto', highestRisk: 'low', replicas: 1, perHour: 6 })).toBe(
    'risk up to low, 1 replica at once, 6 an hour',
  );
});

test('a place is told with its name', () => {
  expect(whereOf({ scope: 'everything' })).toBe('everything');
  expect(whereOf({ scope: 'namespace', name: 'shop' })).toBe('namespace shop');
});

test('the command says the same as the wish', () => {
  expect(modeCommand({ mode: 'human', scope: 'namespace', name: 'shop', reason: 'the sale' }, '')).toBe(
    "drover mode set human --namespace shop --reason 'the sale'",
  );
  expect(
    modeCommand(
      {
        mode: 'auto',
        scope: 'everything',
        agent: 'headroom',
        highestRisk: 'low',
        replicas: 2,
        reason: 'earned',
      },
      '4h',
    ),
  ).toBe('drover mode set auto --agent headroom --highest-risk low --replicas 2 --for 4h --reason earned');
});

test('a mode is taken back by its place, not by what it says', () => {
  expect(clearCommand({ scope: 'everything', agent: 'headroom' }, 'over')).toBe(
    'drover mode clear --agent headroom --reason over',
  );
  expect(clearCommand({ scope: 'cluster', name: 'member2' }, '')).toBe(
    "drover mode clear --cluster member2 --reason '…'",
  );
  expect(placeKey({ scope: 'everything' })).toBe(placeKey({ scope: 'everything', name: null, agent: null }));
  expect(placeKey({ scope: 'everything', agent: 'a' })).not.toBe(placeKey({ scope: 'everything' }));
});

test('a grant has an end or a pace', () => {
  const wish = { mode: 'auto', scope: 'everything', highestRisk: 'low', reason: 'earned' } as const;
  expect(isUnbounded({ ...wish, perHour: null, seconds: null })).toBe(true);
  expect(isUnbounded({ ...wish, perHour: 0 })).toBe(false);
  expect(isUnbounded({ ...wish, seconds: 60 })).toBe(false);
  expect(isUnbounded({ ...wish, mode: 'human' })).toBe(false);
});

test('modes go from the most careful to the freest', () => {
  expect(isFreer('human', 'observe')).toBe(true);
  expect(isFreer('human', 'human')).toBe(false);
  expect(isFreer('rules', 'auto')).toBe(false);
});
