// Strategies to choose from, and the one that the others are held against.
import { Check } from 'lucide-react';
import type { LabStrategy } from '../../api/laboratory';
import { SelectField } from '../../ui/Field';
import css from './StrategyChips.module.css';

interface Props {
  known: LabStrategy[];
  chosen: string[];
  baseline: string;
  onChange: (chosen: string[]) => void;
  onBaseline: (baseline: string) => void;
}

export function StrategyChips({ known, chosen, baseline, onChange, onBaseline }: Props) {
  const toggle = (name: string) => {
    const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    // Nothing cannot be compared: the last one stays.
    if (next.length > 0) onChange(next);
  };
  return (
    <div className={css.strategies}>
      <ul className={css.chips} aria-label="Strategies">
        {known.map(({ name, says }) => {
          const on = chosen.includes(name);
          return (
            <li key={name}>
              <button type="button" className={css.chip} aria-pressed={on} onClick={() => toggle(name)}>
                <span className={css.box}>{on && <Check size={13} aria-hidden="true" />}</span>
                <span>
                  <b>{name}</b>
                  <span className={css.says}>{says}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {chosen.length > 1 && (
        <div className={css.baseline}>
          <SelectField label="Baseline" value={baseline} onChange={(event) => onBaseline(event.target.value)}>
            {chosen.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        </div>
      )}
    </div>
  );
}
