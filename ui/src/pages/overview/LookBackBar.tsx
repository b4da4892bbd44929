// Says that what is shown is not now, which moment it is, and how to come back.
import { History } from 'lucide-react';
import { useFederationNow } from '../../components/useFederationNow';
import { useShortcuts } from '../../components/shortcuts';
import { Button } from '../../ui/Button';
import { moment, spelled } from '../../util/time';
import type { Past } from './past';
import css from './LookBackBar.module.css';

interface Props {
  at: number;
  past: Past | null | undefined;
  onNow: () => void;
}

export function LookBackBar({ at, past, onNow }: Props) {
  const now = useFederationNow();
  useShortcuts({ '.': onNow, Escape: onNow });
  return (
    <section className={css.bar} aria-label="Looking back">
      <History size={18} aria-hidden="true" className={css.icon} />
      <p className={css.words}>
        <b>
          Looking back at {moment(at)}
          {now === null ? '' : `, ${spelled(now - at)} ago`}.
        </b>{' '}
        {past
          ? `Clusters and numbers are those observed at ${moment(past.observedAt)}; nothing is decided from here.`
          : past === null
            ? 'Nothing had been observed by then.'
            : ''}
      </p>
      <Button look="primary" size="s" hint="Esc" onClick={onNow}>
        Back to now
      </Button>
    </section>
  );
}
