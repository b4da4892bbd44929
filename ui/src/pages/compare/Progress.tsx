// How far a comparison is, and the way to stop it.
import { useEffect, useState } from 'react';
import type { Comparison } from '../../api/laboratory';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { span } from '../../util/time';
import { leftOf } from './eta';
import css from './Progress.module.css';

interface Props {
  comparison: Comparison;
  cancelling: boolean;
  blocked: string | null;
  onCancel: () => void;
}

export function Progress({ comparison, cancelling, blocked, onCancel }: Props) {
  const { cells, startedWall, state } = comparison;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const elapsed = Math.max(0, now - startedWall);
  const left = leftOf(cells.done, cells.all, elapsed);
  return (
    <Card
      title={state === 'waiting' ? 'Others are before it' : 'Running'}
      aside={
        <Button size="s" busy={cancelling} disabledBecause={blocked} onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <progress
        className={css.bar}
        max={cells.all}
        value={cells.done}
        aria-label="Runs done"
        aria-valuetext={`${cells.done} of ${cells.all} runs`}
      />
      <p className={css.words}>
        <b>
          {cells.done} of {cells.all}
        </b>{' '}
        runs done
        {cells.troubled > 0 && ` (${cells.troubled} failed or took too long)`} · for {span(elapsed)}
        {left !== null && ` · about ${span(left)} left`}
      </p>
      <p className={css.note}>You may leave the page; it goes on, and stands under Runs.</p>
    </Card>
  );
}
