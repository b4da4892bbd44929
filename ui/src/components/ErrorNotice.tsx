// A refusal of the desk, as something to read.
import { ApiError, adviceFor, waitFor } from '../api/errors';
import { ErrorState } from '../ui/ErrorState';

export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  if (!(error instanceof ApiError)) {
    const detail = error instanceof Error ? error.message : String(error);
    return <ErrorState title="The page itself failed" detail={detail} onRetry={onRetry} />;
  }
  const { title, detail, code, retryable } = error.problem;
  // What only reads may always be asked for again when the desk was at fault; nobody offers it for anything else.
  const mayRetry = retryable || error.status === 0 || error.status >= 500;
  return (
    <ErrorState
      title={error.code === 'forbidden' ? 'You may not see or do this' : title}
      detail={detail}
      advice={error.status === 0 ? null : (waitFor(error) ?? adviceFor(code))}
      onRetry={mayRetry ? onRetry : undefined}
    />
  );
}
