// The steps of a plan in a row, each with the moment at which it was seen.
import { Check, CircleDot, Circle, X } from 'lucide-react';
import { span } from '../../util/time';
import { stepsOf, type SeenStep, type Step } from './steps';
import css from './Steps.module.css';

const ICONS: Record<Step['state'], typeof Check> = { done: Check, now: CircleDot, ahead: Circle, failed: X };
const WORDS: Record<Step['state'], string> = {
  done: 'seen',
  now: 'now',
  ahead: 'to come',
  failed: 'trouble',
};

export function Steps({
  seen,
  moves,
  begunAt,
}: {
  seen: readonly SeenStep[];
  moves: boolean;
  begunAt: number | null;
}) {
  return (
    <ol className={css.steps}>
      {stepsOf(seen, moves).map((step) => {
        const Icon = ICONS[step.state];
        return (
          <li
            key={step.name}
            className={css.step}
            data-state={step.state}
            aria-current={step.state === 'now' ? 'step' : undefined}
          >
            <span className={css.sign}>
              <Icon size={14} aria-label={WORDS[step.state]} />
            </span>
            <span className={css.title}>{step.title}</span>
            <span className={css.at}>
              {step.at === null ? 'to come' : begunAt === null ? '' : `+${span(step.at - begunAt)}`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
