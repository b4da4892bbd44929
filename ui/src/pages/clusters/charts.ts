// Which lines are drawn about a cluster, and how their values read.
import type { ClusterHistory } from '../../api/types';
import type { ChartSeries } from '../../ui/Chart';
import { measuredOf } from '../../util/measured';
import { digits } from '../../util/numbers';
import { BINARY_STEPS, bytesScale, WHOLE_STEPS } from '../../util/scale';
import { watts } from '../../util/signals';

export interface ClusterChart {
  /** With its unit, so that values need not repeat it. */
  title: string;
  text: (value: number) => string;
  steps?: readonly number[];
  wide: boolean;
  /** Without those of which nothing is known. */
  series: ChartSeries[];
  /** The names of those. */
  missing: string[];
}

/** What is known before anybody looks which lines there are. */
type Sketch = Omit<ClusterChart, 'missing'>;

const short = (value: number) => digits(value, Number.isInteger(value) ? 0 : 1);

function load(course: ClusterHistory, what: 'Cpu' | 'Memory'): ChartSeries[] {
  return [
    { name: 'allocatable', values: course[`capacity${what}`], color: '--series-8', dashed: true },
    { name: 'requested', values: course[`requested${what}`], color: '--series-2' },
    { name: 'allocated', values: course[`allocated${what}`], color: '--series-1', filled: true },
    { name: 'used', values: course[`used${what}`], color: '--series-3' },
  ];
}

function memory(course: ClusterHistory): Sketch {
  const scale = bytesScale(Math.max(0, ...course.capacityMemory.filter((value) => value !== null)));
  const title = `Memory, ${scale.unit}`;
  return { title, text: scale.text, steps: BINARY_STEPS, wide: true, series: load(course, 'Memory') };
}

export function chartsOf(course: ClusterHistory): ClusterChart[] {
  const one = (
    title: string,
    text: Sketch['text'],
    name: string,
    values: (number | null)[],
    color: string,
  ): Sketch => ({ title, text, wide: false, series: [{ name, values, color, filled: true }] });
  const charts: Sketch[] = [
    { title: 'CPU, cores', text: short, wide: true, series: load(course, 'Cpu') },
    memory(course),
    { ...one('Pending pods', short, 'pending', course.podsPending, '--series-2'), steps: WHOLE_STEPS },
    { ...one('Nodes', short, 'nodes', course.nodes, '--series-1'), steps: WHOLE_STEPS },
    one('Cost, $/h', (value) => digits(value, 2), 'cost', course.costPerHour, '--series-5'),
    one('Power', watts, 'power', course.watts, '--series-4'),
  ];
  return charts.map((chart) => {
    const { measured, missing } = measuredOf(chart.series);
    return { ...chart, series: measured, missing };
  });
}
