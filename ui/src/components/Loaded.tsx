// One answer of the desk in all its states: loading, failed, there, or there but not renewed.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Skeleton } from '../ui/Skeleton';
import { ErrorNotice } from './ErrorNotice';

interface Props<Data> {
  query: UseQueryResult<Data>;
  lines?: number;
  tall?: boolean;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, lines, tall, children }: Props<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton {...(lines ? { lines } : {})} {...(tall ? { tall } : {})} />;
}
