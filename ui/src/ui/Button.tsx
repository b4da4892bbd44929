// A button. One that cannot be used says why instead of vanishing.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from '../util/className';
import { Tooltip } from './Tooltip';
import css from './Button.module.css';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 'm' | 's';
  icon?: ReactNode;
  busy?: boolean;
  /** Why it cannot be used now; it stays focusable, so that everybody can read the reason. */
  disabledBecause?: string | null | undefined;
  /** Shown beside the label: the key that does the same. */
  hint?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function Button(props: Props) {
  const {
    look = 'plain',
    size = 'm',
    icon,
    busy,
    disabledBecause,
    hint,
    className,
    children,
    onClick,
    ...rest
  } = props;
  const off = Boolean(disabledBecause) || busy;
  const button = (
    <button
      type="button"
      {...rest}
      className={classes(css.button, css[look], css[size], className)}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      {...(disabledBecause ? { 'aria-description': disabledBecause } : {})}
      onClick={off ? (event) => event.preventDefault() : onClick}
    >
      {icon}
      {children}
      {hint && <kbd className={css.hint}>{hint}</kbd>}
    </button>
  );
  return disabledBecause ? <Tooltip text={disabledBecause}>{button}</Tooltip> : button;
}
