// A button that shows only a sign; its name is read aloud and shown on hover.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Tooltip } from './Tooltip';
import css from './IconButton.module.css';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  label: string;
  icon: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, icon, ...rest }: Props) {
  return (
    <Tooltip text={label}>
      <button type="button" aria-label={label} {...rest} className={css.button}>
        {icon}
      </button>
    </Tooltip>
  );
}
