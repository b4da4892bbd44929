// One comparison: how far it is, or what it showed.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { FlaskConicalOff, RotateCcw, Trash2 } from 'lucide-react';
import { comparisonQuery, dismissComparison, isUnderWay, type ComparisonDetail } from '../../api/laboratory';
import { CommandLine } from '../../components/CommandLine';
import { ComparisonBadge } from '../../components/ComparisonBadge';
import { Loaded } from '../../components/Loaded';
import { PageHeader } from '../../components/PageHeader';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { showToast } from '../../ui/toasts';
import { count } from '../../util/numbers';
import { Progress } from './Progress';
import { Results } from './Results';
import css from './ComparisonView.module.css';

const route = getRouteApi('/inside/compare');

export function ComparisonView({ id }: { id: string }) {
  const query = useQuery(comparisonQuery(id));
  return (
    <Loaded query={query} lines={8} heading={<PageHeader title="Compare" />}>
      {(comparison) =>
        comparison === null ? (
          <>
            <PageHeader title="Compare" />
            <EmptyState
              icon={<FlaskConicalOff size={20} />}
              title={`There is no comparison ${id}, or not any more`}
              action={
                <Link to="/compare" search={{}}>
                  Start one
                </Link>
              }
            >
              The desk keeps the last twenty that are over; the record tells who started this one.
            </EmptyState>
          </>
        ) : (
          <Known comparison={comparison} />
        )
      }
    </Loaded>
  );
}

function Known({ comparison }: { comparison: ComparisonDetail }) {
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const blocked = useWriteBlock('steer');
  const { id, scenario, strategies, seeds, baseline, results } = comparison;
  const underWay = isUnderWay(comparison);
  const dismiss = useMutation({
    mutationFn: () => dismissComparison(id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['lab'] });
      showToast({ tone: 'neutral', title: underWay ? `${id} is cancelled` : `${id} is forgotten` });
      if (!underWay) void navigate({ to: '/runs' });
    },
    onError: (error) => showToast({ tone: 'bad', title: `${id} stays as it is`, detail: error.message }),
  });
  const again = { scenario, strategies: strategies.join(','), seeds, baseline };
  return (
    <>
      <PageHeader
        title={
          <>
            {scenario} <span className={css.id}>{id}</span>
          </>
        }
        note={
          <span className={css.note}>
            <ComparisonBadge state={comparison.state} />
            {count(strategies.length, 'strategy', 'strategies')} × {count(seeds, 'seed')} · by{' '}
            {comparison.startedBy.replace(/^person:/, '')}
          </span>
        }
        actions={
          <>
            <Button
              icon={<RotateCcw size={15} aria-hidden="true" />}
              onClick={() => void navigate({ search: again })}
            >
              {underWay ? 'Another…' : 'Again…'}
            </Button>
            {!underWay && (
              <Button
                look="quiet"
                icon={<Trash2 size={15} aria-hidden="true" />}
                busy={dismiss.isPending}
                disabledBecause={blocked}
                onClick={() => dismiss.mutate()}
              >
                Forget
              </Button>
            )}
          </>
        }
      />
      <div className={css.stack}>
        {underWay && (
          <Progress
            comparison={comparison}
            cancelling={dismiss.isPending}
            blocked={blocked}
            onCancel={() => dismiss.mutate()}
          />
        )}
        {comparison.state === 'cancelled' && (
          <EmptyState title="It was cancelled">
            {comparison.cells.done} of {comparison.cells.all} runs were done; what is not whole is not shown.
          </EmptyState>
        )}
        {comparison.state === 'interrupted' && (
          <EmptyState title="The desk was stopped before it was over">
            Start it again to see what it shows.
          </EmptyState>
        )}
        {comparison.state === 'failed' && (
          <EmptyState title="None of its runs came to its end">
            {comparison.why ?? 'The desk did not say why.'}
          </EmptyState>
        )}
        {results && <Results comparison={comparison} results={results} />}
        <CommandLine command={comparison.command} />
      </div>
    </>
  );
}
