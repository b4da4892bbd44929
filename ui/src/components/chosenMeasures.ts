// The measures a person looks at first; the rest is one click away.
import type { Measure, Outlook } from '../api/types';
import { inUnit } from '../util/measures';

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

/** What people ask for first stays even if it does not change; the rest has to be another number before and after. */
function isWorthARow(one: Measure): boolean {
  if (one.measure === FEDERATION[0]) return true;
  return inUnit(one.without.mean, one.unit) !== inUnit(one.with.mean, one.unit);
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
