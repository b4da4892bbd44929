// The course of a long run leaves observations out; here the one that is looked at is put back.
import type { ClusterHistory, History } from '../../api/types';

type Known = number | null;

/**
 * The course with the last observation of `exact` as one more point, so that charts, figures and clusters read the same numbers; the
 * course as it is if it has that moment.
 */
export function withExact(course: History, exact: History): History {
  const last = exact.at.length - 1;
  const moment = exact.at[last];
  if (moment === undefined || course.at.includes(moment)) return course;
  const place = course.at.filter((at) => at < moment).length;
  const [lines, moments] = [byName(course), byName(exact)];
  // In the order in which the desk tells them.
  const names = [...new Set([...lines.keys(), ...moments.keys()])].sort();
  const clusters = names.flatMap((name) => {
    const seen = moments.get(name);
    const line = lines.get(name) ?? (seen && mapped(seen, () => course.at.map(() => null)));
    // A cluster that was not seen at that moment has a gap there.
    return line ? [mapped(line, (values, of) => values.toSpliced(place, 0, seen?.[of][last] ?? null))] : [];
  });
  return { at: course.at.toSpliced(place, 0, moment), clusters };
}

function byName({ clusters }: History): Map<string, ClusterHistory> {
  return new Map(clusters.map((cluster) => [cluster.name, cluster]));
}

type Series = Exclude<keyof ClusterHistory, 'name'>;

/** The same cluster with other values in each of its series, however many the desk tells. */
function mapped(
  { name, ...series }: ClusterHistory,
  change: (values: Known[], of: Series) => Known[],
): ClusterHistory {
  const changed = Object.entries(series).map(([of, values]) => [of, change(values, of as Series)]);
  return { name, ...(Object.fromEntries(changed) as typeof series) };
}
