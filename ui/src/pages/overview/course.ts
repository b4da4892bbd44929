// The course of clusters: which are shown, and as which lines; unknown stays unknown.
import type { ClusterHistory } from '../../api/types';
import type { ChartSeries } from '../../ui/Chart';
import { measuredOf, type Measured } from '../../util/measured';
import { bytesScale, CORES, type Scale } from '../../util/scale';
import type { Resource } from './search';

const KEYS = { cpu: 'Cpu', memory: 'Memory' } as const;

/** From the outermost to what fills it. */
export function linesOf(course: ClusterHistory, of: Resource): Measured<ChartSeries> {
  const key = KEYS[of];
  const lines: ChartSeries[] = [
    { name: 'allocatable', values: course[`capacity${key}`], color: '--series-8', dashed: true },
    { name: 'requested', values: course[`requested${key}`], color: '--series-2' },
    { name: 'used', values: course[`used${key}`], color: '--series-3', filled: true },
  ];
  return measuredOf(lines);
}

function lastKnown(values: readonly (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** How much of what there is was asked for last; null if one of them is not known. */
export function lastShare(course: ClusterHistory, of: Resource): number | null {
  const asked = lastKnown(course[`requested${KEYS[of]}`]);
  const capacity = lastKnown(course[`capacity${KEYS[of]}`]);
  return asked === null || !capacity ? null : asked / capacity;
}

/** The same at one moment. */
export function shareAt(course: ClusterHistory, of: Resource, index: number): number | null {
  const asked = course[`requested${KEYS[of]}`][index] ?? null;
  const capacity = course[`capacity${KEYS[of]}`][index];
  return asked === null || !capacity ? null : asked / capacity;
}

/** All if they fit; otherwise those of which most is asked for, in their usual order. */
export function fullest(courses: readonly ClusterHistory[], of: Resource, most: number): ClusterHistory[] {
  if (courses.length <= most) return [...courses];
  const share = (course: ClusterHistory) => lastShare(course, of) ?? -1;
  const chosen = new Set([...courses].sort((left, right) => share(right) - share(left)).slice(0, most));
  return courses.filter((course) => chosen.has(course));
}

/** One unit for all of them, so that they can be compared. */
export function scaleOf(courses: readonly ClusterHistory[], of: Resource): Scale {
  if (of === 'cpu') return CORES;
  const known = courses.flatMap((course) => course.capacityMemory).filter((value) => value !== null);
  return bytesScale(Math.max(0, ...known));
}

/** Null only where nothing at all is known. */
export function sum(lines: readonly (readonly (number | null)[])[]): (number | null)[] {
  const length = Math.max(0, ...lines.map((line) => line.length));
  return Array.from({ length }, (_, index) => {
    const known = lines
      .map((line) => line[index])
      .filter((value): value is number => typeof value === 'number');
    return known.length > 0 ? known.reduce((total, value) => total + value, 0) : null;
  });
}
