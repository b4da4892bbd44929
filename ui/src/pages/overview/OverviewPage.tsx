// How the federation stands: what waits for a decision first, numbers second. And how it stood, at any moment of the run.
import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '../../api/queries';
import type { Status } from '../../api/types';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Loaded } from '../../components/Loaded';
import { PageHeader } from '../../components/PageHeader';
import { classes } from '../../util/className';
import { latestGuess } from '../../util/federationClock';
import { moment } from '../../util/time';
import { AgentsCard } from './AgentsCard';
import { BegunCard } from './BegunCard';
import { ClustersCard } from './ClustersCard';
import { CourseCard } from './CourseCard';
import { DecideCard } from './DecideCard';
import { Figures } from './Figures';
import { Gaps } from './Gaps';
import { LookBackBar } from './LookBackBar';
import { PastClustersCard } from './PastClustersCard';
import { PastFigures } from './PastFigures';
import { TimeBar } from './TimeBar';
import { UnderWayCard } from './UnderWayCard';
import { useLookBack } from './useLookBack';
import { usePast } from './usePast';
import { WaitedCard } from './WaitedCard';
import css from './OverviewPage.module.css';

export default function OverviewPage() {
  const query = useQuery(statusQuery);
  const observedAt = query.data?.observedAt ?? null;
  return (
    <>
      <PageHeader
        title="Overview"
        note={
          query.data
            ? `${query.data.scenario}, observed at ${observedAt === null ? 'no time yet' : moment(observedAt)}`
            : ''
        }
      />
      <Loaded query={query} lines={5} tall>
        {(status) => <Standing status={status} />}
      </Loaded>
    </>
  );
}

function Standing({ status }: { status: Status }) {
  const { at, settled, look } = useLookBack(latestGuess(status));
  const then = usePast(at, settled);
  const back = at !== null;
  return (
    <>
      <TimeBar status={status} at={at} onLook={look} />
      {back && <LookBackBar at={at} past={then.past} onNow={() => look(null)} />}
      {back && then.error && <ErrorNotice error={then.error} />}
      <div className={classes(css.grid, back && css.back)}>
        {!back && <Gaps gaps={status.gaps} />}
        <div className={css.figures}>{back ? <PastFigures then={then} /> : <Figures status={status} />}</div>
        <div className={css.main}>
          {back ? <WaitedCard at={at} waited={then.waited} /> : <DecideCard />}
          <CourseCard at={at} course={then.course} />
        </div>
        <div className={css.side}>
          {back ? <PastClustersCard past={then.past} /> : <ClustersCard />}
          {back ? <BegunCard begun={then.begun} /> : <UnderWayCard />}
          {!back && <AgentsCard />}
        </div>
      </div>
    </>
  );
}
