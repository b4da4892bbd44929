import { expect, test } from 'vitest';
import { compareCommand, whyNot } from './wish';

const wish = { scenario: 'varying-load', strategies: ['hold', 'planner'], seeds: 10 };

test('the command says the same as the form', () => {
  expect(compareCommand(wish)).toBe(
    'drover compare scenarios/varying-load.yaml --strategies hold,planner --seeds 1..10',
  );
  expect(compareCommand({ ...wish, seeds: 1, baseline: 'planner' })).toBe(
    'drover compare scenarios/varying-load.yaml --strategies hold,planner --seeds 1 --baseline planner',
  );
  expect(compareCommand({ ...wish, baseline: 'hold' })).not.toContain('baseline');
});

test('what is missing or too much is named', () => {
  expect(whyNot(wish)).toBeNull();
  expect(whyNot({ ...wish, scenario: '' })).toContain('scenario');
  expect(whyNot({ ...wish, strategies: [] })).toContain('strategy');
  expect(whyNot({ ...wish, strategies: ['a', 'b', 'c', 'd', 'e'], seeds: 50 })).toContain('at most 40 seeds');
});
