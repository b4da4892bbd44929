// What one learns from lines over time without seeing them.
import { moment } from '../../util/time';

interface Line {
  name: string;
  values: readonly (number | null)[];
}

/** `hold peaks at 68.0 at 00:25:00; planner peaks at 55.0 at 00:27:00.` */
export function courseSummary(
  series: readonly Line[],
  at: readonly number[],
  format: (value: number) => string,
): string {
  const peaks = series.flatMap(({ name, values }) => {
    const known = values.map((value) => value ?? -Infinity);
    const highest = Math.max(...known);
    if (!Number.isFinite(highest)) return [];
    return [`${name} peaks at ${format(highest)} at ${moment(at[known.indexOf(highest)] ?? 0)}`];
  });
  return peaks.length > 0 ? `${peaks.join('; ')}.` : 'Nothing is known.';
}
