// A cluster that belongs to the federation and of which nothing is known.
import { Unplug } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState';
import type { ClusterRow } from './rows';

export function NeverSeen({ row }: { row: ClusterRow }) {
  return (
    <EmptyState icon={<Unplug size={20} />} title={`Nothing is known about ${row.name} now`}>
      The desk says: {row.hiddenBecause}. Plans that touch it wait; it shows up here by itself once it is
      seen.
    </EmptyState>
  );
}
