// A workload by its name, leading to its page.
import { Link } from '@tanstack/react-router';
import { shortWorkload, splitWorkload } from '../util/workload';

export function WorkloadLink({ workload }: { workload: string }) {
  const parts = splitWorkload(workload);
  if (!parts) return <>{workload}</>;
  return (
    <Link to="/workloads/$kind/$namespace/$name" params={{ ...parts }}>
      {shortWorkload(workload)}
    </Link>
  );
}
