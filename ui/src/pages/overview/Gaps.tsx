// What could not be observed; plans that touch it are not carried out.
import { EyeOff } from 'lucide-react';
import css from './Gaps.module.css';

export function Gaps({ gaps }: { gaps: string[] }) {
  if (gaps.length === 0) return null;
  return (
    <ul className={css.gaps} aria-label="What cannot be seen">
      {gaps.map((gap) => (
        <li key={gap} className={css.gap}>
          <EyeOff size={15} aria-hidden="true" /> {gap}
        </li>
      ))}
    </ul>
  );
}
