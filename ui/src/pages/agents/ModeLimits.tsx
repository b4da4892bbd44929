// How far a grant goes.
import { SelectField, TextField } from '../../ui/Field';
import type { Written } from './modeWish';
import css from './ModeDialog.module.css';

interface Props {
  written: Written;
  onChange: (part: Partial<Written>) => void;
}

export function ModeLimits({ written, onChange }: Props) {
  return (
    <div className={css.limits}>
      <SelectField
        label="Highest risk that passes"
        value={written.highestRisk}
        onChange={(event) => onChange({ highestRisk: event.target.value as Written['highestRisk'] })}
      >
        <option value="low">low</option>
        <option value="medium">medium</option>
        <option value="high">high</option>
      </SelectField>
      <TextField
        label="Replicas in one action"
        inputMode="numeric"
        placeholder="no limit"
        value={written.replicas}
        onChange={(event) => onChange({ replicas: event.target.value })}
      />
      <TextField
        label="Actions in an hour"
        inputMode="numeric"
        placeholder="this, or for how long"
        value={written.perHour}
        onChange={(event) => onChange({ perHour: event.target.value })}
      />
      <TextField
        label="For how long"
        placeholder="this, or actions in an hour"
        help="In the federation’s own time: 30m, 8h."
        value={written.period}
        onChange={(event) => onChange({ period: event.target.value })}
      />
    </div>
  );
}
