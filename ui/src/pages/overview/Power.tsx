// What the federation draws, where it is measured, and what it has drawn in this run.
import { useQuery } from '@tanstack/react-query';
import { historyQuery } from '../../api/queries';
import { watts as text } from '../../util/signals';
import { energyText, wattHours } from './energy';
import { Figure } from './Figure';
import { COURSE_POINTS } from './usePast';

interface Props {
  watts: number;
  /** The moment that is looked back at; null is now. */
  at: number | null;
}

export function Power({ watts, at }: Props) {
  const { data: history } = useQuery(historyQuery({ points: COURSE_POINTS }));
  const energy = history ? wattHours(history, at ?? Infinity) : null;
  const [number = '', unit = ''] = text(watts).split(/ (?=k?W$)/);
  const note = energy === null ? 'of all that is measured' : `about ${energyText(energy)} so far`;
  return <Figure label="Power" value={number} unit={unit} note={note} />;
}
