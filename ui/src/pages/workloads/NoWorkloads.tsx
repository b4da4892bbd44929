// An empty list says why it is empty.
import { Boxes, SearchX } from 'lucide-react';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';

export function NoWorkloads({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title="No workload fits"
        action={<Button onClick={onClear}>Show all</Button>}
      >
        Part of kind/namespace/name is looked for, in the letters as they are written.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Boxes size={20} />} title="No workload has been observed yet">
      They show up with the first observation; in a simulation, let time run in the banner.
    </EmptyState>
  );
}
