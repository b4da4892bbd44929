// What else the agent looked at, and why it is not what is proposed.
import { CircleSlash } from 'lucide-react';
import { useState } from 'react';
import type { RecommendationDetail } from '../../api/types';
import { Button } from '../../ui/Button';
import css from './WhyNot.module.css';

/** As many as leave room for the other questions; a large federation has a hundred. */
const FIRST = 3;

export function WhyNot({ alternatives }: Pick<RecommendationDetail, 'alternatives'>) {
  const [all, setAll] = useState(false);
  if (alternatives.length === 0) return null;
  const shown = all ? alternatives : alternatives.slice(0, FIRST);
  const more = alternatives.length - FIRST;
  return (
    <div className={css.not}>
      <h3 className={css.title}>Why not otherwise</h3>
      <ul className={css.list}>
        {shown.map(({ option, rejectedBecause }) => (
          <li key={option} className={css.option}>
            <CircleSlash size={13} aria-hidden="true" className={css.sign} />
            <b>{option}</b>
            <span className={css.because}>{rejectedBecause}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button size="s" look="quiet" className={css.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Fewer' : `${more} more`}
        </Button>
      )}
    </div>
  );
}
