// Keys as they are printed on a keyboard.
import css from './Key.module.css';

export function Key({ keys }: { keys: string }) {
  return (
    <span className={css.keys}>
      {keys.split(' ').map((key, index) => (
        <kbd key={index} className={css.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
