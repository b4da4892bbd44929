// What somebody is about to compare, and whether it can be.
import type { ComparisonWish } from '../../api/laboratory';
import { commandLine } from '../../util/shell';
import { MOST_RUNS, MOST_STRATEGIES } from './search';

/** Why it cannot be started; null if it can. */
export function whyNot(wish: ComparisonWish): string | null {
  const { scenario, strategies, seeds } = wish;
  if (!scenario) return 'Choose a scenario.';
  if (strategies.length === 0) return 'Choose at least one strategy.';
  if (strategies.length > MOST_STRATEGIES) return `Choose at most ${MOST_STRATEGIES} strategies.`;
  const runs = strategies.length * seeds;
  if (runs > MOST_RUNS)
    return `These are ${runs} runs; with ${strategies.length} strategies take at most ${Math.floor(MOST_RUNS / strategies.length)} seeds.`;
  return null;
}

/** As the command line takes it. The desk tells the exact file once it runs. */
export function compareCommand(wish: ComparisonWish): string {
  const { scenario, strategies, seeds, baseline } = wish;
  return commandLine(
    'drover',
    'compare',
    `scenarios/${scenario || '…'}.yaml`,
    '--strategies',
    strategies.join(',') || '…',
    '--seeds',
    seeds === 1 ? '1' : `1..${seeds}`,
    ...(baseline && baseline !== strategies[0] ? ['--baseline', baseline] : []),
  );
}
