// CPU or memory of a cluster or node: the bar, and the same in numbers.
import { LoadBar } from '../../ui/LoadBar';
import { notMeasured } from '../../util/measured';
import { percent } from '../../util/numbers';
import { bytesScale, CORES } from '../../util/scale';
import css from './Fullness.module.css';

interface Props {
  of: 'cores' | 'bytes';
  whole: number;
  taken: number;
  asked?: number;
  used?: number | null;
  /** In a narrow column: what is asked for beyond the taken part as a plus, the rest on hover. */
  brief?: boolean;
}

export function Fullness({ of, whole, taken, asked = taken, used = null, brief }: Props) {
  const { text, unit } = of === 'cores' ? CORES : bytesScale(whole);
  const more = asked - taken;
  const waits = more > taken * 1e-6;
  const words = [
    `${text(taken)} of ${text(whole)} ${unit} placed`,
    ...(waits ? [`${text(asked)} asked for (${percent(whole > 0 ? asked / whole : 0, 0)})`] : []),
    used === null ? 'used is not measured' : `${text(used)} used`,
    ...(asked > whole ? ['the red line is where what there is ends'] : []),
  ];
  return (
    <span className={css.fullness} title={words.join(', ')}>
      <span className={css.numbers}>
        <b className={css.share}>{whole > 0 ? percent(taken / whole, 0) : '—'}</b>
        {!brief && <span>placed</span>}
        <span className={css.amounts}>
          {text(taken)}
          {brief ? '/' : ' of '}
          {text(whole)}
          {of === 'bytes' && ` ${unit}`}
          {waits && (
            <span className={css.asked}>
              {brief
                ? ` +${text(more)}`
                : ` · ${percent(whole > 0 ? asked / whole : 0, 0)} asked for (${text(asked)})`}
            </span>
          )}
          {!brief && (used === null ? ` · ${notMeasured('used')}` : ` · used ${text(used)}`)}
        </span>
      </span>
      <LoadBar whole={whole} taken={taken} asked={asked} used={used} />
    </span>
  );
}
