// What a recommendation would bring, with its interval where the desk tells it.
import type { ReactNode } from 'react';
import type { Recommendation } from '../api/types';
import { digits } from '../util/numbers';
import { benefitRange } from './benefitRange';
import css from './Benefit.module.css';

interface Props {
  row: Recommendation;
  /** Shown as long as it is not predicted. */
  otherwise: ReactNode;
  /** What it means, where no heading says so. */
  note?: string;
}

export function Benefit({ row, otherwise, note }: Props) {
  if (row.benefit === null || row.benefit === undefined) return otherwise;
  const range = benefitRange(row);
  return (
    <span title="Pods that do not have to wait for a node, on average" className={css.benefit}>
      {digits(row.benefit, 1)} pods
      {range && (
        <span className={css.small}>
          [{digits(range.low, 1)}, {digits(range.high, 1)}]
        </span>
      )}
      {note && !range && <span className={css.small}>{note}</span>}
    </span>
  );
}
