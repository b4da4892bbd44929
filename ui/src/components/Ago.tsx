// How long ago something was, in the federation's own time; the moment itself on hover.
import { ago, moment } from '../util/time';
import { useFederationNow } from './useFederationNow';

export function Ago({ at }: { at: number }) {
  const now = useFederationNow();
  return <span title={moment(at)}>{now === null ? '' : ago(now - at)}</span>;
}
