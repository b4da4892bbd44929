// The clock that all times of the page are told by.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { statusQuery } from '../../api/queries';
import { federationNow } from '../../util/federationClock';
import { FederationNow } from '../useFederationNow';

export function FederationTime({ children }: { children: ReactNode }) {
  return <FederationNow value={usePassingTime()}>{children}</FederationNow>;
}

function usePassingTime(): number | null {
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
