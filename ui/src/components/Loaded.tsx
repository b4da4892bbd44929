// One answer of the desk in all its states: loading, failed, there, or there but not renewed.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Skeleton } from '../ui/Skeleton';
import { ErrorNotice } from './ErrorNotice';
import { NotRenewed } from './NotRenewed';

interface Props<Data> {
  query: UseQueryResult<Data>;
  lines?: number;
  tall?: boolean;
  /** What stands above as long as nothing is there: the name of the page, if the answer brings it. */
  heading?: ReactNode;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, lines, tall, heading, children }: Props<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        <NotRenewed query={query} />
        {children(query.data)}
      </>
    );
  }
  return (
    <>
      {heading}
      {query.error ? (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton {...(lines ? { lines } : {})} {...(tall ? { tall } : {})} />
      )}
    </>
  );
}
