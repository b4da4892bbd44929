// How an agent's predictions turned out so far.
import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../api/queries';

/** What is disturbed gets a score too, but says nothing about how well predictions are made. */
export const COUNTS = 'Only predictions count that were measured to their end while nothing else happened';

export function TrackRecord({ agent }: { agent: string }) {
  const { data: agents } = useQuery(agentsQuery);
  const record = agents?.find((one) => one.name === agent)?.trackRecord;
  if (!record || record.predicted === 0) {
    return <span title={COUNTS}>none of the predictions for {agent} counts yet</span>;
  }
  return (
    <>
      {record.inside} of the last {record.predicted} predictions for {agent} came out inside the interval
    </>
  );
}
