// What the federation draws, where it is measured, and what it has drawn in this run.
import { useQuery } from '@tanstack/react-query';
import { historyQuery } from '../../api/queries';
import type { History } from '../../api/types';
import { watts as text } from '../../util/signals';
import { energyText, wattHours } from './energy';
import { Figure } from './Figure';
import { COURSE_POINTS } from './usePast';

interface Props {
  watts: number;
  /** The moment that is looked back at; null is now. */
  at: number | null;
  /** The course up to that moment, if it is known better than that up to now. */
  course?: History | undefined;
}

export function Power({ watts, at, course }: Props) {
  const { data } = useQuery(historyQuery({ points: COURSE_POINTS }));
  const history = course ?? data;
  const energy = history ? wattHours(history, at ?? Infinity) : null;
  const [number = '', unit = ''] = text(watts).split(/ (?=k?W$)/);
  const note = energy === null ? 'of all that is measured' : `about ${energyText(energy)} so far`;
  return <Figure label="Power" value={number} unit={unit} note={note} />;
}
