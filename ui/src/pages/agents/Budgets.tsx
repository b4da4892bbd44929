// What of an agent's freedom within an hour is used up.
import type { Budget } from '../../api/types';
import { StillFor } from '../../components/StillFor';
import { LoadBar } from '../../ui/LoadBar';
import { isUsedUp, nameOf, whereOf } from './budgets';
import css from './Budgets.module.css';

export function Budgets({ budgets }: { budgets: readonly Budget[] }) {
  if (budgets.length === 0) return <span className={css.none}>nothing is limited by the hour</span>;
  return (
    <ul className={css.budgets}>
      {budgets.map((budget) => (
        <li key={`${budget.limit}/${budget.scope}/${budget.name}`} className={css.budget}>
          <span>
            {nameOf(budget)}: <b>{budget.used}</b> of {budget.most}
            {isUsedUp(budget) && <span className={css.up}>, used up</span>}
          </span>
          <LoadBar whole={budget.most} taken={budget.used} />
          {budget.limit === 'grant' && (
            <span className={css.note}>
              {whereOf(budget)}, {typeof budget.until === 'number' && 'still for '}
              <StillFor until={budget.until} otherwise="until it is changed" />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
