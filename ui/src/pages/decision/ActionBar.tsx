// What can be done with it, always in reach. What cannot be done says why.
import { Ban, Check, Clock3, OctagonX, Shuffle, Undo2 } from 'lucide-react';
import type { RecommendationDetail } from '../../api/types';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { hasExecution, isUnderWay, refusalOf } from './deeds';
import type { Open } from './open';
import css from './ActionBar.module.css';

export function ActionBar({
  detail,
  onOpen,
}: {
  detail: RecommendationDetail;
  onOpen: (open: Open) => void;
}) {
  const blocked = useWriteBlock('decide');
  const refusal = (deed: Parameters<typeof refusalOf>[1]) => refusalOf(detail, deed, blocked);
  if (hasExecution(detail.stage)) {
    return (
      <footer className={css.bar} aria-label="Actions">
        {isUnderWay(detail.stage) ? (
          <Button
            icon={<OctagonX size={15} aria-hidden="true" />}
            disabledBecause={refusal('abort')}
            onClick={() => onOpen('abort')}
          >
            Abort…
          </Button>
        ) : (
          <Button
            icon={<Undo2 size={15} aria-hidden="true" />}
            disabledBecause={refusal('roll_back')}
            onClick={() => onOpen('rollback')}
          >
            Roll back…
          </Button>
        )}
        <span className={css.reason}>{refusal(isUnderWay(detail.stage) ? 'abort' : 'roll_back')}</span>
      </footer>
    );
  }
  if (detail.stage !== 'pending') return null;
  return (
    <footer className={css.bar} aria-label="Actions">
      <Button
        hint="⇧R"
        icon={<Ban size={15} aria-hidden="true" />}
        disabledBecause={refusal('reject')}
        onClick={() => onOpen('reject')}
      >
        Reject…
      </Button>
      <Button
        hint="z"
        icon={<Clock3 size={15} aria-hidden="true" />}
        disabledBecause={refusal('defer')}
        onClick={() => onOpen('defer')}
      >
        Defer…
      </Button>
      <Button icon={<Shuffle size={15} aria-hidden="true" />} onClick={() => onOpen('target')}>
        Alternatives…
      </Button>
      <span className={css.reason}>{refusal('approve')}</span>
      <Button
        look="primary"
        hint="⇧A"
        icon={<Check size={15} aria-hidden="true" />}
        disabledBecause={refusal('approve')}
        onClick={() => onOpen('approve')}
      >
        Approve…
      </Button>
    </footer>
  );
}
