// How a cluster stands now, in numbers.
import { Card } from '../../ui/Card';
import { Stat, Stats } from '../../ui/Stat';
import { classes } from '../../util/className';
import { count, digits } from '../../util/numbers';
import { Fullness } from './Fullness';
import { Legend } from './Legend';
import type { ClusterRow } from './rows';
import css from './ClusterNow.module.css';

export function ClusterNow({ row }: { row: ClusterRow }) {
  return (
    <Card title={row.hidden ? 'When it was last seen' : 'Now'} aside={<Legend />}>
      <div className={classes(css.now, row.hidden && css.old)}>
        <div className={css.bars}>
          <div className={css.bar}>
            <span className={css.label}>CPU, cores</span>
            <Fullness
              of="cores"
              whole={row.capacity.cpuCores}
              taken={row.allocated.cpuCores}
              asked={row.requested.cpuCores}
              used={row.cpuUsed}
            />
          </div>
          <div className={css.bar}>
            <span className={css.label}>Memory</span>
            <Fullness
              of="bytes"
              whole={row.capacity.memoryBytes}
              taken={row.allocated.memoryBytes}
              asked={row.requested.memoryBytes}
              used={row.memoryUsed}
            />
          </div>
        </div>
        <Stats>
          <Stat
            label="Pods with a node"
            value={digits(row.allocated.pods)}
            note={`room for ${digits(row.capacity.pods)}`}
          />
          <Stat
            label="Pending pods"
            value={
              <span className={row.podsPending > 0 ? css.warn : undefined}>{digits(row.podsPending)}</span>
            }
            note={row.podsPending > 0 ? 'wait for a node' : 'none waits'}
          />
          <Stat
            label="Nodes"
            value={digits(row.nodes)}
            note={row.nodesBooting > 0 ? `${count(row.nodesBooting, 'more')} booting` : 'none booting'}
          />
          <Stat label="Cost" value={digits(row.costPerHour, 2)} unit="$/h" />
          <Stat
            label="Power"
            value={row.watts === null ? '—' : digits(row.watts)}
            {...(row.watts === null ? { note: 'not measured' } : { unit: 'W' })}
          />
          <Stat
            label="Carbon"
            value={row.carbon === null ? '—' : digits(row.carbon)}
            {...(row.carbon === null ? { note: 'not measured' } : { unit: 'g/kWh' })}
          />
        </Stats>
      </div>
    </Card>
  );
}
