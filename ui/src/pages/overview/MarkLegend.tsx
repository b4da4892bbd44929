// What the marks on the line of time mean; only those that are there.
import type { Mark } from './timeline';
import css from './MarkLegend.module.css';

const WORDS: Record<Mark['kind'], string> = {
  begun: 'carried out',
  failed: 'failed or taken back',
  rejected: 'rejected',
};

export function MarkLegend({ marks }: { marks: readonly Mark[] }) {
  const kinds = (Object.keys(WORDS) as Mark['kind'][]).map((kind) => ({
    kind,
    number: marks.filter((mark) => mark.kind === kind).length,
  }));
  return (
    <ul className={css.legend} aria-label="Marks on the line of time">
      {kinds
        .filter(({ number }) => number > 0)
        .map(({ kind, number }) => (
          <li key={kind} className={css.entry}>
            <i className={css.sign} data-kind={kind} aria-hidden="true" /> {number} {WORDS[kind]}
          </li>
        ))}
    </ul>
  );
}
