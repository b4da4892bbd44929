// The clusters over time, as far back as somebody wants to look.
import { useQuery } from '@tanstack/react-query';
import { historyQuery } from '../../api/queries';
import { useFederationNow } from '../../components/useFederationNow';
import { beginning, type Span } from './span';

/** As many moments as a chart of half a window has room for. */
const POINTS = 180;

/** Of one cluster, or of all. */
export function useHistory(span: Span, cluster?: string) {
  const now = useFederationNow();
  const from = beginning(span, now ?? 0);
  return useQuery({
    ...historyQuery({
      points: POINTS,
      ...(from === undefined ? {} : { from }),
      ...(cluster === undefined ? {} : { cluster }),
    }),
    enabled: now !== null,
  });
}
