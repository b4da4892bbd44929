// How far a grant goes: what is beyond it waits for a person.
import { SelectField, TextField } from '../../ui/Field';
import css from './settings.module.css';

export interface Grant {
  highestRisk: 'low' | 'medium' | 'high';
  replicas: string;
  perHour: string;
  period: string;
}

interface Props {
  grant: Grant;
  onChange: (grant: Grant) => void;
  badPeriod: boolean;
}

export function GrantFields({ grant, onChange, badPeriod }: Props) {
  return (
    <>
      <div className={css.pair}>
        <SelectField
          label="Highest risk that passes"
          value={grant.highestRisk}
          onChange={(event) =>
            onChange({ ...grant, highestRisk: event.target.value as Grant['highestRisk'] })
          }
        >
          <option>low</option>
          <option>medium</option>
          <option>high</option>
        </SelectField>
        <TextField
          label="For how long"
          placeholder="this, or actions within an hour"
          value={grant.period}
          onChange={(event) => onChange({ ...grant, period: event.target.value })}
          help="In the federation’s own time: 30m, 4h."
          error={badPeriod ? 'Write the period like 30m or 4h.' : null}
        />
      </div>
      <div className={css.pair}>
        <TextField
          label="Replicas at once"
          type="number"
          min={0}
          placeholder="any number"
          value={grant.replicas}
          onChange={(event) => onChange({ ...grant, replicas: event.target.value })}
        />
        <TextField
          label="Actions within an hour"
          type="number"
          min={0}
          placeholder="this, or for how long"
          value={grant.perHour}
          onChange={(event) => onChange({ ...grant, perHour: event.target.value })}
        />
      </div>
    </>
  );
}
