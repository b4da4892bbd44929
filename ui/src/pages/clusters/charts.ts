// Which lines are drawn about a cluster.
import type { ClusterHistory } from '../../api/types';
import type { ChartSeries } from '../../ui/Chart';
import { isMeasured } from './course';

export interface Measured {
  title: string;
  unit: 'cores' | 'bytes' | 'number' | 'money' | 'watts';
  wide: boolean;
  /** Without those of which nothing is known. */
  series: ChartSeries[];
}

export function chartsOf(course: ClusterHistory): Measured[] {
  const load = (what: 'Cpu' | 'Memory'): ChartSeries[] => [
    { name: 'allocatable', values: course[`capacity${what}`], color: '--series-8', dashed: true },
    { name: 'requested', values: course[`requested${what}`], color: '--series-2' },
    { name: 'allocated', values: course[`allocated${what}`], color: '--series-1', filled: true },
    { name: 'used', values: course[`used${what}`], color: '--series-3' },
  ];
  const line = (name: string, values: (number | null)[], color: string): ChartSeries[] => [
    { name, values, color, filled: true },
  ];
  const charts: Measured[] = [
    { title: 'CPU, cores', unit: 'cores', wide: true, series: load('Cpu') },
    { title: 'Memory', unit: 'bytes', wide: true, series: load('Memory') },
    {
      title: 'Pending pods',
      unit: 'number',
      wide: false,
      series: line('pending', course.podsPending, '--series-2'),
    },
    { title: 'Nodes', unit: 'number', wide: false, series: line('nodes', course.nodes, '--series-1') },
    {
      title: 'Cost, $/h',
      unit: 'money',
      wide: false,
      series: line('cost', course.costPerHour, '--series-5'),
    },
    { title: 'Power', unit: 'watts', wide: false, series: line('power', course.watts, '--series-4') },
  ];
  return charts.map((chart) => ({ ...chart, series: chart.series.filter((one) => isMeasured(one.values)) }));
}
