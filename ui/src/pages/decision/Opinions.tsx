// What language models said about a plan: how each voted, how much that counts, and their words, as they are.
import { CircleDashed, ThumbsDown, ThumbsUp, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { Opinion } from '../../api/types';
import { Badge, type Tone } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { LongText } from '../../ui/LongText';
import { byDissent, tallyOf, tallyWords, VERDICTS, weightWords } from './opinions';
import css from './Opinions.module.css';

/** As many as leave room for the other questions. */
const FIRST = 3;
/** Two lines of each. */
const MOST_WORDS = 170;

const LOOKS: Record<Opinion['verdict'], { tone: Tone; Icon: LucideIcon }> = {
  for: { tone: 'good', Icon: ThumbsUp },
  against: { tone: 'bad', Icon: ThumbsDown },
  abstained: { tone: 'neutral', Icon: CircleDashed },
};

export function Opinions({ opinions }: { opinions: readonly Opinion[] }) {
  const [all, setAll] = useState(false);
  if (opinions.length === 0) return null;
  const tally = tallyOf(opinions);
  const rows = byDissent(opinions);
  const shown = all ? rows : rows.slice(0, FIRST);
  const more = rows.length - FIRST;
  return (
    <div className={css.opinions}>
      <p className={css.head}>
        <b>What models said</b> {tallyWords(tally)}
        {tally.dissent && <Badge tone="warn">they disagree</Badge>}
      </p>
      <ul className={css.list}>
        {shown.map((opinion) => (
          <Said key={`${opinion.by}/${opinion.model}`} opinion={opinion} />
        ))}
      </ul>
      {more > 0 && (
        <Button size="s" look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Fewer' : `${more} more`}
        </Button>
      )}
    </div>
  );
}

function Said({ opinion }: { opinion: Opinion }) {
  const { tone, Icon } = LOOKS[opinion.verdict];
  return (
    <li className={css.said}>
      <span className={css.who}>
        <b>{opinion.by}</b>
        <Badge tone={tone} icon={<Icon size={12} aria-hidden="true" />}>
          {VERDICTS[opinion.verdict]}
        </Badge>
        <span className={css.weight}>
          {opinion.model}, {weightWords(opinion)}
        </span>
      </span>
      {opinion.words && (
        <span className={css.words}>
          <LongText text={opinion.words} most={MOST_WORDS} label={`what ${opinion.by} said`} />
        </span>
      )}
    </li>
  );
}
