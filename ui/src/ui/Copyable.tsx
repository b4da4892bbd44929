// A text to take along: a command line, a hash.
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classes } from '../util/className';
import css from './Copyable.module.css';

interface Props {
  text: string;
  /** What is shown instead of the whole text. */
  shown?: string;
  label?: string;
  block?: boolean;
}

export function Copyable({ text, shown, label = 'Copy', block }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <span className={classes(css.copyable, block && css.block)}>
      <code className={css.text} title={shown ? text : undefined}>
        {shown ?? text}
      </code>
      <button
        type="button"
        className={css.button}
        onClick={copy}
        aria-label={copied ? 'Copied' : `${label}: ${text}`}
      >
        {copied ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
      </button>
    </span>
  );
}
