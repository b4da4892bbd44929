import { expect, test } from 'vitest';
import { limitsOf, modeOf } from './modes';

const everything = { scope: 'everything' };

test('where nobody set anything, what counts otherwise holds', () => {
  expect(modeOf('planner', { otherwise: 'human', settings: [] })).toEqual({
    mode: 'human',
    setting: null,
    elsewhere: [],
  });
});

test('what is granted to everybody comes with its limits, unless something was set', () => {
  const limits = { ...everything, mode: 'auto', perHour: 4 };
  const modes = { otherwise: 'auto', limits, settings: [{ ...everything, mode: 'human', agent: 'other' }] };
  expect(limitsOf(modeOf('planner', modes).setting)).toEqual(['4 in an hour']);
  expect(limitsOf(modeOf('other', modes).setting)).toEqual([]);
});

test('of several that fit the most careful holds, whatever others got', () => {
  const settings = [
    { ...everything, mode: 'auto', agent: 'planner' },
    { ...everything, mode: 'rules' },
    { ...everything, mode: 'observe', agent: 'other' },
  ];
  expect(modeOf('planner', { otherwise: 'human', settings }).mode).toBe('rules');
});

test('a freeze that was lifted leaves a setting about the agent itself', () => {
  const settings = [{ scope: 'agent', name: 'planner', mode: 'human' }];
  expect(modeOf('planner', { otherwise: 'auto', settings }).mode).toBe('human');
  expect(modeOf('other', { otherwise: 'auto', settings })).toMatchObject({ mode: 'auto', elsewhere: [] });
});

test('settings about a part are told apart', () => {
  const settings = [{ scope: 'cluster', name: 'member2', mode: 'observe' }];
  expect(modeOf('planner', { otherwise: 'human', settings }).elsewhere).toHaveLength(1);
});

test('limits are said in words', () => {
  expect(limitsOf({ ...everything, mode: 'auto', highestRisk: 'low', replicas: 0, perHour: 4 })).toEqual([
    'up to low risk',
    '0 replicas at once',
    '4 in an hour',
  ]);
  expect(limitsOf({ ...everything, mode: 'human' })).toEqual([]);
});
