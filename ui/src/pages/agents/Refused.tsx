// Drafts that never became recommendations, because a guardrail did not let them through.
import { ShieldBan } from 'lucide-react';
import type { AgentDecision } from '../../api/types';
import { Card } from '../../ui/Card';
import { moment } from '../../util/time';
import { refusalsOf } from './refusals';
import css from './Refused.module.css';

export function Refused({ decisions }: { decisions: readonly AgentDecision[] }) {
  const refusals = refusalsOf(decisions);
  return (
    <Card title="Refused by guardrails" aside={refusals.length > 0 ? 'in its last decisions' : undefined}>
      {refusals.length === 0 ? (
        <p className={css.none}>None of its last drafts was refused.</p>
      ) : (
        <ul className={css.list}>
          {refusals.map(({ action, because, times, lastAt }) => (
            <li key={`${action}/${because}`} className={css.refusal}>
              <ShieldBan size={15} aria-hidden="true" />
              <span>
                <b>{action}</b>
                <span className={css.because}>{because}</span>
                <span className={css.when}>
                  {times > 1 ? `${times} times, last at ${moment(lastAt)}` : `at ${moment(lastAt)}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
