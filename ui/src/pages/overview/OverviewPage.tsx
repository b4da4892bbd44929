// How the federation stands: what waits for a decision first, numbers second.
import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '../../api/queries';
import { Loaded } from '../../components/Loaded';
import { PageHeader } from '../../components/PageHeader';
import { moment } from '../../util/time';
import { AgentsCard } from './AgentsCard';
import { ClustersCard } from './ClustersCard';
import { CourseCard } from './CourseCard';
import { DecideCard } from './DecideCard';
import { Figures } from './Figures';
import { Gaps } from './Gaps';
import { UnderWayCard } from './UnderWayCard';
import css from './OverviewPage.module.css';

export default function OverviewPage() {
  const query = useQuery(statusQuery);
  return (
    <>
      <PageHeader
        title="Overview"
        note={
          query.data
            ? `${query.data.scenario}, observed at ${query.data.observedAt === null || query.data.observedAt === undefined ? 'no time yet' : moment(query.data.observedAt)}`
            : ''
        }
      />
      <Loaded query={query} lines={5} tall>
        {(status) => (
          <div className={css.grid}>
            <Gaps gaps={status.gaps} />
            <div className={css.figures}>
              <Figures status={status} />
            </div>
            <div className={css.main}>
              <DecideCard />
              <CourseCard />
            </div>
            <div className={css.side}>
              <ClustersCard />
              <UnderWayCard />
              <AgentsCard />
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}
