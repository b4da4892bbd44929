// Words of somebody else, as plain text: a few lines first, the rest when asked for.
import { useState } from 'react';
import { classes } from '../util/className';
import { Button } from './Button';
import { isLong, opening } from './opening';
import css from './LongText.module.css';

interface Props {
  text: string;
  /** Code and answers for machines, where every space counts. */
  mono?: boolean;
  /** What it is, for whoever hears the button without seeing what stands beside it. */
  label: string;
}

export function LongText({ text, mono, label }: Props) {
  const [whole, setWhole] = useState(false);
  return (
    <span className={css.long}>
      <span className={classes(css.text, mono && css.mono)}>{whole ? text : opening(text)}</span>
      {isLong(text) && (
        <Button
          size="s"
          look="quiet"
          aria-expanded={whole}
          aria-label={whole ? `Less of ${label}` : `All of ${label}`}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Less' : 'All of it'}
        </Button>
      )}
    </span>
  );
}
