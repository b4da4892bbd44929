// One cluster over time: what there is, what is asked for, what is used.
import { Link } from '@tanstack/react-router';
import type { ClusterHistory } from '../../api/types';
import { Chart } from '../../ui/Chart';
import { digits, percent } from '../../util/numbers';
import type { Scale } from '../../util/scale';
import { BINARY_STEPS } from '../../util/scale';
import { moment } from '../../util/time';
import { linesOf, shareAt } from './course';
import type { Resource } from './search';
import css from './CourseCard.module.css';

const cores = (value: number) => digits(value, Number.isInteger(value) ? 0 : 1);

interface Props {
  course: ClusterHistory;
  at: readonly number[];
  /** The index of the moment whose values stand above; −1 if there is none. */
  place: number;
  of: Resource;
  scale: Scale;
  /** The moment that is looked back at; null is now. */
  shown: number | null;
}

export function ClusterCourse({ course, at, place, of, scale, shown }: Props) {
  const share = shareAt(course, of, place);
  const { measured, missing } = linesOf(course, of);
  const what = `${of === 'cpu' ? 'CPU' : 'Memory'}, ${scale.unit}`;
  return (
    <section className={css.cluster}>
      <h3 className={css.title}>
        <Link to="/clusters/$name" params={{ name: course.name }}>
          {course.name}
        </Link>
        <span className={css.unit}>{what}</span>
      </h3>
      <Chart
        label={`${course.name}: ${what}`}
        summary={
          share === null
            ? 'Not known.'
            : `${percent(share, 0)} of what there is was asked for ${shown === null ? 'last' : 'then'}.`
        }
        at={at}
        height={124}
        mark={shown === null ? null : { at: shown, label: 'shown' }}
        resting={shown}
        formatAt={moment}
        formatValue={of === 'cpu' ? cores : scale.text}
        series={measured}
        missing={missing}
        {...(of === 'memory' ? { steps: BINARY_STEPS } : {})}
      />
    </section>
  );
}
