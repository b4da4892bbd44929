// A button that shows only a sign; its name is read aloud and shown on hover.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Tooltip } from './Tooltip';
import css from './IconButton.module.css';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  label: string;
  icon: ReactNode;
  /** Why it cannot be used now; it stays focusable, so that everybody can read the reason. */
  disabledBecause?: string | null | undefined;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, icon, disabledBecause, onClick, ...rest }: Props) {
  const off = Boolean(disabledBecause);
  return (
    <Tooltip text={disabledBecause ? `${label}: ${disabledBecause}` : label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={css.button}
        aria-disabled={off || undefined}
        {...(disabledBecause ? { 'aria-description': disabledBecause } : {})}
        onClick={off ? (event) => event.preventDefault() : onClick}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
