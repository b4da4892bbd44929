// The federation's own time, as it passes.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { statusQuery } from '../api/queries';
import { federationNow } from '../util/federationClock';

/** Null until the desk has said what time it is. */
export function useFederationNow(): number | null {
  const { data, dataUpdatedAt } = useQuery(statusQuery);
  const [now, setNow] = useState(() => Date.now());
  const passes = Boolean(data && data.factor > 0);
  useEffect(() => {
    if (!passes) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [passes]);
  if (!data) return null;
  return federationNow(
    { at: data.at, factor: data.factor, heardAt: dataUpdatedAt },
    Math.max(now, dataUpdatedAt),
  );
}
