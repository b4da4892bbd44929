// Where a workload runs: a column for each cluster, a chip for each pod.
import { useQuery } from '@tanstack/react-query';
import { clustersQuery } from '../../api/queries';
import type { Workload } from '../../api/types';
import { podsOf } from '../../components/workloads/pods';
import { Card } from '../../ui/Card';
import { count } from '../../util/numbers';
import { PlacementColumn } from './PlacementColumn';
import { placesOf } from './places';
import css from './Placement.module.css';

export function Placement({ workload }: { workload: Workload }) {
  const { data: clusters = [] } = useQuery(clustersQuery);
  const { places, others } = placesOf(workload.placements, clusters);
  const pods = podsOf(workload.placements);
  return (
    <Card
      title="Placement"
      aside={
        <ul className={css.legend} aria-label="What the chips show">
          <li>
            <i className={css.ready} /> ready {pods.ready}
          </li>
          <li>
            <i className={css.starting} /> starting {pods.starting}
          </li>
          <li>
            <i className={css.pending} /> pending {pods.pending}
          </li>
        </ul>
      }
    >
      <div className={css.columns}>
        {places.map((place) => (
          <PlacementColumn key={place.cluster} place={place} />
        ))}
      </div>
      {others > 0 && <p className={css.others}>Nothing of it in {count(others, 'other cluster')}.</p>}
    </Card>
  );
}
