// One cluster in a few lines: what it has, what is placed there and what is asked for, now or at another moment.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/Badge';
import { bytes, count, digits, perHour } from '../../util/numbers';
import { LoadRow, type Load } from './LoadRow';
import css from './ClustersCard.module.css';

export interface Line {
  name: string;
  podsPending: number;
  nodes: number;
  /** On their way. */
  booting?: number;
  costPerHour: number;
  cpu: Load;
  memory: Load;
  note?: ReactNode;
  /** Numbers of another moment than the rest: they are hatched. */
  old?: boolean;
}

export function ClusterLine({ line }: { line: Line }) {
  return (
    <li className={css.cluster} data-old={line.old || undefined}>
      <p className={css.head}>
        <Link to="/clusters/$name" params={{ name: line.name }} className={css.name}>
          {line.name}
        </Link>
        {line.note}
        {line.podsPending > 0 && <Badge tone="bad">{count(line.podsPending, 'pod')} waiting</Badge>}
        <span className={css.facts}>
          {count(line.nodes, 'node')}
          {line.booting ? ` +${line.booting}` : ''} · {perHour(line.costPerHour)}
        </span>
      </p>
      <LoadRow label="CPU" load={line.cpu} format={(value) => `${digits(value, 1)} cores`} />
      <LoadRow label="Memory" load={line.memory} format={bytes} />
    </li>
  );
}
