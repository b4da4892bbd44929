// How full the clusters were over time, and how many pods waited.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChartLine } from 'lucide-react';
import { historyQuery } from '../../api/queries';
import type { History } from '../../api/types';
import { Loaded } from '../../components/Loaded';
import { Card } from '../../ui/Card';
import { Chart, lastUpTo } from '../../ui/Chart';
import { EmptyState } from '../../ui/EmptyState';
import { Segments } from '../../ui/Segments';
import { digits } from '../../util/numbers';
import { WHOLE_STEPS } from '../../util/scale';
import { moment } from '../../util/time';
import { ClusterCourse } from './ClusterCourse';
import { fullest, scaleOf, sum } from './course';
import type { Resource } from './search';
import { COURSE_POINTS } from './usePast';
import css from './CourseCard.module.css';

const route = getRouteApi('/inside/');
/** More would be a wall; the list of clusters has them all. */
const MOST = 4;

interface Props {
  /** The moment that is looked back at; null is now. */
  at: number | null;
  /** The course in which that moment is not left out, as soon as it is known. */
  course: History | undefined;
}

export function CourseCard({ at, course }: Props) {
  const query = useQuery(historyQuery({ points: COURSE_POINTS }));
  const { of = 'cpu' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Card
      title="Used, requested and allocatable"
      aside={
        <Segments<Resource>
          label="Over time"
          value={of}
          onChange={(next) =>
            void navigate({
              search: (old) => ({ ...old, of: next === 'memory' ? next : undefined }),
              replace: true,
            })
          }
          options={[
            { value: 'cpu', title: 'CPU' },
            { value: 'memory', title: 'Memory' },
          ]}
        />
      }
    >
      <Loaded query={query} lines={6}>
        {(latest) =>
          latest.at.length < 2 ? (
            <EmptyState icon={<ChartLine size={20} />} title="Nothing to draw yet">
              The lines begin with the second observation.
            </EmptyState>
          ) : (
            <Courses history={course ?? latest} of={of} shown={at} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Courses({ history, of, shown }: { history: History; of: Resource; shown: number | null }) {
  const courses = fullest(history.clusters, of, MOST);
  const scale = scaleOf(courses, of);
  const place = shown === null ? history.at.length - 1 : lastUpTo(history.at, shown);
  const waiting = sum(history.clusters.map((course) => course.podsPending));
  return (
    <>
      <div className={css.clusters}>
        {courses.map((course) => (
          <ClusterCourse
            key={course.name}
            course={course}
            at={history.at}
            place={place}
            of={of}
            scale={scale}
            shown={shown}
          />
        ))}
      </div>
      {courses.length < history.clusters.length && (
        <p className={css.rest}>
          The {courses.length} fullest{shown !== null && ' now'} of {digits(history.clusters.length)}.{' '}
          <Link to="/clusters" search={{ sort: '-load' }}>
            All clusters
          </Link>
        </p>
      )}
      <Chart
        label="Pods without a node"
        summary={summaryOf(waiting[place] ?? null, shown)}
        at={history.at}
        height={96}
        mark={shown === null ? null : { at: shown, label: 'shown' }}
        resting={shown}
        steps={WHOLE_STEPS}
        formatAt={moment}
        formatValue={(value) => digits(value)}
        series={[{ name: 'pods without a node', values: waiting, color: '--series-4', filled: true }]}
      />
    </>
  );
}

function summaryOf(waiting: number | null, shown: number | null): string {
  const when = shown === null ? 'now' : 'then';
  return waiting === null ? `Not known ${when}.` : `${digits(waiting)} ${when}.`;
}
