// Words of somebody else, as plain text: a few lines first, the rest when asked for.
import { useState } from 'react';
import { classes } from '../util/className';
import { opening } from './opening';
import css from './LongText.module.css';

interface Props {
  text: string;
  /** How many characters are shown at first. */
  most: number;
  /** Code and answers for machines, where every space counts. */
  mono?: boolean;
  /** What it is, for whoever hears the button without seeing what stands beside it. */
  label: string;
}

export function LongText({ text, most, mono, label }: Props) {
  const [whole, setWhole] = useState(false);
  const begin = opening(text, most);
  return (
    <span className={classes(css.text, mono && css.mono)}>
      {whole ? text : begin}
      {begin !== text && (
        <button type="button" className={css.more} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'less' : 'all of it'}
          <span className="visually-hidden">: {label}</span>
        </button>
      )}
    </span>
  );
}
