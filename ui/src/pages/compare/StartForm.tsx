// What to compare: a scenario, strategies, and how many seeds.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { ApiError } from '../../api/errors';
import { startComparison, strategiesQuery, type LabScenario } from '../../api/laboratory';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Loaded } from '../../components/Loaded';
import { PageHeader } from '../../components/PageHeader';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { SelectField, TextField } from '../../ui/Field';
import { count } from '../../util/numbers';
import { span } from '../../util/time';
import { MOST_SEEDS, type CompareSearch } from './search';
import { StrategyChips } from './StrategyChips';
import { compareCommand, whyNot } from './wish';
import css from './StartForm.module.css';

const route = getRouteApi('/inside/compare');

export function StartForm({ scenarios }: { scenarios: LabScenario[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const strategies = useQuery(strategiesQuery);
  const blocked = useWriteBlock('steer');
  const scenario = scenarios.find((one) => one.name === search.scenario) ?? scenarios[0];
  const chosen = search.strategies?.split(',') ?? ['hold', 'planner'];
  const wish = {
    scenario: scenario?.name ?? '',
    strategies: chosen,
    seeds: search.seeds ?? 10,
    baseline: search.baseline && chosen.includes(search.baseline) ? search.baseline : null,
  };
  const change = (next: CompareSearch) => void navigate({ search: { ...search, ...next }, replace: true });
  const start = useMutation({
    mutationFn: () => startComparison(wish),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['lab', 'comparisons'] });
      void navigate({ search: { id } });
    },
  });
  const problem = start.error instanceof ApiError ? start.error : null;
  const runs = wish.strategies.length * wish.seeds;
  return (
    <>
      <PageHeader
        title="Compare"
        note="Strategies on the same scenario and seeds, beside the federation that runs here and without touching it"
      />
      <div className={css.form}>
        <div className={css.row}>
          <Card title="Scenario">
            <SelectField
              label={<span className="visually-hidden">Scenario</span>}
              value={wish.scenario}
              onChange={(event) => change({ scenario: event.target.value })}
              error={problem?.field('scenario')}
            >
              {scenarios.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.name}
                  {one.isOwn ? ' (runs at this desk)' : ''}
                </option>
              ))}
            </SelectField>
            {scenario && (
              <p className={css.about}>
                {scenario.description}{' '}
                <span className={css.facts}>
                  {count(scenario.clusters, 'cluster')} · {count(scenario.workloads, 'workload')} · lasts{' '}
                  {span(scenario.lastsMs)}
                </span>
              </p>
            )}
          </Card>
          <Card title="Seeds">
            <TextField
              label={<span className="visually-hidden">How many seeds</span>}
              type="number"
              min={1}
              max={MOST_SEEDS}
              value={wish.seeds}
              onChange={(event) => change({ seeds: Number(event.target.value) || 1 })}
              help="Each seed is another day, with the same arrivals and failures for all strategies. With fewer than five nothing is called shown."
              error={problem?.field('seeds')}
            />
          </Card>
        </div>
        <Card title="Strategies">
          <Loaded query={strategies} lines={3}>
            {(known) => (
              <StrategyChips
                known={known}
                chosen={chosen}
                baseline={wish.baseline ?? chosen[0] ?? ''}
                onChange={(names) => change({ strategies: names.join(',') })}
                onBaseline={(baseline) => change({ baseline })}
              />
            )}
          </Loaded>
        </Card>
        <div className={css.start}>
          <CommandLine command={compareCommand(wish)} />
          {start.error && <ErrorNotice error={start.error} />}
          <div className={css.actions}>
            <Button
              look="primary"
              icon={<Play size={15} aria-hidden="true" />}
              busy={start.isPending}
              disabledBecause={blocked ?? whyNot(wish)}
              onClick={() => start.mutate()}
            >
              Start {count(runs, 'run')}
            </Button>
            <span className={css.facts}>
              {count(wish.strategies.length, 'strategy', 'strategies')} × {count(wish.seeds, 'seed')}; you may
              leave the page meanwhile.
            </span>
          </div>
        </div>
      </div>
    </>
  );
}
