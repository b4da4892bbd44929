// How an agent's predictions turned out so far.
import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../api/queries';

export function TrackRecord({ agent }: { agent: string }) {
  const { data: agents } = useQuery(agentsQuery);
  const record = agents?.find((one) => one.name === agent)?.trackRecord;
  if (!record || record.predicted === 0) return <>no prediction of {agent} has been scored yet</>;
  return (
    <>
      {record.inside} of the last {record.predicted} predictions for {agent} came out inside the interval
    </>
  );
}
