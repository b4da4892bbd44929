// Replicas as chips: filled ones run, hollow ones wait for a node.
import { count } from '../../util/numbers';
import type { Replicas } from './placement';
import css from './Pods.module.css';

/** More chips than this are a number. */
const MOST = 8;

export function Pods({ running, waiting }: Replicas) {
  const all = running + waiting;
  if (all === 0) return <span className={css.none}>none</span>;
  const words = waiting > 0 ? `${count(all, 'replica')}, ${waiting} waiting` : count(all, 'replica');
  return (
    <span className={css.pods}>
      {all <= MOST && (
        <span className={css.chips} aria-hidden="true">
          {Array.from({ length: all }, (_, index) => (
            <i key={index} className={index < running ? css.ready : css.waiting} />
          ))}
        </span>
      )}
      {words}
    </span>
  );
}
