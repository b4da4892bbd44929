// The same few numbers, as they were at the moment that is looked back at.
import { useWholeInWords } from '../../components/useSight';
import { count, digits, percent } from '../../util/numbers';
import { Figure } from './Figure';
import { fullest, total } from './past';
import { Power } from './Power';
import type { Then } from './usePast';
import css from './Figures.module.css';

const UNKNOWN = '—';

export function PastFigures({ then: { past, course, waited, begun } }: { then: Then }) {
  const whole = useWholeInWords();
  const clusters = past?.clusters ?? [];
  const pending = total(clusters, 'podsPending');
  const nodes = total(clusters, 'nodes');
  const cost = total(clusters, 'costPerHour');
  const watts = total(clusters, 'watts');
  const full = fullest(clusters);
  const underWay = begun?.filter(({ stage }) => stage === 'applying').length;
  return (
    <dl className={css.figures}>
      <Figure
        label="To decide"
        value={waited ? waited.waiting.length : UNKNOWN}
        note={!waited ? '' : waited.unsure.length > 0 || !waited.complete ? 'or more' : 'at that moment'}
      />
      <Figure
        label="Under way"
        value={underWay ?? UNKNOWN}
        note={begun === null ? 'too long ago to tell' : 'at that moment'}
      />
      <Figure
        label="Pods without a node"
        value={
          <span data-bad={(pending ?? 0) > 0 || undefined} className={css.alarm}>
            {pending === null ? UNKNOWN : digits(pending)}
          </span>
        }
        note={pending === null ? 'not known' : pending > 0 ? whole : 'all had one'}
      />
      <Figure
        label="Fullest cluster"
        value={full ? percent(full.placed, 0) : UNKNOWN}
        {...(full ? { unit: 'placed' } : {})}
        note={full ? `${full.name}: ${full.resource}, ${percent(full.asked, 0)} asked for` : ''}
      />
      <Figure
        label="Cost"
        value={cost === null ? UNKNOWN : digits(cost, 2)}
        unit="$/h"
        note={nodes === null ? '' : count(nodes, 'node')}
      />
      {watts !== null && <Power watts={watts} at={past?.observedAt ?? null} course={course} />}
    </dl>
  );
}
