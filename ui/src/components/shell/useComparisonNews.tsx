// Tells whoever started a comparison that it is over, on whichever page they are by then.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { comparisonsQuery, type Comparison } from '../../api/laboratory';
import { sessionQuery } from '../../api/queries';
import { showToast } from '../../ui/toasts';
import { useSeesAll } from '../useSight';
import { endedSince, overOnes } from './comparisonNews';

export function useComparisonNews(): void {
  const { data: session } = useQuery(sessionQuery);
  // Whoever sees only a part of the federation has no laboratory.
  const seesAll = useSeesAll() === true;
  const { data: comparisons } = useQuery({ ...comparisonsQuery, enabled: seesAll });
  const before = useRef<ReadonlySet<string> | null>(null);
  const person = session ? `person:${session.name}` : '';
  useEffect(() => {
    if (!comparisons) return;
    for (const ended of endedSince(before.current, comparisons, person)) tell(ended);
    before.current = overOnes(comparisons);
  }, [comparisons, person]);
}

function tell({ id, scenario, state }: Comparison): void {
  const done = state === 'done';
  showToast({
    tone: done ? 'good' : 'bad',
    title: done ? `${id} is done: ${scenario}` : `${id} failed: ${scenario}`,
    detail: (
      <Link to="/compare" search={{ id }}>
        {done ? 'See what it showed' : 'See why'}
      </Link>
    ),
    stays: true,
  });
}
