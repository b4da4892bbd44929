// Says that the plan is not the one that was read when the dialog was opened; what was written stays.
import type { RecommendationDetail } from '../../api/types';
import { Button } from '../../ui/Button';
import { actorName } from '../../util/workload';
import css from './Changed.module.css';

/** Whether it is still the same decision; a fresher prediction alone does not make it another one. */
export function isAnother(read: RecommendationDetail, now: RecommendationDetail): boolean {
  return read.planHash !== now.planHash || read.risk !== now.risk || read.stage !== now.stage;
}

interface Props {
  read: RecommendationDetail;
  now: RecommendationDetail;
  onRead: () => void;
}

export function Changed({ read, now, onRead }: Props) {
  if (!isAnother(read, now)) return null;
  const changes = [
    read.planHash !== now.planHash && 'the plan is another one',
    read.risk !== now.risk && `its risk is ${now.risk} now`,
    read.stage !== now.stage && `it is ${now.stage.replace('_', ' ')} now`,
  ].filter(Boolean);
  return (
    <div className={css.changed} role="alert">
      <p>
        <b>Changed by {actorName(now.changedBy)} while this was open:</b> {changes.join(', ')}.
      </p>
      <Button size="s" onClick={onRead}>
        I have read it as it is now
      </Button>
    </div>
  );
}
