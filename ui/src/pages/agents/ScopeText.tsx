// The part of the federation that an agent may touch.
import type { AgentDetail } from '../../api/types';

export function ScopeText({ scope }: { scope: AgentDetail['scope'] }) {
  if (!scope) return <>as its token says</>;
  const { clusters, namespaces } = scope;
  if (clusters.length + namespaces.length === 0) return <>everything</>;
  return (
    <>
      {clusters.length > 0 && `clusters ${clusters.join(', ')}`}
      {clusters.length > 0 && namespaces.length > 0 && '; '}
      {namespaces.length > 0 && `namespaces ${namespaces.join(', ')}`}
    </>
  );
}
