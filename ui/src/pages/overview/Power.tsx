// What the federation draws, where it is measured.
import { watts as text } from '../../util/signals';
import { Figure } from './Figure';

export function Power({ watts }: { watts: number }) {
  const [number = '', unit = ''] = text(watts).split(/ (?=k?W$)/);
  return <Figure label="Power" value={number} unit={unit} note="of all that is measured" />;
}
