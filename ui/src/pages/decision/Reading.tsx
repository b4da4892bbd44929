// What a person should have read before a yes that matters: what changes, what raises the risk, what does not hold.
import type { RecommendationDetail } from '../../api/types';
import { Table } from '../../ui/Table';
import { percent } from '../../util/numbers';
import css from './Reading.module.css';

export function Reading({ detail }: { detail: RecommendationDetail }) {
  const failing = detail.checks.filter((check) => !check.holds);
  return (
    <div className={css.reading}>
      <Table
        dense
        caption="What changes, by cluster"
        rows={detail.changes}
        rowKey={(change) => change.cluster}
        columns={[
          { key: 'cluster', title: 'Cluster', cell: (change) => change.cluster },
          {
            key: 'load',
            title: 'Load',
            numeric: true,
            cell: (change) => `${percent(change.loadBefore)} → ${percent(change.loadAfter)}`,
          },
          {
            key: 'pending',
            title: 'Waiting pods',
            numeric: true,
            cell: (change) => `${change.pendingBefore} → ${change.pendingAfter}`,
          },
        ]}
      />
      <ul className={css.reasons}>
        {detail.riskBecause.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {failing.map((check) => (
          <li key={check.rule}>
            Does not hold: {check.rule}
            {check.because && ` (${check.because})`}
          </li>
        ))}
        <li>Way back: {detail.wayBack || 'none'}</li>
      </ul>
    </div>
  );
}
