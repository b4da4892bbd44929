// Arithmetic on the course of clusters; unknown stays unknown.
import type { ClusterHistory } from '../../api/types';

export function shares(course: Pick<ClusterHistory, 'requestedCpu' | 'capacityCpu'>): (number | null)[] {
  return course.requestedCpu.map((value, index) => {
    const capacity = course.capacityCpu[index];
    return value === null || capacity === null || capacity === undefined || capacity === 0
      ? null
      : value / capacity;
  });
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
