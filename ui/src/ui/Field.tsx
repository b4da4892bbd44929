// A labelled input with help and, if something is wrong, what.
import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import css from './Field.module.css';

interface Around {
  label: ReactNode;
  help?: ReactNode;
  error?: string | null | undefined;
}

function Frame({ label, help, error, id, children }: Around & { id: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label}
      </label>
      {children}
      {help && (
        <p id={`${id}-help`} className={css.help}>
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={css.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function described(id: string, { help, error }: Around): string | undefined {
  return [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
}

export function TextField({ label, help, error, ...rest }: Around & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const around = { label, help, error };
  return (
    <Frame {...around} id={id}>
      <input
        {...rest}
        id={id}
        className={css.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, around)}
      />
    </Frame>
  );
}

export function TextArea({
  label,
  help,
  error,
  ...rest
}: Around & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const around = { label, help, error };
  return (
    <Frame {...around} id={id}>
      <textarea
        rows={3}
        {...rest}
        id={id}
        className={css.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, around)}
      />
    </Frame>
  );
}

export function SelectField({
  label,
  help,
  error,
  children,
  ...rest
}: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  const around = { label, help, error };
  return (
    <Frame {...around} id={id}>
      <select {...rest} id={id} className={css.input} aria-describedby={described(id, around)}>
        {children}
      </select>
    </Frame>
  );
}
