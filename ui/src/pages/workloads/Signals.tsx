// What is measured about a workload.
import type { Workload } from '../../api/types';
import { useFederationNow } from '../../components/useFederationNow';
import { Card } from '../../ui/Card';
import { Pairs } from '../../ui/Pairs';
import { signalsOf } from '../../util/signals';
import { span } from '../../util/time';
import css from './Signals.module.css';

export function Signals({ workload }: { workload: Workload }) {
  const now = useFederationNow();
  const signals = signalsOf(workload.signals);
  const newest = Math.max(...signals.map((signal) => signal.at));
  return (
    <Card
      title="Measured"
      aside={signals.length > 0 && now !== null ? `${span(now - newest)} ago` : undefined}
    >
      {signals.length === 0 ? (
        <p className={css.none}>Nothing is measured about it.</p>
      ) : (
        <Pairs
          pairs={signals.map(({ title, value, at }) => [
            title,
            <>
              {value}
              {at < newest && <span className={css.old}> at {span(newest - at)} before</span>}
            </>,
          ])}
        />
      )}
    </Card>
  );
}
