// One cluster as a place for a workload.
import { Link } from '@tanstack/react-router';
import { podsOf } from '../../components/workloads/pods';
import { count, digits, percent } from '../../util/numbers';
import type { Place } from './places';
import css from './Placement.module.css';

/** More chips than this are a number. */
const MOST_CHIPS = 48;

export function PlacementColumn({ place: { cluster, placement, state } }: { place: Place }) {
  const hidden = Boolean(state?.hiddenBecause);
  return (
    <section
      className={css.column}
      data-here={placement !== null || undefined}
      data-hidden={hidden || undefined}
    >
      <h3 className={css.cluster}>
        <Link to="/clusters/$name" params={{ name: cluster }}>
          {cluster}
        </Link>
      </h3>
      <p className={css.state}>
        {state
          ? hidden
            ? `not seen: ${state.hiddenBecause}`
            : `${percent(state.load, 0)} full`
          : 'not known'}
      </p>
      {placement ? <Chips placement={placement} /> : <p className={css.none}>nothing of it</p>}
    </section>
  );
}

function Chips({ placement }: { placement: NonNullable<Place['placement']> }) {
  const { all, ready, starting, pending } = podsOf([placement]);
  const kinds = [
    ...Array.from({ length: ready }, () => css.ready),
    ...Array.from({ length: starting }, () => css.starting),
    ...Array.from({ length: pending }, () => css.pending),
  ];
  const words = [
    `${digits(ready)} of ${count(all, 'pod')} ready`,
    ...(starting > 0 ? [`${digits(starting)} starting`] : []),
    ...(pending > 0 ? [`${digits(pending)} pending`] : []),
  ];
  return (
    <>
      <span className={css.chips} aria-hidden="true">
        {kinds.slice(0, MOST_CHIPS).map((kind, index) => (
          <i key={index} className={kind} />
        ))}
        {kinds.length > MOST_CHIPS && <span className={css.more}>+{digits(kinds.length - MOST_CHIPS)}</span>}
      </span>
      <p className={css.words}>{words.join(', ')}</p>
      {placement.replicas !== all && (
        <p className={css.state}>{count(placement.replicas, 'replica')} wanted</p>
      )}
    </>
  );
}
