// A refusal of the desk, as something to read.
import { ApiError, adviceFor } from '../api/errors';
import { ErrorState } from '../ui/ErrorState';

export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  if (!(error instanceof ApiError)) {
    const detail = error instanceof Error ? error.message : String(error);
    return <ErrorState title="The page itself failed" detail={detail} onRetry={onRetry} />;
  }
  const { title, detail, code, retryable } = error.problem;
  return (
    <ErrorState
      title={error.code === 'forbidden' ? 'You may not see or do this' : title}
      detail={detail}
      advice={error.status === 0 ? null : adviceFor(code)}
      onRetry={retryable || error.status === 0 ? onRetry : undefined}
    />
  );
}
