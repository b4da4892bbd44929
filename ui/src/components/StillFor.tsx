// How long something holds, in the federation's own time; what is over says so.
import { Countdown } from './Countdown';
import { useFederationNow } from './useFederationNow';

export function StillFor({ until, otherwise }: { until: number | null | undefined; otherwise: string }) {
  const now = useFederationNow();
  if (until === null || until === undefined) return <>{otherwise}</>;
  return now !== null && until <= now ? <>over</> : <Countdown until={until} />;
}
