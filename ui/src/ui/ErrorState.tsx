// Something was refused or failed: what, why, and what to do.
import { OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button';
import css from './ErrorState.module.css';

interface Props {
  title: string;
  detail?: string | undefined;
  advice?: string | null | undefined;
  /** Only where asking again is safe. */
  onRetry?: (() => void) | undefined;
  children?: ReactNode;
}

export function ErrorState({ title, detail, advice, onRetry, children }: Props) {
  return (
    <div className={css.error} role="alert">
      <OctagonAlert size={18} aria-hidden="true" className={css.icon} />
      <div className={css.words}>
        <p className={css.title}>{title}</p>
        {detail && detail !== title && <p>{detail}</p>}
        {advice && <p className={css.advice}>{advice}</p>}
        {children}
      </div>
      {onRetry && (
        <Button size="s" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
