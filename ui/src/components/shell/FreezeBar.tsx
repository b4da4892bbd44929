// What stands still, who said so and why: on every page, as long as it lasts.
import { useQuery } from '@tanstack/react-query';
import { Snowflake } from 'lucide-react';
import { statusQuery } from '../../api/queries';
import type { Freeze } from '../../api/types';
import { Button } from '../../ui/Button';
import { Countdown } from '../Countdown';
import { useWriteBlock } from '../useWriteBlock';
import css from './FreezeBar.module.css';

export function FreezeBar({ onLift }: { onLift: (freeze: Freeze) => void }) {
  const { data: status } = useQuery(statusQuery);
  const blocked = useWriteBlock('administer');
  if (!status || status.freezes.length === 0) return null;
  return (
    <section className={css.bar} aria-label="Freezes in force">
      <ul>
        {status.freezes.map((freeze) => (
          <li key={freeze.id} className={css.freeze}>
            <Snowflake size={16} aria-hidden="true" />
            <span className={css.words}>
              <b>
                Frozen:{' '}
                {freeze.scope === 'everything' ? 'everything' : `${freeze.scope} ${freeze.name ?? ''}`}
              </b>{' '}
              by {freeze.by}: “{freeze.reason}”
              {freeze.until !== null && freeze.until !== undefined && (
                <>
                  {' '}
                  · still <Countdown until={freeze.until} />
                </>
              )}
            </span>
            <Button size="s" disabledBecause={blocked} onClick={() => onLift(freeze)}>
              Lift…
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
