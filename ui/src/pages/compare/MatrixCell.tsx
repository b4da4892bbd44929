// One strategy in one metric.
import { Equal, Star, ThumbsDown, ThumbsUp } from 'lucide-react';
import type { MetricRow, Standing } from '../../api/laboratory';
import { classes } from '../../util/className';
import { amount, interval, judge, probability, relativeTo, type Judgement } from './figures';
import css from './MatrixCell.module.css';

interface Props {
  row: MetricRow;
  standing: Standing | null;
  baseline: Standing | null;
  isBaseline: boolean;
  view: 'absolute' | 'relative';
  fraction: number;
  /** Whether the rank test could confirm anything; otherwise it is not quoted as if it had failed to. */
  tested: boolean;
}

export function MatrixCell({ row, standing, baseline, isBaseline, view, fraction, tested }: Props) {
  if (!standing) {
    return (
      <td className={css.cell}>
        <span className={css.none}>no value</span>
      </td>
    );
  }
  const versus = standing.versusBaseline;
  if (view === 'relative' && versus && baseline) {
    const { text, interval: range, unit } = relativeTo(row, baseline, versus, fraction);
    const judgement = judge(row, versus);
    return (
      <td className={css.cell}>
        <span className={classes(css.value, css[judgement], standing.best && css.best)}>
          {text} {unit}
        </span>
        <span className={css.interval}>{range}</span>
        <span className={css.under}>
          <Judged judgement={judgement} few={versus.verdict === 'too-few-seeds'} />
          {tested && versus.probability !== null && judgement !== 'not-shown' && (
            <span>· {probability(versus.probability)}</span>
          )}
        </span>
      </td>
    );
  }
  const show = (value: number) => amount(row, value, fraction);
  return (
    <td className={css.cell}>
      <span className={classes(css.value, standing.best && css.best)}>
        {standing.best && <Star size={12} aria-hidden="true" className={css.star} />}
        {show(standing.mean)}
        {standing.best && <span className="visually-hidden"> shown to be best</span>}
      </span>
      <span className={css.interval}>{interval(standing.low, standing.high, show)}</span>
      <span className={css.under}>
        {[
          `n ${standing.n}`,
          standing.rank !== null && `rank ${standing.rank}`,
          view === 'relative' && isBaseline && 'baseline',
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </td>
  );
}

const WORDS: Record<Judgement, string> = {
  better: 'better',
  worse: 'worse',
  different: 'differs',
  'not-shown': 'no difference shown',
};

function Judged({ judgement, few }: { judgement: Judgement; few: boolean }) {
  const Icon = { better: ThumbsUp, worse: ThumbsDown, different: Equal, 'not-shown': Equal }[judgement];
  return (
    <span className={css.judged}>
      {judgement !== 'different' && <Icon size={12} aria-hidden="true" />}
      {few ? 'too few seeds to say' : WORDS[judgement]}
    </span>
  );
}
