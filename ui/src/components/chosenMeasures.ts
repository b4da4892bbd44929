// The measures a person looks at first; the rest is one click away.
import type { Measure, Outlook } from '../api/types';

const FEDERATION = [
  'pending_pods',
  'pending_time',
  'cost_per_hour',
  'moved_pods',
  'stopped_pods',
  'energy',
  'power',
  'carbon',
];
const CLUSTER = ['cpu_load'];

/** Without those that would not change and are nothing to speak of: zero before and after. */
function isWorthARow(one: Measure): boolean {
  return one.without.mean !== 0 || one.with.mean !== 0;
}

export function chosenMeasures(outlook: Outlook, clusters: readonly string[]): Measure[] {
  const find = (measure: string, subject: string) =>
    outlook.measures.find((one) => one.measure === measure && one.subject === subject);
  const rows = [
    ...FEDERATION.map((measure) => find(measure, 'federation')),
    ...clusters.flatMap((cluster) => CLUSTER.map((measure) => find(measure, cluster))),
  ];
  return rows.filter((one): one is Measure => one !== undefined && isWorthARow(one));
}
